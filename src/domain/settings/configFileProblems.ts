import type { SchemaIssue } from "effect"
import { shortened } from "../shortened.ts"
import { isSensitiveName } from "../observability/Redaction.ts"
import { type FileProblem, schemaProblems } from "../schemaProblems.ts"
import { formatPath } from "../valuePath.ts"
import { NOT_SHOWN, quotedAddress } from "./Secrets.ts"

const LONGEST_FOUND = 60

/** What was found, short and on one line, unless it could be a secret. */
const found = (value: unknown, path: ReadonlyArray<PropertyKey>): string => {
  const secret = path.some((part) => typeof part === "string" && isSensitiveName(part))
  const holdsSecrets = path[0] === "upstream" && ["env", "headers"].includes(String(path[1]))
  const at = formatPath(path)
  const mayBeSecret = at === "cache.url" || (["upstream.oauth", "cache"].includes(at) && typeof value === "string")
  if (secret || holdsSecrets || mayBeSecret) return NOT_SHOWN
  if (Array.isArray(value)) return "found a list"
  if (typeof value === "object" && value !== null) return "found an object"
  const json = typeof value === "string" ? quotedAddress(value) : (JSON.stringify(value) ?? "nothing")
  return `found ${shortened(json, LONGEST_FOUND)}`
}

/** Keys as other programs and earlier descriptions have them. */
const CALLED_HERE: Readonly<Record<string, string>> = {
  server: "upstream",
  upstreamServer: "upstream",
  enabledTools: "generation.enabledTools",
  tools: "generation.tools",
  limits: "generation.limits",
  model: "llm.model",
  provider: "llm.provider",
  apiKey: "llm.apiKey",
  log: "logging",
  port: "http.port",
  "upstream.type": "upstream.transport",
  "upstream.arguments": "upstream.args",
  "upstream.environment": "upstream.env",
  "upstream.workingDirectory": "upstream.cwd",
  "upstream.auth": "upstream.oauth",
  "llm.key": "llm.apiKey",
  "llm.endpoint": "llm.baseUrl",
  "llm.timeoutMs": "generation.timeoutMs",
  "llm.maxOutputTokens": "llm.maxTokens",
  "cache.path": "cache.directory",
  "cache.backend": "cache.type",
  "cache.ttl": "cache.ttlMs",
  "cache.ttlSeconds": "cache.ttlMs",
  "cache.enabled": "--no-cache",
  "cache.maxSizeBytes": "cache.maxTotalSizeBytes",
  "generation.theme": "generation.defaultTheme",
  "generation.allowedTools": "generation.enabledTools",
  "generation.customPrompt": "generation.prompt",
  "generation.maxRetries": "generation.maxAttempts",
  "generation.concurrency": "generation.maxConcurrentGenerations",
  "logging.output": "logging.destination",
  "logging.path": "logging.file",
  "logging.redact": "logging.redactSensitiveData",
  "toolRefresh.backoffMs": "toolRefresh.retryBackoffMs"
}

/** All problems of an issue, in the order of the file's sections. */
export const configFileProblems = (issue: SchemaIssue.Issue, document: unknown): ReadonlyArray<FileProblem> =>
  schemaProblems(issue, [], document, found).map(({ path, text }) => ({
    path,
    text: Object.hasOwn(CALLED_HERE, path) ? `is not a known key; it is called ${CALLED_HERE[path]} here` : text
  }))
