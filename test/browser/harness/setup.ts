import { afterAll } from "vitest"
import { disconnect } from "./browser.ts"

afterAll(disconnect)
