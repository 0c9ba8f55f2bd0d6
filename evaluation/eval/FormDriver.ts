import { givenBySchema } from "./givenBySchema.ts"
import { isRecord, type JsonRecord, pointerStep, sameJson, shortJson } from "./json.ts"
import { namesOf, optionFor, plainName, titlesOf } from "./optionNames.ts"
import type { SeenOption, SeenPlace } from "./Seen.ts"
import type { Frame } from "./Stage.ts"

/** Of one action, on a machine that has other things to do. */
export const ACTION_MS = 10_000
/** Options of a union that are tried before it is given up. */
const MOST_VARIANTS = 25
const MOST_DEPTH = 24

/** A value that no control took. */
export interface Failure {
  readonly path: ReadonlyArray<string | number>
  readonly value: unknown
  readonly reason: string
}

export interface Outcome {
  /** Values that were entered at their controls. */
  readonly entered: number
  readonly failures: ReadonlyArray<Failure>
}

const nothingDone: Outcome = { entered: 0, failures: [] }

const both = (left: Outcome, right: Outcome): Outcome => ({
  entered: left.entered + right.entered,
  failures: [...left.failures, ...right.failures]
})

/** Variants are often called by what tells them apart, which is a member of the value then. */
const likelyFirst = (options: ReadonlyArray<SeenOption>, value: unknown): ReadonlyArray<number> => {
  const told = new Set(isRecord(value) ? Object.values(value).map((member) => plainName(String(member))) : [])
  const isLikely = (at: number): boolean => told.has(plainName(options[at]?.label ?? ""))
  const all = [...options.keys()]
  return [...all.filter(isLikely), ...all.filter((at) => !isLikely(at))]
}

/** As pickers take it; hosts of the evaluation are in UTC. */
const localMoment = (text: string): string | undefined => {
  const moment = new Date(text)
  return Number.isNaN(moment.getTime()) ? undefined : moment.toISOString().replace(/(?:\.000)?Z$/, "")
}

/** Enters values at the controls of an open form, as a person does who reads labels and roles. */
export class FormDriver {
  private readonly frame: Frame
  private readonly titles: ReadonlyMap<string, string>
  private readonly given: ReadonlyMap<string, ReadonlyArray<unknown>>

  constructor(frame: Frame, schema: unknown) {
    this.frame = frame
    this.titles = titlesOf(schema)
    this.given = givenBySchema(schema)
  }

  private see(pointer: string, level: number): Promise<SeenPlace | null> {
    return this.frame.evaluate<SeenPlace | null>(`evalView.placeAt(${JSON.stringify(pointer)}, ${level})`)
  }

  private async unfold(pointer: string): Promise<boolean> {
    const hasUnfolded = await this.frame.evaluate<boolean>(`evalView.unfold(${JSON.stringify(pointer)})`)
    if (hasUnfolded) await this.frame.evaluate("evalView.frames(1)")
    return hasUnfolded
  }

  private async element(index: number) {
    const element = (await this.frame.evaluateHandle(`evalView.elementAt(${index})`)).asElement()
    if (element === null) throw new Error("the control is gone")
    return element
  }

  private async focus(index: number): Promise<void> {
    await this.frame.evaluate(`evalView.focusAt(${index})`)
  }

  private async press(index: number, key = "Enter"): Promise<void> {
    await this.focus(index)
    await this.frame.page().keyboard.press(key)
  }

  private async isChecked(index: number): Promise<boolean> {
    return this.frame.evaluate<boolean>(`evalView.isCheckedAt(${index})`)
  }

  /** Types in place of what is there. */
  private async type(index: number, text: string): Promise<void> {
    await this.focus(index)
    const { keyboard } = this.frame.page()
    if (text === "") await keyboard.press("Delete")
    else await keyboard.insertText(text)
  }

  /** Enters the members of the arguments. */
  async fill(value: JsonRecord): Promise<Outcome> {
    const root = await this.see("", 0)
    return root === null ? this.members([], value, 0) : this.enter([], value, 0, 0)
  }

