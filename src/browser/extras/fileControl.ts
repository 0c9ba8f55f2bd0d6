import { itemsOf } from "../../domain/forms/FormDraft.ts"
import type { Field } from "../../domain/forms/FormField.ts"
import type { FileField } from "../../domain/tools/FileFields.ts"
import type { Control, Slot } from "../forms/Control.ts"
import { hint, tool } from "../forms/elements.ts"
import { frame } from "../forms/frame.ts"
import { fmt, h } from "../parts/index.ts"

interface Filed {
  readonly field: Field
  readonly isMany: boolean
  readonly file: FileField
}

/** Of files that were picked in this page, by what was written: a value does not say its file's name. */
const names = new Map<string, string>()

const dataUrl = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener("load", () => resolve(String(reader.result)))
    reader.addEventListener("error", () => reject(reader.error ?? new Error("It could not be read.")))
    reader.readAsDataURL(file)
  })

const written = async (file: File, { as }: FileField): Promise<string> => {
  const url = await dataUrl(file)
  if (as === "data-url") return url
  const base64 = url.slice(url.indexOf(",") + 1)
  return as === "base64"
    ? base64
    : base64
        .replaceAll("+", "-")
        .replaceAll("/", "_")
        .replace(/={1,2}$/, "")
}

const bytesOf = (text: string): number => {
  const base64 = text.startsWith("data:") ? text.slice(text.indexOf(",") + 1) : text
  return Math.floor((base64.replace(/={1,2}$/, "").length * 3) / 4)
}

/** A picker for files, which are sent as text: base64 or a data URL, as the schema says. */
export const fileControl = ({ field, file, isMany }: Filed, slot: Slot): Control => {
  const { form, place } = slot
  const most = file.maxLength === undefined ? undefined : Math.floor((file.maxLength * 3) / 4)
  const values = (): ReadonlyArray<unknown> => {
    const value = form.get(place)
    return isMany ? itemsOf(value) : value === undefined || value === null ? [] : [value]
  }
  const input = h("input", { type: "file", class: "mf-input", accept: file.accept, multiple: isMany })
  const rows = h("div", { class: "mf-items" })
  const write = (items: ReadonlyArray<unknown>): void => {
    const isNone = items.length === 0 && (!isMany || !field.required)
    form.set(place, isNone ? undefined : isMany ? items : items.at(-1))
    draw()
  }
  const draw = (): void => {
    input.required = field.required && values().length === 0
    rows.replaceChildren(
      ...values().map((value, index) => {
        const text = String(value)
        const name = names.get(text) ?? "File"
        const size = `${fmt.bytes(bytesOf(text))}, ${fmt.number(text.length)} characters as ${file.as === "data-url" ? "a data URL" : file.as}`
        const drop = tool("cross", `Remove ${name}`, () => {
          write(values().toSpliced(index, 1))
          input.focus()
        })
        return h("div", { class: "mf-row" }, h("span", {}, name, h("span", { class: "mf-hint" }, ` ${size}`)), drop)
      })
    )
    rows.hidden = rows.childElementCount === 0
    // What the browser writes there, that no file is chosen, is no longer so.
    input.style.color = rows.hidden ? "" : "transparent"
  }
  const take = async (files: ReadonlyArray<File>): Promise<void> => {
    const found: Array<string> = []
    for (const one of files) {
      const text = await written(one, file)
      if (file.maxLength !== undefined && text.length > file.maxLength) {
        const allowed = `${fmt.bytes(most)} at most`
        return control.showError(`“${one.name}” has ${fmt.bytes(one.size)}; the tool takes ${allowed}.`)
      }
      names.set(text, one.name)
      found.push(text)
    }
    control.showError("")
    write(isMany ? [...values(), ...found] : found)
  }
  input.addEventListener("change", () => {
    const files = [...(input.files ?? [])]
    // The same file can be picked again after it was removed.
    take(files).catch((error: unknown) => control.showError(`The file could not be read: ${String(error)}`))
    input.value = ""
  })
  draw()
  const limit = most === undefined ? null : hint(`${fmt.bytes(most)} at most`)
  const control = frame(field, slot, { target: input, content: [rows, input, limit] })
  return control
}
