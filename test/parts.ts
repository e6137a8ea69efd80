// Tests, surveys and benchmarks have all parts from the start.
import "../src/engine/world/allModules";
import "../src/babylon/skin/allModules";
