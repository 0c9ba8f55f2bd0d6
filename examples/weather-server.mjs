#!/usr/bin/env node
/**
 * A plain MCP server over stdio: weather for a few cities, made up but always the same, so that it needs no key
 * and no network. It knows nothing about user interfaces; that is the point of it. Its tools answer in the ways that
 * servers do: one record, a list of days, places, figures beside each other, warnings, a picture.
 *
 * It speaks both eras of the protocol: 2024-11-05 to 2025-11-25 (`initialize`) and 2026-07-28 (stateless, with
 * `server/discover`). Run it with `node weather-server.mjs`; it ends when its input ends.
 */

import { crc32, deflateSync } from "node:zlib"

const serverInfo = { name: "weather-example", title: "Weather example", version: "1.0.0" }
const instructions =
  "Weather, forecasts, warnings and radar pictures for a few large cities. The data is made up and never changes, for examples and tests."

const legacyVersions = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]
const modernVersions = ["2026-07-28"]
const listLifetime = { ttlMs: 60_000, cacheScope: "public" }

// The first day of every forecast: a fixed one, so that the same question always has the same answer.
const today = Date.UTC(2026, 4, 4)
const dayLength = 86_400_000

/** Latitude and longitude, mean and swing of the temperature in °C, yearly rain in mm, and hours from UTC during May. */
const cities = [
  { name: "Berlin", country: "Germany", at: [52.52, 13.41], mean: 15, swing: 6, rain: 590, wind: 14, offset: 2 },
  { name: "Cairo", country: "Egypt", at: [30.04, 31.24], mean: 26, swing: 8, rain: 20, wind: 15, offset: 3 },
  { name: "Lima", country: "Peru", at: [-12.05, -77.04], mean: 19, swing: 3, rain: 16, wind: 12, offset: -5 },
  { name: "London", country: "United Kingdom", at: [51.51, -0.13], mean: 14, swing: 5, rain: 690, wind: 16, offset: 1 },
  { name: "Mumbai", country: "India", at: [19.08, 72.88], mean: 31, swing: 4, rain: 2200, wind: 17, offset: 5.5 },
  { name: "Nairobi", country: "Kenya", at: [-1.29, 36.82], mean: 19, swing: 6, rain: 870, wind: 11, offset: 3 },
  {
    name: "New York",
    country: "United States",
    at: [40.71, -74.01],
    mean: 17,
    swing: 6,
    rain: 1270,
    wind: 15,
    offset: -4
  },
  { name: "Oslo", country: "Norway", at: [59.91, 10.75], mean: 11, swing: 6, rain: 800, wind: 10, offset: 2 },
  { name: "Reykjavík", country: "Iceland", at: [64.15, -21.94], mean: 7, swing: 3, rain: 870, wind: 24, offset: 0 },
  { name: "São Paulo", country: "Brazil", at: [-23.55, -46.63], mean: 19, swing: 5, rain: 1450, wind: 10, offset: -3 },
  { name: "Sydney", country: "Australia", at: [-33.87, 151.21], mean: 16, swing: 5, rain: 1150, wind: 14, offset: 10 },
  { name: "Tokyo", country: "Japan", at: [35.68, 139.69], mean: 19, swing: 5, rain: 1600, wind: 12, offset: 9 }
]

const conditions = ["Clear", "Partly cloudy", "Cloudy", "Light rain", "Rain", "Thunderstorm"]
const windDirections = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"]

const locationSchema = {
  type: "string",
  title: "City",
  description: `Name of a city, for example "Oslo" or "New York".`,
  minLength: 1,
  maxLength: 80,
  examples: ["Oslo", "New York", "Tokyo"]
}

const unitsSchema = {
  type: "string",
  title: "Units",
  enum: ["metric", "imperial"],
  description: "metric: °C, km/h and mm. imperial: °F, mph and inches."
}

const severities = ["minor", "moderate", "severe"]

