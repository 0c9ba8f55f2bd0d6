import "../../../src/browser/runtime/main.ts"
import { currentSession } from "../../../src/browser/runtime/session.ts"

/** For tests of what a view can ask of its page. */
Object.assign(globalThis, { session: currentSession() })
