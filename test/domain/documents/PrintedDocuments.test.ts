import { assert, describe, it } from "@effect/vitest"
import { PrintedDocuments } from "../../../src/domain/documents/PrintedDocuments.ts"
import { PrintedJson } from "../../../src/domain/wire/PrintedJson.ts"

/** Ten bytes with a key of one. */
const document = (): PrintedJson => new PrintedJson("1234567")

describe("PrintedDocuments", () => {
  it("keeps what was used last, within its bytes", () => {
    const documents = new PrintedDocuments(30)
    const first = document()
    documents.set("a", first)
    documents.set("b", document())
    documents.set("c", document())
    assert.strictEqual(documents.bytes, 30)
    assert.strictEqual(documents.get("a"), first)
    documents.set("d", document())
    assert.isUndefined(documents.get("b"))
    assert.strictEqual(documents.get("a"), first)
    assert.isDefined(documents.get("c"))
    assert.strictEqual(documents.bytes, 30)
  })

  it("counts a document that takes the place of another once", () => {
    const documents = new PrintedDocuments(30)
    documents.set("a", document())
    documents.set("a", document())
    assert.strictEqual(documents.bytes, 10)
  })

  it("does not give up all the others for what is larger than all of it", () => {
    const documents = new PrintedDocuments(30)
    documents.set("a", document())
    documents.set("b", new PrintedJson("x".repeat(40)))
    assert.isUndefined(documents.get("b"))
    assert.isDefined(documents.get("a"))
    assert.strictEqual(documents.bytes, 10)
  })
})
