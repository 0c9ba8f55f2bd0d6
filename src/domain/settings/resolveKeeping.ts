import { Redacted } from "effect"
import { CONFIG_DEFAULTS } from "./ConfigDefaults.ts"
import type { ConfigFile } from "./ConfigFile.ts"
import type { Told } from "./ConfigProblem.ts"

export interface KeepingSaid {
  readonly cacheDirectory: string | undefined
  readonly exportDirectory: string | undefined
  readonly noCache: boolean
  readonly config: Pick<ConfigFile, "cache" | "refinements" | "exportDirectory">
  readonly file: string
  /** Makes a path of the file absolute. */
  readonly fromFile: (path: string | undefined) => string | undefined
  readonly defaults: { readonly cacheDirectory: string; readonly stateDirectory: string }
}

/** Settles the cache, the history of refinements and the folder for pages. */
export const resolveKeeping = (said: KeepingSaid, tell: Told) => {
  const { config, defaults, fromFile } = said
  const { cache = {}, refinements = {} } = config
  const named = said.cacheDirectory
  const written =
    cache.type ?? (cache.url !== undefined ? "redis" : cache.directory === undefined ? "memory" : "filesystem")
  const type = named === undefined ? written : "filesystem"
  if (type === "redis" && cache.url === undefined) {
    tell.problem(said.file, "cache.url", 'is missing; cache.type is "redis"')
  }
  const needs = { directory: "filesystem", url: "redis" } as const
  for (const key of ["directory", "url"] as const) {
    if (named !== undefined || cache[key] === undefined || type === needs[key]) continue
    tell.problem(said.file, `cache.${key}`, `is given, but cache.type is "${type}"; remove one of the two`)
  }
  const { prefix, maxEntries, maxEntrySizeBytes, maxTotalSizeBytes, ttlMs } = { ...CONFIG_DEFAULTS.cache, ...cache }
  return {
    cache: {
      enabled: !said.noCache,
      type,
      directory: named ?? fromFile(cache.directory) ?? defaults.cacheDirectory,
      url: cache.url === undefined ? undefined : Redacted.make(cache.url, { label: "cache.url" }),
      prefix,
      maxEntries,
      maxEntrySizeBytes,
      maxTotalSizeBytes,
      ttlMs
    },
    refinements: {
      persist: refinements.persist ?? CONFIG_DEFAULTS.refinements.persist,
      directory: fromFile(refinements.directory) ?? defaults.stateDirectory
    },
    exportDirectory: said.exportDirectory ?? fromFile(config.exportDirectory)
  } as const
}
