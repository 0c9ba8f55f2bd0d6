import { DECLARED, UI_ENTRY_FORMAT, type UiEntry } from "../../domain/tools/UiEntry.ts"

/** The runtime draws it from the data of its document: nothing is generated or kept. */
export const dashboardEntry = (toolName: string, templateVersion: string): UiEntry => ({
  format: UI_ENTRY_FORMAT,
  toolName,
  key: toolName,
  source: null,
  uiType: "minimal",
  level: 0,
  repairs: [],
  warnings: [],
  fallback: null,
  provider: DECLARED,
  model: null,
  promptVersion: null,
  templateVersion,
  examples: 0,
  usage: null,
  refinements: [],
  requestId: "",
  createdAt: 0,
  durationMs: 0
})
