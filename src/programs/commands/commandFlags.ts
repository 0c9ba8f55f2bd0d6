import { Option } from "effect"
import * as Argument from "effect/cli/Argument"
import * as Flag from "effect/cli/Flag"
import { CLIENT_METADATA_URL_EXPECTED, isClientMetadataUrl } from "../../domain/settings/ConfigFile.ts"
import {
  CONFIG_FLAG_NAMES,
  CONFIG_FLAGS,
  type ConfigFlagName,
  type ConfigFlagValue,
  type ConfigFlagValues
} from "../../domain/settings/ConfigFlags.ts"

type Parsed = ConfigFlagValue | undefined

/** A flag that may be left out. */
export const optional = <A>(flag: Flag.Flag<A>, description: string): Flag.Flag<A | undefined> =>
  flag.pipe(Flag.withDescription(description), Flag.optional, Flag.map(Option.getOrUndefined))

const text = (name: string, metavar: string) =>
  Flag.String(name).pipe(
    Flag.filter(
      (value) => value !== "",
      () => "a text that is not empty"
    ),
    Flag.withMetavar(metavar)
  )

export const textFlag = (name: string, metavar: string, description: string) =>
  optional(text(name, metavar), description)

/** A text without which the command means nothing. */
export const neededTextFlag = (name: string, metavar: string, description: string) =>
  Flag.withDescription(text(name, metavar), description)

export const switchFlag = (name: string, description: string) =>
  Flag.Boolean(name).pipe(Flag.withoutNegation, Flag.withDescription(description), Flag.withDefault(false))

export const portFlag = (name: string) =>
  Flag.Int(name).pipe(
    Flag.filter(
      (port) => port >= 0 && port <= 65_535,
      () => "a whole number from 0 to 65535"
    ),
    Flag.withMetavar("PORT")
  )

const flagOf = (name: ConfigFlagName): Flag.Flag<Parsed> => {
  const definition = CONFIG_FLAGS[name]
  switch (definition.kind) {
    case "switch":
      return Flag.map(switchFlag(definition.flag, definition.description), (on) => (on ? true : undefined))
    case "choice":
      return optional(Flag.Literals(definition.flag, definition.choices), definition.description)
    case "text":
      return textFlag(definition.flag, definition.metavar, definition.description)
    case "list":
      return neededTextFlag(definition.flag, definition.metavar, definition.description).pipe(
        Flag.atLeast(0),
        Flag.map((values) => (values.length === 0 ? undefined : values))
      )
  }
}

/** The flags that every command takes, made from {@link CONFIG_FLAGS}. */
export const configFlags = Object.fromEntries(CONFIG_FLAG_NAMES.map((name) => [name, flagOf(name)])) as Record<
  ConfigFlagName,
  Flag.Flag<Parsed>
>

/** Those of {@link configFlags} that were given. */
export const valuesOf = (parsed: Readonly<Record<ConfigFlagName, Parsed>>): ConfigFlagValues =>
  Object.fromEntries(
    CONFIG_FLAG_NAMES.flatMap((name) => (parsed[name] === undefined ? [] : [[name, parsed[name]]]))
  ) as ConfigFlagValues

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
  clientMetadataUrl: optional(
    Flag.String("client-metadata-url").pipe(
      Flag.filter(isClientMetadataUrl, () => CLIENT_METADATA_URL_EXPECTED),
      Flag.withMetavar("URL")
    ),
    "The client's metadata document, where such an address is a client id"
  ),
  scope: textFlag("scope", "SCOPES", "What to ask for, separated by spaces, instead of what the server asks for"),
  callbackPort: optional(
    portFlag("callback-port"),
    "Where the browser comes back to; 3334 unless set, any free port if that is in use"
  ),
  callbackHost: optional(
    Flag.Literals("callback-host", ["127.0.0.1", "localhost"]),
    "How the redirect URL names this machine; 127.0.0.1 unless set"
  )
}
