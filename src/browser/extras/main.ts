import { extraHooks } from "../runtime/extraHooks.ts"
import { startPage } from "../runtime/startPage.ts"
import { builtinRecords } from "./builtinRecords.ts"
import { extraControl } from "./extraControl.ts"
import * as parts from "./index.ts"
import { joinHost } from "./joinHost.ts"

/** The wide runtime: all of the runtime, and what only some tools need. Linked where a document's data has `extras`. */
extraHooks.drawResult = builtinRecords
extraHooks.fieldControl = extraControl
startPage(parts, joinHost)
