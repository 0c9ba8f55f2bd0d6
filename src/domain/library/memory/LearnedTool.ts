import { isObject } from "../../isObject.ts"
import { type LearnedResult, type LearnedResults, NOTHING_LEARNED } from "../../tools/LearnedResults.ts"
import type { Redactor } from "../../observability/Redaction.ts"
import type { ResultMedia } from "../../results/ResultBlocks.ts"
import { resultContent } from "../../results/ResultContent.ts"
import { resultSample } from "./ResultSample.ts"
import { cutAt, roundBytes, sampleText } from "./SampleText.ts"
import { ShapeSketch } from "./ShapeSketch.ts"
import type { Spend } from "./WorkBudget.ts"

const MAX_RESULTS = 3
/** UTF-8 bytes of JSON. */
const RESULT_BYTES = 8000
const ARGUMENT_BYTES = 2000
const SHAPE_CHARACTERS = 3000

/** Content that is not data, such as a picture: only its kind and size are kept. */
const mediaNote = ({ data, kind, mimeType }: ResultMedia): string =>
  `[${cutAt(mimeType, 60)}, ${roundBytes(kind === "text" ? data.length : data.length * 0.75)}]`

interface Kept extends LearnedResult {
  readonly outline: string
  readonly argsText: string
  /** Of the data. */
  readonly text: string
}

/** What the results of one tool have taught. Its size does not grow with their number. */
export class LearnedTool {
  readonly #redactor: Redactor
  readonly #keepsResults: boolean
  readonly #shape = new ShapeSketch()
  #isEmpty = true
  /** Cached, because it is read often and changes only when something is added. */
  #learned: LearnedResults | undefined
  /** Newest first. */
  #results: ReadonlyArray<Kept> = []

  constructor(options: { readonly redactor: Redactor; readonly keepsResults: boolean }) {
    this.#redactor = options.redactor
    this.#keepsResults = options.keepsResults
  }

  get isEmpty(): boolean {
    return this.#isEmpty
  }

  /**
   * Learns from a `CallToolResult` (MCP specification, "Tools"). Errors, empty results and results that do not end the
   * call (a task, a question) teach nothing. If `spend` throws because reading took too long, nothing has changed.
   */
  add(args: unknown, result: unknown, spend: Spend = () => undefined): void {
    if (!isObject(result) || (result.resultType !== undefined && result.resultType !== "complete")) return
    const { isError, parts, repeatsContent, ...content } = resultContent(result)
    const media = parts.flatMap((part) => (part.kind === "media" ? [part.media] : []))
    const said = repeatsContent ? undefined : content.data
    const noted = media.slice(0, MAX_RESULTS).map(mediaNote).join(" ")
    const value = said ?? (noted === "" ? undefined : noted)
    if (isError || value === undefined) return
    const seen = new ShapeSketch(spend)
    seen.add(value)
    const kept = this.#keepsResults ? this.#sampled(args, value, seen.outline, spend) : undefined
    this.#isEmpty = false
    this.#learned = undefined
    // A repeated call must not count twice: the shape counts how often values come.
    const isNew = this.#results.every(({ text }) => text !== kept?.text)
    if (said !== undefined && (kept === undefined || isNew)) this.#shape.add(said)
    if (kept !== undefined) this.#keep(said === undefined || noted === "" ? kept : { ...kept, media: noted })
  }

  #sampled(args: unknown, value: unknown, outline: string, spend: Spend): Kept {
    const sampledArgs = resultSample(args ?? {}, this.#redactor, ARGUMENT_BYTES, spend)
    const data = resultSample(value, this.#redactor, RESULT_BYTES, spend)
    return { args: sampledArgs, data, outline, argsText: JSON.stringify(sampledArgs), text: JSON.stringify(data) }
  }

  get learned(): LearnedResults {
    this.#learned ??= this.#tell()
    return this.#learned
  }

  #tell(): LearnedResults {
    if (this.#isEmpty) return NOTHING_LEARNED
    const shape = this.#shape.text({
      maxCharacters: SHAPE_CHARACTERS,
      literals: this.#keepsResults,
      clean: (text) => sampleText(text, this.#redactor, 80)
    })
    return {
      shape: shape === "unknown" ? "nothing but images, sound or files" : shape,
      results: this.#results.map(({ args, data, media }) => ({ args, data, ...(media === undefined ? {} : { media }) }))
    }
  }

  /** Different results teach more, so the older of two similar ones is dropped first. */
  #keep(kept: Kept): void {
    const others = this.#results.filter(
      ({ argsText, outline }) => argsText !== kept.argsText || outline !== kept.outline
    )
    const results = [kept, ...others]
    if (results.length > MAX_RESULTS) {
      const twin = results.findLastIndex(({ outline }, at) =>
        results.some((other, index) => index < at && other.outline === outline)
      )
      results.splice(twin === -1 ? MAX_RESULTS : twin, 1)
    }
    this.#results = results
  }
}
