import { Effect, Layer, ManagedRuntime } from "effect"
import { toolFromDefinition } from "../../../src/domain/tools/Tool.ts"
import type { UiExtras } from "../../../src/domain/tools/UiExtras.ts"
import * as DocumentLinkerLayer from "../../../src/layers/documents/DocumentLinker.ts"
import * as PackageFiles from "../../../src/layers/documents/PackageFiles.ts"
import { DocumentLinker } from "../../../src/services/documents/DocumentLinker.ts"
import { uiEntry } from "../../fixtures/uiEntry.ts"

const linking = ManagedRuntime.make(
  DocumentLinkerLayer.layer({ theme: "system", maxOutputDisplayBytes: 102_400 }).pipe(Layer.provide(PackageFiles.layer))
)

/** The document of a tool with the wide runtime and the policy that it is served with. */
export const widePage = (
  definition: Readonly<Record<string, unknown>> & { readonly name: string },
  extras: UiExtras,
  source: string | null = null
): Promise<string> => {
  const tool = toolFromDefinition({ inputSchema: { type: "object" }, ...definition })
  const entry = uiEntry(definition.name, source === null ? { source, uiType: "minimal", level: 2 } : { source })
  return linking.runPromise(
    Effect.flatMap(DocumentLinker, (linker) =>
      tool === undefined ? Effect.die("no tool") : linker.link({ ...tool, extras }, entry)
    )
  )
}
