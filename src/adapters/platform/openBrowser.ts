import { Duration, Effect } from "effect"
import type { Scope } from "effect"
import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { homedir, tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { escapeHtml } from "../../domain/Escape.ts"
import { isSensitiveName } from "../../domain/observability/Redaction.ts"

const openers: Partial<Record<NodeJS.Platform, ReadonlyArray<string>>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"]
}

/** By then a browser that had to start first has read the file. */
const READ_WITHIN = Duration.seconds(60)

/** A snap browser has its own temporary folder, and sees nothing hidden in the user's folder. */
const place = (): string => (process.platform === "linux" && existsSync("/snap/bin") ? homedir() : tmpdir())

const pageTo = (address: URL): string => {
  const href = escapeHtml(address.href)
  return `<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url=${href}">
<title>mcp-gen-ui</title>
<a href="${href}">Go on</a>
`
}

/** A page that leads to an address. Only this user can read it; it is there until the scope closes, or for a minute. */
const redirectTo = Effect.fnUntraced(function* (address: URL) {
  const remove = (folder: string) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
  const folder = yield* Effect.acquireRelease(
    Effect.tryPromise(async () => {
      await mkdir(place(), { recursive: true })
      return mkdtemp(join(place(), "mcp-gen-ui-open-"))
    }),
    remove
  )
  yield* Effect.forkScoped(Effect.andThen(Effect.sleep(READ_WITHIN), remove(folder)))
  const path = join(folder, "open.html")
  yield* Effect.tryPromise(() => writeFile(path, pageTo(address), { mode: 0o600 }))
  return path
})

/** A browser that we start needs none of our keys, but does need `XAUTHORITY` and the like. */
const environment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !isSensitiveName(name)))

const ask = (path: string): Effect.Effect<boolean> =>
  Effect.callback<boolean>((resume) => {
    const [command = "xdg-open", ...args] = openers[process.platform] ?? []
    const words = [...args, pathToFileURL(path).href]
    const child = spawn(command, words, { stdio: "ignore", detached: true, env: environment() })
    child.once("error", () => resume(Effect.succeed(false)))
    child.once("spawn", () => resume(Effect.succeed(true)))
    child.unref()
  })

/**
 * Asks the desktop to show a web page (`http:` or `https:` only: other schemes run programs). Returns whether there was
 * something to ask; a machine without a desktop has nothing. The address may hold a secret, and every user can read a
 * process's arguments, so we open a file that leads there.
 */
export const openBrowser = (address: URL): Effect.Effect<boolean, never, Scope.Scope> => {
  if (address.protocol !== "https:" && address.protocol !== "http:") return Effect.succeed(false)
  return redirectTo(address).pipe(
    Effect.flatMap(ask),
    Effect.orElseSucceed(() => false)
  )
}