const labelsSchema = {
  type: "object",
  description: "The unit of each kind of figure.",
  properties: {
    temperature: { type: "string" },
    wind: { type: "string" },
    precipitation: { type: "string" }
  },
  required: ["temperature", "wind", "precipitation"]
}

const windSchema = {
  type: "object",
  properties: {
    speed: { type: "number" },
    direction: { type: "string", enum: windDirections, description: "Where the wind comes from." }
  },
  required: ["speed", "direction"]
}

const alertProperties = {
  id: { type: "string" },
  city: { type: "string" },
  event: { type: "string" },
  severity: { type: "string", enum: severities },
  from: { type: "string", format: "date-time" },
  until: { type: "string", format: "date-time" },
  headline: { type: "string" }
}

const reads = { readOnlyHint: true, idempotentHint: true, openWorldHint: false }

const tools = [
  {
    name: "get_current_weather",
    title: "Current weather",
    description: "The weather in a city now: temperature, condition, humidity, wind, pressure and UV index.",
    inputSchema: {
      type: "object",
      properties: {
        location: locationSchema,
        units: { ...unitsSchema, description: `${unitsSchema.description} Without it, the units last set are used.` }
      },
      required: ["location"],
      additionalProperties: false
    },
    outputSchema: {
      type: "object",
      properties: {
        location: { type: "string" },
        country: { type: "string" },
        observedAt: { type: "string", format: "date-time", description: "Local time with its offset." },
        condition: { type: "string", enum: conditions },
        temperature: { type: "number" },
        feelsLike: { type: "number" },
        humidity: { type: "integer", description: "Relative humidity in percent." },
        pressure: { type: "integer", description: "Air pressure at sea level in hPa." },
        uvIndex: { type: "integer", minimum: 0, maximum: 11 },
        wind: windSchema,
        units: labelsSchema
      },
      required: [
        "location",
        "country",
        "observedAt",
        "condition",
        "temperature",
        "feelsLike",
        "humidity",
        "pressure",
        "uvIndex",
        "wind",
        "units"
      ]
    },
    annotations: reads
  },
  {
    name: "get_forecast",
    title: "Forecast",
    description: "The forecast for a city, day by day: highs, lows, chance and amount of rain, wind and daylight.",
    inputSchema: {
      type: "object",
      properties: {
        location: locationSchema,
        days: {
          type: "integer",
          title: "Days",
          description: "How many days, counted from today.",
          minimum: 1,
          maximum: 14,
          default: 5
        }
      },
      required: ["location"],
      additionalProperties: false
    },
    outputSchema: {
      type: "object",
      properties: {
        location: { type: "string" },
        country: { type: "string" },
        units: labelsSchema,
        days: {
          type: "array",
          items: {
            type: "object",
            properties: {
              date: { type: "string", format: "date" },
              condition: { type: "string", enum: conditions },
              high: { type: "number" },
              low: { type: "number" },
              precipitationChance: { type: "integer", description: "In percent." },
              precipitation: { type: "number", description: "Amount over the day." },
              wind: windSchema,
              sunrise: { type: "string", description: "Local time, HH:MM." },
              sunset: { type: "string", description: "Local time, HH:MM." }
            },
            required: [
              "date",
              "condition",
              "high",
              "low",
              "precipitationChance",
              "precipitation",
              "wind",
              "sunrise",
              "sunset"
            ]
          }
        }
      },
      required: ["location", "country", "units", "days"]
    },
    annotations: reads
  },
  {
    name: "compare_cities",
    title: "Compare cities",
    description: "The weather of several cities now, beside each other.",
    inputSchema: {
      type: "object",
      properties: {
        locations: {
          type: "array",
          title: "Cities",
          description: "Two to six cities.",
          items: { type: "string", enum: cities.map((city) => city.name) },
          minItems: 2,
          maxItems: 6,
          default: ["Oslo", "London", "Cairo", "Mumbai"]
        }
      },
      required: ["locations"],
      additionalProperties: false
    },
    outputSchema: {
      type: "object",
      properties: {
        units: labelsSchema,
        cities: {
          type: "array",
          items: {
            type: "object",
            properties: {
              city: { type: "string" },
              condition: { type: "string", enum: conditions },
              temperature: { type: "number" },
              feelsLike: { type: "number" },
              humidity: { type: "integer", description: "In percent." },
              windSpeed: { type: "number" },
              uvIndex: { type: "integer" }
            },
            required: ["city", "condition", "temperature", "feelsLike", "humidity", "windSpeed", "uvIndex"]
          }
        }
      },
      required: ["units", "cities"]
    },
    annotations: reads
  },
  {
    name: "list_cities",
    title: "Cities",
    description: "The cities that there is weather for, where they are, and their weather now.",
    inputSchema: { type: "object", properties: {}, additionalProperties: false },
    outputSchema: {
      type: "object",
      properties: {
        cities: {
          type: "array",
          items: {
            type: "object",
            properties: {
              name: { type: "string" },
              country: { type: "string" },
              latitude: { type: "number" },
              longitude: { type: "number" },
              condition: { type: "string", enum: conditions },
              temperature: { type: "number" }
            },
            required: ["name", "country", "latitude", "longitude", "condition", "temperature"]
          }
        }
      },
      required: ["cities"]
    },
    annotations: reads
  },
  {
    name: "list_alerts",
    title: "Weather alerts",
    description: "Warnings of the next days, the most severe first.",
    inputSchema: {
      type: "object",
      properties: {
        severity: {
          type: "string",
          title: "Severity",
          enum: severities,
          description: "Only warnings of this severity. Without it, all."
        }
      },
      additionalProperties: false
    },
    outputSchema: {
      type: "object",
      properties: { alerts: { type: "array", items: { type: "object", properties: alertProperties } } },
      required: ["alerts"]
    },
    annotations: reads
  },
  {
    name: "get_alert",
    title: "Weather alert",
    description: "A warning in full, with what to do.",
    inputSchema: {
      type: "object",
      properties: { id: { type: "string", title: "Alert", description: "The id of an alert, as list_alerts has it." } },
      required: ["id"],
      additionalProperties: false
    },
    outputSchema: {
      type: "object",
      properties: { ...alertProperties, advice: { type: "string", description: "In Markdown." } },
      required: ["id", "city", "event", "severity", "from", "until", "headline", "advice"]
    },
    annotations: reads
  },
  {
    name: "get_radar",
    title: "Rain radar",
    description: "A radar picture of the rain around a city: 200 km from side to side, the city in the middle.",
    inputSchema: {
      type: "object",
      properties: { location: locationSchema },
      required: ["location"],
      additionalProperties: false
    },
    outputSchema: {
      type: "object",
      properties: {
        location: { type: "string" },
        observedAt: { type: "string", format: "date-time" },
        coverage: { type: "integer", description: "How much of the picture has rain, in percent." },
        strongest: { type: "string", enum: ["none", "light", "moderate", "heavy"] }
      },
      required: ["location", "observedAt", "coverage", "strongest"]
    },
    annotations: reads
  },
  {
    name: "set_units",
    title: "Set units",
    description: "Sets the units that later answers use.",
    inputSchema: {
      type: "object",
      properties: { units: unitsSchema },
      required: ["units"],
      additionalProperties: false
    },
    outputSchema: {
      type: "object",
      properties: { units: { type: "string", enum: unitsSchema.enum }, changed: { type: "boolean" } },
      required: ["units", "changed"]
    },
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false }
  }
]

