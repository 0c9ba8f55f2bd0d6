#!/usr/bin/env node
// Only syntax of Node 14 here: an old Node must get far enough to be told that it is old.
const NEEDED = [22, 19]
const found = process.versions.node
const [major, minor] = found.split(".").map(Number)
const isOld = major < NEEDED[0] || (major === NEEDED[0] && minor < NEEDED[1])
const program = new URL("../dist/cli.mjs", import.meta.url)

/** One of Node's own modules. To `import` one takes milliseconds longer: that also loads what its rarest exports need. */
const builtIn = (name) => process.getBuiltinModule(name)

const refuse = (message) => {
  process.stderr.write(`mcp-gen-ui: ${message}\n`)
  process.exitCode = 1
}

const cacheHome = () => {
  const { isAbsolute, join } = builtIn("path")
  const { LOCALAPPDATA, XDG_CACHE_HOME } = process.env
  const told = [XDG_CACHE_HOME, process.platform === "win32" ? LOCALAPPDATA : undefined]
  const ofUser = process.platform === "darwin" ? ["Library", "Caches"] : [".cache"]
  return told.find((path) => path !== undefined && isAbsolute(path)) || join(builtIn("os").homedir(), ...ofUser)
}

/** Whether nobody else can write to a folder, or put another one in its place. Windows keeps others out of it anyway. */
const isOurs = (folder) => {
  const { lstatSync, realpathSync } = builtIn("fs")
  const { dirname } = builtIn("path")
  const own = lstatSync(folder)
  if (process.geteuid === undefined) return true
  const me = process.geteuid()
  if (own.uid !== me || (own.mode & 0o077) !== 0) return false
  for (let at = dirname(realpathSync(folder)), last = folder; at !== last; last = at, at = dirname(at)) {
    const { mode, uid } = lstatSync(at)
    const isSticky = (mode & 0o1000) !== 0
    if ((uid !== me && uid !== 0) || ((mode & 0o022) !== 0 && !isSticky)) return false
  }
  return true
}

/** A folder for compiled code. What is in it runs: one that others can write to is none. */
const compiledFolder = () => {
  const { existsSync, lstatSync, mkdirSync } = builtIn("fs")
  const { dirname, join } = builtIn("path")
  try {
    const home = cacheHome()
    const folder = join(home, "mcp-gen-ui", "compiled")
    for (const path of [home, dirname(folder), folder]) if (!existsSync(path)) mkdirSync(path, { mode: 0o700 })
    return lstatSync(folder).isDirectory() && isOurs(folder) ? folder : undefined
  } catch {
    return undefined
  }
}

if (isOld) {
  refuse(
    `Node ${found} is too old; ${NEEDED.join(".")} or newer is needed. ` +
      "Install it from https://nodejs.org, or name a newer node in the host's configuration."
  )
} else if (!builtIn("fs").existsSync(program)) {
  refuse(`${builtIn("url").fileURLToPath(program)} is missing; in a checkout, run "npm run build" first.`)
} else {
  // Where Node's own variables say something, that holds.
  const isTold = process.env.NODE_COMPILE_CACHE || process.env.NODE_DISABLE_COMPILE_CACHE
  const folder = isTold ? undefined : compiledFolder()
  const { enableCompileCache, flushCompileCache } = builtIn("module")
  if (folder !== undefined) enableCompileCache(folder)
  // Compiled code is written when the process ends in order. A host may kill it instead, so write once before.
  setTimeout(() => flushCompileCache(), 2000).unref()
  import(program.href)
}
