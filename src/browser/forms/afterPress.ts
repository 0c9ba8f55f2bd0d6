let isPressed = false
let waiting: Array<() => void> = []

const flush = (): void => {
  isPressed = false
  const runs = waiting
  waiting = []
  for (const run of runs) run()
}

document.addEventListener("pointerdown", () => (isPressed = true), true)
document.addEventListener("click", flush, true)
for (const type of ["pointerup", "pointercancel"]) document.addEventListener(type, () => setTimeout(flush), true)

/**
 * Runs at once. While a pointer is pressed, runs after it is released: a change on leaving an input would move the
 * button away from the pointer, and the click would be lost. A click runs it before its own listeners.
 */
export const afterPress = (run: () => void): void => {
  if (isPressed) waiting.push(run)
  else run()
}
