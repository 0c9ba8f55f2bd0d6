import { createHmac, randomBytes, timingSafeEqual } from "node:crypto"
import type { PageProof } from "../../domain/tools/PageTools.ts"

/** Checks a page's token; `undefined` if this process gave it to no page of this tool. */
export type PageCheck = (
  toolName: string,
  token: string
) =>
  | {
      /** What our answer carries, so that the page knows that it is ours. */
      readonly proof: string
      /** Whether it was read in this session or in another one of this process. */
      readonly isOfSession: boolean
    }
  | undefined

/** Of this process. It never leaves it. */
const secret = randomBytes(32)

const mac = (purpose: "page" | "answer", session: string, toolName: string): string =>
  createHmac("sha256", secret)
    .update(JSON.stringify([purpose, session, toolName]))
    .digest("base64url")
    .slice(0, 27)

const isSame = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))

/** The tokens of one session's pages. */
export interface PageTokens {
  /** For a document of this tool's UI. */
  readonly issue: (toolName: string) => PageProof
  readonly check: PageCheck
}

/**
 * A page shows by a token that it is the document of a tool's UI. It knows our answers by a proof that came with the
 * token and that it never sends. A server can make up neither. Each has 160 bits of HMAC-SHA-256, so nothing is kept for
 * a document.
 */
export const makePageTokens = (): PageTokens => {
  const own = randomBytes(9).toString("base64url")
  const tokenOf = (session: string, toolName: string): string => `${session}.${mac("page", session, toolName)}`
  return {
    issue: (toolName) => ({ token: tokenOf(own, toolName), proof: mac("answer", own, toolName) }),
    check: (toolName, token) => {
      const [session = ""] = token.split(".", 1)
      if (!isSame(token, tokenOf(session, toolName))) return undefined
      return { proof: mac("answer", session, toolName), isOfSession: session === own }
    }
  }
}
