import { Context } from "effect"

/**
 * Takes the secrets of a run as soon as they are known, for whoever tells a failure after everything else has ended.
 * Unless a program says otherwise nobody does, and they are let go.
 */
export const RunSecrets = Context.Reference<(secrets: ReadonlyArray<string>) => void>(
  "mcp-gen-ui/services/RunSecrets",
  { defaultValue: () => () => undefined }
)
