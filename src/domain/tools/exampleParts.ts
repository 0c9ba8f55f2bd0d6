import { isObject } from "../isObject.ts"

/** An example of the configuration: a result, or arguments and their result as `{ input, output }` and nothing more. */
export const exampleParts = (example: unknown): { readonly args: unknown; readonly data: unknown } =>
  isObject(example) && Object.keys(example).sort().join() === "input,output"
    ? { args: example.input, data: example.output }
    : { args: undefined, data: example }
