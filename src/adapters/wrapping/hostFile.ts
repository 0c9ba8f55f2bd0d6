import { Data, Effect, FileSystem, Option } from "effect"
import { randomUUID } from "node:crypto"
import { withFileLock } from "../platform/fileLock.ts"
import { localFiles } from "../platform/localFiles.ts"
import { readSmallBytes } from "../platform/readSmallFile.ts"
import { textFileProblem } from "../platform/readTextFile.ts"
import { type FileWork, systemErrorCode, UNFINISHED, unlessMissing } from "../platform/replaceFile.ts"

/** The file of a host cannot be read or changed. `isMissing`: there is none. */
export class HostFileFailed extends Data.TaggedError("HostFileFailed")<{
  readonly path: string
  readonly detail: string
  readonly isMissing: boolean
}> {
  override get message(): string {
    return `${this.path}: ${this.detail}`
  }
}

/** Claude Code keeps histories beside its servers. */
const MAX_BYTES = 100_000_000
const MARK = "\uFEFF"
/** So often a file is read again that somebody else writes meanwhile. */
const MAX_TRIES = 10

/** The copy of a host's file beside it, as it was before we wrapped a server. */
export const copyBeside = (path: string): string => `${path}.before-mcp-gen-ui`

const failed = (path: string) => (cause: unknown) => {
  if (cause instanceof HostFileFailed) return cause
  const code = systemErrorCode(cause)
  const isReadOnly = ["EROFS", "EPERM"].includes(code) || (code === "EACCES" && String(cause).includes("open"))
  const detail = isReadOnly ? `cannot be written (${code}); check the rights of the file and its folder` : undefined
  return new HostFileFailed({ path, detail: detail ?? textFileProblem(code, MAX_BYTES), isMissing: code === "ENOENT" })
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

const read = (path: string): FileWork<string, HostFileFailed> =>
  Effect.flatMap(readSmallBytes(path, MAX_BYTES), (bytes) =>
    Effect.try({
      try: () => decoder.decode(bytes),
      catch: () => new HostFileFailed({ path, detail: textFileProblem("NOTTEXT", MAX_BYTES), isMissing: false })
    })
  )

/** The text of a host's file without a byte order mark. */
export const readHostFile = (path: string): Effect.Effect<string, HostFileFailed> =>
  read(path).pipe(
    Effect.map((text) => text.replace(MARK, "")),
    Effect.mapError(failed(path)),
    Effect.provide(localFiles)
  )

/** What is known of a file that may be written. Who may do everything (root) could write a read-only one, too. */
const writable = (path: string): FileWork<FileSystem.File.Info, HostFileFailed> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const info = yield* fs.stat(path)
    if ((info.mode & 0o222) !== 0) return info
    const found = `found mode ${(info.mode & 0o7777).toString(8)}, allowed: one that you can write to (chmod u+w)`
    return yield* new HostFileFailed({ path, detail: `is read-only; ${found}`, isMissing: false })
  })

/** Puts a new text in the place of `was`, with the same rights. `false`: meanwhile there is another text. */
const replace = (path: string, was: string, text: string): FileWork<boolean, HostFileFailed> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const { gid, mode, uid } = yield* writable(path)
    const beside = `${path}.${randomUUID()}${UNFINISHED}`
    const write = Effect.gen(function* () {
      yield* fs.writeFileString(beside, text, { flag: "wx", mode: 0o600 })
      yield* Effect.ignore(
        fs.chown(
          beside,
          Option.getOrElse(uid, () => -1),
          Option.getOrElse(gid, () => -1)
        )
      )
      yield* fs.chmod(beside, mode & 0o7777)
      const isSame = (yield* read(path)) === was
      yield* isSame ? fs.rename(beside, path) : fs.remove(beside, { force: true })
      return isSame
    })
    return yield* Effect.tapError(write, () => Effect.ignore(fs.remove(beside, { force: true })))
  }).pipe(Effect.uninterruptible)

/** The new text of a file, and of the copy beside it; `undefined` for no copy. */
export interface HostFileChange {
  readonly text: string
  readonly copy: string | undefined
}

/**
 * Changes a host's file: what `change` makes of its text and of the copy beside it. One process at a time; when the host
 * itself writes meanwhile, `change` is asked again. Other processes see the old text or the new one. A link stays a link.
 */
export const changeHostFile = <E>(
  path: string,
  change: (text: string, copy: string | undefined) => Effect.Effect<HostFileChange, E>
): Effect.Effect<HostFileChange & { readonly was: string }, E | HostFileFailed> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const real = yield* Effect.mapError(fs.realPath(path), failed(path))
    const copyPath = copyBeside(real)
    const once = Effect.gen(function* () {
      const whole = yield* Effect.mapError(read(real), failed(path))
      const mark = whole.startsWith(MARK) ? MARK : ""
      const was = whole.slice(mark.length)
      const before = yield* Effect.mapError(unlessMissing(read(copyPath)), failed(copyPath))
      const changed = yield* change(was, before?.replace(MARK, ""))
      if (changed.text === was) return { ...changed, was }
      yield* Effect.mapError(writable(real), failed(path))
      // First the copy: a power loss between the two must not take the original away.
      const copy = changed.copy === undefined ? undefined : mark + changed.copy
      if (copy !== undefined && before === undefined)
        yield* Effect.mapError(fs.copyFile(real, copyPath), failed(copyPath))
      const there = before ?? whole
      if (copy !== undefined && copy !== there) yield* Effect.mapError(replace(copyPath, there, copy), failed(copyPath))
      if (!(yield* Effect.mapError(replace(real, whole, mark + changed.text), failed(path)))) return undefined
      if (changed.copy === undefined) yield* Effect.ignore(fs.remove(copyPath, { force: true }))
      return { ...changed, was }
    })
    const tries = Effect.gen(function* () {
      for (let left = MAX_TRIES; left > 0; left -= 1) {
        const done = yield* once
        if (done !== undefined) return done
      }
      const detail = "is written by another program all the time; close the host and try again"
      return yield* new HostFileFailed({ path, detail, isMissing: false })
    })
    return yield* withFileLock(`${real}.mcp-gen-ui-lock`)(tries)
  }).pipe(Effect.provide(localFiles))
