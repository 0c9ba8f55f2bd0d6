import { type Child, h } from "./dom.ts"

const languages =
  /^(jsx?|javascript|mjs|tsx?|typescript|jsonc?|py|python|sql|graphql|gql|html?|xml|svg|vue|css|scss|sh|bash|shell|ya?ml|toml|go|rust|rs|java|kotlin|ruby|rb|php|c|cpp|c#|cs|swift)$/i

/** Whether a language is one of those with colours. */
export const hasColours = (language: string): boolean => languages.test(language)

/** A text, a comment, a number, a word, a tag: what begins first. Within a line, so that each is read once. */
const token =
  /("(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?|`[^`]*`?)|((?:\/\/|#(?=\s|!)|--\s|<!-{2}|\/\*).*)|(\b\d[\w.]*)|(<\/?[A-Za-z][\w-]*)|([A-Za-z_$][\w$]*)/g

const keywords =
  /^(const|let|var|function|return|if|else|elif|for|while|switch|case|import|from|export|default|class|extends|new|async|await|def|in|is|not|and|or|try|except|catch|finally|throw|raise|with|as|type|interface|enum|fn|func|pub|use|mut|struct|impl|public|private|static|void|select|where|insert|into|values|create|table|update|set|delete|join|on|group|order|by|limit|offset|exists|primary|key|null|true|false|none|undefined|query|mutation|echo|then|fi|do|done)$/i

/** Code in the colours of what it is made of: not the grammar of any language, but enough to find one's way. */
export const coloured = (text: string): ReadonlyArray<Child> =>
  text.split("\n").map((line, at) => {
    const nodes: Array<Child> = [at > 0 && "\n"]
    let end = 0
    for (const { 0: whole, 2: comment, 3: number, 4: tag, 5: word, index } of line.matchAll(token)) {
      const isName = word !== undefined && !keywords.test(word)
      if (isName) continue
      const isKey = tag !== undefined || word !== undefined || /^\s*:/.test(line.slice(index + whole.length))
      const tone = comment ? "mg-muted" : number ? "mg-tone-warning" : isKey ? "mg-tone-info" : "mg-tone-success"
      nodes.push(line.slice(end, index), h("span", { class: tone }, whole))
      end = index + whole.length
    }
    nodes.push(line.slice(end))
    return nodes
  })
