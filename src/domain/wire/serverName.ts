/** Programs whose first argument is a package to run. */
const LAUNCHERS: ReadonlySet<string> = new Set(["npx", "bunx", "pnpx", "uvx", "npx.cmd"])
const PACKAGE = /^(?:@[\w.-]+\/)?[\w.-]+(?:@[\w.^~-]+)?$/
const SCRIPT = /^[\w.-]+\.(?:[cm]?[jt]sx?|py|rb|php|jar|sh|exe)$/i

const baseName = (path: string): string => path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1)

/**
 * How people know a server that a command starts: the program, and the script or package that it runs. Other arguments
 * are left out: the name reaches logs and hosts, and they may be secrets.
 */
export const serverName = (command: string, args: ReadonlyArray<string>): string => {
  const program = baseName(command)
  const word = args.find((argument) => !argument.startsWith("-"))
  if (word === undefined) return program
  if (LAUNCHERS.has(program.toLowerCase()) && PACKAGE.test(word)) return `${program} ${word}`
  return SCRIPT.test(baseName(word)) ? `${program} ${baseName(word)}` : program
}
