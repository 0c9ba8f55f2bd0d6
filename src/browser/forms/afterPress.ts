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
 * Runs at once, or after the press of a pointer that is under way: a change on leaving an input would move the button
 * away from under the pointer, and the click would be lost. A click runs it before its own listeners.
 */
export const afterPress = (run: () => void): void => {
  if (isPressed) waiting.push(run)
  else run()
}
