import type { DashboardCard } from "./Dashboards.ts"
import type { FieldOptions } from "./FieldOptions.ts"
import type { FileField } from "./FileFields.ts"
import type { ToolRecords } from "./ToolRecords.ts"

/** What the form of a tool can do beyond its schema. */
export interface FormExtras {
  /** Fields whose values other tools list, by their paths. */
  readonly options?: Readonly<Record<string, FieldOptions>>
  /** Fields that take files, by their paths. */
  readonly files?: Readonly<Record<string, FileField>>
}

/** What the page of a tool can do beyond the tool itself. Part of the data of its document. */
export interface UiExtras extends FormExtras {
  /** What other tools do with the records that this one lists. Part of the key of its UI. */
  readonly records?: ToolRecords
  /** Of the forms of other tools that the page shows, by the names of the tools. */
  readonly forms?: Readonly<Record<string, FormExtras>>
  /** Results of this server carry views of mcp-ui. */
  readonly mcpUi?: true
  /** Origins whose pages a result may show in frames. The policy of the document allows them. */
  readonly frames?: ReadonlyArray<string>
  /** The document stands in a result, and the page around it speaks mcp-ui. `toolInput`: the arguments of the call. */
  readonly embedded?: { readonly toolInput?: unknown }
  /** The page is no tool's: it shows these. */
  readonly dashboard?: ReadonlyArray<DashboardCard>
  /** The host takes tools of views, by which its agent moves them. */
  readonly viewTools?: true
  /** The host is ChatGPT, whose pages have `window.openai`. */
  readonly openai?: true
}
