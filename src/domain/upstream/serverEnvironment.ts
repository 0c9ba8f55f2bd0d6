type Environment = Readonly<Record<string, string | undefined>>

/** How the names of the wrapper's own variables begin; some of them hold keys and tokens. */
const OWN = /^MCP_GEN_UI_/i

/**
 * The environment of a server: that of this process, as the host would give it, without the wrapper's own variables, and
 * with those that the settings add.
 */
export const serverEnvironment = (ours: Environment, added: Readonly<Record<string, string>>): Environment => ({
  ...Object.fromEntries(Object.entries(ours).filter(([name]) => !OWN.test(name))),
  ...added
})
