import { byId } from "./element.ts"
import type { ViewWriter } from "./HostTransport.ts"

/** Says who writes the view, how far it is and how long it may take. Or says why a fallback is shown. */
export class WritingNote {
  readonly #box = byId("writing", HTMLElement)
  readonly #said = byId("writing-said", HTMLElement)
  readonly #bar = byId("writing-bar", HTMLProgressElement)
  readonly #facts = byId("writing-facts", HTMLElement)
  readonly #far = byId("writing-far", HTMLElement)
  readonly #left = byId("writing-left", HTMLElement)
  #writer: ViewWriter | undefined
  #since = 0
  #timer: ReturnType<typeof setInterval> | undefined

  /** A view is read from now on. Nothing is said until the server reports that the view is being written. */
  begin(writer: ViewWriter | undefined): void {
    this.clear()
    this.#writer = writer
    this.#since = performance.now()
  }

  tell(progress = ""): void {
    this.#far.textContent = progress
    if (this.#timer !== undefined) return
    this.#say(`${this.#name} is writing this view`, true)
    this.#timer = setInterval(() => this.#count(), 1000)
    this.#count()
  }

  /** Another view is being written for the page that is open. */
  isComing(): void {
    this.#say(`${this.#name} is writing a view, which takes the place of this one as soon as it is ready`)
  }

  /** `reason`: a sentence. */
  isFallback(reason: string): void {
    this.#say(`This view is a fallback. ${reason}`)
  }

  clear(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
    this.#box.hidden = true
  }

  get #name(): string {
    return this.#writer === undefined ? "A model" : `${this.#writer.model} (${this.#writer.provider})`
  }

  #say(text: string, hasTime = false): void {
    this.clear()
    this.#box.hidden = false
    this.#bar.hidden = !hasTime
    this.#facts.hidden = !hasTime
    if (this.#said.textContent !== text) this.#said.textContent = text
  }

  #count(): void {
    if (this.#writer === undefined) return
    const { patienceMs } = this.#writer
    const left = patienceMs - (performance.now() - this.#since)
    this.#bar.value = 1 - Math.max(0, left) / patienceMs
    this.#left.textContent = left > 0 ? `At most ${Math.ceil(left / 1000)} s more` : "Any moment now"
  }
}
