import { createHash } from "node:crypto"
import { statSync } from "node:fs"
import { resolve } from "node:path"
import { serverName } from "../domain/configuration/serverName.ts"
import type { ExportedServer } from "../domain/export/ExportManifest.ts"
import { makeRedactor } from "../domain/logs/Redaction.ts"
import { type SecretSettings, secretsOfRun } from "../domain/logs/secretsOfRun.ts"
import { nameOfUrl, readHttpAddress } from "../domain/wire/HttpAddress.ts"
import type { UpstreamSettings } from "../services/Settings.ts"

/** The settings that say which server it is, and what in them is secret. */
export type IdentifyingSettings = SecretSettings & { readonly upstream: UpstreamSettings }

/** `some-server@1.2.3` is the server that `some-server` is. */
const withoutVersion = (word: string): string => word.replace(/^((?:@[\w.-]+\/)?[\w.-]+)@[\w.^~-]+$/, "$1")

const isFile = (path: string): boolean => {
  try {
    return statSync(path).isFile()
  } catch {
    return false
  }
}

/** What a server is called in messages and manifests. Never a secret. */
export const nameOfUpstream = (upstream: UpstreamSettings): string => {
  if (upstream.transport === "stdio") return serverName(upstream.command, upstream.args.map(withoutVersion))
  const address = readHttpAddress(upstream.url)
  return address === undefined ? "the server" : nameOfUrl(address.url)
}

/**
 * Which server the settings name: by its command line, files as full paths, versions of packages and secrets left out, or
 * by its URL. Settings that differ only in the environment of the server name the same one.
 */
export const serverIdentity = (
  settings: IdentifyingSettings,
  environment: Readonly<Record<string, string | undefined>>
): ExportedServer => {
  const { upstream } = settings
  const name = nameOfUpstream(upstream)
  const redact = makeRedactor(secretsOfRun(settings, environment))
  const whole = (word: string, folder: string): string => {
    const path = resolve(folder, word)
    return isFile(path) ? path : withoutVersion(word)
  }
  const said =
    upstream.transport === "stdio"
      ? [name, ...upstream.args.map((word) => whole(word, upstream.cwd ?? process.cwd()))]
      : [name, upstream.url]
  const id = createHash("sha256")
    .update(JSON.stringify(redact.value(said)))
    .digest("hex")
  return { name, id: id.slice(0, 8) }
}
