import { assert, describe, it } from "@effect/vitest"
import { readdirSync, statSync } from "node:fs"
import { dirname, join, posix } from "node:path"
import { corpusPictures } from "../../evaluation/eval/pictures.ts"
import { studioPictures } from "../../evaluation/pictures/studioPictures.ts"
import { pages } from "../fixtures/documentation.ts"
import { root } from "../fixtures/RawClient.ts"

const shown = [...pages].flatMap(([page, markdown]) =>
  [...markdown.matchAll(/!\[([^\]]*)\]\(([^)]+)\)/g)].map(([, says = "", path = ""]) => ({
    page,
    says,
    path: posix.normalize(posix.join(dirname(page), path))
  }))
)
const LIBRARY = ["docs/pictures/library.png", "docs/pictures/library-dark.png"]

const taken = [
  ...studioPictures.map(({ file }) => file),
  ...corpusPictures.map(({ name }) => `docs/pictures/${name}.png`),
  // By `npm run library -- --pictures`.
  ...LIBRARY
]

describe("pictures of README.md and docs", () => {
  it("are all taken by npm run pictures, and no others are", () => {
    assert.sameMembers([...new Set(shown.map(({ path }) => path))], taken)
  })

  it("are all there, and no others", () => {
    const there = readdirSync(join(root, "docs/pictures")).map((name) => `docs/pictures/${name}`)
    assert.sameMembers([...there, "docs/preview.png"], taken)
  })

  it("say what they show, and are small", () => {
    for (const { page, path, says } of shown) {
      assert.isAbove(says.length, 5, `${page}: ${path}`)
      assert.isBelow(statSync(join(root, path)).size, LIBRARY.includes(path) ? 320_000 : 160_000, path)
    }
  })
})
