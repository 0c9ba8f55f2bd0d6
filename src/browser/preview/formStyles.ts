import { partsCss } from "../parts/styles.ts"

/** Gives the page the styles of our forms. The page's own, which stand in no layer, win. */
export const adoptFormStyles = (): void => {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(`@layer parts{${partsCss()}}`)
  document.adoptedStyleSheets.push(sheet)
}
