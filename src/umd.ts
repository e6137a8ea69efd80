/** Entry for script tags: the barrel with files and all lazily loaded modules. */
import "./files";
import "./engine/world/allModules";
import * as warmStart from "./babylon/scene/warmStart";
import { warmStartModule } from "./babylon/scene/warmStart.lazy";

warmStartModule.set(warmStart);

export * from "./index";
