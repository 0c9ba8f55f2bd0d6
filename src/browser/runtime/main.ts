import * as parts from "../parts/index.ts"
import { startPage } from "./startPage.ts"

startPage(parts)
