import { spawnSync } from "node:child_process"
import { existsSync, statSync } from "node:fs"
import { evaluation } from "./paths.ts"

const modified = (path: string): number => (existsSync(path) ? statSync(path).mtimeMs : 0)

/** Installs what `evaluation/package-lock.json` names, unless it is there already. No package's scripts are run. */
export const installPackages = (): void => {
  const installed = modified(`${evaluation}node_modules/.package-lock.json`)
  if (installed > 0 && installed >= modified(`${evaluation}package-lock.json`)) return
  process.stderr.write("Installing what the evaluation needs (once) ...\n")
  const args = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent", "--prefix", evaluation]
  const { error, status } = spawnSync("npm", args, {
    stdio: ["ignore", "ignore", "inherit"],
    shell: process.platform === "win32"
  })
  if (status !== 0) throw new Error(`npm ci --prefix evaluation failed: ${error?.message ?? `exit code ${status}`}`)
}
