/**
 * A server of the legacy era over stdio whose JSON is right and unusual: white space, escapes, numbers that no double
 * holds, duplicate keys, members in an odd order, carriage returns, unknown members and types of content. Whoever
 * decodes a message and prints it again changes it.
 */
import { createInterface } from "node:readline"

const print = (line: string): void => void process.stdout.write(`${line}\n`)

const oddMembers =
  String.raw`"numbers" : [ 12345678901234567890, -0, 1.0, 1e400, 1E+2, 0.1000 ], "text": "\u00e9\/\ud83c\udf27 é ` +
  String.raw`\u2028", "twice": 1 , "twice": {"a":[ ]}, "":null`

const tools: ReadonlyArray<string> = [
  `{ "inputSchema" : { "type":"object" , "maximum":1.0 }, "name":"plain",${oddMembers}}`,
  `{"name":"with_meta","_meta": { "vendor" : 1e400 } ,"inputSchema":{"type":"object"}}`,
  `{"name":"with_empty_meta","_meta":{ },"inputSchema":{"type":"object"}}`,
  `{"name":"with_null_meta","_meta": null,"inputSchema":{"type":"object"}}`,
  String.raw`{"name":"esc\u0061ped \"name\" \ud83c\udf27","inputSchema":{"type":"object"} }`,
  `{"name":"own_ui","_meta":{"ui":{"resourceUri":"ui://own/page"}},"inputSchema":{"type":"object"}}`
]

const result = (id: string, body: string): void => print(`{"result":${body} ,"id": ${id},"jsonrpc":"2.0"}\r`)

const contents = `{ "content": [ {"type":"vendor/unknown",${oddMembers}}, {"text":"x","type":"text"} ], "vendor":{${oddMembers}} }`

const page = (cursor: unknown): string =>
  cursor === "second"
    ? `{ "tools" : [ ${tools.slice(3).join(" , ")} ] , "nextCursor":null }`
    : `{"nextCursor":"second","tools":[${tools.slice(0, 3).join(",")}],${oddMembers}}`

const answers: Readonly<Record<string, (id: string, params: Readonly<Record<string, unknown>>) => void>> = {
  initialize: (id, params) =>
    result(
      id,
      `{ "serverInfo":{"version":"1","name":"odd json",${oddMembers}}, "capabilities":{ "tools":{ }, "experimental":{ "odd":{"count":1.0} } },` +
        `"protocolVersion":${JSON.stringify(params.protocolVersion)} }`
    ),
  "tools/list": (id, params) => result(id, page(params.cursor)),
  "tools/call": (id) => {
    print(`{"params":{"level":"info","data":{${oddMembers}}},"method":"notifications/message","jsonrpc":"2.0"} `)
    print(`\t{"jsonrpc":"2.0","method":"notifications/vendor","params":{${oddMembers}}}`)
    result(id, contents)
  }
}

const lines = createInterface({ input: process.stdin })
lines.on("line", (line) => {
  const { id, method, params } = JSON.parse(line) as {
    readonly id?: unknown
    readonly method?: string
    readonly params?: Readonly<Record<string, unknown>>
  }
  if (method === undefined || id === undefined) return
  const answer = Object.hasOwn(answers, method) ? answers[method] : undefined
  if (answer !== undefined) return answer(JSON.stringify(id), params ?? {})
  print(
    `{"error":{ "message":"no such method","code":-32601.0,"data":{${oddMembers}} },"jsonrpc":"2.0","id":${JSON.stringify(id)}}`
  )
})
