/** For files that have all in them, as engine/world/allModules.ts. */
import { skinModule } from "./skin.lazy";
import * as skin from "./skinFollower";

skinModule.set(skin);
