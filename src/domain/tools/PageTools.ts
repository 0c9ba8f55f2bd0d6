/** How a page shows which tool it is for, and how it knows our answers from a server's. */
export interface PageProof {
  /** Sent with each question. */
  readonly token: string
  /** Stands in each answer of ours; the page never sends it. */
  readonly proof: string
}

/** The wrapper's own tools that a page may call, under the names that they have in its session. */
export interface PageTools extends PageProof {
  /** Keeps what a person has chosen on screen. */
  readonly select?: string
  /** Answers whether there is a newer version of the page's UI, and with it. */
  readonly current?: string
}
