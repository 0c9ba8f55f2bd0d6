import { homedir } from "node:os"
import { isAbsolute, join } from "node:path"

/**
 * Where things are kept unless told otherwise (XDG Base Directory Specification; what is there on Windows and macOS):
 * UIs in `mcp-gen-ui` of the user's folder for caches, histories in that of the folder for state.
 */
export const defaultDirectories = (
  environment: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform
): { readonly cacheDirectory: string; readonly stateDirectory: string } => {
  const folder = (variable: string, ...otherwise: ReadonlyArray<string>): string => {
    const told = [environment[variable], platform === "win32" ? environment["LOCALAPPDATA"] : undefined]
    return join(
      told.find((path) => path !== undefined && isAbsolute(path)) ?? join(homedir(), ...otherwise),
      "mcp-gen-ui"
    )
  }
  const isMac = platform === "darwin"
  return {
    cacheDirectory: folder("XDG_CACHE_HOME", ...(isMac ? ["Library", "Caches"] : [".cache"])),
    stateDirectory: folder("XDG_STATE_HOME", ...(isMac ? ["Library", "Application Support"] : [".local", "state"]))
  }
}
