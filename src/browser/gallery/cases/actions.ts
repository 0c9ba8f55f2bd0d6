import type { GalleryCase } from "../GalleryCase.ts"
import { longWord } from "../sampleData.ts"

/** Presses what was just drawn, once it is on the page. */
const pressed = (node: HTMLElement): HTMLElement => {
  queueMicrotask(() => (node.matches("button") ? node : node.querySelector("button"))?.click())
  return node
}

export const actions: ReadonlyArray<GalleryCase> = [
  {
    id: "action-kinds",
    title: "Kinds of button",
    part: "button",
    draw: ({ button, row }) => [
      row(
        button("Primary", () => undefined, { kind: "primary" }),
        button("Secondary", () => undefined, { kind: "secondary" }),
        button("Danger", () => undefined, { kind: "danger" }),
        button("Plain", () => undefined, { kind: "plain" })
      ),
      row(
        button("Small", () => undefined, { small: true }),
        button("Small primary", () => undefined, { small: true, kind: "primary" }),
        button("Disabled", () => undefined, { disabled: true }),
        button("Disabled primary", () => undefined, { disabled: true, kind: "primary" })
      ),
      button(longWord, () => undefined)
    ]
  },
  {
    id: "action-busy",
    title: "Busy",
    about: "Its promise does not end.",
    part: "button",
    draw: ({ button }) => pressed(button("Save", () => new Promise(() => undefined), { kind: "primary" }))
  },
  {
    id: "action-failed",
    title: "Failed",
    about: "Its promise was rejected.",
    part: "button",
    draw: ({ button, row }) =>
      pressed(row(button("Save", () => Promise.reject(new Error("The record was changed by somebody else.")))))
  },
  {
    id: "action-confirm",
    title: "Asks before it acts",
    part: "button",
    draw: ({ button, row }) => [
      row(button("Delete", () => undefined, { kind: "danger", confirm: "Delete this issue for good?" })),
      pressed(row(button("Delete all", () => undefined, { kind: "danger", confirm: "Delete all issues for good?" })))
    ]
  },
  {
    id: "action-chips",
    title: "Choices",
    part: "chips",
    draw: ({ chips }) => [
      chips(["All", "Open", "Closed"], () => undefined, { value: "Open", label: "State" }),
      chips(["Bug", "Feature", "Question", longWord], () => undefined, {
        multiple: true,
        value: ["Bug"],
        label: "Kinds"
      })
    ]
  },
  { id: "action-pager", title: "Pages, the first", part: "pager", draw: ({ pager }) => pager({ page: 1, pages: 12 }) },
  {
    id: "action-pager-middle",
    title: "Pages, in between",
    part: "pager",
    draw: ({ pager }) => pager({ page: 7, pages: 12 })
  },
  {
    id: "action-pager-last",
    title: "Pages, the last",
    part: "pager",
    draw: ({ pager }) => pager({ page: 12, pages: 12 })
  },
  {
    id: "action-pager-open",
    title: "Pages without a number",
    about: "The server only says that there are more.",
    part: "pager",
    draw: ({ pager }) => pager({ page: 3, hasMore: true })
  },
  {
    id: "action-inputs",
    title: "Inputs",
    part: "input",
    draw: ({ input, stack }) =>
      stack(
        input("City", { value: "Oslo", placeholder: "A city" }),
        input("Search", { type: "search" }),
        input("Days", { type: "number", value: 5, min: 1, max: 14 }),
        input("From", { type: "date", value: "2026-05-20" }),
        input("Units", { options: ["metric", "imperial"], value: "imperial" }),
        input("Hourly", { value: true }),
        input("Note", { type: "textarea" }),
        input("Disabled", { value: "as it is", disabled: true }),
        input(longWord)
      )
  },
  {
    id: "action-form",
    title: "Form of a generated view",
    part: "form",
    draw: ({ form }) =>
      form(
        [
          { key: "title", required: true },
          { key: "state", options: ["open", "closed"] },
          { key: "note", type: "textarea" }
        ],
        () => undefined,
        { submit: "Save", value: { title: "Export leaves out the last row" } }
      )
  },
  {
    id: "action-form-failed",
    title: "Form without what is needed",
    part: "form",
    draw: ({ form }) => pressed(form([{ key: "title", required: true }]))
  }
]
