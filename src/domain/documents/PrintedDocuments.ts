import type { PrintedJson } from "../wire/PrintedJson.ts"

/** Printed documents by their inputs, up to a number of bytes; the least recently used are dropped first. */
export class PrintedDocuments {
  readonly #documents = new Map<string, PrintedJson>()
  readonly #maxBytes: number
  #bytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  get bytes(): number {
    return this.#bytes
  }

  get(key: string): PrintedJson | undefined {
    const document = this.#documents.get(key)
    if (document === undefined) return undefined
    this.#documents.delete(key)
    this.#documents.set(key, document)
    return document
  }

  set(key: string, document: PrintedJson): void {
    this.#drop(key)
    const bytes = key.length + document.bytes.length
    if (bytes > this.#maxBytes) return
    this.#documents.set(key, document)
    this.#bytes += bytes
    for (const oldest of this.#documents.keys()) {
      if (this.#bytes <= this.#maxBytes) return
      this.#drop(oldest)
    }
  }

  #drop(key: string): void {
    const document = this.#documents.get(key)
    if (document === undefined) return
    this.#documents.delete(key)
    this.#bytes -= key.length + document.bytes.length
  }
}
