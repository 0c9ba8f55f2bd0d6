type Environment = Readonly<Record<string, string | undefined>>

/** The prefix of the wrapper's own variables; some of them hold keys and tokens. */
const OWN = /^MCP_GEN_UI_/i

/**
 * The environment of a server: ours, as the host would give it to the server, without the wrapper's own variables, and
 * with those that the settings add.
 */
export const serverEnvironment = (ours: Environment, added: Readonly<Record<string, string>>): Environment => ({
  ...Object.fromEntries(Object.entries(ours).filter(([name]) => !OWN.test(name))),
  ...added
})
