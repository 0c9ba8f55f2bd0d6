/** Programs whose first word is a package to run. */
const LAUNCHERS: ReadonlySet<string> = new Set(["npx", "bunx", "pnpx", "uvx", "npx.cmd"])
const PACKAGE = /^(?:@[\w.-]+\/)?[\w.-]+(?:@[\w.^~-]+)?$/
const SCRIPT = /^[\w.-]+\.(?:[cm]?[jt]sx?|py|rb|php|jar|sh|exe)$/i

const baseName = (path: string): string => path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1)

/**
 * How people know a server that is started by a command: the program, and the script or package that it runs. Other
 * arguments are never named, as they may be secrets and what is named reaches logs and hosts.
 */
export const serverName = (command: string, args: ReadonlyArray<string>): string => {
  const program = baseName(command)
  const word = args.find((argument) => !argument.startsWith("-"))
  if (word === undefined) return program
  if (LAUNCHERS.has(program.toLowerCase()) && PACKAGE.test(word)) return `${program} ${word}`
  return SCRIPT.test(baseName(word)) ? `${program} ${baseName(word)}` : program
}
