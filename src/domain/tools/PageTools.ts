/** How a page shows which tool it is for, and how it tells our answers from a server's. */
export interface PageProof {
  /** Sent with each question. */
  readonly token: string
  /** Part of each of our answers; the page never sends it. */
  readonly proof: string
}

/** The wrapper's own tools that a page may call, by their names in its session. */
export interface PageTools extends PageProof {
  /** Keeps what a person has chosen on screen. */
  readonly select?: string
  /** Returns a newer version of the page's UI, if there is one. */
  readonly current?: string
  /** Whether the page is to look at itself, and to tell `current` what it finds. */
  readonly reports?: true
  /** Whether `current` wants to know what the page shows, and brings back what was lost. */
  readonly keeps?: true
  /** The UI stays as it is: the page asks only when it has something to tell. */
  readonly isStill?: true
}
