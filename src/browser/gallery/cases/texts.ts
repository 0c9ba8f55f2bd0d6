import type { GalleryCase } from "../GalleryCase.ts"
import {
  article,
  drawing,
  folders,
  issues,
  longPath,
  longWord,
  paragraph,
  person,
  pixels,
  unifiedDiff
} from "../sampleData.ts"

export const texts: ReadonlyArray<GalleryCase> = [
  { id: "text-markdown", title: "Markdown", part: "markdown", draw: ({ markdown }) => markdown(article) },
  {
    id: "text-markdown-hostile",
    title: "Markdown with markup in it",
    about: "Markup stays text, and an address that is no page stays one.",
    part: "markdown",
    draw: ({ markdown }) =>
      markdown(
        "<b>bold?</b> [a link](javascript:alert(1)) ![x](https://example.com/a.png)\n\n<script>alert(1)</script>"
      )
  },
  {
    id: "text-code",
    title: "Code",
    part: "code",
    draw: ({ code }) => code("const add = (a: number, b: number): number =>\n  a + b\n", { language: "ts" })
  },
  {
    id: "text-code-wide",
    title: "Code, wide",
    part: "code",
    draw: ({ code }) => code(`cat ${longPath} | sort | uniq -c`)
  },
  { id: "text-code-wrap", title: "Code, wrapped", part: "code", draw: ({ code }) => code(longPath, { wrap: true }) },
  { id: "text-diff", title: "Diff", part: "code", draw: ({ code }) => code(unifiedDiff, { language: "diff" }) },
  { id: "text-json", title: "JSON", part: "json", draw: ({ json }) => json(person) },
  { id: "text-json-large", title: "JSON, large", part: "json", draw: ({ json }) => json(issues(2000)) },
  { id: "text-tree", title: "Tree", part: "tree", draw: ({ tree }) => tree(folders) },
  { id: "text-tree-json", title: "Tree of any JSON", part: "tree", draw: ({ tree }) => tree(person, { open: 2 }) },
  { id: "text-tree-empty", title: "Tree of nothing", part: "tree", draw: ({ tree }) => tree({}) },
  {
    id: "text-image",
    title: "Image",
    part: "image",
    draw: ({ image }) => image(`data:image/png;base64,${pixels}`, { alt: "Two by two pixels", caption: "As it came" })
  },
  {
    id: "text-drawing",
    title: "Drawing",
    part: "image",
    draw: ({ image }) => image(drawing, { alt: "A line that rises and falls" })
  },
  {
    id: "text-image-elsewhere",
    title: "Image of another place",
    about: "Not loaded: it becomes a link.",
    part: "image",
    draw: ({ image }) => image("https://example.com/picture.png", { alt: "A picture" })
  },
  {
    id: "text-text",
    title: "Text",
    part: "text",
    draw: ({ stack, text }) =>
      stack(
        text(paragraph),
        text("Muted and small", { muted: true, size: "small" }),
        text("Strong and large", { strong: true, size: "large" }),
        text("A warning", { tone: "warning" }),
        text("Something is wrong", { tone: "danger" }),
        text(longWord)
      )
  },
  {
    id: "text-h",
    title: "Any element",
    part: "h",
    draw: ({ h }) =>
      h(
        "dl",
        {},
        h("dt", {}, "Term"),
        h("dd", {}, "What it means, with ", h("strong", {}, "weight"), " and ", h("kbd", {}, "Ctrl"), ".")
      )
  }
]