  private async enter(path: Failure["path"], value: unknown, level: number, depth: number): Promise<Outcome> {
    const fails = (reason: string): Outcome => ({ entered: 0, failures: [{ path, value, reason }] })
    const done: Outcome = { entered: 1, failures: [] }
    if (depth > MOST_DEPTH) return fails("too deep to be entered by hand")
    const pointer = path.map(pointerStep).join("")
    const place = await this.see(pointer, level)
    if (place === null) return fails("there is no control")
    try {
      switch (place.kind) {
        case "constant":
          return namesOf(value, this.titles).some((name) => plainName(place.text).includes(plainName(name)))
            ? done
            : fails(`the form shows "${place.text.trim().slice(0, 60)}", which cannot be changed`)
        case "text":
        case "number":
        case "json":
        case "date":
        case "time":
        case "date-time":
          return await this.typed(place, value, path)
        case "checkbox":
          return await this.checkbox(place, value, path)
        case "checkboxes":
          return await this.checkboxes(place, value, path)
        case "combobox":
          return await this.combobox(place, value, path)
        case "radios":
        case "select":
          return await this.choice(place, value, path, level, depth)
        case "tags":
          return await this.tags(place, value, path)
        case "list":
          return Array.isArray(value) ? await this.list(path, value, level, depth) : fails("the form has a list here")
        case "map":
          return isRecord(value)
            ? await this.members(path, value, level, depth)
            : fails("the form has names and values here")
        case "group":
          return await this.group(place, path, value, level, depth)
        case "closed":
          if (value === null) return fails("null cannot be chosen")
          await this.press(place.element)
          return await this.enter(path, value, level, depth + 1)
        case "null": {
          if (value === null) return done
          const other = place.buttons.find(({ label }) => label.startsWith("Enter a value"))
          if (other === undefined) return fails("null cannot be replaced")
          await this.press(other.element)
          return await this.enter(path, value, level, depth + 1)
        }
      }
    } catch (error) {
      return fails(`${place.kind}: ${(error instanceof Error ? error.message : String(error)).split("\n")[0] ?? ""}`)
    }
  }

  private async typed(place: SeenPlace, value: unknown, path: Failure["path"]): Promise<Outcome> {
    const fails = (reason: string): Outcome => ({ entered: 0, failures: [{ path, value, reason }] })
    const put = async (text: string): Promise<Outcome> => {
      // Pickers are set as one: how their parts are typed is the browser's affair.
      if (/^(?:date|time|date-time)$/.test(place.kind))
        await (await this.element(place.element)).fill(text, { timeout: ACTION_MS })
      else await this.type(place.element, text)
      return { entered: 1, failures: [] }
    }
    if (place.kind === "json") return put(JSON.stringify(value, null, 2))
    if (value === null) {
      const toNull = place.buttons.find(({ label }) => label.startsWith("Set to null"))
      // An empty field that has to be there is null where the schema has null.
      if (toNull === undefined) return put("")
      await this.press(toNull.element)
      return { entered: 1, failures: [] }
    }
    if (place.kind === "number")
      return typeof value === "number" ? put(String(value)) : fails("the form takes a number here")
    if (typeof value !== "string") return fails(`the form takes a text here, not ${shortJson(value, 60)}`)
    if (place.kind !== "date-time") return put(place.kind === "time" ? value.replace(/Z$/, "") : value)
    const moment = localMoment(value)
    return moment === undefined ? fails("no moment") : put(moment)
  }

  private async checkbox(place: SeenPlace, value: unknown, path: Failure["path"]): Promise<Outcome> {
    if (typeof value !== "boolean")
      return { entered: 0, failures: [{ path, value, reason: "the form has a checkbox here" }] }
    if ((await this.isChecked(place.element)) !== value) await this.press(place.element, "Space")
    return { entered: 1, failures: [] }
  }

