const names = (text: string): ReadonlyArray<string> => text.split(" ")

/** Members that lead from any value to the functions of the language. */
export const REFLECTION = names(
  "constructor __proto__ __lookupGetter__ __lookupSetter__ __defineGetter__ __defineSetter__ getPrototypeOf " +
    "setPrototypeOf defineProperty defineProperties getOwnPropertyDescriptor getOwnPropertyDescriptors"
)

/** Names that are forbidden as a global, or as a member of anything that the browser gives, by inspection rule. */
export const DENIED = {
  "network-access": names(
    "fetch fetchLater XMLHttpRequest WebSocket WebSocketStream EventSource WebTransport RTCPeerConnection " +
      "webkitRTCPeerConnection mozRTCPeerConnection Worker SharedWorker importScripts sendBeacon serviceWorker"
  ),
  navigation: ["navigation"],
  "host-message": names("postMessage openai"),
  "dynamic-code": names("eval Function"),
  "hidden-window": names("defaultView contentWindow contentDocument getSVGDocument frameElement"),
  "page-secret": names("nonce mcpGenUi"),
  "hidden-name": names(
    "setAttributeNode setAttributeNodeNS setNamedItem setNamedItemNS createDocument prepareStackTrace"
  )
} as const

/** What else may not be reached in a window or a document by a computed name. */
export const OF_WINDOWS = names(
  "window self globalThis frames parent top opener view open location alert confirm prompt setTimeout setInterval " +
    "localStorage sessionStorage indexedDB caches cookieStore cookie"
)

/**
 * Names that lead out of the page. They are guarded even when written plainly, if the object may be a window or
 * document.
 */
export const GUARDED = [...Object.values(DENIED).flat(), "location"]
