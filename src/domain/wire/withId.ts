import { memberSpan } from "./Frame.ts"
import { splice } from "./JsonBytes.ts"

/** The same message under another id (JSON text), every other byte as it was. */
export const withId = (frame: Uint8Array, id: string): Uint8Array => {
  const at = memberSpan(frame, "id")
  return at === undefined ? frame : splice(frame, [{ at: at.start, remove: at.end - at.start, insert: id }])
}
