/**
 * The public declarations as one text, from `dist/types`: `npm run api` writes `docs/api.txt`, `npm run check:api` compares.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"

const REPORT = "docs/api.txt"
const ENTRIES = { "mcp-gen-ui": "dist/types/index.d.ts", "mcp-gen-ui/testing": "dist/types/testing.d.ts" }

/** What a file declares, by name, without comments. */
const declarationsOf = (text: string): ReadonlyMap<string, string> => {
  const statements = text.split(/^(?=(?:export|declare|import) )/m)
  return new Map(
    statements.flatMap((statement) => {
      const name = /^(?:export )?(?:declare )?(?:const|class|interface|type|function) (\w+)/.exec(statement)?.[1]
      return name === undefined ? [] : [[name, statement.trim()] as const]
    })
  )
}

const declared = (file: string, name: string): string => {
  const text = readFileSync(file, "utf8").replaceAll(/[ \t]*\/\*\*[^]*?\*\/\n?/g, "")
  const found = declarationsOf(text)
  const own = found.get(name)
  if (own !== undefined) return [found.get(`${name}_base`), own].filter((part) => part !== undefined).join("\n")
  const from = new RegExp(`(?:import|export) \\{[^}]*\\b${name}\\b[^}]*\\} from "([^"]+)\\.ts"`).exec(text)?.[1]
  if (from === undefined) throw new Error(`${file} does not declare ${name}`)
  return declared(join(file, "..", `${from}.d.ts`), name)
}

const reportOf = ([entry, file]: readonly [string, string]): string => {
  const exported = readFileSync(file, "utf8").matchAll(/^export (?:type )?\{([^}]*)\} from "([^"]+)\.ts"/gm)
  const parts = [...exported].flatMap(([, names = "", from = ""]) =>
    names.split(",").map((words) => {
      const [local = "", name = local] = words
        .replace(/^\s*type /, "")
        .trim()
        .split(" as ")
      const as = name === local ? "" : `// ${local} as ${name}\n`
      return { name, text: `${as}${declared(join(file, "..", `${from}.d.ts`), local)}` }
    })
  )
  const texts = parts.sort((one, other) => (one.name < other.name ? -1 : 1)).map(({ text }) => text)
  return [`//// ${entry}`, ...texts].join("\n\n")
}

const report = `${Object.entries(ENTRIES).map(reportOf).join("\n\n")}\n`
if (!process.argv.includes("--check")) writeFileSync(REPORT, report)
else if (readFileSync(REPORT, "utf8") !== report) {
  console.error(`The public declarations are not those of ${REPORT}. If that is meant: "npm run api", and a changeset.`)
  process.exitCode = 1
}