let preferredUnits = "metric"

/** A number from 0 up to 1 that depends on nothing but its seed (32-bit FNV-1a, then a mixing step). */
const chance = (...seed) => {
  let hash = 0x811c9dc5
  for (const character of seed.join("/")) hash = Math.imul(hash ^ character.codePointAt(0), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  return ((hash ^ (hash >>> 13)) >>> 0) / 2 ** 32
}

const round = (value, digits) => Number(value.toFixed(digits))
const pick = (list, share) => list[Math.min(list.length - 1, Math.floor(share * list.length))]
const plain = (text) =>
  text
    .normalize("NFD")
    .replaceAll(/\p{Mark}/gu, "")
    .trim()
    .toLowerCase()

const converters = {
  metric: {
    labels: { temperature: "°C", wind: "km/h", precipitation: "mm" },
    temperature: (celsius) => round(celsius, 1),
    speed: (kilometresPerHour) => Math.round(kilometresPerHour),
    precipitation: (millimetres) => round(millimetres, 1)
  },
  imperial: {
    labels: { temperature: "°F", wind: "mph", precipitation: "in" },
    temperature: (celsius) => Math.round((celsius * 9) / 5 + 32),
    speed: (kilometresPerHour) => Math.round(kilometresPerHour * 0.6214),
    precipitation: (millimetres) => round(millimetres / 25.4, 2)
  }
}

const clock = (hours) => {
  const minutes = Math.round(hours * 60)
  return `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`
}

const offsetText = (hours) => `${hours < 0 ? "-" : "+"}${clock(Math.abs(hours))}`
const localNoon = (city) => `${new Date(today).toISOString().slice(0, 10)}T12:00:00${offsetText(city.offset)}`

/** The kind of rain, from the heaviest (0) to the lightest (1). Thunder needs warmth. */
const rainOf = (city, lightness) => {
  if (lightness < 0.2 && city.mean > 15) return "Thunderstorm"
  return lightness < 0.5 ? "Rain" : "Light rain"
}

/** One day of a city in °C, km/h and mm. */
const dayOf = (city, day) => {
  const wetness = Math.min(0.7, city.rain / 2600 + 0.04)
  const draw = chance(city.name, day, "rain")
  const wet = draw < wetness
  const lightness = Math.min(1, draw / wetness)
  const warmth = (chance(city.name, day, "warmth") - 0.5) * 6 - (wet ? 2 : 0)
  return {
    high: city.mean + city.swing / 2 + warmth,
    low: city.mean - city.swing / 2 + warmth * 0.6,
    condition: wet ? rainOf(city, lightness) : pick(conditions.slice(0, 3), chance(city.name, day, "sky")),
    precipitation: wet ? (1.05 - lightness) * 18 : 0,
    precipitationChance: Math.round(wet ? 95 - lightness * 40 : wetness * 60 * (1.2 - draw)),
    windSpeed: city.wind * (0.6 + chance(city.name, day, "wind")),
    windDirection: pick(windDirections, chance(city.name, day, "direction"))
  }
}

/** The weather of a city now, in the units asked for. */
const weatherNow = (city, { temperature, speed }) => {
  const day = dayOf(city, 0)
  const celsius = (day.high * 2 + day.low) / 3
  return {
    condition: day.condition,
    temperature: temperature(celsius),
    feelsLike: temperature(celsius - day.windSpeed / 12),
    humidity: Math.round(38 + day.precipitationChance * 0.5),
    pressure: Math.round(1021 - day.precipitationChance * 0.2),
    uvIndex: Math.max(1, Math.min(11, Math.round(celsius / 3.5 - (day.precipitation > 0 ? 2 : 0)))),
    wind: { speed: speed(day.windSpeed), direction: day.windDirection }
  }
}

const dateOf = (day) => new Date(today + day * dayLength).toISOString().slice(0, 10)

/** What a day has to be like for a warning, and what to do then. */
const warnings = [
  {
    event: "Thunderstorm",
    severity: "severe",
    applies: (day) => day.condition === "Thunderstorm",
    headline: (day) => `Thunderstorms with ${Math.round(day.precipitation)} mm of rain`,
    advice:
      "- Stay indoors, away from windows.\n- Do not shelter under trees.\n- Streets may be under water for a while."
  },
  {
    event: "Heat",
    severity: "moderate",
    applies: (day) => day.high > 33.5,
    headline: (day) => `Up to ${Math.round(day.high)} °C in the shade`,
    advice: "- Drink often.\n- Avoid the sun from **11:00 to 16:00**.\n- Look after people who live alone."
  },
  {
    event: "Strong wind",
    severity: "moderate",
    applies: (day) => day.windSpeed > 32,
    headline: (day) => `Wind of ${Math.round(day.windSpeed)} km/h from ${day.windDirection}`,
    advice: "- Fasten what stands outside.\n- Ferries and bridges may be closed."
  },
  {
    event: "Heavy rain",
    severity: "minor",
    applies: (day) => day.condition === "Rain" && day.precipitation > 11,
    headline: (day) => `${Math.round(day.precipitation)} mm of rain within a day`,
    advice: "- Allow more time for the road.\n- Keep drains free."
  }
]

/** All warnings of five days. */
const alertsOf = (city) =>
  Array.from({ length: 5 }, (_, index) => ({ index, day: dayOf(city, index) })).flatMap(({ index, day }) =>
    warnings
      .filter((warning) => warning.applies(day))
      .map(({ advice, event, headline, severity }) => ({
        id: `${plain(city.name).slice(0, 3)}-${dateOf(index).slice(8)}-${event.toLowerCase().replace(" ", "-")}`,
        city: city.name,
        event,
        severity,
        from: `${dateOf(index)}T08:00:00${offsetText(city.offset)}`,
        until: `${dateOf(index)}T20:00:00${offsetText(city.offset)}`,
        headline: headline(day),
        advice
      }))
  )

const alerts = cities
  .flatMap(alertsOf)
  .toSorted((one, other) => severities.indexOf(other.severity) - severities.indexOf(one.severity))

const withoutAdvice = (alert) => Object.fromEntries(Object.entries(alert).filter(([name]) => name !== "advice"))

const radarSize = 320
/** Ground, rings around the city, the city, and four strengths of rain. */
const radarColors = ["e9eef1", "cfd9df", "1f2933", "a9d3f5", "5aa7e8", "2c6fc9", "6a35b0"]

/** How strong the rain is at a place of the picture, from 0: a few clouds whose places depend on the city alone. */
const rainAt = (clouds, x, y) =>
  clouds.reduce((sum, cloud) => {
    const [dx, dy] = [(x - cloud.x) / cloud.width, (y - cloud.y) / cloud.height]
    return sum + cloud.rain * Math.exp(-(dx * dx + dy * dy))
  }, 0)

/** The picture, as the number of a colour for each point. */
const radarPoints = (city) => {
  const share = Math.min(1, city.rain / 500) * (dayOf(city, 0).precipitation > 0 ? 1 : 0.6)
  const draw = (cloud, what) => chance(city.name, cloud, what)
  const clouds = Array.from({ length: 3 + Math.round(city.rain / 150) }, (_, cloud) => ({
    x: draw(cloud, "x") * radarSize,
    y: draw(cloud, "y") * radarSize,
    width: 12 + draw(cloud, "width") * 42,
    height: 10 + draw(cloud, "height") * 28,
    rain: (0.4 + draw(cloud, "rain")) * share
  }))
  const middle = radarSize / 2
  return Uint8Array.from({ length: radarSize * radarSize }, (_, point) => {
    const [x, y] = [point % radarSize, Math.floor(point / radarSize)]
    const distance = Math.hypot(x - middle, y - middle)
    if (distance < 4) return 2
    // A little noise, so that clouds have an edge like clouds.
    const rain = rainAt(clouds, x, y) + (chance(x >> 1, y >> 1) - 0.5) * 0.06
    const strength = [0.25, 0.5, 0.8, 1.1].filter((step) => rain > step).length
    if (strength > 0) return 2 + strength
    return [40, 80, 120].some((ring) => Math.abs(distance - ring) < 0.7) ? 1 : 0
  })
}

const pngChunk = (type, data) => {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data])
  const numbers = Buffer.alloc(8)
  numbers.writeUInt32BE(data.length)
  numbers.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([numbers.subarray(0, 4), body, numbers.subarray(4)])
}

