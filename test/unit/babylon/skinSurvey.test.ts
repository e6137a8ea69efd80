// A survey of characters at random: shapes, poses, frame times, scales, handedness, options. Nothing is NaN, pins are on the skin, limits hold.
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { ClothBehavior } from "../../../src/index";
import { seededRandom } from "../../random";
import { disposeWorlds, listen, makeWorld, told, worldVertices } from "./harness";
import { farthest, makeSleeve, poseAtRandom, skinnedVertices } from "./skins";

beforeEach(() => listen("warn"));
afterEach(disposeWorlds);

const SEEDS = Array.from({ length: 24 }, (_, seed) => seed + 1);

test.each(SEEDS)("character %i", (seed) => {
    const random = seededRandom(seed);
    const pick = <T>(...of: T[]): T => of[Math.floor(random() * of.length)];
    const world = makeWorld({ rightHanded: pick(true, false) });
    const columns = pick(7, 12, 16);
    const rows = pick(6, 13, 20);
    const influences = pick<4 | 8>(4, 8);
    const sleeve = makeSleeve(world.scene, {
        columns,
        rows,
        influences,
        boneCount: influences === 8 ? 8 : pick(2, 5),
        isUneven: pick(true, false),
        isMorphed: pick(true, false),
    });
    const copy = sleeve.mesh.clone("copy");
    const size = pick(0.5, 1, 3);
    const root = new TransformNode("root", world.scene);
    root.scaling.copyFrom(pick(Vector3.One(), new Vector3(1, 1, -1), new Vector3(-1, 1, 1), new Vector3(-1, -1, -1)).scale(size));
    root.rotation.set(6 * random(), 6 * random(), 6 * random());
    root.position.set(40 * random(), 40 * random(), 40 * random());
    sleeve.mesh.parent = copy.parent = root;
    const count = columns * (rows + 1);
    const skinRows = Math.ceil(rows * random());
    const reach = 0.3 * random();
    const maxDistance = Float32Array.from({ length: count }, (_, v) =>
        Math.floor(v / columns) < skinRows ? 0 : reach * (0.2 + random()),
    );
    const cloth = new ClothBehavior({
        maxDistance,
        backstop: pick(null, { distance: 0.02 }, { distance: 0, radius: 0.5 }),
        skinStiffness: pick(0, 0, 50),
        substepCount: pick(1, 2, 4),
        selfCollision: pick<false | "particles">(false, false, "particles"),
        inertia: pick(null, null, { linear: 0.2 }),
    });
    sleeve.mesh.addBehavior(cloth);
    const pinned = Array.from({ length: skinRows * columns }, (_, v) => v);
    const rate = pick(30, 45, 59.94, 60, 72, 90, 120, 144);
    let steps = 0;
    cloth.onAfterStepObservable.add(() => steps++);
    for (let f = 0; f < 90; f++) {
        if (f % 3 === 0) poseAtRandom(sleeve, random, pick(0.02, 0.1, 0.4));
        if (f % 40 === 39) root.position.x += pick(0, 0.2, 60);
        root.rotation.y += 0.02;
        world.frame((1000 / rate) * (0.6 + 0.8 * random()));
        const [drawn, skin] = [worldVertices(sleeve.mesh), skinnedVertices(copy)];
        expect(drawn.every(Number.isFinite)).toBe(true);
        if (pinned.length > 0) expect(farthest(drawn, skin, pinned)).toBeLessThan(1e-4 * Math.max(1, size));
        // What a jump has carried along is within its limits from the next step on, and drawn between two steps.
        if (f % 3 === 0) steps = 0;
        for (let v = 0; v < count && steps > 1; v++) expect(farthest(drawn, skin, [v])).toBeLessThan(maxDistance[v] + 0.02);
    }
    // Coarse sleeves, and sleeves that are skin all over, are told of.
    expect(told("warn").filter((line) => !/cannot fold|everything|pinned/.test(line))).toEqual([]);
});
