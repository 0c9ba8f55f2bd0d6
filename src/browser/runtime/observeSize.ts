import { cancelAnimationFrame, requestAnimationFrame } from "./platform.ts"

export interface PageSize {
  /** CSS pixels. */
  readonly width: number
  readonly height: number
}

const measure = (): PageSize => {
  const root = document.documentElement
  const { height, minHeight } = root.style
  root.style.height = "max-content"
  root.style.minHeight = ""
  const measured = root.getBoundingClientRect().height
  root.style.height = height
  root.style.minHeight = minHeight
  return { width: window.innerWidth, height: measured }
}

let stopCurrent: (() => void) | undefined
let last: PageSize = { width: 0, height: 0 }

/**
 * Reports the size of the content now and on every change of a pixel or more, at most once a frame. A page has one
 * observer: a new one replaces it.
 */
export const observeSize = (report: (size: PageSize) => void): (() => void) => {
  stopCurrent?.()
  let frame: number | undefined
  const check = (): void => {
    frame ??= requestAnimationFrame(() => {
      frame = undefined
      const size = measure()
      if (Math.abs(size.width - last.width) < 1 && Math.abs(size.height - last.height) < 1) return
      last = size
      report({ width: Math.ceil(size.width), height: Math.ceil(size.height) })
    })
  }
  const observer = new ResizeObserver(check)
  observer.observe(document.documentElement)
  if (document.body !== null) observer.observe(document.body)
  check()
  const stop = (): void => {
    observer.disconnect()
    if (frame !== undefined) cancelAnimationFrame(frame)
  }
  stopCurrent = stop
  return stop
}
