/** For files that have all in them, as engine/world/allModules.ts. */
import * as rare from "../scene/rare";
import { rareModule } from "../scene/rare.lazy";
import { skinModule } from "./skin.lazy";
import * as skin from "./skinFollower";

skinModule.set(skin);
rareModule.set(rare);
