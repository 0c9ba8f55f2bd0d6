import { Console, Effect } from "effect"
import type * as CliError from "effect/cli/CliError"
import * as CliOutput from "effect/cli/CliOutput"
import { ConfigRejected } from "../../domain/settings/ConfigProblem.ts"

const SEE_HELP = "mcp-gen-ui --help lists what there is"

const describeError = (error: CliError.NonShowHelpErrors): string => {
  switch (error._tag) {
    case "UnrecognizedOption": {
      const [closest] = error.suggestions
      const advice =
        closest === undefined ? `${SEE_HELP}; a server's own flags go after "--"` : `did you mean ${closest}?`
      return `${error.option} is not a flag here; ${advice}`
    }
    case "UnknownSubcommand": {
      const [closest] = error.suggestions
      const [, group] = error.parent ?? []
      if (group !== undefined) {
        const advice = closest === undefined ? `mcp-gen-ui ${group} --help lists them` : `did you mean ${closest}?`
        return `"${error.subcommand}" is not a command of mcp-gen-ui ${group}; ${advice}`
      }
      return closest === undefined
        ? `"${error.subcommand}" is not a command of mcp-gen-ui; a server's command goes after "--": mcp-gen-ui -- ${error.subcommand}${/^https?:/i.test(error.subcommand) ? "" : " …"}`
        : `"${error.subcommand}" is not a command of mcp-gen-ui; did you mean ${closest}?`
    }
    case "UnexpectedArgument":
      return `${error.arguments.map((word) => JSON.stringify(word)).join(" ")} cannot stand here; a server's command goes after "--"`
    case "InvalidValue":
      if (/^\d+ occurrences$/.test(error.value)) return `--${error.option} is given more than once`
      return error.value === ""
        ? `--${error.option} needs a value: ${error.expected}`
        : `--${error.option}: found ${JSON.stringify(error.value)}; allowed: ${error.expected.replace(/^Expected /, "").replaceAll(" | ", ", ")}`
    default:
      return error.message
  }
}

/** All problems of a command line as one failure. */
export const rejected = (errors: ReadonlyArray<CliError.NonShowHelpErrors>): ConfigRejected => {
  const has = (tag: CliError.NonShowHelpErrors["_tag"]) => errors.some(({ _tag }) => _tag === tag)
  // A word after an unknown flag is most likely its value, a word after an unknown command its argument.
  const beside = ({ _tag }: CliError.NonShowHelpErrors) =>
    (_tag === "UnknownSubcommand" && has("UnrecognizedOption")) ||
    (_tag === "UnexpectedArgument" && (has("UnrecognizedOption") || has("UnknownSubcommand")))
  const told = errors.filter((error) => !beside(error))
  return new ConfigRejected({ problems: told.map((error) => ({ source: "", path: "", text: describeError(error) })) })
}
const USAGES: Readonly<Record<string, ReadonlyArray<string>>> = {
  serve: ["mcp-gen-ui [flags] -- <command> [arguments]", "mcp-gen-ui [flags] -- <url>"],
  wrap: ["mcp-gen-ui wrap [--host HOST] [--server NAME] [--all] [--file FILE] [--write] [flags]"],
  unwrap: ["mcp-gen-ui unwrap [--host HOST] [--server NAME] [--all] [--file FILE] [--write]"],
  status: ["mcp-gen-ui status [--host HOST] [--server NAME] [--file FILE] [--json]"],
  preview: ["mcp-gen-ui preview [flags] [-- <command> [arguments]]", "mcp-gen-ui preview [flags] -- <url>"],
  login: ["mcp-gen-ui login [flags] <url>"],
  logout: ["mcp-gen-ui logout [flags] <url>"],
  prompt: ["mcp-gen-ui prompt <tool> [flags] -- <command> [arguments]"],
  generate: ["mcp-gen-ui generate --corpus DIR [flags]"],
  "cache ls": ["mcp-gen-ui cache ls [--json] [flags]"],
  "cache show": ["mcp-gen-ui cache show <tool or key> [--json] [flags]"],
  "cache clear": ["mcp-gen-ui cache clear [--tool NAME] [flags]"],
  "cache stats": ["mcp-gen-ui cache stats [--json] [flags]"],
  "config check": ["mcp-gen-ui config check [--json] [flags] [-- <command> [arguments]]"],
  doctor: ["mcp-gen-ui doctor [--json] [flags] [-- <command> [arguments]]", "mcp-gen-ui doctor [flags] -- <url>"],
  export: ["mcp-gen-ui export --out DIR [--tools GLOB] [flags] -- <command> [arguments]"],
  import: ["mcp-gen-ui import <path> [--tool NAME] [flags] -- <command> [arguments]"]
}

/** Those of a command, or of all commands below it. */
const usagesOf = (name: string): ReadonlyArray<string> =>
  USAGES[name] ??
  Object.entries(USAGES).flatMap(([path, usages]) => (name === "" || path.startsWith(`${name} `) ? usages : []))

const VARIABLES = `
VARIABLES
  Every flag of these can be said by a variable too: --cache-dir is MCP_GEN_UI_CACHE_DIR. The flag wins.
  MCP_GEN_UI_API_KEY              The key of the provider that --llm names; the server does not get it
  ANTHROPIC_API_KEY, OPENAI_API_KEY, OLLAMA_API_KEY
                                  The key of one provider; the first two choose it, too
  ANTHROPIC_BASE_URL, OPENAI_BASE_URL, OLLAMA_HOST
                                  Another server with that provider's API; the last one chooses Ollama, too
  MCP_GEN_UI_UPSTREAM_TOKEN       Bearer token for a server behind a URL
  MCP_GEN_UI_OAUTH_CLIENT_SECRET  Secret of a client that was registered by hand
  MCP_GEN_UI_TOKEN                Bearer token that hosts have to send over --http

DOCUMENTATION
  README.md                       The start, and what there is
  docs/configuration.md           Every flag, variable and key
  docs/troubleshooting.md         What messages mean, and how to mend it; mcp-gen-ui doctor looks for you`

/** Writes only help and version to standard output. Whoever runs the program tells errors. */
export const presenter: CliOutput.Presenter = {
  present: (event) => {
    const formatter = CliOutput.defaultFormatter()
    switch (event._tag) {
      case "Help": {
        const name = event.commandPath.slice(1).join(" ")
        const help = formatter.formatHelpDoc({ ...event.helpDoc, usage: usagesOf(name).join("\n  ") })
        return Console.log(name === "" ? `${help}\n${VARIABLES}` : help)
      }
      case "Version":
        return Console.log(`${event.name} ${event.version}`)
      case "InvalidInvocation":
        return Effect.void
    }
  }
}
