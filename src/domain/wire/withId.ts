import { memberSpan } from "./Frame.ts"
import { replace, splice } from "./JsonBytes.ts"

/** The same message under another id (JSON text), every other byte as it was. */
export const withId = (frame: Uint8Array, id: string): Uint8Array => {
  const at = memberSpan(frame, "id")
  return at === undefined ? frame : splice(frame, [replace(at, id)])
}
