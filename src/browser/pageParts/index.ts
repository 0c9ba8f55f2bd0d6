/** Parts that stand in the pages that import them. `PAGE_PARTS` in `domain/documents/pageParts.ts` lists them. */
export { compare } from "./compare.ts"
export { form } from "./form.ts"
export { frame } from "./frame.ts"
export { pager } from "./pager.ts"
export { rating } from "./rating.ts"
export { request } from "./request.ts"
export { scale } from "./scale.ts"
export { wizard } from "./wizard.ts"
