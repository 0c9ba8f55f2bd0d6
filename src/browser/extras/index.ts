/** The parts of all pages, and those that only pages of some tools can import. */
export * from "../parts/index.ts"
export { records } from "./records.ts"
