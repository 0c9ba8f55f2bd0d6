import { Effect, Layer } from "effect"
import type { Liquid } from "liquidjs"
import { createHash } from "node:crypto"
import { readdir, readFile, stat } from "node:fs/promises"
import { join } from "node:path"
import { cutText, PROMPT_ROOMS, textOrNull, toolTexts } from "../domain/documents/PromptData.ts"
import type { PromptRoom } from "../domain/documents/PromptData.ts"
import { PackageFiles } from "../services/PackageFiles.ts"
import { PromptInvalid, PromptLibrary } from "../services/PromptLibrary.ts"
import type { GenerateInput, Prompt, RepairInput } from "../services/PromptLibrary.ts"
import type { Limits } from "../services/Settings.ts"

const TEMPLATES = ["system.md", "generate.md", "repair.md", "partials/tool.md", "partials/wishes.md"] as const
/** Set into the system prompt as it is: its code examples are no templates. */
const PARTS_PAGE = "partials/parts.md"
const CHARACTERS_PER_TOKEN = 4
/** An answer that is longer than any page should be is shown to its end only in part. */
const ANSWER_CHARACTERS = 24_000

type Files = Readonly<Record<string, string>>

interface Library {
  readonly files: Files
  /** Where each file was read, for messages. */
  readonly origins: Files
  readonly liquid: Liquid
}

const describe = (error: unknown): string => {
  const message = error instanceof Error ? error.message : String(error)
  return message.split("\n")[0] ?? message
}

const isMissing = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "ENOENT"

const readOverride = (directory: string, name: string): Effect.Effect<string | undefined, PromptInvalid> =>
  Effect.tryPromise({
    try: () =>
      readFile(join(directory, name), "utf8").catch((error: unknown) => {
        if (isMissing(error)) return undefined
        throw error
      }),
    catch: (cause) => new PromptInvalid({ file: join(directory, name), detail: describe(cause) })
  })

const listPartials = (directory: string): Effect.Effect<ReadonlyArray<string>, PromptInvalid> =>
  Effect.tryPromise({
    try: async () => {
      if (!(await stat(directory)).isDirectory()) throw new Error("this is not a directory")
      const names = await readdir(join(directory, "partials")).catch((error: unknown) => {
        if (isMissing(error)) return []
        throw error
      })
      return names.filter((name) => name.endsWith(".md")).map((name) => `partials/${name}`)
    },
    catch: (cause) => new PromptInvalid({ file: directory, detail: describe(cause) })
  })

/** A mark that none of the texts contains, the same for the same texts. */
const markFor = (texts: ReadonlyArray<string>): string => {
  for (let attempt = 0; ; attempt++) {
    const mark = createHash("sha256")
      .update(JSON.stringify([attempt, texts]))
      .digest("hex")
      .slice(0, 16)
    if (!texts.some((text) => text.includes(mark))) return mark
  }
}

/**
 * Prompts written with Liquid in `prompts/`: strict variables and filters, own properties only, partials by
 * `include`. A file of the same name in `promptsDirectory` replaces one of ours; partials there are added. Templates
 * see `tool`, `mark`, `uiType`, `theme`, `interactivity`, `style`, `wish`, `refinements`, `source`, and `answer` and
 * `problems` in `repair.md`; `system.md` sees `parts` only, so that it is the same for every tool.
 *
 * Data from tools is cut until the prompt keeps to `limits.maxPromptTokens`, at about four characters a token; the
 * current page and the words of the user are never cut.
 */
