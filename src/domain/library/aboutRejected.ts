import { isoTime } from "../isoTime.ts"
import { type Refinements, rejectedOf } from "./Refinements.ts"

/** What the wrapper's tools report about rejected refinements. */
export const aboutRejected = (list: Refinements) =>
  rejectedOf(list).flatMap(({ reason, text }) =>
    reason === null ? [] : [{ text, code: reason.code, message: reason.message, at: isoTime(reason.at) }]
  )

/** One of them as a line, for people and models. */
export const rejectedLine = ({ at, message, text }: ReturnType<typeof aboutRejected>[number]): string =>
  `rejected at ${at}: ${text.replaceAll(/\s+/gu, " ")} (${message})`
