/** What is seen of a view: between what runs inside it and what judges it. */

/** A choice or a button, by the name that a person reads. */
export interface SeenOption {
  readonly label: string
  /** Of a button or a radio button: its number among the elements seen last. Of an option: its index. */
  readonly element: number
}

/** One place of a form: what stands for one value, as far as roles and names tell. */
export interface SeenPlace {
  readonly kind:
    | "text"
    | "number"
    | "json"
    | "date"
    | "time"
    | "date-time"
    | "tags"
    | "checkbox"
    | "checkboxes"
    | "radios"
    | "select"
    | "combobox"
    | "list"
    | "map"
    /** Something optional that has to be added first. */
    | "closed"
    | "null"
    | "group"
    | "constant"
  /** The number of the control among the elements seen last; -1 where there is none. */
  readonly element: number
  readonly text: string
  readonly options: ReadonlyArray<SeenOption>
  readonly buttons: ReadonlyArray<SeenOption>
  /** JSON pointers of the places below. */
  readonly below: ReadonlyArray<string>
  /** Whether a place inside stands for the same value. */
  readonly hasInner: boolean
}

export interface ShownData {
  /** All that can be read once every tab, fold and "Show all" was opened. */
  readonly text: string
  /** The text of the raw JSON. */
  readonly raw: string
  /** Names of the tabs. */
  readonly tabs: ReadonlyArray<string>
}

export interface ResultState {
  readonly hasContent: boolean
  /** The texts of all alerts outside the form. */
  readonly alerts: ReadonlyArray<string>
  /** The page is wider than its frame by so many CSS pixels. */
  readonly overflow: number
}