/** Points as a PNG with a palette. */
const png = (points) => {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(radarSize)
  header.writeUInt32BE(radarSize, 4)
  header.set([8, 3], 8)
  const rows = Array.from({ length: radarSize }, (_, y) => [0, ...points.subarray(y * radarSize, (y + 1) * radarSize)])
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    pngChunk("IHDR", header),
    pngChunk("PLTE", Buffer.from(radarColors.join(""), "hex")),
    pngChunk("IDAT", deflateSync(Buffer.from(rows.flat()))),
    pngChunk("IEND", Buffer.alloc(0))
  ])
}

class ToolFailure extends Error {}

const findCity = (location) => {
  const wanted = plain(location)
  const found = cities.find((city) => plain(city.name) === wanted || plain(`${city.name}, ${city.country}`) === wanted)
  if (found) return found
  throw new ToolFailure(
    `There is no weather for "${location}". The cities are: ${cities.map((city) => city.name).join(", ")}.`
  )
}

const handlers = {
  get_current_weather: ({ location, units = preferredUnits }) => {
    const city = findCity(location)
    const { labels } = converters[units]
    const structuredContent = {
      location: city.name,
      country: city.country,
      observedAt: localNoon(city),
      ...weatherNow(city, converters[units]),
      units: labels
    }
    const { condition, temperature, wind } = structuredContent
    const text = `${city.name}, ${city.country}: ${temperature} ${labels.temperature}, ${condition.toLowerCase()}, wind ${wind.speed} ${labels.wind} from ${wind.direction}.`
    return { content: [{ type: "text", text }], structuredContent }
  },

  get_forecast: ({ location, days = 5 }) => {
    const city = findCity(location)
    const { labels, temperature, speed, precipitation } = converters[preferredUnits]
    const records = Array.from({ length: days }, (_, index) => {
      const day = dayOf(city, index)
      return {
        date: dateOf(index),
        condition: day.condition,
        high: temperature(day.high),
        low: temperature(day.low),
        precipitationChance: day.precipitationChance,
        precipitation: precipitation(day.precipitation),
        wind: { speed: speed(day.windSpeed), direction: day.windDirection },
        sunrise: clock(5.4 + (city.mean - 15) / 40 - index / 60),
        sunset: clock(20.1 - (city.mean - 15) / 40 + index / 60)
      }
    })
    const lines = records.map(
      (day) =>
        `${day.date}  ${day.condition}, ${day.low} to ${day.high} ${labels.temperature}, rain ${day.precipitationChance}%`
    )
    return {
      content: [{ type: "text", text: [`Forecast for ${city.name}, ${city.country}`, ...lines].join("\n") }],
      structuredContent: { location: city.name, country: city.country, units: labels, days: records }
    }
  },

  compare_cities: ({ locations }) => {
    const { labels } = converters[preferredUnits]
    const records = locations.map(findCity).map((city) => {
      const { condition, feelsLike, humidity, temperature, uvIndex, wind } = weatherNow(
        city,
        converters[preferredUnits]
      )
      return { city: city.name, condition, temperature, feelsLike, humidity, windSpeed: wind.speed, uvIndex }
    })
    const lines = records.map(
      (record) => `${record.city}: ${record.temperature} ${labels.temperature}, ${record.condition}`
    )
    return {
      content: [{ type: "text", text: lines.join("\n") }],
      structuredContent: { units: labels, cities: records }
    }
  },

  list_cities: () => {
    const records = cities.map((city) => {
      const { condition, temperature } = weatherNow(city, converters[preferredUnits])
      return {
        name: city.name,
        country: city.country,
        latitude: city.at[0],
        longitude: city.at[1],
        condition,
        temperature
      }
    })
    const text = records.map(({ country, name }) => `${name}, ${country}`).join("\n")
    return { content: [{ type: "text", text }], structuredContent: { cities: records } }
  },

  list_alerts: ({ severity }) => {
    const found = alerts.filter((alert) => severity === undefined || alert.severity === severity)
    const text = found
      .map(({ city, from, headline, id }) => `${id}  ${city}, ${from.slice(0, 10)}: ${headline}`)
      .join("\n")
    return {
      content: [{ type: "text", text: text || "There are no warnings." }],
      structuredContent: { alerts: found.map(withoutAdvice) }
    }
  },

  get_alert: ({ id }) => {
    const alert = alerts.find((alert) => alert.id === id)
    if (!alert) throw new ToolFailure(`There is no alert "${id}"; list_alerts has those that there are.`)
    const text = `${alert.event} in ${alert.city}, ${alert.from} to ${alert.until}: ${alert.headline}.\n\n${alert.advice}`
    return { content: [{ type: "text", text }], structuredContent: alert }
  },

  get_radar: ({ location }) => {
    const city = findCity(location)
    const points = radarPoints(city)
    const wet = points.filter((color) => color > 2)
    const strongest = ["none", "light", "moderate", "heavy", "heavy"][Math.max(2, ...wet) - 2]
    const coverage = Math.round((wet.length / points.length) * 100)
    return {
      content: [
        {
          type: "text",
          text: `Radar of ${city.name}: rain on ${coverage}% of the picture, the strongest ${strongest}.`
        },
        { type: "image", data: png(points).toString("base64"), mimeType: "image/png" }
      ],
      structuredContent: { location: city.name, observedAt: localNoon(city), coverage, strongest }
    }
  },

  set_units: ({ units }) => {
    const changed = units !== preferredUnits
    preferredUnits = units
    const text = changed ? `Units are now ${units}.` : `Units were ${units} already.`
    return { content: [{ type: "text", text }], structuredContent: { units, changed } }
  }
}

