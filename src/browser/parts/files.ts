import type { FilesOptions } from "../../../types/parts.d.ts"
import { isEmpty, type JsonRecord } from "../../domain/results/ResultColumn.ts"
import { type Child, h } from "./dom.ts"
import { fmt } from "./format.ts"
import { gradually } from "./gradually.ts"
import { type IconName, sheetIcon } from "./icons.ts"
import { empty } from "./layout.ts"
import { made, picked, shown } from "./picks.ts"
import { optionsOf, rowsOf, textOf } from "./values.ts"

/** Kinds by the ending of a name, each with its colour of the palette. */
const kinds: ReadonlyArray<readonly [IconName, RegExp, colour: number, noun: string]> = [
  ["list", /\.(log|txt|md|rst|adoc|docx?|odt|rtf)$/i, 8, "text"],
  ["book", /\.(pdf|epub|mobi)$/i, 6, "document"],
  ["image", /\.(png|jpe?g|gif|webp|svg|avif|ico|bmp)$/i, 1, "image"],
  ["music", /\.(mp3|wav|ogg|flac|m4a)$/i, 4, "audio"],
  ["image", /\.(mp4|mov|webm|mkv|avi)$/i, 6, "video"],
  ["table", /\.(csv|tsv|xlsx?|parquet)$/i, 3, "table"],
  ["database", /\.(db|sqlite3?)$/i, 7, "database"],
  [
    "code",
    /\.([cm]?[jt]sx?|py|rs|go|java|kt|rb|php|c|h|cpp|cs|swift|sh|html?|css|json|ya?ml|toml|xml|sql)$/i,
    2,
    "file"
  ]
]

const isFolder = (item: JsonRecord, name: string): boolean =>
  /^(dir(ectory)?|folder)$/i.test(textOf(item.type ?? item.kind)) ||
  item.isDirectory === true ||
  item.is_directory === true ||
  name.endsWith("/")

const kindOf = (item: JsonRecord, name: string) =>
  isFolder(item, name)
    ? (["folder", /$/, 5, "folder"] as const)
    : (kinds.find(([, pattern]) => pattern.test(name)) ?? (["file", /$/, 8, "file"] as const))

/** "CSV table", "folder". */
const kindName = (item: JsonRecord, name: string): string =>
  `${(isFolder(item, name) ? "" : (/\.(\w{1,5})$/.exec(name)?.[1] ?? "")).toUpperCase()} ${kindOf(item, name)[3]}`.trim()

/** The picture of a file: a folder, or a sheet of its kind. */
export const fileIcon = (item: JsonRecord, name: string, size = 22): HTMLElement => {
  const [kind, , colour] = kindOf(item, name)
  return h("span", { class: "mg-fileicon", style: { color: `var(--mg-${colour})` } }, sheetIcon(kind, size))
}

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
  // Names alone stand beside each other, each below a large picture.
  const areTiles =
    folders.size === 1 &&
    source.every((item) =>
      [picked(item, given.size, "size"), picked(item, given.time, "time"), given.meta].every(isEmpty)
    )
  let shownFolder: string | undefined
  return gradually(h("ul", { class: `mg-filelist${areTiles ? " mg-filetiles" : ""}` }), ordered, (item): Child => {
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
        fileIcon(item, path, areTiles ? 40 : 24),
        h(
          "span",
          { class: "mg-grow", title: path === name ? undefined : path },
          typeof onClick === "function"
            ? h("button", { type: "button", class: "mg-linkbutton", onclick: () => made(onClick, item) }, name)
            : name,
          areTiles && h("small", {}, kindName(item, path))
        ),
        made(given.meta, item),
        !isEmpty(time) && h("span", { class: "mg-item-meta" }, shown(time, "time")),
        !isEmpty(size) &&
          h("span", { class: "mg-item-meta mg-end" }, typeof size === "number" ? fmt.bytes(size) : textOf(size))
      )
    ]
  })
}
