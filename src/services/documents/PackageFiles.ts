import { Context, Schema } from "effect"
import type { Effect } from "effect"

/** A packaged file cannot be read: the installation is incomplete, or `npm run build` did not run. */
export class PackageFileMissing extends Schema.TaggedError<PackageFileMissing>()("PackageFileMissing", {
  path: Schema.String,
  cause: Schema.Defect()
}) {
  override get message(): string {
    return `${this.path} is missing from the installed package; reinstall mcp-gen-ui, or run "npm run build" in a checkout`
  }
}

/** Files that ship with the package, by path from its root, read once: `dist/runtime.js`, `prompts/system.md`. */
export class PackageFiles extends Context.Service<
  PackageFiles,
  {
    readonly root: string
    readonly text: (path: string) => Effect.Effect<string, PackageFileMissing>
  }
>()("mcp-gen-ui/services/PackageFiles") {}
