import { h } from "../parts/dom.ts"

const drawn = async (picture: HTMLImageElement, base64: string): Promise<void> => {
  const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))]))
  const canvas = h("canvas", {
    class: picture.className,
    role: picture.alt && "img",
    "aria-label": picture.alt,
    width: bitmap.width,
    height: bitmap.height,
    style: `width:${picture.getAttribute("width")}px;${picture.style.cssText}`
  })
  canvas.getContext("2d")?.drawImage(bitmap, 0, 0)
  picture.replaceWith(canvas)
}

/**
 * Draws pictures that the host's policy blocks (`img-src`): it does not hold for what is drawn on a canvas. The picture has its
 * error where that fails too: SVG, and what is damaged.
 */
export const drawBlockedPictures = (): void => {
  const onError = (event: Event): void => {
    const { isTrusted, target } = event
    const [type = "", data = ""] = target instanceof HTMLImageElement && isTrusted ? target.src.split(",") : []
    if (!/^data:image.*base64$/i.test(type)) return
    event.stopImmediatePropagation()
    const picture = target as HTMLImageElement
    drawn(picture, data).catch(() => picture.dispatchEvent(new Event("error")))
  }
  window.addEventListener("error", onError, true)
}
