type Submitter = HTMLButtonElement | HTMLInputElement

const submitterOf = (target: EventTarget | null): Submitter | undefined => {
  const control = target instanceof Element ? target.closest("button, input") : null
  const isSubmitter =
    (control instanceof HTMLButtonElement && control.type === "submit") ||
    (control instanceof HTMLInputElement && (control.type === "submit" || control.type === "image"))
  return isSubmitter && !control.disabled ? control : undefined
}

const submit = (form: HTMLFormElement, submitter: HTMLElement | null): void => {
  const skipsChecks = form.noValidate || submitter?.hasAttribute("formnovalidate") === true
  if (!skipsChecks && !form.reportValidity()) return
  form.dispatchEvent(new SubmitEvent("submit", { bubbles: true, cancelable: true, submitter }))
}

/**
 * Hosts sandbox views with `allow-scripts` only, and there a form never fires `submit`: the browser stops before the
 * event (HTML standard, "form submission algorithm"). This fires it in the browser's place. Nothing is ever sent.
 */
export const enableSandboxedForms = (): void => {
  window.addEventListener("click", (event) => {
    const submitter = submitterOf(event.target)
    if (event.defaultPrevented || !submitter?.form) return
    event.preventDefault()
    submit(submitter.form, submitter)
  })
  // Enter in a form with a submit button arrives above, as a click; without one, here.
  window.addEventListener("keydown", (event) => {
    const { target } = event
    if (event.defaultPrevented || event.key !== "Enter" || event.isComposing || !(target instanceof HTMLInputElement))
      return
    const { form } = target
    if (form === null || [...form.elements].some((control) => submitterOf(control) !== undefined)) return
    event.preventDefault()
    submit(form, null)
  })
  HTMLFormElement.prototype.requestSubmit = function requestSubmit(submitter) {
    submit(this, submitter ?? null)
  }
}
