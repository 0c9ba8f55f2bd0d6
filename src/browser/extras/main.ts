import * as parts from "./index.ts"
import { startPage } from "../runtime/startPage.ts"
import { joinHost } from "./joinHost.ts"

/** The wide runtime: all of the runtime, and what only some tools need. Linked where a document's data has `extras`. */
startPage(parts, joinHost)
