import { afterAll } from "vitest"
import { endFile } from "./browser.ts"

afterAll(endFile)
