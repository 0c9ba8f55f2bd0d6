import { Effect, Layer } from "effect"
import type { Liquid } from "liquidjs"
import { createHash } from "node:crypto"
import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { systemErrorCode } from "../../adapters/platform/replaceFile.ts"
import { readTextFile, textFileProblem } from "../../adapters/platform/readTextFile.ts"
import { closestOf } from "../../domain/closestOf.ts"
import { toolTexts } from "../../domain/generation/PromptData.ts"
import { BRIEF_LIMITS, BRIEF_ROOMS, PROMPT_LIMITS, PROMPT_ROOMS } from "../../domain/tools/PromptLimits.ts"
import type { PromptRoom } from "../../domain/tools/PromptLimits.ts"
import { PROMPT_PROBES } from "../../domain/generation/PromptProbes.ts"
import { cutText, oneLine, textOrNull } from "../../domain/tools/PromptText.ts"
import { estimateTokens } from "../../domain/generation/PromptTokens.ts"
import { PackageFiles } from "../../services/documents/PackageFiles.ts"
import { PromptInvalid, PromptLibrary } from "../../services/generation/PromptLibrary.ts"
import type { BriefInput, GenerateInput, Prompt, RepairInput } from "../../services/generation/PromptLibrary.ts"
import type { Limits } from "../../services/settings/Settings.ts"

const TEMPLATES = [
  "system.md",
  "brief.md",
  "generate.md",
  "refine.md",
  "repair.md",
  "secondDraft.md",
  "partials/secondDraft.md",
  "partials/tool.md",
  "partials/edits.md",
  "partials/refinements.md"
] as const
/** Not rendered: its code examples look like templates. */
const PARTS_PAGE = "partials/parts.md"
const PARTIALS = "partials"
/** Files that a folder of prompts may have beside prompts. */
const NO_PROMPT = /^(?:\.|readme\b)/i

type Files = Readonly<Record<string, string>>

interface Library {
  readonly files: Files
  /** Where each file was read, for messages. */
  readonly origins: Files
  readonly liquid: Liquid
}

/** Larger files are no prompts. */
const MAX_BYTES = 1_000_000

const describe = (error: unknown): string => {
  const message = error instanceof Error ? error.message : String(error)
  return message.split("\n")[0] ?? message
}

const readOverride = Effect.fnUntraced(function* (directory: string, name: string) {
  const file = join(directory, name)
  const text = yield* readTextFile(file, MAX_BYTES).pipe(
    Effect.catch((code) =>
      code === "ENOENT"
        ? Effect.undefined
        : Effect.fail(new PromptInvalid({ file, detail: textFileProblem(code, MAX_BYTES) }))
    )
  )
  // An empty partial may be meant; an empty task is a slip.
  if (text?.trim() === "" && !name.includes("/")) return yield* new PromptInvalid({ file, detail: "is empty" })
  return text
})

const INSTEAD = "or leave generation.promptsDirectory out"

const folderProblem = (code: string): string => {
  if (code === "ENOENT") return `there is no such folder; make it, ${INSTEAD}`
  return code === "ENOTDIR" ? `this is no folder; name one, ${INSTEAD}` : `the folder cannot be read (${code})`
}

/** The names of prompts in a folder. Fails with the code of a system error. */
const namesIn = (directory: string): Effect.Effect<ReadonlyArray<string>, string> =>
  Effect.tryPromise({ try: () => readdir(directory), catch: systemErrorCode }).pipe(
    Effect.map((names) => names.filter((name) => !NO_PROMPT.test(name)).toSorted())
  )

const listPartials = Effect.fnUntraced(function* (directory: string) {
  const refused = (file: string) =>
    Effect.mapError((code: string) => new PromptInvalid({ file, detail: folderProblem(code) }))
  const top = yield* namesIn(directory).pipe(refused(directory))
  const inside = join(directory, PARTIALS)
  const partials = top.includes(PARTIALS) ? yield* namesIn(inside).pipe(refused(inside)) : []
  const known = [...TEMPLATES.filter((name) => !name.includes("/")), PARTIALS]
  for (const name of top) {
    if (known.includes(name)) continue
    const closest = closestOf(name, known)
    const advice = closest === undefined ? `allowed: ${known.join(", ")}` : `did you mean ${closest}?`
    return yield* new PromptInvalid({
      file: join(directory, name),
      detail: `there is no prompt of this name; ${advice}`
    })
  }
  return partials.map((name) => `${PARTIALS}/${name}`)
})