export const layer = (options: {
  readonly promptsDirectory?: string | undefined
  /** What the user asks of every view (configuration `generation.prompt`). */
  readonly prompt?: string | undefined
  readonly limits: Limits
}): Layer.Layer<PromptLibrary, never, PackageFiles> =>
  Layer.effect(
    PromptLibrary,
    Effect.gen(function* () {
      const packageFiles = yield* PackageFiles
      const directory = options.promptsDirectory

      const readOwn = (name: string): Effect.Effect<string, PromptInvalid> =>
        packageFiles
          .text(`prompts/${name}`)
          .pipe(Effect.mapError((error) => new PromptInvalid({ file: `prompts/${name}`, detail: error.message })))

      const library: Effect.Effect<Library, PromptInvalid> = yield* Effect.cached(
        Effect.gen(function* () {
          const added = directory === undefined ? [] : yield* listPartials(directory)
          const files: Record<string, string> = {}
          const origins: Record<string, string> = {}
          for (const name of new Set([...TEMPLATES, PARTS_PAGE, ...added])) {
            const replaced = directory === undefined ? undefined : yield* readOverride(directory, name)
            origins[name] =
              directory === undefined || replaced === undefined ? `prompts/${name}` : join(directory, name)
            files[name] = replaced ?? (yield* readOwn(name))
          }
          const { [PARTS_PAGE]: _parts, ...templates } = files
          const { Liquid } = yield* Effect.tryPromise({
            try: () => import("liquidjs"),
            catch: (cause) => new PromptInvalid({ file: "liquidjs", detail: describe(cause) })
          })
          const liquid = new Liquid({
            templates,
            strictVariables: true,
            strictFilters: true,
            ownPropertyOnly: true,
            cache: true
          })
          return { files, origins, liquid }
        })
      )

      const render = (
        { liquid, origins }: Library,
        file: string,
        variables: Readonly<Record<string, unknown>>
      ): Effect.Effect<string, PromptInvalid> =>
        Effect.tryPromise({
          try: async () => {
            const text: unknown = await liquid.renderFile(file, variables)
            return String(text).trim()
          },
          catch: (cause) => new PromptInvalid({ file: origins[file] ?? file, detail: describe(cause) })
        })

      const variablesFor = (input: GenerateInput, room: PromptRoom, extra: Readonly<Record<string, unknown>>) => {
        const { hints, refinements, currentSource } = input
        const facts = {
          tool: toolTexts(input.tool, hints.examples ?? [], options.limits.maxSchemaDepth, room),
          uiType: hints.uiType ?? null,
          theme: hints.theme ?? null,
          interactivity: hints.interactivity ?? null,
          style: textOrNull(options.prompt),
          wish: textOrNull(hints.prompt),
          refinements,
          source: currentSource,
          ...extra
        }
        return { ...facts, mark: markFor([JSON.stringify(facts)]) }
      }

      const prompt = Effect.fnUntraced(function* (
        file: "generate.md" | "repair.md",
        input: GenerateInput,
        extra: Readonly<Record<string, unknown>>
      ) {
        const loaded = yield* library
        const system = yield* render(loaded, "system.md", { parts: (loaded.files[PARTS_PAGE] ?? "").trim() })
        let result: Prompt = { system, prompt: "" }
        for (const room of PROMPT_ROOMS) {
          result = { system, prompt: yield* render(loaded, file, variablesFor(input, room, extra)) }
          const tokens = (result.system.length + result.prompt.length) / CHARACTERS_PER_TOKEN
          if (tokens <= options.limits.maxPromptTokens) break
        }
        return result
      })

      return PromptLibrary.of({
        version: library.pipe(
          Effect.map(({ files }) => {
            const content = Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1))
            return createHash("sha256")
              .update(JSON.stringify([content, options.prompt ?? null]))
              .digest("hex")
              .slice(0, 16)
          })
        ),
        generate: Effect.fn("PromptLibrary.generate")(function* (input: GenerateInput) {
          return yield* prompt("generate.md", input, {})
        }),
        repair: Effect.fn("PromptLibrary.repair")(function* (input: RepairInput) {
          return yield* prompt("repair.md", input, {
            answer: cutText(input.answer, ANSWER_CHARACTERS),
            problems: input.problems
          })
        })
      })
    })
  )
