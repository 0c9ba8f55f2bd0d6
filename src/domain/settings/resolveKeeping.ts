import { Redacted } from "effect"
import { CONFIG_DEFAULTS } from "./ConfigDefaults.ts"
import type { ConfigFile } from "./ConfigFile.ts"
import type { Said, Told } from "./Said.ts"

/** What was said about keeping UIs and what users asked of them, and where things are unless it was said. */
export interface KeepingSaid {
  readonly cacheDirectory: Said<string> | undefined
  readonly exportDirectory: Said<string> | undefined
  readonly noCache: boolean
  readonly config: Pick<ConfigFile, "cache" | "refinements" | "exportDirectory">
  readonly file: string
  /** Makes a path of the file absolute. */
  readonly fromFile: (path: string) => string
  readonly defaults: { readonly cacheDirectory: string; readonly stateDirectory: string }
}

/** Settles the cache, the history of refinements and the folder for pages. */
export const resolveKeeping = (said: KeepingSaid, tell: Told) => {
  const { config, defaults, fromFile } = said
  const { cache = {}, refinements = {} } = config
  const named = said.cacheDirectory?.value
  const written =
    cache.type ?? (cache.url !== undefined ? "redis" : cache.directory === undefined ? "memory" : "filesystem")
  const type = named === undefined ? written : "filesystem"
  if (type === "redis" && cache.url === undefined) {
    tell.problem(said.file, "cache.url", 'is missing; cache.type is "redis"')
  }
  if (named === undefined) {
    if (cache.directory !== undefined && type !== "filesystem") {
      tell.problem(said.file, "cache.directory", `is given, but cache.type is "${type}"; remove one of the two`)
    }
    if (cache.url !== undefined && type !== "redis") {
      tell.problem(said.file, "cache.url", `is given, but cache.type is "${type}"; remove one of the two`)
    }
  }
  const bounds = CONFIG_DEFAULTS.cache
  return {
    cache: {
      enabled: !said.noCache,
      type,
      directory: named ?? (cache.directory === undefined ? defaults.cacheDirectory : fromFile(cache.directory)),
      url: cache.url === undefined ? undefined : Redacted.make(cache.url, { label: "cache.url" }),
      prefix: cache.prefix ?? bounds.prefix,
      maxEntries: cache.maxEntries ?? bounds.maxEntries,
      maxEntrySizeBytes: cache.maxEntrySizeBytes ?? bounds.maxEntrySizeBytes,
      maxTotalSizeBytes: cache.maxTotalSizeBytes ?? bounds.maxTotalSizeBytes,
      ttlMs: cache.ttlMs
    },
    refinements: {
      persist: refinements.persist ?? CONFIG_DEFAULTS.refinements.persist,
      directory: refinements.directory === undefined ? defaults.stateDirectory : fromFile(refinements.directory)
    },
    exportDirectory:
      said.exportDirectory?.value ??
      (config.exportDirectory === undefined ? undefined : fromFile(config.exportDirectory))
  } as const
}
