import { inflateSync } from "fflate"

/** The runtime, deflated and in base64: put here by the build. */
declare const PACKED_RUNTIME: string

/*
 * Hosts allow a few megabytes for the documents of all tools together, and the same runtime is in each of them: it
 * travels packed, at half its size. Unpacking is synchronous, because the scripts after this one use the runtime, and
 * inserts an inline script, which the policy of MCP Apps allows; nothing is evaluated.
 */
const bytes = inflateSync(Uint8Array.from(atob(PACKED_RUNTIME), (character) => character.charCodeAt(0)))
const script = document.createElement("script")
script.textContent = new TextDecoder().decode(bytes)
document.head.append(script)
script.remove()
