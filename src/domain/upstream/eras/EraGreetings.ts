import { ENVELOPE_CAPABILITIES, ENVELOPE_CLIENT_INFO, ENVELOPE_VERSION } from "../../wire/AppsExtension.ts"
import { rawAt, stringAt } from "../../wire/Rewrites.ts"
import { withId } from "../../wire/withId.ts"
import { completeMembers, LEGACY_VERSION, legacyVersionFor, MODERN_VERSION, SERVER_INFO } from "./Eras.ts"
import { type JsonMember, objectOf, withMembersAt, without } from "./EraSplices.ts"

/** The envelope (2026-07-28), as members of `_meta`, made from a host's `initialize` request. */
export const envelopeOfInitialize = (initialize: Uint8Array): ReadonlyArray<JsonMember> => {
  const clientInfo = rawAt(initialize, ["params", "clientInfo"])
  return [
    [ENVELOPE_VERSION, JSON.stringify(MODERN_VERSION)],
    ...(clientInfo === undefined ? [] : [[ENVELOPE_CLIENT_INFO, clientInfo] as const]),
    [ENVELOPE_CAPABILITIES, rawAt(initialize, ["params", "capabilities"]) ?? "{}"]
  ]
}

/** For a peer without a name: the legacy era requires one. */
const NAMELESS = '{"name":"unknown","version":"unknown"}'

/** Params of `initialize` (JSON text), made from the envelope of a host's request. */
export const initializeParams = (modernRequest: Uint8Array): string =>
  objectOf([
    ["protocolVersion", JSON.stringify(LEGACY_VERSION)],
    ["capabilities", rawAt(modernRequest, ["params", "_meta", ENVELOPE_CAPABILITIES]) ?? "{}"],
    ["clientInfo", rawAt(modernRequest, ["params", "_meta", ENVELOPE_CLIENT_INFO]) ?? NAMELESS]
  ])

/** The answer to a host's `initialize`, made from the server's answer to `server/discover`. */
export const initializeAnswer = (initialize: Uint8Array, id: string, discovered: Uint8Array): Uint8Array => {
  const version = legacyVersionFor(stringAt(initialize, ["params", "protocolVersion"]))
  const result = without(discovered, ["result"], ["resultType", "supportedVersions", "ttlMs", "cacheScope"])
  return withMembersAt(
    withId(result, id),
    ["result"],
    [
      ["protocolVersion", JSON.stringify(version)],
      ["capabilities", "{}"],
      ["serverInfo", rawAt(discovered, ["result", "_meta", SERVER_INFO]) ?? NAMELESS]
    ]
  )
}

/** The answer to `server/discover`, made from the server's answer to `initialize`. */
export const discoverAnswer = (id: string, initialized: Uint8Array): Uint8Array => {
  const serverInfo = rawAt(initialized, ["result", "serverInfo"])
  const meta: ReadonlyArray<JsonMember> = serverInfo === undefined ? [] : [[SERVER_INFO, serverInfo]]
  const withoutTasks = without(initialized, ["result", "capabilities"], ["tasks"])
  const result = withMembersAt(
    without(withoutTasks, ["result"], ["protocolVersion"]),
    ["result"],
    [
      ["supportedVersions", JSON.stringify([MODERN_VERSION])],
      ["capabilities", "{}"],
      ...completeMembers("server/discover"),
      ["_meta", "{}"]
    ]
  )
  return withId(withMembersAt(result, ["result", "_meta"], meta), id)
}