const typeOf = (value) => (value === null ? "null" : Array.isArray(value) ? "array" : typeof value)

/** What is wrong with a value, for the few keywords that the schemas above use. */
const problemsOf = (name, value, schema) => {
  if (schema.type === "integer" && !Number.isInteger(value)) {
    return [`"${name}" must be a whole number, not ${JSON.stringify(value)}`]
  }
  if (schema.type === "string" && typeof value !== "string") return [`"${name}" must be a string, not ${typeOf(value)}`]
  if (schema.type === "array") {
    if (!Array.isArray(value)) return [`"${name}" must be a list, not ${typeOf(value)}`]
    if (schema.minItems > value.length || schema.maxItems < value.length) {
      return [`"${name}" must have ${schema.minItems} to ${schema.maxItems} items, not ${value.length}`]
    }
    return value.flatMap((item, index) => problemsOf(`${name}[${index}]`, item, schema.items))
  }
  if (schema.enum && !schema.enum.includes(value)) return [`"${name}" must be one of ${schema.enum.join(", ")}`]
  if (schema.minimum > value || schema.maximum < value) {
    return [`"${name}" must be from ${schema.minimum} to ${schema.maximum}, not ${value}`]
  }
  if (schema.minLength > value.length || schema.maxLength < value.length) {
    return [`"${name}" must have ${schema.minLength} to ${schema.maxLength} characters`]
  }
  return []
}

