import type { BuildOptions, Plugin } from "esbuild"

/** Packages that are loaded on first use, and what we import of each. */
const VENDORED: Readonly<Record<string, ReadonlyArray<string>>> = {
  "@anthropic-ai/sdk": ["Anthropic"],
  "@modelcontextprotocol/client": [
    "auth",
    "AuthorizationServerMismatchError",
    "computeScopeUnion",
    "discoverOAuthProtectedResourceMetadata",
    "extractWWWAuthenticateParams",
    "IssuerMismatchError",
    "isStrictScopeSuperset",
    "OAuthError",
    "validateAuthorizationResponseIssuer"
  ],
  "@redis/client": ["createClient"],
  acorn: ["parse", "tokenizer"],
  "acorn-walk": ["fullAncestor"],
  "cross-spawn": ["default"],
  htmlparser2: ["Parser"],
  liquidjs: ["Liquid"],
  openai: ["OpenAI"],
  parse5: ["defaultTreeAdapter", "parse", "parseFragment", "serialize"],
  tailwindcss: ["compile"]
}

const fileOf = (name: string): string => name.replace("@", "").replaceAll("/", "-")

const FROM_VENDORED = "vendored:"

/** Leads imports of these packages to their files in `dist/vendor`, by the `imports` of package.json. */
export const vendored: Plugin = {
  name: "vendored",
  setup: ({ onResolve }) => {
    onResolve({ filter: /^[@a-z]/ }, ({ path }) =>
      Object.hasOwn(VENDORED, path) ? { path: `#vendor/${fileOf(path)}`, external: true } : undefined
    )
  }
}

/** A file for each, with nothing that we do not import. */
const entries: Plugin = {
  name: "vendored-entries",
  setup: ({ onLoad, onResolve }) => {
    onResolve({ filter: /^vendored:/ }, ({ path }) => ({
      path: path.slice(FROM_VENDORED.length),
      namespace: FROM_VENDORED
    }))
    onLoad({ filter: /^/, namespace: FROM_VENDORED }, ({ path }) => ({
      contents: `export { ${VENDORED[path]?.join(", ")} } from ${JSON.stringify(path)}`,
      resolveDir: process.cwd()
    }))
  }
}

export const vendorBuild: BuildOptions = {
  entryPoints: Object.keys(VENDORED).map((name) => ({ in: `${FROM_VENDORED}${name}`, out: fileOf(name) })),
  outdir: "dist/vendor",
  outExtension: { ".js": ".mjs" },
  chunkNames: "shared/[name]-[hash]",
  splitting: true,
  plugins: [entries],
  // Some of them are CommonJS, and call `require` for what Node brings.
  banner: { js: "const require=name=>process.getBuiltinModule(name);" }
}
