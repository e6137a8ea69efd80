/** The links of ropes, not their particles alone, keep off drums, hulls and meshes: few long links hang on what is thinner than they are long. */
import { describe, expect, test } from "@jest/globals";
import type { Body, Vector } from "../../src/engine/index";
import { CUBE_PLANES } from "../../src/engine/collision/shapes/hull";
import { line, makeRope, overPost } from "./ropes";
import { addCollider, at, G, pose, runFrame, runSeconds, stretchOf, velocityOf } from "./support";
import { cube, surface } from "./triangleMeshes";

/** What a rope meets: a shape that fills [-1, 1]³, and its form. */
const solids = {
    box: ["box", []],
    hull: ["hull", CUBE_PLANES],
    mesh: ["mesh", cube()],
    drum: ["cylinder", []],
} as const;
type Solid = keyof typeof solids;

function add(rope: Body, solid: Solid, place: Float64Array): void {
    const [shape, form] = solids[solid];
    addCollider(rope, shape, place, { form });
}

const heightsOf = (rope: Body): number[] => Array.from({ length: rope.state.particleCount }, (_, i) => at(rope, i)[1]);

/** Four links of half a metre over a thin bar, after they have fallen on it at 3 m/s. */
function dropped(solid: Solid, framesPerSecond: number): Body {
    const rope = makeRope(line([-1, 0.5, 0.03], [1, 0.5, 0.03], 5), {
        fabric: { friction: 0.4, thickness: 0.01, damping: 0.5 },
    });
    const half: Vector = solid === "drum" ? [0.3, 0.02, 0.3] : [0.02, 0.02, 0.5];
    add(rope, solid, pose([0.06, 0, 0], half));
    for (let k = 0; k < 1.2 * framesPerSecond; k++) runFrame(rope, 1 / framesPerSecond);
    return rope;
}

describe("links of ropes", () => {
    test.each([
        ["hull", 60],
        ["hull", 30],
        ["hull", 144],
        ["mesh", 60],
        ["mesh", 30],
        ["mesh", 144],
        ["drum", 60],
    ] as const)("four long ones that fall across a thin %s hang on it, at %s frames a second", (solid, framesPerSecond) => {
        const rope = dropped(solid, framesPerSecond);
        const heights = heightsOf(rope);
        expect(Math.max(...heights)).toBeGreaterThan(0.02);
        expect(Math.min(...heights)).toBeGreaterThan(-1.2);
        expect(stretchOf(rope).max).toBeLessThan(0.01);
        // Some link passes over the bar.
        const over = [0, 1, 2, 3].map((i) => {
            const [a, b] = [at(rope, i), at(rope, i + 1)];
            const share = (0.06 - a[0]) / (b[0] - a[0]);
            return share >= 0 && share <= 1 ? a[1] + share * (b[1] - a[1]) : -1;
        });
        expect(Math.max(...over)).toBeGreaterThan(0.02);
    });

    test.each([
        ["hull", 7],
        ["hull", 9],
        ["mesh", 7],
        ["mesh", 9],
    ] as const)("hung over the edge of a %s, %s links lie as over that of a box", (solid, count) => {
        const hang = (shape: Solid): number[] => {
            const rope = makeRope(line([-0.9, 0.03, 0.02], [0.6, 0.03, 0.02], count + 1), {
                pinned: [0],
                fabric: { friction: 0.6, thickness: 0.01, damping: 3 },
            });
            add(rope, shape, pose([-0.5, -0.2, 0], [0.5, 0.2, 0.5]));
            runSeconds(rope, 2.5);
            return heightsOf(rope);
        };
        const expected = hang("box");
        hang(solid).forEach((height, i) => expect(Math.abs(height - expected[i])).toBeLessThan(0.005));
    });

    test.each(["hull", "mesh"] as const)("short ones that whip the sides of a %s are not thrown off it", (solid) => {
        const rope = makeRope(line([0, 0.32, 0.03], [2, 0.32, 0.03], 64), {
            fabric: { friction: 0.5, thickness: 0.005, damping: 1 },
        });
        add(rope, solid, pose([1, 0, 0], [0.3, 0.3, 0.5]));
        runSeconds(rope, 0.75);
        const [x, y] = at(rope, 32);
        expect(Math.abs(x - 1.02)).toBeLessThan(0.25);
        expect(y).toBeGreaterThan(0.29);
    });

    test("put elsewhere, or beside a mesh that grows, links go by where they are, not by where they were", () => {
        const rope = dropped("mesh", 60);
        rope.resetTo(Float32Array.from({ length: 15 }, (_, k) => [Math.floor(k / 3) / 2 - 0.97, -0.027, 0.03][k % 3]));
        for (let k = 0; k < 12; k++) runFrame(rope, 1 / 60);
        expect(Math.max(...heightsOf(rope))).toBeLessThan(-0.1);

        // A bar that grows by more in a frame than what is kept from it takes the rope along.
        const fabric = { thickness: 0.01 };
        const lifted = makeRope(line([-1, 0.03, 0.03], [1, 0.03, 0.03], 5), { fabric, gravity: [0, 0, 0] });
        const bar = addCollider(lifted, "mesh", pose([0.2, 0, 0], [0.02, 0.02, 0.5]), { form: cube() });
        const height = (k: number): number => 0.02 + 0.009 * k;
        for (let k = 0; k <= 20; k++) {
            bar.setPose(pose([0.2, 0, 0], [0.02, height(k), 0.5]));
            runFrame(lifted, 1 / 60);
        }
        const [[xa, ya], [xb, yb]] = [at(lifted, 2), at(lifted, 3)];
        expect(ya + ((0.2 - xa) / (xb - xa)) * (yb - ya)).toBeGreaterThan(height(20));
    });

    test.each([
        ["drum", 1],
        ["drum", 10],
        ["mesh", 1],
        ["mesh", 10],
    ] as const)("round a %s, %s kg holds e^(μ π) times as much (Euler and Eytelwein)", (solid, light) => {
        const friction = 0.3;
        const theory = Math.exp(friction * Math.PI);
        const round = surface(64, 2, false, (u, v) => [Math.sin(2 * Math.PI * u), 1 - 2 * v, Math.cos(2 * Math.PI * u)]);
        const heavy = 1.5 * theory * light;
        const rope = overPost(light, heavy, friction, 4, (body, radius) => {
            if (solid === "drum") add(body, solid, pose([0, 0, 0], [radius, 0.1, radius], Math.PI / 2, "x"));
            else addCollider(body, "mesh", pose([0, 0, 0], [radius, 1, radius], Math.PI / 2, "x"), { form: round });
        });
        const end = rope.state.particleCount - 1;
        runSeconds(rope, 0.1);
        const before = velocityOf(rope, end)[1];
        runSeconds(rope, 0.2);
        const fall = (before - velocityOf(rope, end)[1]) / 0.2;
        expect(Math.abs((heavy * (G - fall)) / (light * (G + fall)) / theory - 1)).toBeLessThan(0.1);
    });
});
