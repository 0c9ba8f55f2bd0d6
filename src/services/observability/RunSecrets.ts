import { Context } from "effect"

/**
 * Takes the secrets of a run as soon as they are known, for a failure that is told after everything else has ended. By
 * default it drops them.
 */
export const RunSecrets = Context.Reference<(secrets: ReadonlyArray<string>) => void>(
  "mcp-gen-ui/services/RunSecrets",
  { defaultValue: () => () => undefined }
)
