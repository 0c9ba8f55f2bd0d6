import { Redacted, Result } from "effect"
import { isSensitiveName } from "../observability/Redaction.ts"
import { splitCommandLine } from "./CommandLine.ts"
import { CONFIG_DEFAULTS } from "./ConfigDefaults.ts"
import type { ConfigFile } from "./ConfigFile.ts"
import { httpUrlExpected, isHttpUrl } from "./ConfigFile.ts"
import { type Said, saidIn, type Told } from "./ConfigProblem.ts"
import type { Environment } from "./ConfigText.ts"
import { canonicalHost, isLoopback } from "./ListenAddress.ts"
import { resolveOAuthLogin } from "./resolveOAuthLogin.ts"
import type { OAuthLogin } from "./resolveOAuthLogin.ts"
import { resolveUpstreamHeaders } from "./resolveUpstreamHeaders.ts"
import { hasCredentials, quotedAddress, UPSTREAM_TOKEN_VARIABLE } from "./Secrets.ts"

type Section = NonNullable<ConfigFile["upstream"]>
type Transport = NonNullable<Section["transport"]>

export interface UpstreamSources {
  /** The words after `--`. */
  readonly words: ReadonlyArray<string> | undefined
  /** A URL, or a command line in one text. */
  readonly line: Said<string> | undefined
  readonly transport: Said<Transport> | undefined
  readonly headerFlag: Said<ReadonlyArray<string>> | undefined
  readonly headerVariable: Said<ReadonlyArray<string>> | undefined
  readonly environment: Environment
  /** The section of the file, and the name of the file. */
  readonly section: Section | undefined
  readonly file: string
  /** A path of the file as one of this process. */
  readonly fromFile: (path: string) => string
}

/**
 * A server that is started as a child process. `env` is added to the environment of this process.
 *
 * @example
 * import type { StdioUpstream } from "mcp-gen-ui"
 *
 * const server: StdioUpstream = { transport: "stdio", command: "npx", args: ["our-server"], env: {}, cwd: undefined }
 */
export interface StdioUpstream {
  readonly transport: "stdio"
  readonly command: string
  readonly args: ReadonlyArray<string>
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string | undefined
}

/**
 * A server that is reached over the network. Header values may be secrets. Times are milliseconds.
 *
 * @example
 * import { type HttpUpstream, layerUpstreamHttp } from "mcp-gen-ui"
 *
 * const layerServer = (server: HttpUpstream) => layerUpstreamHttp({ ...server, maxMessageBytes: 50_000_000 })
 */
export interface HttpUpstream {
  /** `auto`: Streamable HTTP, else the SSE of 2024-11-05. */
  readonly transport: "auto" | "http" | "sse"
  readonly url: string
  readonly headers: Readonly<Record<string, Redacted.Redacted>>
  /** Sent as `Authorization: Bearer …`, before any OAuth. */
  readonly token: Redacted.Redacted | undefined
  /** Used if neither a token, nor a header, nor the URL says who we are. */
  readonly oauth?: OAuthLogin | undefined
  readonly reconnectDelayMs: number
  readonly maxReconnectDelayMs: number
}

type Target = Omit<Said<unknown>, "value"> &
  ({ readonly kind: "command"; readonly words: ReadonlyArray<string> } | { readonly kind: "url"; readonly url: string })

/** Keys for a server that is started. */
export const STARTED = ["args", "env", "cwd"] as const
/** Keys for a server that is reached by a URL. */
export const REACHED = ["headers", "token", "oauth", "reconnectDelayMs", "maxReconnectDelayMs"] as const

/** A URL of any scheme: no program has such a name. */
const looksLikeUrl = (word: string): boolean => /^[a-z][\d+.a-z-]*:\/\//i.test(word)

/** A variable before a command, as shells have it. */
const VARIABLE = /^([A-Za-z_]\w*)=/
const variablesIn = (words: ReadonlyArray<string>): ReadonlyArray<string> => {
  const end = words.findIndex((word) => !VARIABLE.test(word))
  return words.slice(0, end < 0 ? words.length : end).map((word) => word.replace(/=[^]*/, "=…"))
}

/** In JSON `"C:\tools"` is a drive and a tab. */
const HALF_ESCAPED = /^[A-Za-z]:[\b\f\n\r\t]/
const TWICE = "has a tab or a line break after the drive; in JSON write each backslash of a path twice, or as /"

