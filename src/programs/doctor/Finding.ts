/** What one look found. */
export interface Finding {
  /** What was looked at: `node`, `host`, `settings`, `server`, `tools`, `model`, `prompts`, `document`. */
  readonly check: string
  /** `warn`: it works, but not as well as it could, or not everywhere. */
  readonly state: "ok" | "warn" | "fail"
  readonly text: string
  /** What to do about it; a message that says so itself needs none. */
  readonly mend?: string
}

type Found = (text: string, mend?: string) => Finding

/** Findings of one check. */
export const findingsOf = (check: string): { readonly [State in Finding["state"]]: Found } => {
  const found =
    (state: Finding["state"]): Found =>
    (text, mend) => ({ check, state, text, ...(mend !== undefined && { mend }) })
  return { ok: found("ok"), warn: found("warn"), fail: found("fail") }
}
