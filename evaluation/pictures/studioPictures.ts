export interface StudioPicture {
  /** Its path in the repository. */
  readonly file: string
  /** The words after `preview` that name the server. */
  readonly server: ReadonlyArray<string>
  /** Whether a model writes the page; else it is the built-in one. */
  readonly isWritten: boolean
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
  readonly theme: "light" | "dark"
  /** The whole window of the studio, or the view alone. */
  readonly shows: "studio" | "view"
  /** Of the window, or of the view; the studio offers views of 320, 480 and 768 pixels, any other width fills its window. */
  readonly width: number
  /** Of the window, or of the top of the view that is shown. */
  readonly height: number
  /** As this host shows it; as the studio unless set. */
  readonly host?: "chatgpt"
  /** A tab to press first. */
  readonly tab?: string
  /** Stands in the line below the view. */
  readonly typed?: string
}

const weather = ["--", "node", "examples/weather-server.mjs"]
const view = { server: weather, isWritten: false, theme: "light", shows: "view", width: 480, height: 900 } as const

/** Pictures of README.md and docs that the studio shows around the example servers. */
export const studioPictures: ReadonlyArray<StudioPicture> = [
  {
    file: "docs/preview.png",
    server: weather,
    isWritten: true,
    tool: "get_forecast",
    args: { location: "London", days: 6 },
    theme: "light",
    shows: "studio",
    width: 1280,
    height: 860,
    typed: "show the rain as bars"
  },
  { ...view, file: "docs/pictures/weather-cities.png", tool: "list_cities", args: {} },
  { ...view, file: "docs/pictures/weather-radar.png", tool: "get_radar", args: { location: "Mumbai" } },
  {
    ...view,
    file: "docs/pictures/weather-compare.png",
    tool: "compare_cities",
    args: { locations: ["Oslo", "London", "Cairo", "Mumbai"] },
    theme: "dark",
    tab: "Chart"
  },
  {
    ...view,
    file: "docs/pictures/weather-alerts.png",
    tool: "list_alerts",
    args: {},
    theme: "dark",
    height: 631
  },
  {
    ...view,
    file: "docs/pictures/design-ruler.png",
    isWritten: true,
    tool: "get_current_weather",
    args: { location: "Reykjavík" },
    host: "chatgpt",
    height: 440
  },
  {
    ...view,
    file: "docs/pictures/design-graph.png",
    isWritten: true,
    tool: "list_alerts",
    args: {},
    theme: "dark",
    host: "chatgpt",
    width: 768,
    height: 560
  },
  {
    file: "docs/pictures/dashboard.png",
    server: [
      "--config",
      "examples/database-server/dashboard.json",
      "--",
      "node",
      "examples/database-server/main.ts",
      "SHOP"
    ],
    isWritten: false,
    tool: "_ui_dashboard_shop",
    args: {},
    theme: "light",
    host: "chatgpt",
    shows: "view",
    width: 1000,
    height: 1500
  }
]
