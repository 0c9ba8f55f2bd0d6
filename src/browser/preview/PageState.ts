/** What the page is showing, in its address after the `#`: a reload and a link bring it back. */
export class PageState {
  readonly #values = new URLSearchParams(location.hash.slice(1))

  get(name: string): string | undefined {
    return this.#values.get(name) ?? undefined
  }

  /** `undefined` forgets. */
  set(name: string, value: string | undefined): void {
    if (value === undefined || value === "") this.#values.delete(name)
    else this.#values.set(name, value)
    history.replaceState(null, "", `#${this.#values.toString()}`)
  }

  /** Keeps the value of a control, and sets it to what is kept. */
  keep(name: string, control: HTMLSelectElement | HTMLInputElement): void {
    const isBox = control instanceof HTMLInputElement && control.type === "checkbox"
    const kept = this.get(name)
    if (kept !== undefined && isBox) control.checked = kept === "yes"
    else if (kept !== undefined) control.value = kept
    control.addEventListener("change", () =>
      this.set(name, isBox ? (control.checked ? "yes" : undefined) : control.value)
    )
  }

  /** The same for radio buttons. */
  keepChoice(name: string, fieldset: HTMLFieldSetElement): void {
    const kept = this.get(name)
    for (const radio of fieldset.querySelectorAll("input")) {
      if (kept !== undefined) radio.checked = radio.value === kept
      radio.addEventListener("change", () => this.set(name, radio.value))
    }
  }
}
