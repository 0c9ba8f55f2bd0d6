type Platform = "darwin" | "win32" | "linux"

/** A folder that paths below begin with. */
type Base = "home" | "config" | "roaming" | "project"

interface Place {
  readonly base: Base
  readonly path: string
  readonly on?: ReadonlyArray<Platform>
}

const ofUser = (path: string): Place => ({ base: "home", path })
const ofProject = (path: string): Place => ({ base: "project", path })
/** `Application Support` on macOS, `%APPDATA%` on Windows, `$XDG_CONFIG_HOME` else. */
const ofProgram = (path: string): Place => ({ base: "roaming", path })

interface KnownHost {
  readonly title: string
  readonly places: ReadonlyArray<Place>
}

/** Where hosts keep their servers. A place of the project is below the folder that the command runs in. */
const HOSTS = {
  "claude-desktop": { title: "Claude Desktop", places: [ofProgram("Claude/claude_desktop_config.json")] },
  "claude-code": { title: "Claude Code", places: [ofUser(".claude.json"), ofProject(".mcp.json")] },
  vscode: {
    title: "VS Code",
    places: [
      ofProgram("Code/User/mcp.json"),
      ofProgram("Code - Insiders/User/mcp.json"),
      ofProgram("Code/User/settings.json"),
      ofProject(".vscode/mcp.json")
    ]
  },
  cursor: { title: "Cursor", places: [ofUser(".cursor/mcp.json"), ofProject(".cursor/mcp.json")] },
  windsurf: { title: "Windsurf", places: [ofUser(".codeium/windsurf/mcp_config.json")] },
  goose: {
    title: "Goose",
    places: [
      { base: "config", path: "goose/config.yaml", on: ["darwin", "linux"] },
      { base: "roaming", path: "Block/goose/config/config.yaml", on: ["win32"] }
    ]
  },
  "lm-studio": { title: "LM Studio", places: [ofUser(".lmstudio/mcp.json")] },
  "gemini-cli": { title: "Gemini CLI", places: [ofUser(".gemini/settings.json"), ofProject(".gemini/settings.json")] },
  zed: {
    title: "Zed",
    places: [
      { base: "config", path: "zed/settings.json", on: ["darwin", "linux"] },
      { base: "roaming", path: "Zed/settings.json", on: ["win32"] },
      ofProject(".zed/settings.json")
    ]
  },
  codex: { title: "Codex", places: [ofUser(".codex/config.toml"), ofProject(".codex/config.toml")] }
} as const satisfies Record<string, KnownHost>

export type HostId = keyof typeof HOSTS
export const HOST_IDS = Object.keys(HOSTS) as ReadonlyArray<HostId>

export interface HostPlace {
  /** `undefined` for a file that was named. */
  readonly host: HostId | undefined
  readonly title: string
  readonly path: string
  /** It belongs to a folder, and may have come with it from somebody else. */
  readonly isOfProject: boolean
}

export interface Machine {
  readonly platform: NodeJS.Platform
  readonly home: string
  readonly folder: string
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** The files that hosts on this machine may have. */
export const hostPlaces = ({ environment, folder, home, platform }: Machine): ReadonlyArray<HostPlace> => {
  const known = platform === "darwin" || platform === "win32" ? platform : "linux"
  const join = (...parts: ReadonlyArray<string>) => {
    const path = parts.join("/")
    return known === "win32" ? path.replaceAll("/", "\\") : path
  }
  const told = (variable: string, otherwise: string): string => {
    const path = environment[variable] ?? ""
    return /^(?:\/|[a-z]:[\\/])/i.test(path) ? path : otherwise
  }
  const config = told("XDG_CONFIG_HOME", join(home, ".config"))
  const bases: Readonly<Record<Base, string>> = {
    home,
    config,
    roaming: {
      darwin: join(home, "Library/Application Support"),
      win32: told("APPDATA", join(home, "AppData/Roaming")),
      linux: config
    }[known],
    project: folder
  }
  const codex = told("CODEX_HOME", join(home, ".codex"))
  return HOST_IDS.flatMap((host) => {
    const { places, title }: KnownHost = HOSTS[host]
    return places
      .filter(({ on }) => on === undefined || on.includes(known))
      .map(({ base, path }) => ({
        host,
        title,
        path: host === "codex" && base === "home" ? join(codex, "config.toml") : join(bases[base], path),
        isOfProject: base === "project"
      }))
  })
}
