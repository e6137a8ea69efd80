// Lets plain Node run the TypeScript of this project: node --import ./.ci/ts.mjs file.ts
// Registers the module hooks of tsHooks.mjs. They work only while modules load; the running code is ordinary
// ES2022 without any instrumentation, so it is fit for benchmarks.
import { register } from "node:module";

register("./tsHooks.mjs", import.meta.url);
