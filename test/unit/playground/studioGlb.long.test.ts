// What the studio exports as .glb moves the same, to the bit, when the loader extension loads it. From the page itself: test/browser/studio.test.ts.
import { NullEngine } from "@babylonjs/core/Engines/nullEngine";
import { Logger } from "@babylonjs/core/Misc/logger";
import { expect, test } from "@jest/globals";
import { newDocument } from "../../../playground/studio/document";
import { toGlb } from "../../../playground/studio/exportFiles";
import { kinds } from "../../../playground/studio/kinds";
import type { KindName } from "../../../playground/studio/kinds";
import { driftOf } from "./fromGlb";

Logger.LogLevels = Logger.ErrorLogLevel;

/** The net has a texture of its own, which Node does not write. */
const written = (Object.keys(kinds) as KindName[]).filter((kind) => kind !== "net");

test.each(written)("%s", async (kind) => {
    const fresh = newDocument(kind);
    // No textures, which Node does not write.
    const document = { ...fresh, a: { ...fresh.a, look: null } };
    const engine = new NullEngine();
    const glb = new Uint8Array(await (await toGlb(document, document.a, engine)).arrayBuffer());
    engine.dispose();
    expect(await driftOf(document, glb, 120)).toBe(0);
});
