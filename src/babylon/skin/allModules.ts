/** For files that have all in them, as engine/world/allModules.ts. */
import * as parts from "../mesh/clothParts";
import { partsModule } from "../mesh/parts.lazy";
import { skinModule } from "./skin.lazy";
import * as skin from "./skinFollower";

skinModule.set(skin);
partsModule.set(parts);
