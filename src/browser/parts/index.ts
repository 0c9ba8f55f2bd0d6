/**
 * The visual library that generated views compose and that the built-in view is made of. Every part is a plain function that
 * answers with a DOM node; all of them take odd data calmly. What is exported here, and only that, is what
 * `import … from "mcp-gen-ui/parts"` can name; types/parts.d.ts declares it, prompts/partials/parts.md describes it.
 */
export { badge } from "./badge.ts"
export { button, chips, pager } from "./button.ts"
export { chart } from "./chart.ts"
export { h } from "./dom.ts"
export { fmt } from "./format.ts"
export { form, input } from "./input.ts"
export { empty, errorBox, header, row, section, stack, status, tabs, text, toolbar } from "./layout.ts"
export { markdown } from "./markdown.ts"
export { code, image, json } from "./media.ts"
export { meter } from "./meter.ts"
export { cards, detail, list, stat, stats, timeline } from "./records.ts"
export { resultView } from "./resultView.ts"
export { show } from "./show.ts"
export { installStyles } from "./styles.ts"
export { table } from "./table.ts"
export { tree } from "./tree.ts"
