import "./zodWithoutEval.ts"
import "./host.css"
import { adoptFormStyles } from "./formStyles.ts"
import { Workbench } from "./Workbench.ts"

adoptFormStyles()
new Workbench().start()
