import { isoTime } from "../isoTime.ts"
import type { SetAsideWish } from "./Wishes.ts"

/** What is told of a wish that was set aside. */
export const aboutSetAside = ({ at, code, feedback, message }: SetAsideWish) => ({
  feedback,
  code,
  message,
  at: isoTime(at)
})

/** The same as one line, for people and models. */
export const setAsideLine = ({ at, feedback, message }: SetAsideWish): string =>
  `set aside at ${isoTime(at)}: ${feedback.replaceAll(/\s+/gu, " ")} (${message})`
