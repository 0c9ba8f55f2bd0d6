import { Effect, Layer, Semaphore } from "effect"
import { type StoredAuthorization, TokenStore } from "../../services/upstream/TokenStore.ts"

const NOTHING: StoredAuthorization = { client: undefined, tokens: undefined }

/**
 * Keeps tokens for the life of the layer: a login is good for one run.
 *
 * @example
 * import { Layer } from "effect"
 * import { layerTokenStoreMemory, layerUpstreamOAuth } from "mcp-gen-ui"
 *
 * const layerLogin = layerUpstreamOAuth({ url: "https://example.com/mcp" }).pipe(
 *   Layer.provide(layerTokenStoreMemory)
 * )
 */
export const layer: Layer.Layer<TokenStore> = Layer.sync(TokenStore, () => {
  const kept = new Map<string, StoredAuthorization>()
  const turns = new Map<string, Semaphore.Semaphore>()
  const turnOf = (serverUrl: string): Semaphore.Semaphore => {
    const turn = turns.get(serverUrl) ?? Semaphore.makeUnsafe(1)
    turns.set(serverUrl, turn)
    return turn
  }
  return TokenStore.of({
    read: (serverUrl) => Effect.sync(() => kept.get(serverUrl) ?? NOTHING),
    write: (serverUrl, authorization) => Effect.sync(() => void kept.set(serverUrl, authorization)),
    remove: (serverUrl) => Effect.sync(() => kept.delete(serverUrl)),
    exclusively: (serverUrl) => (effect) => Effect.suspend(() => turnOf(serverUrl).withPermit(effect))
  })
})
