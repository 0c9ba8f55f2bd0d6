import { isoTime } from "../isoTime.ts"
import { type Refinements, rejectedOf } from "./Refinements.ts"

/** What the tools of the wrapper tell of rejected refinements. */
export const aboutRejected = (list: Refinements) =>
  rejectedOf(list).flatMap(({ reason, text }) =>
    reason === null ? [] : [{ text, code: reason.code, message: reason.message, at: isoTime(reason.at) }]
  )

/** The same of one of them as a line, for people and models. */
export const rejectedLine = ({ at, message, text }: ReturnType<typeof aboutRejected>[number]): string =>
  `rejected at ${at}: ${text.replaceAll(/\s+/gu, " ")} (${message})`
