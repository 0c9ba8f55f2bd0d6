import { inflate } from "./inflate.ts"
import { unpackText } from "./packedText.ts"

/** The runtime, deflated and as {@link unpackText} reads it: put here by the build. */
declare const PACKED_RUNTIME: string
/** How many bytes it has. */
declare const RUNTIME_SIZE: number

/*
 * Hosts allow a few megabytes for the documents of all tools together, and the same runtime is in each of them: it
 * travels packed, at half its size. Unpacking is synchronous, because the scripts after this one use the runtime, and
 * inserts an inline script, which the policy of MCP Apps allows; nothing is evaluated.
 */
const bytes = inflate(unpackText(PACKED_RUNTIME), RUNTIME_SIZE)
const script = document.createElement("script")
script.nonce = document.currentScript?.nonce ?? ""
script.textContent = new TextDecoder().decode(bytes)
document.head.append(script)
script.remove()
