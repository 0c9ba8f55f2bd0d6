import { createHash } from "node:crypto"
import { statSync } from "node:fs"
import { resolve } from "node:path"
import { serverName } from "../../domain/wire/serverName.ts"
import type { ExportedServer } from "../../domain/documents/export/ExportManifest.ts"
import { makeRedactor } from "../../domain/observability/Redaction.ts"
import { type SecretSettings, secretsOfRun } from "../../domain/observability/secretsOfRun.ts"
import { nameOfUrl, readHttpAddress } from "../../domain/wire/HttpAddress.ts"
import type { UpstreamSettings } from "../../services/settings/Settings.ts"

/** The settings that identify the server, and the secrets in them. */
export type IdentifyingSettings = SecretSettings & { readonly upstream: UpstreamSettings }

/** How command lines begin that run a package by its name. */
const LAUNCHER = /^(?:cmd c )?(?:npx|pnpx|bunx|uvx|npm (?:exec|x)|pnpm dlx|yarn dlx|bun x|uv tool run|pipx run)(?= |$)/
/** Flags of these programs that take the next word as value. */
const VALUED_FLAGS: ReadonlySet<string> = new Set(["-p", "--package", "--from", "--with", "--python", "--registry"])
const VERSIONED =
  /^((?:--(?:package|from|with)=)?(?:@[\w.-]+\/)?[\w.-]+)@(?:[\^~]?v?\d[\w.+-]*|latest|next|beta|alpha|rc|canary|stable|nightly|dev)$/

/** Without its path, and without the file ending of programs on Windows. */
const programOf = (command: string): string =>
  command
    .slice(Math.max(command.lastIndexOf("/"), command.lastIndexOf("\\")) + 1)
    .toLowerCase()
    .replace(/\.(?:cmd|exe)$/, "")

/**
 * Arguments without versions, behind `npx` and its like: `some-server@1.2.3` is the same server as `some-server`.
 * Other words stay, as an `@` means something else in them.
 */
const withoutVersions = (command: string, args: ReadonlyArray<string>): ReadonlyArray<string> => {
  const start = [command, ...args.slice(0, 3)].map(programOf).join(" ")
  const launcher = LAUNCHER.exec(start)?.[0]
  if (launcher === undefined) return args
  let at = launcher.split(" ").length - 1
  while (args[at]?.startsWith("-") === true) at += VALUED_FLAGS.has(args[at] ?? "") ? 2 : 1
  return args.map((word, index) => (index <= at ? word.replace(VERSIONED, "$1") : word))
}

const isFile = (path: string): boolean => {
  try {
    return statSync(path).isFile()
  } catch {
    return false
  }
}

/** The server's name in messages and manifests. Never a secret. */
export const nameOfUpstream = (upstream: UpstreamSettings): string => {
  if (upstream.transport === "stdio")
    return serverName(upstream.command, withoutVersions(upstream.command, upstream.args))
  const address = readHttpAddress(upstream.url)
  return address === undefined ? "the server" : nameOfUrl(address.url)
}

/**
 * Identifies the server: by its command line (files as full paths, without package versions and secrets) or by its URL.
 * Settings that differ only in the server's environment identify the same one.
 */
export const serverIdentity = (
  settings: IdentifyingSettings,
  environment: Readonly<Record<string, string | undefined>>
): ExportedServer => {
  const { upstream } = settings
  const name = nameOfUpstream(upstream)
  const redact = makeRedactor(secretsOfRun(settings, environment))
  const whole = (word: string, folder: string): string | undefined => {
    const path = resolve(folder, word)
    return isFile(path) ? path : undefined
  }
  const argsOf = (command: string, args: ReadonlyArray<string>, folder: string): ReadonlyArray<string> =>
    withoutVersions(command, args).map((word, index) => whole(args[index] ?? word, folder) ?? word)
  const said =
    upstream.transport === "stdio"
      ? [name, ...argsOf(upstream.command, upstream.args, upstream.cwd ?? process.cwd())]
      : [name, upstream.url]
  const id = createHash("sha256")
    .update(JSON.stringify(redact.value(said)))
    .digest("hex")
  return { name, id: id.slice(0, 8) }
}
