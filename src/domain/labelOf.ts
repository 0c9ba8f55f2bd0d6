const acronym = /^(id|ur[il]|api|ip|html|json|sql|uuid|cs[sv]|pdf|utc|uv|usd|eur|gbp|sku|nps|cpu|dns|https?|eta)$/i

/** A name in camel case with a blank between its words. */
export const spaced = (key: string): string =>
  key.replace(/([a-z0-9])([A-Z])/g, "$1 $2").replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")

/** Names in camel, snake or kebab case as words: `userID` is "User ID", `get_forecast` is "Get forecast". */
export const labelOf = (key: string): string => {
  const words = spaced(key)
    .split(/[\s_-]+/)
    .filter(Boolean)
    .map((word) => {
      if (acronym.test(word)) return word.toUpperCase()
      return /^[A-Z0-9]{2,}$/.test(word) ? word : word.toLowerCase()
    })
  const label = words.join(" ")
  return label === "" ? key : label.charAt(0).toUpperCase() + label.slice(1)
}
