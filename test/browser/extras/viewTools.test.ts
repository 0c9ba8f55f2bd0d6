import { assert, describe, it } from "@effect/vitest"
import { openView, type View } from "../harness/index.ts"
import { wideDocument } from "./widePage.ts"

interface Answer {
  readonly content: ReadonlyArray<{ readonly text: string }>
  readonly isError?: boolean
}

const tool = {
  name: "list_cities",
  inputSchema: {
    type: "object",
    properties: { country: { type: "string", title: "Country" }, big: { type: "boolean", title: "Big" } }
  }
}