  private async checkboxes(place: SeenPlace, value: unknown, path: Failure["path"]): Promise<Outcome> {
    if (!Array.isArray(value))
      return { entered: 0, failures: [{ path, value, reason: "the form has checkboxes here" }] }
    const chosen = value.map((item) => ({ item, option: optionFor(place.options, item, this.titles) }))
    const missing = chosen.find(({ option }) => option === undefined)
    if (missing !== undefined)
      return { entered: 0, failures: [{ path, value, reason: `no checkbox is called ${shortJson(missing.item)}` }] }
    if (new Set(value.map((item) => JSON.stringify(item))).size < value.length)
      return { entered: 0, failures: [{ path, value, reason: "checkboxes take each choice once" }] }
    for (const option of place.options)
      if (await this.isChecked(option.element)) await this.press(option.element, "Space")
    for (const { option } of chosen) if (option !== undefined) await this.press(option.element, "Space")
    return { entered: 1, failures: [] }
  }

  private async combobox(place: SeenPlace, value: unknown, path: Failure["path"]): Promise<Outcome> {
    for (const name of namesOf(value, this.titles)) {
      await this.type(place.element, name)
      const option = this.frame.getByRole("option", { name, exact: true }).first()
      if (!(await option.isVisible())) continue
      await option.click({ timeout: ACTION_MS })
      return { entered: 1, failures: [] }
    }
    return { entered: 0, failures: [{ path, value, reason: `the list has no ${shortJson(value)}` }] }
  }

  private async pick(place: SeenPlace, option: SeenOption): Promise<void> {
    if (place.kind === "select") {
      const select = await this.element(place.element)
      await select.selectOption({ index: option.element }, { timeout: ACTION_MS })
    } else {
      await this.press(option.element, "Space")
    }
  }

  /** A value among the options, or a union whose options are its variants. */
  private async choice(
    place: SeenPlace,
    value: unknown,
    path: Failure["path"],
    level: number,
    depth: number
  ): Promise<Outcome> {
    const pointer = path.map(pointerStep).join("")
    const named = optionFor(place.options, value, this.titles)
    if (named !== undefined) {
      await this.pick(place, named)
      const after = await this.see(pointer, level)
      // A variant may be called as its value; then its control comes up beside it.
      return after?.hasInner === true ? this.enter(path, value, level + 1, depth + 1) : { entered: 1, failures: [] }
    }
    let best: { readonly at: number; readonly outcome: Outcome; readonly misfit: number } | undefined
    for (const at of likelyFirst(place.options, value).slice(0, MOST_VARIANTS)) {
      const outcome = await this.variant(path, value, level, depth, at)
      if (outcome === undefined) continue
      const misfit = await this.misfit(pointer, level + 1, value, outcome)
      if (misfit === 0) return outcome
      if (best === undefined || misfit < best.misfit) best = { at, outcome, misfit }
    }
    if (best === undefined)
      return { entered: 0, failures: [{ path, value, reason: `nothing to choose is called ${shortJson(value, 60)}` }] }
    return (await this.variant(path, value, level, depth, best.at)) ?? best.outcome
  }

  /** How badly a variant fits: first what it did not take, then the fields that it has and the value does not need. */
  private async misfit(pointer: string, level: number, value: unknown, { failures }: Outcome): Promise<number> {
    if (!isRecord(value)) return failures.length
    const place = await this.see(pointer, level)
    const members = new Set(Object.keys(value).map((name) => `${pointer}${pointerStep(name)}`))
    const isMember = (below: string): boolean => !below.slice(pointer.length + 1).includes("/")
    const unused = new Set(place?.below).difference(members)
    return failures.length * 1000 + [...unused].filter(isMember).length
  }

  private async variant(
    path: Failure["path"],
    value: unknown,
    level: number,
    depth: number,
    at: number
  ): Promise<Outcome | undefined> {
    const pointer = path.map(pointerStep).join("")
    const place = await this.see(pointer, level)
    const option = place?.options[at]
    if (place === null || option === undefined) return undefined
    await this.pick(place, option)
    const after = await this.see(pointer, level)
    return after?.hasInner === true ? this.enter(path, value, level + 1, depth + 1) : undefined
  }