const MISSING = "is missing; it names the program to start (or upstream.url a server to reach)"
const URL_ALONE = 'a URL stands alone; flags go before "--", headers into --header "Name: value"'

/**
 * Settles which server is wrapped: words after `--`, else a line, else the file. `undefined`: nothing names one, or
 * something was wrong and told. A section of the file that names no server adds to the one named elsewhere; a section
 * that names its own says nothing about another.
 */
export const resolveUpstream = (
  sources: UpstreamSources,
  told: Told
): {
  readonly named: boolean
  readonly upstream: StdioUpstream | (HttpUpstream & { readonly oauth: OAuthLogin }) | undefined
} => {
  const { environment, file, line, section, words } = sources
  const refuse = (source: string, path: string, text: string): undefined => {
    told.problem(source, path, text)
  }

  const targetOfWords = (words: ReadonlyArray<string>, source: string): Target | undefined => {
    const [first = ""] = words
    const variables = variablesIn(words)
    if (variables.length > 0) {
      const line = [...variables, "mcp-gen-ui --", ...words.slice(variables.length)].join(" ")
      const places = `before mcp-gen-ui (${line}), or into "env", in a host's file or in upstream of a configuration`
      return refuse(source, "", `"${variables[0]}" is no command; write variables ${places}`)
    }
    if (!looksLikeUrl(first)) return { kind: "command", words, source, path: "" }
    if (words.length === 1) return { kind: "url", url: first, source, path: "" }
    // The blank may stand in a password, so do not quote the first word.
    const after = words.slice(1).some((word) => word.includes("@")) ? "the URL" : quotedAddress(first)
    const more = `${words.length - 1} more ${words.length > 2 ? "words" : "word"}`
    return refuse(source, "", `found ${more} after ${after}; ${URL_ALONE}`)
  }

  const target = ((): Target | undefined => {
    if (words !== undefined && line?.source === "--upstream") {
      return refuse("--upstream", "", 'a server is named after "--" as well; keep one of the two')
    }
    if (words !== undefined) {
      return words.length === 0 || words[0] === ""
        ? refuse("--", "", "no command follows; write the server's command after it: mcp-gen-ui -- node server.js")
        : targetOfWords(words, "--")
    }
    if (line !== undefined) {
      const text = line.value.trim()
      // Do not split a URL like a shell: `&` and quotes may be parts of it.
      if (looksLikeUrl(text)) return targetOfWords(text.split(/\s+/), line.source)
      const split = splitCommandLine(text)
      if (Result.isFailure(split)) return refuse(line.source, "", split.failure.message)
      return split.success[0] === ""
        ? refuse(line.source, "", "the command is empty")
        : targetOfWords(split.success, line.source)
    }
    if (section?.command !== undefined) {
      if (section.url !== undefined) {
        const text = "stands beside upstream.command; a server is either started or reached, keep one of the two"
        return refuse(file, "upstream.url", text)
      }
      if (looksLikeUrl(section.command)) return refuse(file, "upstream.command", "is a URL; write it as upstream.url")
      if (HALF_ESCAPED.test(section.command)) return refuse(file, "upstream.command", TWICE)
      const words = [section.command, ...(section.args ?? [])]
      return { kind: "command", words, source: file, path: "upstream.command" }
    }
    if (section?.url !== undefined) return { kind: "url", url: section.url, source: file, path: "upstream.url" }
    if (section === undefined) return undefined
    const overNetwork = section.transport !== undefined && section.transport !== "stdio"
    return overNetwork
      ? refuse(file, "upstream.url", `is missing; upstream.transport is "${section.transport}"`)
      : refuse(file, "upstream.command", MISSING)
  })()
  if (target === undefined) {
    return { named: words !== undefined || line !== undefined || section !== undefined, upstream: undefined }
  }

  const isOfFile = target.source === file && target.path !== ""
  const own = isOfFile || (section?.command === undefined && section?.url === undefined) ? section : undefined
  const where = target.path === "" ? target.source : target.path
  const misplaced = (keys: ReadonlyArray<keyof Section>, text: string): void => {
    for (const key of keys) if (own?.[key] !== undefined) told.problem(file, `upstream.${key}`, text)
  }
  const transport = sources.transport ?? saidIn(file, "upstream.transport", own?.transport)

  if (target.kind === "command") {
    const isStarted = `is for a server that is reached by a URL; ${where} names a command`
    misplaced(REACHED, isStarted)
    for (const said of [sources.headerFlag, sources.headerVariable]) {
      if (said !== undefined) told.problem(said.source, said.path, isStarted)
    }
    if (!isOfFile && own?.args !== undefined) {
      const text = `belongs to upstream.command, but ${where} names the server; write the arguments there`
      told.problem(file, "upstream.args", text)
    }
    if (transport !== undefined && transport.value !== "stdio") {
      const text = `found "${transport.value}"; allowed: "stdio", because ${where} names a command`
      told.problem(transport.source, transport.path, text)
    }
    if ((environment[UPSTREAM_TOKEN_VARIABLE] ?? "").trim() !== "") {
      const message = `${UPSTREAM_TOKEN_VARIABLE} is not used: ${where} names a command, and the token is for a URL`
      told.notice({ level: "warn", event: "token-unused", message })
    }
    const [command = "", ...args] = target.words
    const cwd = own?.cwd === undefined ? undefined : sources.fromFile(own.cwd)
    return { named: true, upstream: { transport: "stdio", command, args, env: own?.env ?? {}, cwd } }
  }

  misplaced(STARTED, `is for a server that is started by a command; ${where} names a URL`)
  if (transport?.value === "stdio") {
    const text = `found "stdio"; allowed: "http", "sse", "auto", because ${where} names a URL`
    told.problem(transport.source, transport.path, text)
  }
  if (!isHttpUrl(target.url)) {
    const text = `found ${quotedAddress(target.url)}; allowed: ${httpUrlExpected(target.url)}`
    told.problem(target.source, target.path, text)
    return { named: true, upstream: undefined }
  }
  const { headers, identifiedBy, token } = resolveUpstreamHeaders(
    {
      flag: sources.headerFlag,
      variable: sources.headerVariable,
      file: saidIn(file, "upstream.headers", own?.headers),
      tokenInFile: saidIn(file, "upstream.token", own?.token),
      environment
    },
    told
  )

  const oauth = resolveOAuthLogin({ section: own?.oauth, file, environment }, told)
  if (own?.oauth !== undefined) {
    const inFile =
      (own.token === undefined ? undefined : "upstream.token") ??
      Object.keys(own.headers ?? {}).flatMap((name) =>
        name.toLowerCase() === "authorization" ? [`upstream.headers.${name}`] : []
      )[0] ??
      (isOfFile && hasCredentials(target.url) ? "upstream.url" : undefined)
    const elsewhere = identifiedBy ?? (hasCredentials(target.url) ? target.source : undefined)
    if (inFile !== undefined) {
      told.problem(file, "upstream.oauth", `stands beside ${inFile}; both say who you are, keep one of the two`)
    } else if (elsewhere !== undefined) {
      const message = `upstream.oauth is not used: ${elsewhere} says who you are`
      told.notice({ level: "warn", event: "login-unused", message })
    }
  }

  const { hostname, protocol } = new URL(target.url)
  const isSecret = token !== undefined || Object.keys(headers).some(isSensitiveName) || hasCredentials(target.url)
  if (isSecret && protocol === "http:" && !isLoopback(canonicalHost(hostname) ?? hostname)) {
    const message = `what identifies you to ${hostname} goes over the network in the clear; use https:// if the server can`
    told.notice({ level: "warn", event: "clear-text", message })
  }

  const { maxReconnectDelayMs, reconnectDelayMs } = own ?? {}
  if (reconnectDelayMs !== undefined && maxReconnectDelayMs !== undefined && maxReconnectDelayMs < reconnectDelayMs) {
    const text = `found ${maxReconnectDelayMs}; allowed: at least upstream.reconnectDelayMs, which is ${reconnectDelayMs}`
    told.problem(file, "upstream.maxReconnectDelayMs", text)
  }
  const defaults = CONFIG_DEFAULTS.upstream
  return {
    named: true,
    upstream: {
      transport: transport === undefined || transport.value === "stdio" ? "auto" : transport.value,
      url: target.url,
      headers,
      token,
      oauth,
      reconnectDelayMs: reconnectDelayMs ?? Math.min(defaults.reconnectDelayMs, maxReconnectDelayMs ?? Infinity),
      maxReconnectDelayMs: maxReconnectDelayMs ?? Math.max(defaults.maxReconnectDelayMs, reconnectDelayMs ?? 0)
    }
  }
}
