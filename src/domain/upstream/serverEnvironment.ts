type Environment = Readonly<Record<string, string | undefined>>

/** How the names of the wrapper's own variables begin; some of them hold keys and tokens. */
const OWN = /^MCP_GEN_UI_/i

/**
 * The environment of a server that is started: that of this process, as the host would give it, without what is said
 * to the wrapper, and with what the settings add.
 */
export const serverEnvironment = (ours: Environment, added: Readonly<Record<string, string>>): Environment => ({
  ...Object.fromEntries(Object.entries(ours).filter(([name]) => !OWN.test(name))),
  ...added
})
