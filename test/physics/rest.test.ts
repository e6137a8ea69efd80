/** Cloth that has come down on something rests there: within 5 s nothing of it is faster than 1 mm/s, and stays so. */
import { describe, expect, test } from "@jest/globals";
import { Uniform } from "../../src/kernels/layout";
import type { Body, ColliderShape, Vector } from "../../src/engine/index";
import { colliderShapes } from "../../src/engine/collision/shapes/registry";
import { Fabrics } from "../../src/engine/index";
import { grid, lying } from "./meshes";
import { makeCloth, measure, pose, runSeconds } from "./support";
import { torus } from "./triangleMeshes";

interface Lying {
    shape: ColliderShape;
    half: Vector;
    /** About z [rad]. */
    angle?: number;
    form?: ArrayLike<number>;
}

const SOLIDS: Record<string, Lying> = {
    "a ball": { shape: "sphere", half: [0.3, 0.3, 0.3] },
    "a cube": { shape: "box", half: [0.2, 0.2, 0.2] },
    "a capsule": { shape: "capsule", half: [0.1, 0.4, 0.1], angle: Math.PI / 2, form: [1, 1] },
    "the edge of a box": { shape: "box", half: [0.2, 0.2, 0.2], angle: Math.PI / 4 },
    "a torus of triangles": { shape: "mesh", half: [0.5, 0.15, 0.5], form: torus(48, 24) },
};

describe("cloth at rest", () => {
    test.each([
        [4, 0.003, 1e-4],
        [2, 0.006, 1e-4],
    ])("a small flag hung by its side comes to rest, at %d substeps, of quads of %f m", (substepCount, edge, bendStiffness) => {
        const flag = grid(24, 16, (u, v) => [u * 24 * edge, -v * 16 * edge, 0]);
        const pinned = Array.from({ length: 17 }, (_, row) => row * 25);
        const cloth = makeCloth(flag, { fabric: { ...Fabrics.cotton, bendStiffness }, pinned, substepCount });
        runSeconds(cloth, 18);
        const { kinetic, mass } = measure(cloth);
        // What is crumpled beside the pins shook it at 0.3 m/s.
        expect(Math.sqrt((2 * kinetic) / mass)).toBeLessThan(0.02);
    });

    /** A sheet of a square metre that is dropped from 2 cm, a little beside the middle. */
    function drop({ shape, half, angle = 0, form = [] }: Lying, quads: number, sleepSpeed: number): Body {
        const top = angle % (Math.PI / 2) === 0 ? half[1] : Math.SQRT2 * half[1];
        const fabric = { ...Fabrics.cotton, damping: 2 };
        const cloth = makeCloth(grid(quads, quads, lying(1, 1, top + 0.02)), { fabric, sleepSpeed });
        const solid = colliderShapes[shape](cloth.kernels, cloth.state.particleCount, form, null);
        solid.setPose(pose([0.013, 0, 0.021], half, angle));
        cloth.addCollider(solid);
        return cloth;
    }

    test.each(Object.keys(SOLIDS))("on %s", (name) => {
        const cloth = drop(SOLIDS[name], 8, 1e-3);
        // On the capsule it creeps by 5 mm/s, and slips once, before that.
        runSeconds(cloth, 12);
        expect([name, cloth.isAsleep]).toEqual([name, true]);
        const { positions } = cloth.state;
        const before = positions.slice();
        runSeconds(cloth, 5);
        expect(positions).toEqual(before);
    });

    test.each(["a ball", "a cube", "the edge of a box"])(
        "on %s, where it may not sleep, triangles neither shake nor creep",
        (name) => {
            const cloth = drop(SOLIDS[name], 8, 0);
            runSeconds(cloth, 9);
            let fastest = 0;
            runSeconds(cloth, 1, () => (fastest = Math.max(fastest, cloth.state.uniforms[Uniform.motion] * 60)));
            expect(fastest).toBeLessThan(6e-3);
            expect(cloth.contacts!.faces).not.toBeNull();
        },
    );
});
