import type { DaysOptions, ScheduleOptions } from "../../../types/parts.d.ts"
import { type JsonRecord } from "../../domain/results/ResultColumn.ts"
import { badgesOf, readTone } from "./badge.ts"
import { type Child, h } from "./dom.ts"
import { givenValue } from "./field.ts"
import { fmt, momentOf } from "./format.ts"
import { gradually } from "./gradually.ts"
import { icon, iconNamed } from "./icons.ts"
import { empty } from "./layout.ts"
import { made, picked, titleNode } from "./picks.ts"
import { clip, isNothing, memberOf, optionsOf, rowsOf, textOf } from "./values.ts"

/** Appointments by day: the time at the side, the longer the taller. */
export const schedule = (items?: unknown, options?: Partial<ScheduleOptions>): HTMLElement => {
  const given = optionsOf<ScheduleOptions>(options)
  const startOf = (item: JsonRecord): unknown => {
    const start = picked(item, given.start, "time") ?? item.value
    return typeof start === "object" && start !== null
      ? (memberOf(start, "dateTime") ?? memberOf(start, "date"))
      : start
  }
  const endOf = (item: JsonRecord): unknown => {
    const end = picked(item, given.end, "end")
    return typeof end === "object" && end !== null ? (memberOf(end, "dateTime") ?? memberOf(end, "date")) : end
  }
  const source = rowsOf(items, ["start"])
  if (source.length === 0) return empty(given.empty ?? "Nothing is planned.")
  let day = ""
  return gradually(h("ol", { class: "mg-schedule" }), source, (item): Child => {
    const start = startOf(item)
    const end = endOf(item)
    const moment = momentOf(start)
    const heading = moment === undefined ? "" : fmt.date(start, { style: "long" })
    const isNew = heading !== "" && heading !== day
    day = heading
    const text = picked(item, given.text, "text")
    const title = picked(item, given.title, "title")
    const isOnlyTime = isNothing(title) || title === start
    const actions = made(given.actions, item)
    const clock = moment === undefined ? textOf(start) : moment.hasTime ? fmt.time(start) : "All day"
    return [
      isNew && h("li", { class: "mg-schedule-day" }, heading),
      h(
        "li",
        { class: `mg-slot mg-slot-${readTone(picked(item, given.tone ?? false, "badge")) ?? "plain"}` },
        h(
          "div",
          { class: "mg-slot-time" },
          h("b", {}, clock),
          momentOf(end) !== undefined && h("span", {}, fmt.time(end))
        ),
        h(
          "div",
          { class: "mg-slot-body" },
          h(
            "div",
            { class: "mg-item-title" },
            isOnlyTime ? fmt.relative(start) : titleNode(item, given),
            badgesOf(picked(item, given.badge, "badge"))
          ),
          !isNothing(text) &&
            text !== title &&
            h("div", { class: "mg-item-text" }, text instanceof Node ? text : clip(textOf(text), 300)),
          isNothing(actions) || h("div", { class: "mg-toolbar" }, actions)
        )
      )
    ]
  })
}

/** A strip of days or hours: date, picture, main value, second value. Scrolls sideways where it is long. */
export const days = (items?: unknown, options?: Partial<DaysOptions>): HTMLElement => {
  const given = optionsOf<DaysOptions>(options)
  const source = rowsOf(items, ["date"])
  if (source.length === 0) return empty(given.empty)
  const value = (item: JsonRecord, pick: unknown, otherwise: string): Child => {
    const names = otherwise.split(" ")
    const key = typeof pick === "string" ? pick : (names.find((name) => memberOf(item, name) !== undefined) ?? "")
    const found = typeof pick === "function" || pick === false ? picked(item, pick, "value") : memberOf(item, key)
    return isNothing(found) ? undefined : givenValue(found, { unit: given.unit, type: given.type }, key)
  }
  return h(
    "div",
    { class: "mg-days", role: "list", tabindex: 0, "aria-label": "Days" },
    source.slice(0, 60).map((item) => {
      const date = picked(item, given.date, "time")
      const text = textOf(picked(item, given.text ?? "condition", "text") ?? picked(item, undefined, "text"))
      const name = iconNamed(textOf(picked(item, given.icon ?? false, "text")) || text)
      const moment = momentOf(date)
      const low = value(item, given.low, "low min temp_min temperature_min minTemp lowTemperature")
      return h(
        "div",
        { class: "mg-day", role: "listitem" },
        h("div", { class: "mg-stat-label" }, moment === undefined ? textOf(date) : fmt.date(date, { style: "short" })),
        name !== undefined && icon(name, 28),
        h(
          "b",
          {},
          value(item, given.value, "high max temp_max temperature_max maxTemp highTemperature temperature value count")
        ),
        isNothing(low) || h("span", { class: "mg-muted" }, low),
        text !== "" && h("div", { class: "mg-item-meta" }, clip(text, 40))
      )
    })
  )
}
