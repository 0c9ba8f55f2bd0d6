const names = (text: string): ReadonlySet<string> => new Set(text.split(" "))

/** Globals of the language, and browser globals that hold numbers or only work on their arguments. */
export const LANGUAGE_NAMES: ReadonlySet<string> = names(
  "undefined NaN Infinity innerWidth innerHeight scrollX scrollY devicePixelRatio Math JSON console Intl " +
    "Number parseInt parseFloat Boolean isNaN isFinite String BigInt Symbol Date RegExp URL URLSearchParams FormData " +
    "TextEncoder TextDecoder Blob structuredClone atob btoa encodeURIComponent decodeURIComponent encodeURI decodeURI " +
    "escape unescape Int8Array Uint8Array Uint8ClampedArray Int16Array Uint16Array Int32Array Uint32Array Float32Array " +
    "Float64Array ArrayBuffer DataView Object Array Set WeakSet Map WeakMap Promise Proxy"
)

/** Functions of `Object` and `Array` that may be passed around, because they only read. */
export const READING: ReadonlySet<string> = names("Object.keys Object.hasOwn Object.is Array.isArray")

export const NUMBERS: ReadonlySet<string> = names("Number parseInt parseFloat Boolean isNaN isFinite")

/** Browser members that hold texts, numbers or other plain values. */
export const TEXT_MEMBERS: ReadonlySet<string> = names(
  "detail data value checked name type key code id textContent innerText tagName nodeName className title href label min max step " +
    "selected disabled hidden result size duration currentTime valueAsNumber width height " +
    "clientX clientY offsetX offsetY pageX pageY clientWidth clientHeight offsetWidth offsetHeight scrollTop scrollLeft " +
    "scrollHeight scrollWidth innerWidth innerHeight devicePixelRatio language hash search pathname length"
)