/** If no file includes an added partial, its name is most likely a slip. */
const refuseUnused = (files: Files, added: ReadonlyArray<string>, directory: string) =>
  Effect.forEach(
    added,
    (name) => {
      const ours: ReadonlyArray<string> = [...TEMPLATES, PARTS_PAGE]
      const isUsed = ours.includes(name) || Object.values(files).some((text) => text.includes(name))
      if (isUsed) return Effect.void
      const closest = closestOf(name, ours)
      const advice =
        closest === undefined ? `write {% include "${name}" %} where it belongs` : `did you mean ${closest}?`
      return new PromptInvalid({ file: join(directory, name), detail: `no prompt includes it; ${advice}` })
    },
    { discard: true }
  )

/** The template that an error of Liquid is about: the rendered file, or one that it includes. */
const templateOf = (error: unknown, files: Files): string | undefined => {
  const token: unknown = error instanceof Error && "token" in error ? error.token : undefined
  if (typeof token !== "object" || token === null) return undefined
  if ("file" in token && typeof token.file === "string") return token.file
  const text = "input" in token ? token.input : undefined
  return Object.keys(files).find((name) => files[name] === text)
}

const liquidProblem = ({ files, origins }: Library, rendered: string, error: unknown): PromptInvalid => {
  const template = templateOf(error, files)
  const file = template !== undefined && Object.hasOwn(files, template) ? template : rendered
  const [, what = "", line, column] = /^(.*?)(?:, file:[^,]*)?(?:, line:(\d+), col:(\d+))?$/.exec(describe(error)) ?? []
  const detail = what.replace(/^ENOENT: Failed to lookup ("[^"]*").*$/, "it includes $1, and there is no such file")
  return new PromptInvalid({
    file: origins[file] ?? file,
    detail: line === undefined || column === undefined ? detail : `line ${line}, column ${column}: ${detail}`
  })
}

/**
 * The mark of a prompt: 64 bits of a hash over everything that the prompt is made of, so that equal requests are equal
 * texts. Nothing in the data can close a block before its end: to hold its own mark a text would have to hold its own
 * hash, for which there is no shorter way than 2^64 attempts, and one that did would get another mark.
 */
const markFor = (facts: string): string => {
  for (let attempt = 0; ; attempt++) {
    const mark = createHash("sha256").update(`${attempt} ${facts}`).digest("hex").slice(0, 16)
    if (!facts.includes(mark)) return mark
  }
}

/**
 * Prompts written with Liquid in `prompts/`: strict variables and filters, own properties only, partials by `include`. A
 * file of the same name in `promptsDirectory` replaces one of ours, and partials there are added. Another name is an
 * error, and so is a folder that is not there. docs/prompts.md lists what templates see. `system.md` sees `parts` only, so
 * that it is the same for every tool.
 *
 * Data from tools is cut, by {@link PROMPT_LIMITS} and then in the steps of {@link PROMPT_ROOMS}, until the prompt keeps
 * to `limits.maxPromptTokens` ({@link estimateTokens}). The current page and the words of the user are never cut.
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

      const texts: Effect.Effect<Omit<Library, "liquid">, PromptInvalid> = yield* Effect.cached(
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
          if (directory !== undefined) yield* refuseUnused(files, added, directory)
          return { files, origins }
        })
      )

      const library: Effect.Effect<Library, PromptInvalid> = yield* Effect.cached(
        Effect.gen(function* () {
          const { files, origins } = yield* texts
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
        library: Library,
        file: string,
        variables: Readonly<Record<string, unknown>>
      ): Effect.Effect<string, PromptInvalid> =>
        Effect.tryPromise({
          try: async () => {
            const text: unknown = await library.liquid.renderFile(file, variables)
            return String(text).trim()
          },
          catch: (cause) => liquidProblem(library, file, cause)
        })

      const variablesFor = (input: GenerateInput, room: PromptRoom, extra: Readonly<Record<string, unknown>>) => {
        const { currentSource, hints, learned, refinements } = input
        const kept = refinements.slice(-Math.max(1, options.limits.maxRefinementHistory))
        const newest = currentSource === null ? undefined : kept.at(-1)
        const facts = {
          tool: toolTexts(input.tool, hints.examples ?? [], learned, options.limits.maxSchemaDepth, room),
          uiType: hints.uiType ?? null,
          theme: hints.theme ?? null,
          interactivity: hints.interactivity ?? null,
          style: textOrNull(options.prompt),
          toolPrompt: textOrNull(hints.prompt),
          newest: newest ?? null,
          earlier: newest === undefined ? kept : kept.slice(0, -1),
          leftOut: refinements.length - kept.length,
          source: currentSource,
          report: input.secondDraft?.report ?? null,
          shown: input.secondDraft?.members ?? [],
          variant: input.variant ?? null,
          whole: input.isWhole === true,
          ...extra
        }
        return { ...facts, mark: markFor(JSON.stringify(facts)) }
      }

      const prompt = Effect.fnUntraced(function* (
        file: "generate.md" | "refine.md" | "repair.md" | "secondDraft.md",
        input: GenerateInput,
        extra: Readonly<Record<string, unknown>>
      ) {
        const loaded = yield* library
        const system = yield* render(loaded, "system.md", { parts: (loaded.files[PARTS_PAGE] ?? "").trim() })
        const left = options.limits.maxPromptTokens - estimateTokens(system)
        let result: Prompt = { system, prompt: "" }
        for (const room of PROMPT_ROOMS) {
          result = { system, prompt: yield* render(loaded, file, variablesFor(input, room, extra)) }
          if (estimateTokens(result.prompt) <= left) break
        }
        return result
      })

      // Every read of a UI asks for it, so it loads no template engine.
      const version = yield* Effect.cached(
        texts.pipe(
          Effect.map(({ files }) => {
            const content = Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1))
            return createHash("sha256")
              .update(JSON.stringify([content, options.prompt ?? null]))
              .digest("hex")
              .slice(0, 16)
          })
        )
      )

      return PromptLibrary.of({
        version,
        generate: Effect.fn("PromptLibrary.generate")(function* (input: GenerateInput) {
          if (input.fault !== undefined && input.currentSource !== null) {
            const extra = { answer: input.currentSource, problems: input.fault.map(oneLine), problemsLeftOut: 0 }
            return yield* prompt("repair.md", input, extra)
          }
          if (input.secondDraft !== undefined) return yield* prompt("secondDraft.md", input, {})
          return yield* prompt(input.currentSource === null ? "generate.md" : "refine.md", input, {})
        }),
        repair: Effect.fn("PromptLibrary.repair")(function* (input: RepairInput) {
          return yield* prompt("repair.md", input, {
            answer: cutText(input.answer, PROMPT_LIMITS.answer),
            problems: input.problems
              .slice(0, PROMPT_LIMITS.problems)
              .map((problem) => cutText(oneLine(problem), PROMPT_LIMITS.problem)),
            problemsLeftOut: Math.max(0, input.problems.length - PROMPT_LIMITS.problems)
          })
        }),
        brief: Effect.fn("PromptLibrary.brief")(function* (input: BriefInput) {
          const loaded = yield* library
          const { currentSource, feedback, refinements, writeTool } = input
          // The page has met them; without it they still hold.
          const earlier = currentSource === null ? refinements.slice(-options.limits.maxRefinementHistory) : []
          const more = {
            writeTool,
            newest: cutText(feedback, BRIEF_LIMITS.request),
            earlier: earlier.map((text) => cutText(text, BRIEF_LIMITS.earlier)),
            leftOut: 0,
            uiType: null
          }
          const [longest] = BRIEF_LIMITS.sources
          const least = BRIEF_ROOMS.at(-1) ?? BRIEF_ROOMS[0]
          const steps = [
            ...BRIEF_ROOMS.map((room) => ({ room, characters: longest })),
            ...BRIEF_LIMITS.sources.slice(1).map((characters) => ({ room: least, characters }))
          ]
          let brief = ""
          for (const { characters, room } of steps) {
            const source = currentSource === null ? null : cutText(currentSource, characters)
            brief = yield* render(loaded, "brief.md", variablesFor(input, room, { ...more, source }))
            if (estimateTokens(brief) <= BRIEF_LIMITS.tokens) break
          }
          return brief
        })
      })
    })
  )

/**
 * Renders every prompt twice, with all placeholders empty and with none empty, to find what is wrong with a file before a
 * person waits for its UI. Fails with the first file that cannot be used.
 */
export const checkPrompts = Effect.fn("PromptLibrary.check")(function* (library: PromptLibrary["Service"]) {
  for (const input of PROMPT_PROBES) {
    yield* library.generate(input)
    yield* library.repair({ ...input, answer: "answer", problems: Array.from({ length: 100 }, () => "problem") })
    yield* library.brief({ ...input, feedback: "request", writeTool: "tool" })
  }
})
