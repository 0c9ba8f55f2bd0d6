const names = (text: string): ReadonlyArray<string> => text.split(" ")

/** Members that lead from a value to the functions of the language, on whatever they are read. */
export const REFLECTION = names(
  "constructor __proto__ __lookupGetter__ __lookupSetter__ __defineGetter__ __defineSetter__ getPrototypeOf " +
    "setPrototypeOf defineProperty defineProperties getOwnPropertyDescriptor getOwnPropertyDescriptors"
)

/** What may not be named: as a global, or as a member of anything that the browser gives; by the rule of inspection that says so. */
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

/** What else may not be reached in a window or a document by a name that is computed. */
export const OF_WINDOWS = names(
  "window self globalThis frames parent top opener view open location alert confirm prompt setTimeout setInterval " +
    "localStorage sessionStorage indexedDB caches cookieStore cookie"
)

/** What leads out of the page under its plain name too, where the object may be a window or a document. */
export const GUARDED = [...Object.values(DENIED).flat(), "location"]