const problemsOfArguments = (values, { properties, required = [] }) => {
  if (typeOf(values) !== "object") return [`the arguments must be an object, not ${typeOf(values)}`]
  return [
    ...required.filter((name) => !Object.hasOwn(values, name)).map((name) => `"${name}" is required`),
    ...Object.entries(values).flatMap(([name, value]) =>
      Object.hasOwn(properties, name)
        ? problemsOf(name, value, properties[name])
        : [`"${name}" is not known; there are ${Object.keys(properties).join(", ")}`]
    )
  ]
}

class RpcFailure extends Error {
  constructor(code, message, data) {
    super(message)
    this.code = code
    this.data = data
  }
}

const failedCall = (message) => ({ content: [{ type: "text", text: message }], isError: true })

const callTool = ({ name, arguments: values = {} }) => {
  const tool = tools.find((tool) => tool.name === name)
  if (!tool) throw new RpcFailure(-32602, `Unknown tool: ${name}`)
  const problems = problemsOfArguments(values, tool.inputSchema)
  if (problems.length > 0) return failedCall(`${tool.name} was not run: ${problems.join("; ")}.`)
  try {
    return handlers[tool.name](values)
  } catch (error) {
    if (error instanceof ToolFailure) return failedCall(error.message)
    throw error
  }
}

