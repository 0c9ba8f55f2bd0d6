import "./zodWithoutEval.ts"
import "./host.css"
import { Workbench } from "./Workbench.ts"

new Workbench().start()
