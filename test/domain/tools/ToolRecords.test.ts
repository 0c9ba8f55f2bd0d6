import { assert, describe, it } from "@effect/vitest"
import { makeToolCatalog, type ToolHintsByName } from "../../../src/domain/tools/ToolCatalog.ts"
import type { RecordTool } from "../../../src/domain/tools/ToolRecords.ts"

/** `get_task(task_id!, fields)`: a tool with arguments, `!` for required, `[]` for a list, `#` for a number. */
const toolOf = (signature: string): object => {
  const [, name = "", all = ""] = /^([^(]+)\((.*)\)$/.exec(signature) ?? []
  const args = all === "" ? [] : all.split(", ")
  const bare = (arg: string): string => arg.replace(/[!#]|\[\]/g, "")
  const typeOf = (arg: string): string => (arg.includes("[]") ? "array" : arg.includes("#") ? "integer" : "string")
  const properties = Object.fromEntries(args.map((arg) => [bare(arg), { type: typeOf(arg) }]))
  return {
    name,
    inputSchema: { type: "object", properties, required: args.filter((arg) => arg.includes("!")).map(bare) }
  }
}

/** What is joined with the first tool, as `get_task(task_id) delete_task(task_id)`. */
const joined = (signatures: ReadonlyArray<string>, hints: ToolHintsByName = {}): string => {
  const { tools } = makeToolCatalog(signatures.map(toolOf), () => true, hints)
  const records = tools[0]?.extras?.records
  const told = (tool: RecordTool | undefined): ReadonlyArray<string> =>
    tool === undefined
      ? []
      : [`${tool.name}(${[tool.id ?? "", ...(tool.many ? ["many"] : []), ...tool.scope].join(" ").trim()})`]
  return records === undefined
    ? "nothing"
    : [`${records.noun}:`, ...[records.get, records.create, records.update, records.delete].flatMap(told)].join(" ")
}

describe("the tools that do something with what a tool lists", () => {
  it.each<readonly [why: string, expected: string, ...signatures: ReadonlyArray<string>]>([
    [
      "names in snake case",
      "task: get_task(task_id) create_task() update_task(id) delete_task(task_id)",
      "list_tasks(query)",
      "get_task(task_id!)",
      "create_task(name!)",
      "update_task(id!, name)",
      "delete_task(task_id!)"
    ],
    [
      'names in camel case, with plurals, "all" and "by id"',
      "spec: getSpecById(specId) createSpec(workspaceId) deleteSpec(specId)",
      "getAllSpecs(workspaceId!)",
      "getSpecById(specId!)",
      "createSpec(workspaceId!, name!)",
      "deleteSpec(specId!)"
    ],
    [
      "a prefix of the server, and verbs at the end",
      "monitor: crawl_monitor_get(id) crawl_monitor_delete(id)",
      "crawl_monitor_list(limit#)",
      "crawl_monitor_get(id!)",
      "crawl_monitor_delete(id!)",
      "crawl_page(url!)"
    ],
    [
      "places that the list has been asked with",
      "event: get-event(eventId calendarId) update-event(eventId calendarId)",
      "list-events(calendarId!, timeMin)",
      "get-event(calendarId!, eventId!)",
      "update-event(calendarId!, eventId!, summary)"
    ],
    [
      "several at once",
      "record: delete_records(recordIds many baseId)",
      "search_records(baseId!, term!)",
      "delete_records(baseId!, recordIds[]!)"
    ],
    [
      "the usual verb before others, and the plain name before longer ones",
      "order: get_order(id) delete_order(id)",
      "list_orders()",
      "get_order_details(id!)",
      "get_order(id!)",
      "remove_order(id!)",
      "delete_order(id!)"
    ],
    ["names as ids", "type: get_type(typeName)", "list_types()", "get_type(typeName!)"],
    ["no arguments that nobody knows", "nothing", "list_issues()", "get_issue(repo!, number!)"],
    ["no id that may be left out", "nothing", "list_models()", "get_models(owner, name)"],
    ["no other things", "nothing", "list_tasks()", "get_task_comment(id!)", "delete_task_tag(task_id!, tag!)"],
    ["no other deeds", "nothing", "markAllNotificationsAsRead()", "markNotificationAsRead(id!)"],
    ["nothing for a tool that lists nothing", "nothing", "get_task(id!)", "list_tasks()", "delete_task(id!)"]
  ])("%s", (_why, expected, ...signatures) => {
    assert.strictEqual(joined(signatures), expected)
  })

  it.each<readonly [expected: string, hint: NonNullable<ToolHintsByName[string]["records"]>]>([
    ["nothing", false],
    ["task: get_task(id) delete_task(id)", {}],
    ["task: get_task(id)", { delete: false }],
    ["task: fetch_it(which) delete_task(id)", { get: "fetch_it" }],
    ["task: delete_task(id)", { get: "there_is_none" }]
  ])("are %s where the configuration says %j", (expected, records) => {
    const signatures = ["list_tasks()", "get_task(id!)", "delete_task(id!)", "fetch_it(which!)"]
    assert.strictEqual(joined(signatures, { list_tasks: { records } }), expected)
  })

  it("are joined by the configuration where no name tells", () => {
    assert.strictEqual(
      joined(["inbox()", "read_mail(mail!)"], { inbox: { records: { get: "read_mail" } } }),
      "record: read_mail(mail)"
    )
  })

  it("leave out tools that pages must not call", () => {
    const hidden = { ...toolOf("delete_task(id!)"), _meta: { ui: { visibility: ["model"] } } }
    const { tools } = makeToolCatalog([toolOf("list_tasks()"), toolOf("get_task(id!)"), hidden], () => true)
    assert.isUndefined(tools[0]?.extras?.records?.delete)
  })
})
