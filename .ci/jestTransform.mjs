// Jest transform: TypeScript by swc. Test code runs in a vm context, where every look-up of a global costs some 100 ns; the
// kernels look up Math in their hot loops. A constant of each module's own in its place makes them as fast as in plain Node.
import { createTransformer } from "@swc/jest";

const swc = createTransformer();
const prelude = "const Math = globalThis.Math;";

/** Puts the prelude before the first line, so that line numbers stay. */
function withPrelude(result) {
    return { ...result, code: prelude + result.code };
}

export default {
    ...swc,
    process: (...args) => withPrelude(swc.process(...args)),
    processAsync: async (...args) => withPrelude(await swc.processAsync(...args)),
};