const capabilities = { tools: {} }

const legacyMethods = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion: legacyVersions.includes(protocolVersion) ? protocolVersion : legacyVersions[0],
    capabilities,
    serverInfo,
    instructions
  }),
  ping: () => ({}),
  "tools/list": () => ({ tools }),
  "tools/call": callTool
}

const modernMethods = {
  "server/discover": () => ({ supportedVersions: modernVersions, capabilities, instructions, ...listLifetime }),
  "tools/list": () => ({ tools, ...listLifetime }),
  "tools/call": callTool
}

const methodIn = (methods, name) => {
  if (!Object.hasOwn(methods, name)) throw new RpcFailure(-32601, `Method not found: ${name}`)
  return methods[name]
}

/** A request of the modern era names its version in its own `_meta`; any other belongs to the legacy era. */
const answer = ({ method, params = {} }) => {
  const version = params._meta?.["io.modelcontextprotocol/protocolVersion"]
  if (version === undefined) return methodIn(legacyMethods, method)(params)
  if (!modernVersions.includes(version)) {
    throw new RpcFailure(-32022, `Unsupported protocol version: ${version}`, {
      supported: modernVersions,
      requested: version
    })
  }
  return {
    resultType: "complete",
    ...methodIn(modernMethods, method)(params),
    _meta: { "io.modelcontextprotocol/serverInfo": serverInfo }
  }
}

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)

