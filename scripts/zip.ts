import { crc32, deflateRawSync } from "node:zlib"

const END_BYTES = 22
const LOCAL_BYTES = 30
const CENTRAL_BYTES = 46
/** Version 2.0; names in UTF-8; deflated; on the first of January 1980. */
const HOW = [20, 0x800, 8, 0, 0x21]

const words = (bytes: Buffer, offset: number, values: ReadonlyArray<number>): void => {
  for (const [index, value] of values.entries()) bytes.writeUInt16LE(value, offset + 2 * index)
}

/** A ZIP archive (APPNOTE 6.3) that is the same for the same files. */
export const zip = (files: ReadonlyMap<string, Buffer>): Buffer => {
  const locals: Array<Buffer> = []
  const centrals: Array<Buffer> = []
  let offset = 0
  for (const [path, content] of files) {
    const name = Buffer.from(path)
    const packed = deflateRawSync(content, { level: 9 })
    const facts = Buffer.alloc(16)
    facts.writeUInt32LE(crc32(content), 0)
    facts.writeUInt32LE(packed.length, 4)
    facts.writeUInt32LE(content.length, 8)
    facts.writeUInt16LE(name.length, 12)

    const local = Buffer.alloc(LOCAL_BYTES)
    local.write("PK\x03\x04", "latin1")
    words(local, 4, HOW)
    facts.copy(local, 14)
    locals.push(local, name, packed)

    const central = Buffer.alloc(CENTRAL_BYTES)
    central.write("PK\x01\x02", "latin1")
    words(central, 4, [20, ...HOW])
    facts.copy(central, 16)
    central.writeUInt32LE(offset, 42)
    centrals.push(central, name)
    offset += LOCAL_BYTES + name.length + packed.length
  }
  const directory = Buffer.concat(centrals)
  const end = Buffer.alloc(END_BYTES)
  end.write("PK\x05\x06", "latin1")
  words(end, 8, [files.size, files.size])
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...locals, directory, end])
}
