import type { Chance } from "./Chance.ts"

const pad = (value: number, length = 2): string => String(value).padStart(length, "0")

const date = (chance: Chance): string =>
  `202${chance.whole(4, 7)}-${pad(chance.whole(1, 12))}-${pad(chance.whole(1, 28))}`

const time = (chance: Chance): string =>
  `${pad(chance.whole(0, 23))}:${pad(chance.whole(0, 59))}:${pad(chance.is(0.5) ? 0 : chance.whole(0, 59))}`

const hex = (chance: Chance, length: number): string =>
  Array.from({ length }, () => chance.whole(0, 15).toString(16)).join("")

const WORDS = [
  "amber",
  "birch",
  "cedar",
  "dune",
  "ember",
  "fjord",
  "grove",
  "harbor",
  "island",
  "juniper",
  "kelp",
  "lagoon"
]

const words = (chance: Chance, count: number): string =>
  Array.from({ length: count }, () => chance.pick(WORDS) ?? "").join(" ")

const formats: Readonly<Record<string, (chance: Chance) => string>> = {
  date,
  time: (chance) => `${time(chance)}Z`,
  "iso-time": time,
  "date-time": (chance) => `${date(chance)}T${time(chance)}Z`,
  "iso-date-time": (chance) => `${date(chance)}T${time(chance)}Z`,
  duration: (chance) => `P${chance.whole(1, 9)}DT${chance.whole(1, 12)}H`,
  email: (chance) => `${chance.pick(WORDS)}.${chance.whole(1, 999)}@example.org`,
  hostname: (chance) => `${chance.pick(WORDS)}.example.org`,
  ipv4: (chance) => [10, chance.whole(0, 255), chance.whole(0, 255), chance.whole(1, 254)].join("."),
  ipv6: (chance) => `2001:db8::${hex(chance, 4)}`,
  uri: (chance) => `https://example.org/${chance.pick(WORDS)}/${chance.whole(1, 999)}`,
  "uri-reference": (chance) => `/${chance.pick(WORDS)}/${chance.whole(1, 999)}`,
  "uri-template": (chance) => `https://example.org/${chance.pick(WORDS)}/{id}`,
  uuid: (chance) =>
    `${hex(chance, 8)}-${hex(chance, 4)}-4${hex(chance, 3)}-${chance.pick([..."89ab"])}${hex(chance, 3)}-${hex(chance, 12)}`,
  "json-pointer": (chance) => `/${chance.pick(WORDS)}/${chance.whole(0, 9)}`,
  "relative-json-pointer": (chance) => `${chance.whole(0, 3)}/${chance.pick(WORDS)}`,
  regex: () => "^[a-z]+$",
  byte: (chance) => btoa(words(chance, 2)),
  binary: (chance) => words(chance, 2),
  password: (chance) => `${words(chance, 2).replace(" ", "-")}-${chance.whole(10, 99)}`
}

const aliases: Readonly<Record<string, string>> = {
  "idn-email": "email",
  "idn-hostname": "hostname",
  iri: "uri",
  url: "uri",
  "iri-reference": "uri-reference"
}

/** What people type into fields of such names. */
const named: ReadonlyArray<readonly [RegExp, (chance: Chance) => string]> = [
  [/e-?mail/i, (chance) => formats.email?.(chance) ?? ""],
  [/(?:^|_)(?:ur[li]|link|href|website|endpoint)s?$|Ur[li]$/i, (chance) => formats.uri?.(chance) ?? ""],
  [/time_?zone|(?:^|_)tz$/i, (chance) => chance.pick(["Europe/Lisbon", "Asia/Tokyo", "America/Bogota"]) ?? ""],
  [/(?:^|_)(?:since|until|date|start|end|due)(?:_|$)|Date$/i, date],
  [
    /city|location|address|place|origin|destination/i,
    (chance) => chance.pick(["Lisbon", "Reykjavík", "Kyoto", "Bogotá"]) ?? ""
  ],
  [/country|region/i, (chance) => chance.pick(["Portugal", "Iceland", "Japan", "Colombia"]) ?? ""],
  [/path|file|folder|director/i, (chance) => `/home/ada/${chance.pick(WORDS)}-${chance.whole(1, 99)}.md`],
  [/phone|(?:^|_)(?:to|from)$/i, (chance) => `+35191${chance.whole(1_000_000, 9_999_999)}`],
  [/currency/i, (chance) => chance.pick(["EUR", "JPY", "ISK"]) ?? ""],
  [/colou?r/i, (chance) => `#${hex(chance, 6)}`],
  [/(?:^|_)id$|Id$|sid$|key$/i, (chance) => `${chance.pick(WORDS)}-${chance.whole(1000, 9999)}`],
  [
    /description|content|body|message|prompt|notes?$|reason|instruction/i,
    (chance) => `${words(chance, 8)} ${chance.whole(1, 999)}.`
  ]
]

const ODD = [
  "  spaces around  ",
  'quotes " and \\ back\\slashes',
  "<b>not markup</b> & \u00e9\u00e8",
  "\u05e9\u05dc\u05d5\u05dd \u0627\u0644\u0639\u0627\u0644\u0645",
  "null",
  "12",
  "true",
  "\u65e5\u672c\u8a9e \ud83d\udc0b",
  "x".repeat(300)
]

/** Texts that forms are known to bend. All but the last kind can be typed into a single line. */
export const oddText = (chance: Chance, mayBreakLines: boolean): string =>
  mayBreakLines && chance.is(0.3) ? "first line\nsecond line\n\tindented\n" : (chance.pick(ODD) ?? "")

/** A text of a format of JSON Schema; `undefined` for formats that are not known, which are no assertion. */
export const textOfFormat = (format: string, chance: Chance): string | undefined =>
  formats[aliases[format] ?? format]?.(chance)

/** A text that a person might type into a field of that name. */
export const textOfName = (name: string, chance: Chance): string =>
  named.find(([pattern]) => pattern.test(name))?.[1](chance) ?? `${words(chance, 2)} ${chance.whole(1, 9999)}`
