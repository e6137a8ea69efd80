// A scene takes its cloths through a frame in groups, unless users hear of steps: what they do there then comes between.
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { ClothBehavior, select, Wind } from "../../../src/index";
import { disposeWorlds, FRAME, listen, makeSquare, makeWorld, told } from "./harness";
import type { World } from "./harness";

/** More than a few groups, each of a few cloths. */
const CLOTHS = 12;

beforeEach(() => listen("warn"));

afterEach(() => {
    disposeWorlds();
    jest.restoreAllMocks();
});

/** Cloths of 361 particles beside each other, each pinned to a hand. */
function makeCloths({ scene }: World): { cloths: ClothBehavior[]; hands: TransformNode[] } {
    const wind = new Wind({ velocity: new Vector3(2, 0, 1) });
    const hands: TransformNode[] = [];
    const cloths = Array.from({ length: CLOTHS }, (_, i) => {
        const hand = new TransformNode(`hand ${i}`, scene);
        const mesh = makeSquare(scene, 18, `cloth ${i}`);
        mesh.position.x = 2 * i;
        const cloth = new ClothBehavior({ wind, pins: [{ select: select.edge("-x"), target: hand }] });
        mesh.addBehavior(cloth);
        hands.push(hand);
        return cloth;
    });
    return { cloths, hands };
}

const positionsOf = (cloths: readonly ClothBehavior[]): Float32Array[] => cloths.map((cloth) => cloth.getParticlePositions());
const drawn = ({ attachedNode }: ClothBehavior): Float32Array => Float32Array.from(attachedNode!.getVerticesData("position")!);

/** Frames of uneven length, with 0 to 3 steps, while the hands move. */
function play(world: World, hands: readonly TransformNode[]): void {
    for (let f = 0; f < 60; f++) {
        for (const hand of hands) hand.position.y = 0.1 * Math.sin(f / 10);
        world.frame(FRAME * [1, 0.4, 2.7][f % 3]);
    }
}

describe("groups of cloths", () => {
    test("go as all cloths at once, to the bit, and are drawn as they are", () => {
        const [grouped, heard] = [makeWorld(), makeWorld()];
        const [a, b] = [makeCloths(grouped), makeCloths(heard)];
        b.cloths[5].onAfterStepObservable.add(() => {});
        play(grouped, a.hands);
        play(heard, b.hands);
        expect(positionsOf(a.cloths)).toEqual(positionsOf(b.cloths));
        expect(a.cloths.map(drawn)).toEqual(b.cloths.map(drawn));
    });

    test("what is moved within a step counts in the next frame for every cloth, the first and the last", () => {
        const [moved, still] = [makeWorld(), makeWorld()];
        const [a, b] = [makeCloths(moved), makeCloths(still)];
        for (const world of [moved, still]) world.frame(FRAME, 3);
        a.cloths[5].onAfterStepObservable.addOnce(() => {
            for (const hand of a.hands) hand.position.y = 0.2;
        });
        for (const world of [moved, still]) world.frame();
        expect(positionsOf(a.cloths)).toEqual(positionsOf(b.cloths));
        for (const world of [moved, still]) world.frame();
        for (let i = 0; i < CLOTHS; i++) {
            expect(a.cloths[i].getParticlePositions()).not.toEqual(b.cloths[i].getParticlePositions());
        }
    });

    test("a mesh edited within another cloth's step is not drawn over", () => {
        const world = makeWorld();
        const { cloths } = makeCloths(world);
        const { attachedNode: mesh } = cloths[0];
        world.frame();
        cloths[CLOTHS - 1].onAfterStepObservable.addOnce(() => void mesh!.removeVerticesData("position"));
        world.frame();
        expect(told("warn").join()).toContain(`the cloth on "cloth 0" ends`);
    });

    test("are paused from within a step before they are drawn", () => {
        const world = makeWorld();
        const { cloths } = makeCloths(world);
        world.frame(FRAME, 5);
        const before = drawn(cloths[0]);
        cloths[CLOTHS - 1].onBeforeStepObservable.addOnce(() => (cloths[0].enabled = false));
        world.frame();
        expect(drawn(cloths[0])).toEqual(before);
    });

    test("an error of one leaves none undrawn, whatever its group", () => {
        const world = makeWorld();
        const { cloths, hands } = makeCloths(world);
        world.frame(FRAME, 3);
        const before = cloths.map(drawn);
        cloths[1].wind = new Wind({ velocity: { x: 1, y: 0, z: 0 } });
        Object.defineProperty(cloths[1].wind, "velocity", {
            get: () => {
                throw new Error("no air");
            },
        });
        for (const hand of hands) hand.position.y = 0.1;
        expect(() => world.frame()).toThrow("no air");
        cloths.forEach((cloth, i) => {
            if (i !== 1) expect(drawn(cloth)).not.toEqual(before[i]);
        });
    });
});
