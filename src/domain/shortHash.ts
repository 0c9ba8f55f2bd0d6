/** FNV-1a over UTF-16 units, as eight digits: stable, and enough to tell a few names apart. */
export const shortHash = (text: string): string => {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193) >>> 0
  }
  return hash.toString(16).padStart(8, "0")
}
