import type { FilesOptions } from "../../../types/parts.d.ts"
import { isEmpty, type JsonRecord } from "../../domain/results/ResultColumn.ts"
import { type Child, h } from "./dom.ts"
import { fmt } from "./format.ts"
import { gradually } from "./gradually.ts"
import { icon, type IconName } from "./icons.ts"
import { empty } from "./layout.ts"
import { made, picked, shown } from "./picks.ts"
import { optionsOf, rowsOf, textOf } from "./values.ts"

const kinds: ReadonlyArray<readonly [IconName, RegExp]> = [
  ["image", /\.(png|jpe?g|gif|webp|svg|avif|ico|bmp)$/i],
  ["music", /\.(mp3|wav|ogg|flac|m4a)$/i],
  ["video", /\.(mp4|mov|webm|mkv|avi)$/i],
  ["table", /\.(csv|tsv|xlsx?|parquet)$/i],
  ["database", /\.(db|sqlite3?)$/i],
  ["code", /\.([cm]?[jt]sx?|py|rs|go|java|kt|rb|php|c|h|cpp|cs|swift|sh|html?|css|json|ya?ml|toml|xml|sql)$/i]
]

const isFolder = (item: JsonRecord, name: string): boolean =>
  /^(dir(ectory)?|folder)$/i.test(textOf(item.type ?? item.kind)) ||
  item.isDirectory === true ||
  item.is_directory === true ||
  name.endsWith("/")

export const fileIcon = (item: JsonRecord, name: string): IconName =>
  isFolder(item, name) ? "folder" : (kinds.find(([, pattern]) => pattern.test(name))?.[0] ?? "file")

/** A path as its folder and its last name. */
const partsOf = (path: string): readonly [folder: string, name: string] => {
  const whole = path.replace(/[\\/]$/, "")
  const at = Math.max(whole.lastIndexOf("/"), whole.lastIndexOf("\\"))
  return [whole.slice(0, at + 1), whole.slice(at + 1) || path]
}

export const files = (items?: unknown, options?: Partial<FilesOptions>): HTMLElement => {
  const given = optionsOf<FilesOptions>(options)
  const source = rowsOf(items, ["path"])
  if (source.length === 0) return empty(given.empty ?? "No files.")
  const pathOf = (item: JsonRecord): string => textOf(picked(item, given.path, "path"))
  const folders = new Set(source.map((item) => partsOf(pathOf(item))[0]))
  const isGrouped = folders.size > 1 || (folders.size === 1 && !folders.has(""))
  const ordered = isGrouped
    ? [...folders].flatMap((folder) => source.filter((item) => partsOf(pathOf(item))[0] === folder))
    : source
  let shownFolder: string | undefined
  return gradually(h("ul", { class: "mg-filelist" }), ordered, (item): Child => {
    const path = pathOf(item)
    const [folder, name] = partsOf(path)
    const isNew = isGrouped && folder !== shownFolder
    shownFolder = folder
    const size = picked(item, given.size, "size")
    const time = picked(item, given.time, "time")
    const { onClick } = given
    return [
      isNew && h("li", { class: "mg-filelist-folder" }, folder || "./"),
      h(
        "li",
        { class: "mg-filelist-item" },
        icon(fileIcon(item, path)),
        h(
          "span",
          { class: "mg-grow", title: path === name ? undefined : path },
          typeof onClick === "function"
            ? h("button", { type: "button", class: "mg-linkbutton", onclick: () => made(onClick, item) }, name)
            : name
        ),
        made(given.meta, item),
        !isEmpty(time) && h("span", { class: "mg-item-meta" }, shown(time, "time")),
        !isEmpty(size) &&
          h("span", { class: "mg-item-meta mg-end" }, typeof size === "number" ? fmt.bytes(size) : textOf(size))
      )
    ]
  })
}