const sendFailure = (id, error) => {
  const known = error instanceof RpcFailure
  const code = known ? error.code : -32603
  const message = known ? error.message : "Internal error"
  if (!known) console.error(error)
  send({ id, error: { code, message, ...(known && error.data !== undefined && { data: error.data }) } })
}

const receive = (line) => {
  if (line.trim() === "") return
  let message
  try {
    message = JSON.parse(line)
  } catch {
    return sendFailure(null, new RpcFailure(-32700, "Parse error: the line is not JSON"))
  }
  const isRequest =
    typeof message?.method === "string" && (message.params === undefined || typeOf(message.params) === "object")
  if (!isRequest) {
    const isAnswer =
      typeOf(message) === "object" && (Object.hasOwn(message, "result") || Object.hasOwn(message, "error"))
    if (!isAnswer) sendFailure(message?.id ?? null, new RpcFailure(-32600, "Invalid request"))
    return
  }
  if (message.id === undefined) return
  try {
    send({ id: message.id, result: answer(message) })
  } catch (error) {
    sendFailure(message.id, error)
  }
}

let rest = ""
process.stdin.setEncoding("utf8")
process.stdin.on("data", (chunk) => {
  const lines = (rest + chunk).split("\n")
  rest = lines.pop()
  for (const line of lines) receive(line)
})
process.stdin.on("end", () => receive(rest))
process.stdout.on("error", () => process.exit(0))
