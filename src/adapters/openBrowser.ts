import { Effect } from "effect"
import { spawn } from "node:child_process"
import { isSensitiveName } from "../domain/logs/Redaction.ts"

const openers: Partial<Record<NodeJS.Platform, ReadonlyArray<string>>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"]
}

/** A browser that is started by this needs none of our keys; `XAUTHORITY` and the like it does need. */
const environment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !isSensitiveName(name)))

/**
 * Asks the desktop to show a page of the web (`http:` or `https:`, nothing else: other schemes run programs). Answers
 * whether there is something that could be asked; a machine without a desktop has nothing.
 */
export const openBrowser = (address: URL): Effect.Effect<boolean> =>
  Effect.callback<boolean>((resume) => {
    if (address.protocol !== "https:" && address.protocol !== "http:") return resume(Effect.succeed(false))
    const [command = "xdg-open", ...args] = openers[process.platform] ?? []
    const child = spawn(command, [...args, address.href], { stdio: "ignore", detached: true, env: environment() })
    child.once("error", () => resume(Effect.succeed(false)))
    child.once("spawn", () => resume(Effect.succeed(true)))
    child.unref()
  })
