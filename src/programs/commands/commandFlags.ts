import { Option } from "effect"
import * as Argument from "effect/cli/Argument"
import * as Flag from "effect/cli/Flag"
import { CLIENT_METADATA_URL_EXPECTED, isClientMetadataUrl } from "../../domain/settings/ConfigFile.ts"
import type { ConfigFlagName, ConfigFlagValue, ConfigFlagValues } from "../../domain/settings/ConfigFlags.ts"
import { CONFIG_FLAGS } from "../../domain/settings/ConfigFlags.ts"

type Parsed = ConfigFlagValue | undefined

const notEmpty = (flag: Flag.Flag<string>) =>
  Flag.filter(
    flag,
    (value) => value !== "",
    () => "a text that is not empty"
  )

const flagOf = (name: ConfigFlagName): Flag.Flag<Parsed> => {
  const definition = CONFIG_FLAGS[name]
  switch (definition.kind) {
    case "switch":
      return Flag.Boolean(definition.flag).pipe(
        Flag.withoutNegation,
        Flag.withDescription(definition.description),
        Flag.withDefault(false),
        Flag.map((on) => (on ? true : undefined))
      )
    case "choice":
      return Flag.Literals(definition.flag, definition.choices).pipe(
        Flag.withDescription(definition.description),
        Flag.optional,
        Flag.map(Option.getOrUndefined)
      )
    case "text":
      return notEmpty(Flag.String(definition.flag)).pipe(
        Flag.withMetavar(definition.metavar),
        Flag.withDescription(definition.description),
        Flag.optional,
        Flag.map(Option.getOrUndefined)
      )
    case "list":
      return notEmpty(Flag.String(definition.flag)).pipe(
        Flag.withMetavar(definition.metavar),
        Flag.withDescription(definition.description),
        Flag.atLeast(0),
        Flag.map((values) => (values.length === 0 ? undefined : values))
      )
  }
}
const NAMES = Object.keys(CONFIG_FLAGS) as ReadonlyArray<ConfigFlagName>

/** The flags that every command takes, made from {@link CONFIG_FLAGS}. */
export const configFlags = Object.fromEntries(NAMES.map((name) => [name, flagOf(name)])) as Record<
  ConfigFlagName,
  Flag.Flag<Parsed>
>

/** Those of {@link configFlags} that were given. */
export const valuesOf = (parsed: Readonly<Record<ConfigFlagName, Parsed>>): ConfigFlagValues =>
  Object.fromEntries(
    NAMES.flatMap((name) => (parsed[name] === undefined ? [] : [[name, parsed[name]]]))
  ) as ConfigFlagValues
export const portFlag = (name: string) =>
  Flag.Int(name).pipe(
    Flag.filter(
      (port) => port >= 0 && port <= 65_535,
      () => "a whole number from 0 to 65535"
    ),
    Flag.withMetavar("PORT")
  )
export const textFlag = (name: string, metavar: string, description: string) =>
  notEmpty(Flag.String(name)).pipe(
    Flag.withMetavar(metavar),
    Flag.withDescription(description),
    Flag.optional,
    Flag.map(Option.getOrUndefined)
  )
/** A text without which the command means nothing. */
export const neededTextFlag = (name: string, metavar: string, description: string) =>
  notEmpty(Flag.String(name)).pipe(Flag.withMetavar(metavar), Flag.withDescription(description))

export const switchFlag = (name: string, description: string) =>
  Flag.Boolean(name).pipe(Flag.withoutNegation, Flag.withDescription(description), Flag.withDefault(false))

export const serverUrl = Argument.String("url").pipe(
  Argument.withDescription("The server's address; without it the one that the flags or the file name"),
  Argument.optional,
  Argument.map(Option.getOrUndefined)
)
export const loginFlags = {
  clientId: textFlag(
    "client-id",
    "ID",
    "A client that was registered by hand; its secret, if any, in MCP_GEN_UI_OAUTH_CLIENT_SECRET"
  ),
  clientMetadataUrl: Flag.String("client-metadata-url").pipe(
    Flag.filter(isClientMetadataUrl, () => CLIENT_METADATA_URL_EXPECTED),
    Flag.withMetavar("URL"),
    Flag.withDescription("The client's metadata document, where such an address is a client id"),
    Flag.optional,
    Flag.map(Option.getOrUndefined)
  ),
  scope: textFlag("scope", "SCOPES", "What to ask for, separated by spaces, instead of what the server asks for"),
  callbackPort: portFlag("callback-port").pipe(
    Flag.withDescription("Where the browser comes back to; 3334 unless set, any free port if that is in use"),
    Flag.optional,
    Flag.map(Option.getOrUndefined)
  ),
  callbackHost: Flag.Literals("callback-host", ["127.0.0.1", "localhost"]).pipe(
    Flag.withDescription("How the redirect URL names this machine; 127.0.0.1 unless set"),
    Flag.optional,
    Flag.map(Option.getOrUndefined)
  )
}