  private async tags(place: SeenPlace, value: unknown, path: Failure["path"]): Promise<Outcome> {
    if (!Array.isArray(value)) return { entered: 0, failures: [{ path, value, reason: "the form has a list here" }] }
    for (const { label } of place.buttons) {
      if (!label.startsWith("Remove")) continue
      await this.type(place.element, "")
      await this.press(place.element, "Backspace")
    }
    for (const item of value) {
      if ((typeof item !== "string" && typeof item !== "number") || String(item).trim() !== String(item))
        return { entered: 0, failures: [{ path, value, reason: `${shortJson(item, 60)} cannot be typed as a tag` }] }
      await this.type(place.element, String(item))
      await this.press(place.element)
    }
    return { entered: 1, failures: [] }
  }

  private async list(
    path: Failure["path"],
    value: ReadonlyArray<unknown>,
    level: number,
    depth: number
  ): Promise<Outcome> {
    const pointer = path.map(pointerStep).join("")
    let outcome: Outcome = { entered: 1, failures: [] }
    await this.unfold(pointer)
    for (const [index, item] of value.entries()) {
      const below = [...path, index]
      const isThere = (await this.see(below.map(pointerStep).join(""), 0)) !== null
      if (!isThere) {
        const place = await this.see(pointer, level)
        if (place?.kind !== "list" && place?.kind !== "group" && place?.kind !== "tags")
          return both(outcome, {
            entered: 0,
            failures: [{ path: below, value: item, reason: "there is no list any more" }]
          })
        if (place.kind === "tags") return this.tags(place, value, path)
        if (place.element < 0)
          return both(outcome, { entered: 0, failures: [{ path: below, value: item, reason: "no item can be added" }] })
        await this.press(place.element)
      }
      await this.unfold(pointer)
      outcome = both(outcome, await this.enter(below, item, 0, depth + 1))
    }
    return outcome
  }

  private async group(
    place: SeenPlace,
    path: Failure["path"],
    value: unknown,
    level: number,
    depth: number
  ): Promise<Outcome> {
    const isItems = place.below.some((below) => below.endsWith("/0") && below.split("/").length === path.length + 2)
    if (Array.isArray(value) && isItems) return this.list(path, value, level, depth)
    if (isRecord(value)) return this.members(path, value, level, depth)
    if (place.hasInner) return this.enter(path, value, level + 1, depth + 1)
    return { entered: 0, failures: [{ path, value, reason: "the form has several fields here" }] }
  }

  /** Members of an object: those with a control of their own, then those whose name can be typed. */
  private async members(path: Failure["path"], value: JsonRecord, level: number, depth = 0): Promise<Outcome> {
    let outcome = nothingDone
    let waiting = Object.entries(value)
    const pointer = path.map(pointerStep).join("")
    // What one member says may bring the control of another one, so those without a control are asked for again.
    for (let round = 0; round < 3 && waiting.length > 0; round += 1) {
      const later: typeof waiting = []
      for (const [name, member] of waiting) {
        const below = [...path, name]
        const at = below.map(pointerStep).join("")
        const isThere =
          (await this.see(at, 0)) !== null || ((await this.unfold(pointer)) && (await this.see(at, 0)) !== null)
        if (isThere) outcome = both(outcome, await this.enter(below, member, 0, depth + 1))
        else later.push([name, member])
      }
      if (later.length === waiting.length) break
      waiting = later
    }
    for (const [name, member] of waiting) {
      const below = [...path, name]
      // What can only be one thing comes with the variant that was chosen; whether it does shows in what arrives.
      if (this.given.get(name)?.some((value) => sameJson(value, member)) === true) continue
      const named = await this.name(pointer, level, name)
      outcome = both(
        outcome,
        named === undefined
          ? await this.enter(below, member, 0, depth + 1)
          : { entered: 0, failures: [{ path: below, value: member, reason: named }] }
      )
    }
    return outcome
  }

  /** Adds a member of that name to a map; answers why that could not be. */
  private async name(pointer: string, from: number, name: string): Promise<string | undefined> {
    for (let level = from; level < from + 3; level += 1) {
      const place = await this.see(pointer, level)
      if (place === null) break
      if (place.kind !== "map" || place.element < 0) continue
      await this.type(place.element, name)
      await this.press(place.element)
      return undefined
    }
    return "there is no control"
  }
}
