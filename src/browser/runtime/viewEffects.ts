import { attempt } from "../parts/values.ts"

/** Taken before any view runs: the one that views get cannot write to the window. */
const { assign } = Object

/** How each timer or frame is ended, by its kind and number. */
const running = new Map<string, () => void>()
const ends: Array<() => void> = []
const restorations: Array<() => void> = []

const TIMERS = [
  ["setTimeout", "clearTimeout"],
  ["setInterval", "clearInterval"],
  ["requestAnimationFrame", "cancelAnimationFrame"]
] as const

const trackTimer = ([name, endName]: (typeof TIMERS)[number]): void => {
  const begin = window[name] as (...given: ReadonlyArray<unknown>) => number
  const end = window[endName] as (id: unknown) => void
  // `clearTimeout` and `clearInterval` end either kind of timer.
  const keyOf = (id: unknown): string => `${name === "requestAnimationFrame"} ${String(id)}`
  const tracked = {
    [name]: (run: unknown, ...rest: ReadonlyArray<unknown>): number => {
      const ran = (...values: ReadonlyArray<unknown>): void => {
        if (name !== "setInterval") running.delete(keyOf(id))
        if (typeof run === "function") run(...values)
      }
      const id = begin(ran, ...rest)
      running.set(keyOf(id), () => end(id))
      return id
    },
    [endName]: (id: unknown) => {
      running.delete(keyOf(id))
      end(id)
    }
  }
  restorations.push(() => void assign(window, tracked))
}

/** A view may have put functions of its own in their place. */
const restoreTimers = (): void => {
  for (const restore of restorations) attempt(restore)
}

/**
 * Notes what is begun from now on and outlives elements: timers, frames, and listeners of the window, the document, its
 * root and its body. The runtime's own timers are those of `platform.ts`, and its own listeners stand already.
 */
export const trackViewEffects = (): void => {
  for (const names of TIMERS) trackTimer(names)
  restoreTimers()
  const { prototype } = EventTarget
  const { addEventListener } = prototype
  prototype.addEventListener = function add(type, listener, options) {
    const target = this ?? window
    addEventListener.call(target, type, listener, options)
    if (target === window || target === document || target === document.documentElement || target === document.body)
      ends.push(() => target.removeEventListener(type, listener, options))
  }
}

/** Ends all that was begun since {@link trackViewEffects}, or since the last time. */
export const endViewEffects = (): void => {
  restoreTimers()
  running.forEach((end) => attempt(end))
  ends.splice(0).forEach((end) => attempt(end))
  running.clear()
  for (const target of [window, document]) {
    for (const name in target) if (name.startsWith("on")) attempt(() => Reflect.set(target, name, null))
  }
}
