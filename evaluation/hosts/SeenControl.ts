/** What is seen of a view's controls: between what runs inside it and what judges it. */

export interface SeenControl {
  readonly name: string
  /** How it is pressed. */
  readonly key: "Enter" | "Space" | "ArrowDown" | "1"
  readonly href: string
  readonly submits: boolean
}

export interface SeenEffect {
  readonly hasChanged: boolean
  /** What the view says of a press that came to nothing. */
  readonly alerts: ReadonlyArray<string>
  /** The form refuses, or asks whether the call is meant. */
  readonly formAsks: boolean
}
