import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { afterEach, describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { ClothBehavior, select, Wind } from "../../../src/index";
import type { ClothOptions } from "../../../src/index";
import { expectHolds } from "../../property";
import { disposeWorlds, FRAME, makeSquare, makeWorld, worldVertices } from "./harness";

afterEach(disposeWorlds);

/** Runs a sheet with a ball and a moving hand; whatever the options, no number may cease to be one. */
function survives(options: ClothOptions, scale = 1): void {
    const { scene, engine, frame } = makeWorld();
    const mesh = makeSquare(scene, 4);
    mesh.scaling.setAll(scale);
    const ball = MeshBuilder.CreateSphere("ball", { segments: 4 }, scene);
    ball.position.y = -0.6 * scale;
    ball.scaling.setAll(scale);
    const hand = new TransformNode("hand", scene);
    const cloth = new ClothBehavior({ colliders: [ball], pins: [{ select: select.edge("-x"), target: hand }], ...options });
    mesh.addBehavior(cloth);
    for (let i = 0; i < 20; i++) {
        hand.position.x = 0.1 * scale * (i % 3);
        if (i === 10) cloth.applyImpulse(Vector3.Zero(), new Vector3(1, 1, 1), 1e6);
        frame(FRAME);
        expect(cloth.getParticlePositions().every(Number.isFinite)).toBe(true);
        expect(worldVertices(mesh).every(Number.isFinite)).toBe(true);
        expect(mesh.getVerticesData("normal")!.every(Number.isFinite)).toBe(true);
    }
    expect(Number.isFinite(cloth.stats.kineticEnergy + cloth.stats.maxStretch)).toBe(true);
    engine.dispose();
}

const TINY = [1e-6, 1e-20, 1e-40, 1e-300, Number.MIN_VALUE];
const HUGE = [1e6, 1e20, 1e38, 1e300, Number.MAX_VALUE];

/** Runs what the options' own checks let through; what they refuse, they refuse in words. */
function survivesOrIsRefused(make: () => ClothOptions): void {
    let options: ClothOptions;
    try {
        options = make();
        new ClothBehavior(options);
    } catch (error) {
        expect((error as Error).message).toMatch(/: [\w.]+ must be (a number|an integer) from \S+ to (1000000|256), got \S+$/);
        return;
    }
    survives(options);
}

describe("absurd values leave every number finite, or are refused", () => {
    const cases: [string, number[], (value: number) => ClothOptions][] = [
        ["arealDensity", [...TINY, ...HUGE], (arealDensity) => ({ fabric: { arealDensity } })],
        ["stretchStiffness", [0, ...TINY, ...HUGE, Infinity], (stretchStiffness) => ({ fabric: { stretchStiffness } })],
        ["shearStiffness", [0, ...TINY, ...HUGE, Infinity], (shearStiffness) => ({ fabric: { shearStiffness } })],
        ["bendStiffness", [0, ...TINY, ...HUGE, Infinity], (bendStiffness) => ({ fabric: { bendStiffness } })],
        ["damping", [...TINY, ...HUGE], (damping) => ({ fabric: { damping } })],
        ["thickness", [...TINY, ...HUGE], (thickness) => ({ fabric: { thickness } })],
        ["friction", [...TINY, ...HUGE], (friction) => ({ fabric: { friction } })],
        ["gravity", [...TINY, ...HUGE], (g) => ({ gravity: new Vector3(g, -g, g) })],
        ["fixedTimeStep", [...TINY, ...HUGE], (fixedTimeStep) => ({ fixedTimeStep })],
        ["tetherSlack", [...TINY, ...HUGE], (tetherSlack) => ({ tetherSlack })],
        ["substepCount", [1, 100, 1000], (substepCount) => ({ substepCount })],
        ["maxStepsPerFrame", [1, 1e9], (maxStepsPerFrame) => ({ maxStepsPerFrame })],
        ["wind's velocity", [...TINY, ...HUGE, 1e39, 1e100], (v) => ({ wind: new Wind({ velocity: new Vector3(v, -v, v) }) })],
        [
            "wind",
            [...TINY, ...HUGE],
            (v) => ({ wind: new Wind({ velocity: new Vector3(v, v, v), drag: v, turbulence: v, gustLength: v }) }),
        ],
    ];

    describe.each(cases)("%s", (_, values, options) => {
        test.each(values)("%d", (value) => {
            survivesOrIsRefused(() => ({ ...options(value) }));
        });
    });

    test.each([1e-6, 1e-3, 1e3, 1e6])("a mesh of %d m", (scale) => {
        survives({}, scale);
    });

    test.each([1, 10, 1000, 1e5])("a mesh that leaps %d m: the cloth hangs from it again within three frames", (leap) => {
        const { scene, frame } = makeWorld();
        const mesh = makeSquare(scene);
        const cloth = new ClothBehavior({ pins: [{ select: select.edge("-x") }] });
        mesh.addBehavior(cloth);
        frame(FRAME, 60);
        mesh.position.x += leap;
        for (let i = 0; i < 60; i++) {
            frame();
            const x = worldVertices(mesh);
            let farthest = 0;
            for (let k = 0; k < x.length; k += 3)
                farthest = Math.max(farthest, Math.hypot(x[k] - mesh.position.x, x[k + 1], x[k + 2]));
            if (i >= 2) expect(farthest).toBeLessThan(2);
        }
        expect(cloth.stats.maxStretch).toBeLessThan(0.2);
    });

    test("all at once, at random", () => {
        const number = fc.oneof(fc.constantFrom(1e-6, 1e-3, 1, 1e3, 1e6), fc.double({ min: 1e-6, max: 1e6, noNaN: true }));
        const options = fc.record(
            {
                fabric: fc.record(
                    {
                        arealDensity: number,
                        stretchStiffness: number,
                        shearStiffness: number,
                        bendStiffness: number,
                        damping: number,
                        thickness: number,
                        friction: number,
                    },
                    { requiredKeys: [] },
                ),
                gravity: fc.tuple(number, number, number).map(([x, y, z]) => new Vector3(x, -y, z)),
                tetherSlack: number,
                substepCount: fc.integer({ min: 1, max: 20 }),
                fixedTimeStep: fc.constantFrom(1e-6, 1 / 60, 1),
            },
            { requiredKeys: [] },
        );
        expectHolds(
            fc.property(options, (each) => survivesOrIsRefused(() => ({ ...each }))),
            { numRuns: 40 },
        );
    });
});
