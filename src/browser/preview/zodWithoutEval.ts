/**
 * The MCP SDK brings zod, which tries `new Function` once to see whether it may compile. The page's own policy
 * forbids that and the browser would report it, so zod is told before it loads. Import this first.
 */
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })
