/**
 * What page parts are made of. The runtime brings it: where a page part imports from here, the build has it take what the page
 * has.
 */
export { labelOf } from "../../domain/labelOf.ts"
export { isEmpty, numberOf } from "../../domain/results/ResultColumn.ts"
export { badgesOf } from "./badge.ts"
export { button, choicesOf } from "./button.ts"
export { extent, niceTicks } from "./chartData.ts"
export { copyButton } from "./copyButton.ts"
export { childrenAndOptions, h, uniqueId } from "./dom.ts"
export { decimalsIn, fieldNode, fieldsOf, givenValue } from "./field.ts"
export { fmt } from "./format.ts"
export { icon, namedIcon } from "./icons.ts"
export { disclosure, empty, text, toolbar } from "./layout.ts"
export { code } from "./media.ts"
export { shown } from "./picks.ts"
export { detail } from "./records.ts"
export { addSheet } from "./styles.ts"
export { attempt, isNothing, isPlain, jsonOf, listOf, memberOf, optionsOf, textOf } from "./values.ts"
