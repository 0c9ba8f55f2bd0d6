/**
 * The parts that generated views and the built-in view are made of. Each is a function that answers with a DOM node and
 * takes odd data calmly. `import … from "mcp-gen-ui/parts"` can name what is exported here, and nothing else.
 * types/parts.d.ts says what each takes and does; prompts/partials/parts.md tells the model.
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
