import { decisionsOf } from "./packedDigits.ts"
import { unlzma } from "./unlzma.ts"
import { wordsBack } from "./wordsBack.ts"

/** The packed runtime, as text: the build puts it here. */
declare const PACKED_RUNTIME: string
/** Its size in bytes, unpacked. */
declare const RUNTIME_SIZE: number

/*
 * Hosts allow a few megabytes for the documents of all tools together, and each has the same runtime: it travels
 * packed, at a third of its size. Unpacking is synchronous, because later scripts use the runtime. It inserts an inline
 * script, which the policy of MCP Apps allows; nothing is evaluated.
 */
const code = wordsBack(unlzma(RUNTIME_SIZE, decisionsOf(PACKED_RUNTIME)))
const script = document.createElement("script")
script.nonce = document.currentScript?.nonce ?? ""
script.textContent = code
document.head.append(script)
script.remove()
