import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { type HouseFiles, readHouseLook } from "../../../src/adapters/documents/readHouseLook.ts"
import * as DocumentLinkerLayer from "../../../src/layers/documents/DocumentLinker.ts"
import { DocumentLinker } from "../../../src/services/documents/DocumentLinker.ts"
import { PackageFiles } from "../../../src/services/documents/PackageFiles.ts"
import { fileFolder, fileIn } from "../../fixtures/folders.ts"
import { itEffect } from "../../fixtures/itEffect.ts"
import { logged } from "../../fixtures/refinements.ts"

const folder = fileFolder()
const path = (name: string): string => join(folder, name)

describe("the files of the house's look", () => {
  it.effect.each([
    ["<p>above</p>", "has 0 <slot></slot>; one has to stand where the UI goes"],
    ["<slot></slot><slot></slot>", "has 2 <slot></slot>; one has to stand where the UI goes"],
    ["<p>\n<script>1</script>\n<slot></slot>", "line 2: <script> is not allowed"],
    ["<slot></slot></template><template>", "line 1: <template> is not allowed"],
    ['<slot></slot>\n\n<b onclick="x()">b</b>', "line 3: onclick is not allowed: a template runs no code"],
    ['<img src="logo.png"><slot></slot>', "line 1: src has to be a data: address, as hosts block all others"],
    ["x".repeat(40_000), "is larger than 32,768 bytes; name a smaller file"]
  ] as const)("say what is wrong: %s", ([text, wrong]) =>
    Effect.gen(function* () {
      const baseTemplate = fileIn(folder, "house.html", text)
      const problem = yield* Effect.flip(readHouseLook({ theme: {}, baseTemplate }))
      assert.deepStrictEqual(problem, { setting: "generation.baseTemplate", path: baseTemplate, text: wrong })
    })
  )

  it.effect.each([
    [{ theme: { logo: path("none.svg") }, baseTemplate: undefined }, "does not exist; check the path"],
    [
      { theme: { logo: path("logo.bmp") }, baseTemplate: undefined },
      "is no picture by its name; allowed: .svg, .png, .jpg, .jpeg, .webp, .gif"
    ]
  ] as const)("say what is wrong with a logo", ([house, wrong]) =>
    Effect.gen(function* () {
      assert.strictEqual((yield* Effect.flip(readHouseLook(house))).text, wrong)
    })
  )

  itEffect("are a frame and a style sheet, whole, however they were written", function* () {
    const written = "<style>.a{color:red}</style><header class=a><b>Us<!-- who -->\n<slot></header>"
    const { css, frame } = yield* readHouseLook({ theme: {}, baseTemplate: fileIn(folder, "loose.html", written) })
    assert.include(css, ".a{color:red}")
    assert.strictEqual(
      frame,
      '<style>.a{color:red}</style><header class="a"><b>Us<!-- who -->\n<slot></slot></b></header>'
    )
  })

  itEffect("may be styles alone, and a logo of any bytes", function* () {
    const logo = path("logo.png")
    writeFileSync(logo, Uint8Array.of(0x89, 0x50, 0, 0xff))
    const look = yield* readHouseLook({ theme: { logo }, baseTemplate: fileIn(folder, "house.css", "b{color:red}") })
    assert.include(look.css, 'url("data:image/png;base64,iVAA/w==")')
    assert.isTrue(look.css.endsWith("b{color:red}"))
    assert.strictEqual(look.frame, "")
  })

  const versionWith = (house: HouseFiles) => {
    const files = PackageFiles.of({ root: "", text: () => Effect.succeed("runtime()") })
    const options = { theme: "system", maxOutputDisplayBytes: 1000, house } as const
    return Effect.flatMap(DocumentLinker, ({ version }) => version).pipe(
      Effect.provide(DocumentLinkerLayer.layer(options).pipe(Layer.provide(Layer.succeed(PackageFiles, files))))
    )
  }

  itEffect("are part of the key, by what they say", function* () {
    const plain = yield* versionWith({ theme: {}, baseTemplate: undefined })
    const teal = yield* versionWith({ theme: { accent: "teal" }, baseTemplate: undefined })
    const framed = yield* versionWith({ theme: {}, baseTemplate: fileIn(folder, "key.html", "<i>1</i><slot></slot>") })
    const changed = yield* versionWith({ theme: {}, baseTemplate: fileIn(folder, "key.html", "<i>2</i><slot></slot>") })
    assert.strictEqual(new Set([plain, teal, framed, changed]).size, 4)
  })

  it.effect("leave UIs without it where they cannot be used, which the log says once", () => {
    const lines: Array<string> = []
    return Effect.gen(function* () {
      const house = { theme: { logo: path("none.svg") }, baseTemplate: undefined }
      assert.strictEqual(yield* versionWith(house), yield* versionWith({ theme: {}, baseTemplate: undefined }))
      assert.deepStrictEqual(lines, [
        "UIs are shown without the look of the house: theme.logo: does not exist; check the path"
      ])
    }).pipe(Effect.provide(logged(lines)))
  })
})
