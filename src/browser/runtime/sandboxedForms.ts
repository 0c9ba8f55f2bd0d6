type Submitter = HTMLButtonElement | HTMLInputElement

const submitterOf = (target: EventTarget | null): Submitter | undefined => {
  const control = target instanceof Element ? target.closest("button, input") : null
  const isSubmitter =
    (control instanceof HTMLButtonElement && control.type === "submit") ||
    (control instanceof HTMLInputElement && (control.type === "submit" || control.type === "image"))
  return isSubmitter && !control.disabled ? control : undefined
}

const isDialog = (form: HTMLFormElement, submitter: HTMLElement | null): boolean =>
  (submitter?.getAttribute("formmethod") ?? form.getAttribute("method"))?.toLowerCase() === "dialog"

const submit = (form: HTMLFormElement, submitter: HTMLElement | null): void => {
  const skipsChecks = form.noValidate || submitter?.hasAttribute("formnovalidate") === true
  if (!skipsChecks && !form.reportValidity()) return
  const isAccepted = form.dispatchEvent(new SubmitEvent("submit", { bubbles: true, cancelable: true, submitter }))
  if (isAccepted && isDialog(form, submitter)) {
    form.closest("dialog")?.close(submitter instanceof HTMLButtonElement ? submitter.value : undefined)
  }
}

/**
 * Hosts sandbox views with `allow-scripts` only, and there a form never fires `submit`: the browser stops before the
 * event (HTML standard, "form submission algorithm"). This fires it in the browser's place. Nothing is ever sent: where
 * a host does allow forms, a `submit` that nobody prevents would load another page into the frame.
 */
export const enableSandboxedForms = (): void => {
  window.addEventListener("click", (event) => {
    const submitter = submitterOf(event.target)
    if (event.defaultPrevented || !submitter?.form) return
    event.preventDefault()
    submit(submitter.form, submitter)
  })
  // Enter in a form with a submit button arrives above as a click, and in a form without one here.
  window.addEventListener("keydown", (event) => {
    const { target } = event
    if (event.defaultPrevented || event.key !== "Enter" || event.isComposing || !(target instanceof HTMLInputElement))
      return
    const { form } = target
    if (form === null || [...form.elements].some((control) => submitterOf(control) !== undefined)) return
    event.preventDefault()
    submit(form, null)
  })
  window.addEventListener(
    "submit",
    (event) => {
      if (event.target instanceof HTMLFormElement && !isDialog(event.target, event.submitter)) event.preventDefault()
    },
    true
  )
  HTMLFormElement.prototype.requestSubmit = function requestSubmit(submitter) {
    submit(this, submitter ?? null)
  }
  HTMLFormElement.prototype.submit = () => undefined
}
