import type { GalleryCase, GalleryTool } from "../GalleryCase.ts"
import { issues, longWord, paragraph } from "../sampleData.ts"

const listIssues: GalleryTool = {
  name: "list_issues",
  title: "List issues",
  description: "Lists the issues of a project, the latest first.",
  inputSchema: {
    type: "object",
    properties: {
      project: { type: "string", title: "Project", examples: ["acme/website"] },
      state: { type: "string", title: "State", enum: ["open", "closed", "all"], default: "open" },
      limit: { type: "integer", title: "Limit", minimum: 1, maximum: 100 }
    },
    required: ["project"]
  },
  annotations: { readOnlyHint: true }
}

const deleteIssue: GalleryTool = {
  name: "delete_issue",
  title: "Delete an issue",
  description: "Deletes an issue for good.",
  inputSchema: {
    type: "object",
    properties: { id: { type: "integer", title: "Number" }, force: { type: "boolean", title: "Even if it is open" } },
    required: ["id"]
  },
  annotations: { destructiveHint: true, idempotentHint: true }
}

const indexSite: GalleryTool = {
  name: "index_site",
  title: "Index the site",
  description: "Reads all pages of the site again.",
  inputSchema: { type: "object", properties: {} }
}

const verbose: GalleryTool = {
  ...listIssues,
  title: `Search ${longWord}`,
  description: Array.from({ length: 20 }, () => paragraph).join(" ")
}

const args = { project: "acme/website", state: "open", limit: 20 }

const listOf = (count: number) => ({
  content: [{ type: "text" as const, text: `${count} issues` }],
  structuredContent: { total: count, issues: [...issues(count)] }
})

const refused = {
  isError: true,
  content: [{ type: "text" as const, text: 'The project "acme/website" was not found, or this token may not read it.' }]
}

const few = listOf(3)

export const states: ReadonlyArray<GalleryCase> = [
  {
    id: "view-first",
    title: "First",
    about: "Opened without a call: nothing has come from the host.",
    tool: listIssues,
    host: []
  },
  {
    id: "view-partial",
    title: "Partial input",
    about: "The model is still writing the arguments.",
    tool: listIssues,
    host: [{ partial: { project: "acme/web" } }]
  },
  {
    id: "view-waiting",
    title: "Waiting",
    about: "The host has made the call; after some seconds it is a slow one.",
    tool: listIssues,
    host: [{ input: args }]
  },
  {
    id: "view-waiting-long",
    title: "Waiting, with much sent",
    about: "More than there is room for: the list scrolls.",
    tool: listIssues,
    host: [
      { input: Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`argument_${index + 1}`, paragraph])) }
    ]
  },
  {
    id: "view-running",
    title: "Running",
    about: "A call of the view itself, without an answer so far; after some seconds it is a slow one.",
    tool: listIssues,
    host: [],
    call: args,
    answer: { progress: [] }
  },
  {
    id: "view-progress",
    title: "Progress with a total",
    tool: indexSite,
    host: [],
    press: "Index the site",
    answer: { progress: [{ progress: 3, total: 8, message: "Reading page 3" }] }
  },
  {
    id: "view-progress-open",
    title: "Progress without a total",
    tool: indexSite,
    host: [],
    press: "Index the site",
    answer: { progress: [{ progress: 1200 }] }
  },
  { id: "view-result", title: "Result, short", tool: listIssues, host: [{ input: args }, { result: few }] },
  {
    id: "view-refreshing",
    title: "Running again",
    about: "The last result stays, dimmed, until the next one is there.",
    tool: listIssues,
    host: [{ input: args }, { result: few }],
    call: { ...args, state: "all" },
    answer: { progress: [] }
  },
  {
    id: "view-long",
    title: "Result, long",
    about: "400 issues.",
    tool: listIssues,
    host: [{ input: args }, { result: listOf(400) }]
  },
  {
    id: "view-empty",
    title: "Result, empty",
    tool: listIssues,
    host: [{ input: args }, { result: { content: [], structuredContent: { total: 0, issues: [] } } }]
  },
  {
    id: "view-none",
    title: "Result without content",
    tool: deleteIssue,
    host: [{ input: { id: 1004 } }, { result: { content: [] } }]
  },
  {
    id: "view-huge",
    title: "Result, huge",
    about: "A text of two megabytes: more than is drawn before it is asked for.",
    tool: listIssues,
    host: [{ input: args }, { result: { content: [{ type: "text", text: `${paragraph}\n\n`.repeat(9000) }] } }]
  },
  { id: "view-failed", title: "Failed", tool: listIssues, host: [{ input: args }, { result: refused }] },
  {
    id: "view-failed-long",
    title: "Failed, with much to say",
    tool: listIssues,
    host: [
      { input: args },
      {
        result: {
          isError: true,
          content: [
            { type: "text", text: `Error: ${longWord}\n${"    at step (file:///srv/app/steps.js:10:4)\n".repeat(60)}` }
          ]
        }
      }
    ]
  },
  {
    id: "view-not-called",
    title: "Call that did not happen",
    about: "The host refused it, or the connection is lost.",
    tool: listIssues,
    host: [],
    call: args,
    answer: { error: "The connection to the server was lost." }
  },
  {
    id: "view-cancelled",
    title: "Cancelled",
    tool: listIssues,
    host: [{ input: args }, { cancelled: "The user stopped the answer." }]
  },
  {
    id: "view-destructive",
    title: "A tool that deletes",
    about: "Its button asks before it calls.",
    tool: deleteIssue,
    host: [{ input: { id: 1004, force: true } }, { result: { content: [{ type: "text", text: "Deleted." }] } }]
  },
  {
    id: "view-fallback",
    title: "In place of a generated view",
    tool: listIssues,
    fallback: { code: "TIMEOUT", message: "The model took longer than 15 s.", transient: true },
    host: [{ input: args }, { result: few }]
  },
  {
    id: "view-verbose",
    title: "Long title and description",
    tool: verbose,
    host: [{ input: args }, { result: few }]
  },
  {
    id: "view-fullscreen",
    title: "Full screen",
    tool: listIssues,
    fullscreen: true,
    host: [{ input: args }, { result: listOf(60) }]
  }
]
