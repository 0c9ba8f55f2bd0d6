/** Matches a tool name against a glob in which `*` stands for any run of characters and `?` for one (`enabledTools`). */
export const matchesGlob = (glob: string, name: string): boolean => {
  let at = 0
  let nameAt = 0
  let star = -1
  let starName = 0
  while (nameAt < name.length) {
    if (glob[at] === "*") {
      star = at
      starName = nameAt
      at += 1
    } else if (at < glob.length && (glob[at] === "?" || glob[at] === name[nameAt])) {
      at += 1
      nameAt += 1
    } else if (star >= 0) {
      at = star + 1
      starName += 1
      nameAt = starName
    } else return false
  }
  while (glob[at] === "*") at += 1
  return at === glob.length
}
