import { createRequire } from "node:module"

/** What the package says of itself: it has no types. */
interface LzmaWorker {
  readonly LZMA: { readonly compress: (bytes: Uint8Array, level: number) => ReadonlyArray<number> }
}

const worker = createRequire(import.meta.url)("lzma/src/lzma_worker.js") as LzmaWorker

/** Packs bytes as a `.lzma` stream, as small as it can. */
export const lzma = (bytes: Uint8Array): Uint8Array =>
  Uint8Array.from(worker.LZMA.compress(bytes, 9), (byte) => byte & 255)
