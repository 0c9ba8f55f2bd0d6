/**
 * How the names of the wrapper's tools may begin. Hosts take `[a-zA-Z0-9_-]` in names, some of them 60 characters
 * together with the server's. The last character sets the prefix apart, so that `ui` does not give `uilist`.
 */
export const TOOL_PREFIX = /^[\dA-Za-z_-]{0,19}[_-]$/
export const TOOL_PREFIX_EXPECTED = "1 to 20 letters, digits, _ and -, the last of them _ or -, such as ui_"
