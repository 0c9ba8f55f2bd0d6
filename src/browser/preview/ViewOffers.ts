import type { EmbeddedResource, ResourceLink } from "@modelcontextprotocol/client"
import { element } from "./element.ts"
import type { Notices } from "./Notices.ts"
import { offeredFile } from "./offeredFile.ts"

/** Links and files that a view wants to send out of the page. A person takes each one, or does not. */
export class ViewOffers {
  readonly #notices: Notices

  constructor(notices: Notices) {
    this.#notices = notices
  }

  link(url: URL): void {
    const open = element("a", { href: url.href, target: "_blank", rel: "noopener noreferrer" }, "Open")
    this.#notices.show(`The view asks to open ${url.href}`, [open])
  }

  /** Resolves with whether the person took the files. */
  files(contents: ReadonlyArray<EmbeddedResource | ResourceLink>): Promise<boolean> {
    const files = contents.flatMap((content) => offeredFile(content) ?? [])
    if (files.length === 0) return Promise.resolve(false)
    return new Promise((resolve) => {
      const links = files.map(({ href, name }) => {
        const link = element(
          "a",
          { href, download: name, target: "_blank", rel: "noopener noreferrer" },
          `Save ${name}`
        )
        link.addEventListener("click", () => resolve(true))
        return link
      })
      const names = files.map(({ about, name }) => `${name} (${about})`).join(", ")
      this.#notices.show(`The view offers ${names}`, links, () => {
        resolve(false)
        // The browser takes the bytes after the click.
        setTimeout(() => {
          for (const file of files) file.release()
        }, 60_000)
      })
    })
  }
}
