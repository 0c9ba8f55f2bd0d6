import { joined } from "./Pieces.ts"

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** A random stand-in for a printed value while the rest is printed. Made on first use: loading `crypto` takes time. */
let mark: string | undefined

/** The printed values that were found while a frame is printed. */
let met: Array<PrintedJson> | undefined

/**
 * A JSON value that is already printed as UTF-8, for values that are large and sent often. It may stand anywhere in
 * what {@link jsonBytes} prints; elsewhere `JSON.stringify` prints it as the value.
 */
export class PrintedJson {
  readonly bytes: Uint8Array

  constructor(value: string | number | boolean | object | null) {
    this.bytes = encoder.encode(JSON.stringify(value))
  }

  toJSON(): unknown {
    if (met === undefined) return JSON.parse(decoder.decode(this.bytes))
    met.push(this)
    mark ??= `printed ${crypto.randomUUID()}`
    return mark
  }
}

/** A value as JSON in UTF-8, between two texts. */
export const jsonBytes = (before: string, value: unknown, after: string): Uint8Array => {
  const printed: Array<PrintedJson> = []
  met = printed
  let text: string
  try {
    text = `${before}${JSON.stringify(value)}${after}`
  } finally {
    met = undefined
  }
  if (mark === undefined || printed.length === 0) return encoder.encode(text)
  const around = text.split(JSON.stringify(mark)).map((piece) => encoder.encode(piece))
  return joined(
    around.flatMap((piece, index) => {
      const next = printed[index]
      return next === undefined ? [piece] : [piece, next.bytes]
    })
  )
}
