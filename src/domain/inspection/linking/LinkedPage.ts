/**
 * A source, ready to be put into a document: imports resolved, scripts safe to stand inline, its own frame taken apart.
 */
export interface LinkedSource {
  /** Attributes of its `<html>` and `<body>`, as written, each with a leading space. */
  readonly htmlAttributes: string
  readonly bodyAttributes: string
  readonly head: string
  readonly body: string
  /** It has its own `<title>`. */
  readonly hasTitle: boolean
  readonly scripts: ReadonlyArray<string>
}

/** One element of a linked source, as the linker saw it. */
export interface LinkedElement {
  readonly name: string
  readonly type: string
  /** The content of `<style>`, or of `<script>` after linking. */
  readonly text: string
  /** The content of `<script>` before linking. */
  readonly given: string
  /** Inside `<svg>`. */
  readonly isForeign: boolean
}

/** A linked source without its frame, with the elements that it should have, in order. */
export interface LinkedPage extends LinkedSource {
  readonly elements: ReadonlyArray<LinkedElement>
}
