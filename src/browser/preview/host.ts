import "./zodWithoutEval.ts"
import "./host.css"
import { Workbench } from "./Workbench.ts"

void new Workbench().connect()
