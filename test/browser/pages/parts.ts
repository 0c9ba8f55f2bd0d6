import * as pageParts from "../../../src/browser/pageParts/index.ts"
import * as parts from "../../../src/browser/parts/index.ts"
import { openSession } from "../../../src/browser/runtime/session.ts"

/** What the tests of the parts use inside the page. */
Object.assign(globalThis, { parts: { ...parts, ...pageParts }, openSession })
