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
  const measured = Math.ceil(root.getBoundingClientRect().height)
  root.style.height = height
  root.style.minHeight = minHeight
  return { width: Math.ceil(window.innerWidth), height: measured }
}

let stopCurrent: (() => void) | undefined

/** Reports the size of the page's content now and on every change; one observer for each page. */
export const observeSize = (report: (size: PageSize) => void): (() => void) => {
  stopCurrent?.()
  let last: PageSize = { width: 0, height: 0 }
  let queued = false
  const check = (): void => {
    if (queued) return
    queued = true
    requestAnimationFrame(() => {
      queued = false
      const size = measure()
      if (size.width === last.width && size.height === last.height) return
      last = size
      report(size)
    })
  }
  const observer = new ResizeObserver(check)
  observer.observe(document.documentElement)
  if (document.body !== null) observer.observe(document.body)
  check()
  const stop = (): void => observer.disconnect()
  stopCurrent = stop
  return stop
}
