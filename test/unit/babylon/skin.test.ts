// Cloth that follows its skeleton and morph targets: pins on the skin.
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { ClothBehavior } from "../../../src/index";
import type { ClothOptions } from "../../../src/index";
import { seededRandom } from "../../random";
import { disposeWorlds, listen, makeWorld, told, worldVertices } from "./harness";
import type { World } from "./harness";
import { farthest, makeSleeve, poseAtRandom, skinnedVertices } from "./skins";
import type { Sleeve, SleeveOptions } from "./skins";

beforeEach(() => listen("warn"));
afterEach(() => {
    disposeWorlds();
    jest.restoreAllMocks();
});

/** Vertices of the upper part of a sleeve. */
const upper = (rows: number, columns = 12): number[] => Array.from({ length: rows * columns }, (_, v) => v);

interface Worn extends World {
    sleeve: Sleeve;
    copy: Sleeve["mesh"];
    cloth: ClothBehavior;
    random: () => number;
}

/** A sleeve as cloth, and a copy of it that Babylon skins. */
function wear(options: ClothOptions, shape: SleeveOptions = {}, rightHanded = false): Worn {
    const world = makeWorld({ rightHanded });
    const sleeve = makeSleeve(world.scene, shape);
    const copy = sleeve.mesh.clone("copy");
    const parent = new TransformNode("parent", world.scene);
    sleeve.mesh.parent = copy.parent = parent;
    const cloth = new ClothBehavior(options);
    sleeve.mesh.addBehavior(cloth);
    return { ...world, sleeve, copy, cloth, random: seededRandom(7) };
}

describe("pins on the skin", () => {
    const shapes: [string, SleeveOptions][] = [
        ["4 influences", {}],
        ["8 influences", { influences: 8, boneCount: 8 }],
        ["weights whose sum is not 1", { isUneven: true }],
        ["morph targets", { isMorphed: true }],
    ];
    const frames = [1000 / 30, 1000 / 59.94, 1000 / 60, 1000 / 72, 1000 / 144];

    test.each(shapes)("are drawn where Babylon draws them, in 60 poses, at any frame rate: %s", (_, shape) => {
        const pinned = upper(15);
        const { sleeve, copy, random, frame } = wear({ pins: [{ select: pinned }] }, shape);
        for (let pose = 0; pose < 60; pose++) {
            poseAtRandom(sleeve, random, 0.4);
            frame(pose % 20 === 19 ? 150 : frames[pose % frames.length] * (0.7 + 0.6 * random()));
            expect(farthest(worldVertices(sleeve.mesh), skinnedVertices(copy), pinned)).toBeLessThan(1e-4);
        }
        expect(told("warn")).toEqual([]);
    });

    test.each([
        ["moved and turned", [1, 1, 1], false],
        ["mirrored, with __root__'s turn", [1, 1, -1], false],
        ["scaled, right-handed", [2, 2, 2], true],
        ["mirrored twice, uneven", [-0.5, 1, -1.5], false],
    ] as const)("under a parent that is %s", (_, scale, rightHanded) => {
        const pinned = upper(15);
        const { sleeve, copy, random, frame } = wear({ pins: [{ select: pinned }] }, {}, rightHanded);
        const parent = sleeve.mesh.parent as TransformNode;
        parent.scaling.fromArray(scale as unknown as number[]);
        parent.rotation.set(0.3, Math.PI, 0);
        frame();
        for (let pose = 0; pose < 30; pose++) {
            poseAtRandom(sleeve, random, 0.4);
            parent.position.x += 0.05;
            parent.rotation.y += 0.05;
            frame();
            expect(farthest(worldVertices(sleeve.mesh), skinnedVertices(copy), pinned)).toBeLessThan(1e-4);
        }
    });
});
