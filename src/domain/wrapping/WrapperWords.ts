const NAME = "mcp-gen-ui"
/** Programs that start another one, which their first word without a dash names. */
const RUNNERS: ReadonlySet<string> = new Set(["npx", "npm", "pnpm", "pnpx", "yarn", "bun", "bunx", "deno", "node"])
const RUNNER_WORDS: ReadonlySet<string> = new Set(["exec", "dlx", "x", "run"])

const CONTAINERS: ReadonlySet<string> = new Set(["docker", "podman"])
/** An image of our name; a path is a folder. */
const IMAGE = /^(?!\/)(?:[^:]*\/)?mcp-gen-ui(?::[\w.-]+)?$/

/** The program that a word names, without its folder, its version and its ending. */
const programOf = (word: string): string => {
  const [file = ""] = (word.split(/[\\/]/).at(-1) ?? "").split("@")
  return file.replace(/\.(?:cmd|exe|bat|[cm]?js)$/i, "").toLowerCase()
}

/** Whether these words run us. A folder of our name among the arguments of a server does not. */
const runsUs = (words: ReadonlyArray<string>): boolean => {
  const [first = "", second = "", ...rest] = words
  const program = programOf(first)
  if (program === "cmd" && second.toLowerCase() === "/c") return runsUs(rest)
  if (program === NAME) return true
  if (CONTAINERS.has(program)) return words.slice(1, words.indexOf("--")).some((word) => IMAGE.test(word))
  if (!RUNNERS.has(program)) return false
  const started = words.slice(1).find((word) => !word.startsWith("-") && !RUNNER_WORDS.has(word))
  return started !== undefined && programOf(started) === NAME
}

/**
 * How a command is wrapped: by `lead`, our own words up to `--`, in front of the server's `words`. `byHand`: by us, but in
 * another way, such as with `--config`. `undefined`: not at all.
 */
export type Wrapping =
  | { readonly lead: ReadonlyArray<string>; readonly words: ReadonlyArray<string> }
  | "byHand"
  | undefined

export const wrappingOf = (words: ReadonlyArray<string>): Wrapping => {
  if (!runsUs(words)) return undefined
  const us = words.findIndex((word) => programOf(word) === NAME || IMAGE.test(word))
  const end = words.indexOf("--", us)
  return end < 0 || end === words.length - 1 ? "byHand" : { lead: words.slice(0, end + 1), words: words.slice(end + 1) }
}

/** Whether words start a program that is looked for on PATH, where an old Node may stand first. */
export const usesPath = ([first = ""]: ReadonlyArray<string>): boolean => !/[\\/]/.test(first)

export interface RunningAs {
  /** This Node. */
  readonly execPath: string
  /** The file that it runs. */
  readonly binPath: string
}

/**
 * How a host starts us: as the published package if that is what runs now (from the cache of `npx`, or installed), else
 * this Node and this clone.
 */
export const launcherOf = ({ binPath, execPath }: RunningAs): ReadonlyArray<string> =>
  /[\\/]node_modules[\\/]mcp-gen-ui[\\/]/.test(binPath) ? ["npx", "-y", NAME] : [execPath, binPath]
