/** For tests of programs that embed mcp-gen-ui: a model without a network, and a host without a window. */
export { connectHost, type TestHost } from "./programs/testing/connectHost.ts"
export { scriptedModel, type ScriptedModel } from "./programs/testing/scriptedModel.ts"
