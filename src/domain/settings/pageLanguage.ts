/** A language tag (BCP 47), such as `de` or `pt-BR`. */
export const LANGUAGE_TAG = /^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}$/
export const LANGUAGE_EXPECTED = 'a language tag, such as "de" or "pt-BR"'

type Environment = Readonly<Record<string, string | undefined>>

/** The language of the person at this machine, as POSIX names it (`de_DE.UTF-8`); `undefined` where it says none. */
const languageOfMachine = ({ LANG, LC_ALL, LC_MESSAGES }: Environment): string | undefined => {
  const [tag = ""] = (LC_ALL || LC_MESSAGES || LANG || "").split(/[.@]/)
  const language = tag.replaceAll("_", "-")
  return LANGUAGE_TAG.test(language) ? language : undefined
}

/**
 * What the model is told of the language of its pages; `undefined` for English, in which it writes anyway. `told` goes
 * before that of the machine, which counts only where the host runs on it too.
 */
export const languageWords = (
  told: string | undefined,
  environment: Environment,
  isLocal: boolean
): string | undefined => {
  const language = told ?? (isLocal ? languageOfMachine(environment) : undefined)
  if (language === undefined || /^en(-|$)/.test(language)) return undefined
  const name = new Intl.DisplayNames(["en"], { type: "language" }).of(language) ?? language
  return `The person reads ${name} (${language}): write headlines, labels and buttons in it. Data stay as they are.`
}
