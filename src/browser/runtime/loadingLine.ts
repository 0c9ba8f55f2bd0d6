import { h } from "../parts/index.ts"
import { cancellationText } from "../parts/values.ts"
import type { RuntimeSession } from "./createSession.ts"

const line = h("p", { class: "mg-muted", role: "status" }, "Loading…")

export const hideLoadingLine = (): void => line.remove()

/** Whether the page shows nothing. The loading line does not count. */
export const isBlank = (): boolean => {
  const { body } = document
  if (body === null || body.getClientRects().length === 0) return true
  const own = line.isConnected ? line.innerText : ""
  return (
    body.innerText.replace(own, "").trim() === "" &&
    body.querySelector("svg, canvas, img, video, audio, input, select, textarea") === null
  )
}

/** Shows that the view is loading until there is content, even before its code runs or the host answers. */
export const showLoadingLine = (session: RuntimeSession): void => {
  const begin = (): void => {
    if (document.readyState === "loading" || line.isConnected || !isBlank()) return
    document.body.append(line)
    const observer = new MutationObserver(() => {
      if (line.isConnected && isBlank()) return
      observer.disconnect()
      line.remove()
    })
    observer.observe(document.body, { childList: true, subtree: true, characterData: true, attributes: true })
  }
  document.addEventListener("readystatechange", begin, { once: true })
  session.onCancelled((reason) => {
    line.textContent = cancellationText(reason)
  })
}
