/** Entry for script tags: the barrel with files and all lazily loaded modules. */
import "./files";
import "./engine/world/allModules";
import "./babylon/skin/allModules";

export * from "./index";
