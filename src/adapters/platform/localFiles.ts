import { Effect, type FileSystem, Layer } from "effect"

/** The files of this machine. Loaded on first use: most runs read none before the first message. */
export const localFiles: Layer.Layer<FileSystem.FileSystem> = Layer.unwrap(
  Effect.map(
    Effect.promise(() => import("./nodeFileSystem.ts")),
    ({ layer }) => layer
  )
)
