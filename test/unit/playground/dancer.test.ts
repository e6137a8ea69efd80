// The gallery's dancer: a figure and its clips.
import { afterEach, expect, test } from "@jest/globals";
import { dancerClipNames } from "../../../playground/parts/dancerClips";
import { makeDancer } from "../../../playground/parts/makeDancer";
import { disposeWorlds, makeWorld, worldVertices } from "../babylon/harness";
import { countCuts } from "./dancerWorld";

afterEach(disposeWorlds);

test("has a closed body on humanoid bones, whose soles are on the ground in every clip, and which no change of clips moves by a jump", () => {
    const { scene } = makeWorld();
    const { body, skeleton, joints, play, advance, motion } = makeDancer(scene, 0.03);
    for (const name of ["Hips", "Spine2", "Head", "LeftUpLeg", "RightToeBase", "LeftForeArm", "RightHand"])
        expect(skeleton.bones.map((bone) => bone.name)).toContain(name);
    const corners = Array.from(body.getIndices()!);
    const directed = new Map<string, number>();
    corners.forEach((a, i) => {
        const b = corners[i % 3 === 2 ? i - 2 : i + 1];
        directed.set(`${a},${b}`, (directed.get(`${a},${b}`) ?? 0) + 1);
    });
    // Closed: each edge is there as often in one direction as in the other.
    for (const [edge, count] of directed) expect([edge, directed.get(edge.split(",").reverse().join())]).toEqual([edge, count]);
    const weights = body.getVerticesData("matricesWeights")!;
    for (let i = 0; i < weights.length; i += 4)
        expect(weights[i] + weights[i + 1] + weights[i + 2] + weights[i + 3]).toBeCloseTo(1, 5);

    const hand = joints.LeftHand;
    for (const clip of dancerClipNames) {
        play(clip);
        for (let frame = 0; frame < 100; frame++) {
            hand.computeWorldMatrix(true);
            const before = hand.getAbsolutePosition().clone();
            advance(1 / 60);
            for (const bone of skeleton.bones) bone.getTransformNode()!.computeWorldMatrix(true);
            expect(hand.getAbsolutePosition().subtract(before).length() * 60).toBeLessThan(9);
            if (frame % 25 > 0) continue;
            skeleton.prepare(true);
            const heights = body.getPositionData(true, true)!.filter((_, i) => i % 3 === 1);
            // The surface is of 3 cm, and toes bend.
            expect(Math.abs(Math.min(...heights) - motion.lift)).toBeLessThan(0.03);
        }
    }
    expect(worldVertices(body).every(Number.isFinite)).toBe(true);
});

test("cuts of edges through triangles: through the middle, beside it, and short of it", () => {
    const triangle = new Float32Array([0, 0, 0, 0.1, 0, 0, 0, 0.1, 0]);
    const edges = Uint32Array.of(0, 1);
    const cuts = (x: number, y: number, to: number): number =>
        countCuts(new Float32Array([x, y, -0.02, x, y, to]), edges, triangle, [0, 1, 2]);
    expect(cuts(0.03, 0.03, 0.02)).toBe(1);
    expect(cuts(0.08, 0.08, 0.02)).toBe(0);
    expect(cuts(0.03, 0.03, -0.01)).toBe(0);
});
