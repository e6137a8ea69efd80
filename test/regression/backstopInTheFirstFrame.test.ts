// With a backstop, what a character did in the first frame was lost: pinned vertices were drawn where it had been, up to 17 cm off the skin.
import { afterEach, expect, test } from "@jest/globals";
import { ClothBehavior } from "../../src/index";
import { seededRandom } from "../random";
import { disposeWorlds, makeWorld, worldVertices } from "../unit/babylon/harness";
import { farthest, makeSleeve, poseAtRandom, skinnedVertices } from "../unit/babylon/skins";

afterEach(disposeWorlds);

test("pinned vertices are on the skin from the first frame on", () => {
    const { scene, frame } = makeWorld();
    const sleeve = makeSleeve(scene);
    const copy = sleeve.mesh.clone("copy");
    const maxDistance = Float32Array.from({ length: 252 }, (_, v) => (v < 120 ? 0 : 0.2));
    sleeve.mesh.addBehavior(new ClothBehavior({ maxDistance, backstop: { distance: 0.01 } }));
    const pinned = Array.from({ length: 120 }, (_, v) => v);
    poseAtRandom(sleeve, seededRandom(3), 0.2);
    frame(1000 / 144);
    expect(farthest(worldVertices(sleeve.mesh), skinnedVertices(copy), pinned)).toBeLessThan(1e-4);
});
