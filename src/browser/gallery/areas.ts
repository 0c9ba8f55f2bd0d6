import { actions } from "./cases/actions.ts"
import { charts } from "./cases/charts.ts"
import { forms } from "./cases/forms.ts"
import { layout } from "./cases/layout.ts"
import { records } from "./cases/records.ts"
import { results } from "./cases/results.ts"
import { shows } from "./cases/shows.ts"
import { subjects } from "./cases/subjects.ts"
import { states } from "./cases/states.ts"
import { tables } from "./cases/tables.ts"
import { texts } from "./cases/texts.ts"
import { values } from "./cases/values.ts"
import type { GalleryArea } from "./GalleryCase.ts"

/** Everything that the gallery shows: the views as a whole first, then the parts. */
export const areas: ReadonlyArray<GalleryArea> = [
  { id: "view", title: "Built-in view", cases: states },
  { id: "form", title: "Forms", cases: forms },
  { id: "result", title: "Results", cases: results },
  { id: "show", title: "Generated views", cases: shows },
  { id: "table", title: "Tables", cases: tables },
  { id: "chart", title: "Charts", cases: charts },
  { id: "record", title: "Records", cases: records },
  { id: "subject", title: "Subjects", cases: subjects },
  { id: "text", title: "Text and media", cases: texts },
  { id: "layout", title: "Layout", cases: layout },
  { id: "action", title: "Buttons and choices", cases: actions },
  { id: "value", title: "Values", cases: values }
]
