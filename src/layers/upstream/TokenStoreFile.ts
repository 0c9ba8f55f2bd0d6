import { Effect, FileSystem, Layer, Redacted, Schema } from "effect"
import { createHash } from "node:crypto"
import { homedir } from "node:os"
import { isAbsolute, join } from "node:path"
import { withFileLock } from "../../adapters/platform/fileLock.ts"
import { assureTrust, FolderDistrusted, isOwn } from "../../adapters/platform/folderTrust.ts"
import { localFiles } from "../../adapters/platform/localFiles.ts"
import { makeDirectory } from "../../adapters/platform/makeDirectory.ts"
import { readOwnFile } from "../../adapters/platform/readSmallFile.ts"
import { type FileWork, replaceFile, systemErrorCode, unlessMissing } from "../../adapters/platform/replaceFile.ts"
import {
  type StoredAuthorization,
  StoredClient,
  StoredTokens,
  TokenStore,
  TokenStoreFailed
} from "../../services/upstream/TokenStore.ts"

export interface TokenStoreFileOptions {
  /** Where the files are; {@link defaultDirectory} if absent. */
  readonly directory?: string | undefined
}

const NOTHING: StoredAuthorization = { client: undefined, tokens: undefined }

const TokenFile = Schema.fromJsonString(
  Schema.Struct({
    version: Schema.Literal(1),
    /** For people who look at the file; it is found by its name. */
    url: Schema.String,
    client: Schema.optional(StoredClient),
    tokens: Schema.optional(StoredTokens)
  })
)
const decode = Schema.decodeUnknownEffect(TokenFile)
const encode = Schema.encodeEffect(TokenFile)

/**
 * `mcp-gen-ui/auth` in the user's folder for configuration: `$XDG_CONFIG_HOME`, on Windows `%APPDATA%`, else
 * `~/.config`. A relative `$XDG_CONFIG_HOME` counts as not set (XDG Base Directory Specification).
 */
export const defaultDirectory = (
  environment: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform
): string => {
  const told = [environment["XDG_CONFIG_HOME"], platform === "win32" ? environment["APPDATA"] : undefined]
  const base = told.find((path) => path !== undefined && isAbsolute(path)) ?? join(homedir(), ".config")
  return join(base, "mcp-gen-ui", "auth")
}

/** The server's host, so that people find it, and a hash of the URL without its fragment. */
const nameOf = (serverUrl: string): string => {
  const url = new URL(serverUrl)
  url.hash = ""
  const hash = createHash("sha256").update(url.href).digest("hex").slice(0, 32)
  return `${url.hostname.replaceAll(/[^a-z0-9.-]/g, "_").slice(0, 60)}-${hash}`
}

/** The folder is its owner's alone, also if somebody made it before with more rights. */
const makePrivate = (directory: string): FileWork<void, FolderDistrusted> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    yield* makeDirectory(directory)
    if (process.platform !== "win32" && isOwn(yield* fs.stat(directory))) yield* fs.chmod(directory, 0o700)
    yield* assureTrust(directory)
  })

const reasonOf = (cause: unknown): string =>
  cause instanceof FolderDistrusted ? `the folder is not used: ${cause.message}` : systemErrorCode(cause)

/** Larger files are no logins. */
const MAX_BYTES = 1_000_000

/**
 * One JSON file for each server, readable by its owner only, in a folder of the same kind. Several processes may use
 * it at once. A file that is damaged, of a later version, or another user's, counts as absent.
 *
 * @example
 * import { Layer } from "effect"
 * import { layerTokenStoreFile, layerUpstreamOAuth } from "mcp-gen-ui"
 *
 * const layerLogin = layerUpstreamOAuth({ url: "https://example.com/mcp" }).pipe(
 *   Layer.provide(layerTokenStoreFile({ directory: "/var/lib/ours/auth" }))
 * )
 */
export const layer = (options: TokenStoreFileOptions = {}): Layer.Layer<TokenStore> =>
  Layer.effect(
    TokenStore,
    Effect.gen(function* () {
      const directory = options.directory ?? defaultDirectory(process.env)
      const fs = yield* FileSystem.FileSystem
      const onDisk = Effect.provideService(FileSystem.FileSystem, fs)
      const pathOf = (serverUrl: string) => join(directory, `${nameOf(serverUrl)}.json`)
      const failed = (verb: string, path: string) => (cause: unknown) =>
        new TokenStoreFailed({ detail: `${path} cannot be ${verb} (${reasonOf(cause)})` })

      const unreadable = (path: string, reason: string) =>
        Effect.logWarning("stored login not readable: it counts as absent").pipe(
          Effect.annotateLogs({ component: "token-store", path, reason }),
          Effect.as(undefined)
        )

      return TokenStore.of({
        read: Effect.fn("TokenStore.read")(function* (serverUrl) {
          const path = pathOf(serverUrl)
          const text = yield* unlessMissing(readOwnFile(path, MAX_BYTES)).pipe(
            Effect.catch((failure) => unreadable(path, systemErrorCode(failure)))
          )
          if (text === undefined) return NOTHING
          // The reason that a decoder gives may quote what it found.
          const file = yield* decode(text).pipe(Effect.catch(() => unreadable(path, "damaged")))
          if (file === undefined) return NOTHING
          return {
            client: file.client === undefined ? undefined : Redacted.make(file.client),
            tokens: file.tokens === undefined ? undefined : Redacted.make(file.tokens)
          }
        }, onDisk),
        write: Effect.fn("TokenStore.write")(function* (serverUrl, { client, tokens }) {
          const path = pathOf(serverUrl)
          const text = yield* encode({
            version: 1,
            url: serverUrl,
            client: client === undefined ? undefined : Redacted.value(client),
            tokens: tokens === undefined ? undefined : Redacted.value(tokens)
          }).pipe(Effect.orDie)
          yield* makePrivate(directory).pipe(
            Effect.andThen(replaceFile(path, `${text}\n`, true)),
            Effect.mapError(failed("written", path))
          )
        }, onDisk),
        remove: Effect.fn("TokenStore.remove")((serverUrl) => {
          const path = pathOf(serverUrl)
          return unlessMissing(Effect.as(fs.remove(path), true)).pipe(
            Effect.map((isRemoved) => isRemoved === true),
            Effect.mapError(failed("removed", path))
          )
        }),
        exclusively: (serverUrl) => (effect) =>
          Effect.matchEffect(makePrivate(directory), {
            onFailure: () => effect,
            onSuccess: () => withFileLock(join(directory, `${nameOf(serverUrl)}.lock`))(effect)
          }).pipe(onDisk)
      })
    })
  ).pipe(Layer.provide(localFiles))
