const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d
const SPACE = 0x20

/**
 * A JSON text without byte order mark and line ends, because on stdio a line is a message. A space means the same: JSON
 * allows line ends between tokens only. Returns the same bytes if there is nothing to do.
 */
export const asOneLine = (json: Uint8Array): Uint8Array => {
  const text = json[0] === 0xef && json[1] === 0xbb && json[2] === 0xbf ? json.subarray(3) : json
  if (!text.includes(LINE_FEED) && !text.includes(CARRIAGE_RETURN)) return text
  const line = text.slice()
  for (const end of [LINE_FEED, CARRIAGE_RETURN]) {
    for (let at = line.indexOf(end); at >= 0; at = line.indexOf(end, at + 1)) line[at] = SPACE
  }
  return line
}
