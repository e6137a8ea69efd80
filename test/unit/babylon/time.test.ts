import { AssetContainer } from "@babylonjs/core/assetContainer";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { afterEach, describe, expect, test } from "@jest/globals";
import { ClothBehavior, select, Wind } from "../../../src/index";
import type { ClothOptions } from "../../../src/index";
import { seededRandom } from "../../random";
import { column, difference, disposeWorlds, FRAME, makeSquare, makeWorld, worldVertices } from "./harness";

afterEach(disposeWorlds);

function setUp(options: ClothOptions = {}) {
    const world = makeWorld();
    const mesh = makeSquare(world.scene);
    const cloth = new ClothBehavior({ pins: [{ select: select.edge("-x") }], ...options });
    mesh.addBehavior(cloth);
    let steps = 0;
    cloth.onAfterStepObservable.add(() => steps++);
    return { ...world, mesh, cloth, steps: () => steps };
}

describe("frame times", () => {
    test.each([
        ["NaN", NaN, 0],
        ["negative", -1000, 0],
        ["zero", 0, 0],
        ["minus zero", -0, 0],
        ["infinite", Infinity, 4],
        ["of minutes", 300_000, 4],
        ["one step", FRAME, 1],
        ["two and a half", 2.5 * FRAME, 2],
        ["tiny", 1e-300, 0],
        ["no number", "16" as unknown as number, 0],
        ["undefined", undefined as unknown as number, 0],
    ])("%s", (name, milliseconds, expected) => {
        const { scene, engine, cloth, mesh, steps } = setUp();
        engine.getDeltaTime = () => milliseconds;
        scene.render();
        if (name !== "no number") expect(steps()).toBe(expected);
        engine.getDeltaTime = () => FRAME;
        for (let i = 0; i < 20; i++) scene.render();
        expect(worldVertices(mesh).every(Number.isFinite)).toBe(true);
        expect(cloth.stats.maxStretch).toBeLessThan(0.1);
        const byHand = setUp();
        // An engine's clock is taken as it is; whoever steps by hand is told.
        if (name === "no number") expect(() => byHand.cloth.step(milliseconds)).toThrow(RangeError);
        else byHand.cloth.step(milliseconds / 1000);
        expect(byHand.steps()).toBe(expected);
    });

    test("the time beyond maxStepsPerFrame is dropped, not owed", () => {
        const { cloth, frame, steps } = setUp();
        frame(60_000);
        expect(steps()).toBe(4);
        frame(FRAME);
        expect(steps()).toBe(5);
        cloth.maxStepsPerFrame = 10;
        frame(60_000);
        expect(steps()).toBe(15);
        cloth.maxStepsPerFrame = 1;
        frame(60_000);
        frame(FRAME);
        expect(steps()).toBe(17);
    });

    test("a minute of frames of any length stays finite and in one piece", () => {
        const { cloth, mesh, frame } = setUp({});
        const random = seededRandom(1);
        for (let i = 0; i < 300; i++) {
            frame([0, 1, 7, FRAME, 33, 50, 250, 5000, NaN, -20][Math.floor(10 * random())]);
        }
        expect(worldVertices(mesh).every(Number.isFinite)).toBe(true);
        expect(cloth.stats.maxStretch).toBeLessThan(0.1);
    });
});

describe("who steps", () => {
    test("enabled = false pauses: nothing moves, and no time is owed when it goes on", () => {
        const { cloth, mesh, frame, steps } = setUp();
        frame(FRAME, 10);
        cloth.enabled = false;
        const before = worldVertices(mesh);
        frame(FRAME, 10);
        cloth.step(1);
        expect(steps()).toBe(10);
        expect(difference(worldVertices(mesh), before)).toBe(0);
        cloth.enabled = true;
        frame(FRAME);
        expect(steps()).toBe(11);
        expect(difference(worldVertices(mesh), before)).toBeGreaterThan(0);
    });

    test("created paused, it waits in its rest shape", () => {
        const { cloth, mesh, frame } = setUp({ enabled: false });
        const before = worldVertices(mesh);
        frame(FRAME, 10);
        expect(difference(worldVertices(mesh), before)).toBe(0);
        cloth.enabled = true;
        frame(FRAME, 10);
        expect(difference(worldVertices(mesh), before)).toBeGreaterThan(0.01);
    });

    test("autoStep = false leaves it to the caller", () => {
        const { cloth, mesh, frame, steps } = setUp({ autoStep: false });
        const before = worldVertices(mesh);
        frame(FRAME, 10);
        expect(steps()).toBe(0);
        cloth.step(FRAME / 1000);
        expect(steps()).toBe(1);
        expect(difference(worldVertices(mesh), before)).toBeGreaterThan(0);
    });

    test("step(seconds) takes the same path as the scene's observer, to the bit", () => {
        const run = (byHand: boolean): [Float32Array, Float64Array] => {
            const { cloth, mesh, scene, frame } = setUp({
                autoStep: !byHand,
                wind: new Wind({ velocity: new Vector3(3, 0, 1) }),
            });
            const hand = new TransformNode("hand", scene);
            cloth.pin([48], hand);
            for (const milliseconds of [FRAME, 7, 40, 0, 3, 100, FRAME, 5, 5, 5]) {
                hand.position.y += 0.01;
                if (byHand) cloth.step(milliseconds / 1000);
                else frame(milliseconds);
            }
            return [cloth.getParticlePositions(), worldVertices(mesh)];
        };
        const [auto, manual] = [run(false), run(true)];
        expect(manual[0]).toEqual(auto[0]);
        expect(difference(manual[1], auto[1])).toBe(0);
    });

    test("step is safe without a mesh", () => {
        expect(() => new ClothBehavior().step(1)).not.toThrow();
    });
});

describe("a scene that is rendered more than once in a frame", () => {
    test("has its time once", () => {
        const { engine, scene, frame, steps } = setUp();
        for (let i = 0; i < 10; i++) {
            engine.beginFrame();
            frame(FRAME, 3);
            engine.endFrame();
        }
        expect(steps()).toBe(10);
        // Outside of the engine's frames there is nothing to tell them apart by.
        frame(FRAME, 3);
        expect(steps()).toBe(13);
        expect(scene.getEngine()).toBe(engine);
    });

    test("draws what has moved in between", () => {
        const { engine, mesh, cloth, frame } = setUp();
        engine.beginFrame();
        frame(FRAME);
        const before = worldVertices(mesh);
        cloth.attachedNode!.position.y = 0.2;
        frame(FRAME);
        engine.endFrame();
        expect(difference(worldVertices(mesh), before)).toBeLessThan(0.21);
        expect(worldVertices(mesh)[1]).toBeCloseTo(0.2, 4);
    });
});

describe("a cloth waits while its mesh", () => {
    function wait(setUpPause: (of: ReturnType<typeof setUp>) => () => void): void {
        const it = setUp();
        const { mesh, cloth, frame, steps } = it;
        frame(FRAME, 10);
        const goOn = setUpPause(it);
        const before = mesh.getVerticesData("position")!.slice();
        frame(FRAME, 10);
        mesh.position.x += 5;
        frame(FRAME, 10);
        expect(steps()).toBe(10);
        expect(difference(mesh.getVerticesData("position")!, before)).toBe(0);
        goOn();
        frame(FRAME);
        expect(steps()).toBe(11);
        // It comes along, and no time is owed.
        expect(difference(mesh.getVerticesData("position")!, before)).toBeLessThan(0.1);
        expect(cloth.stats.maxStretch).toBeLessThan(0.05);
        expect(mesh.getBoundingInfo().boundingBox.centerWorld.x).toBeGreaterThan(4);
    }

    test("is disabled", () =>
        wait(({ mesh }) => {
            mesh.setEnabled(false);
            return () => mesh.setEnabled(true);
        }));

    test("has a parent that is", () =>
        wait(({ mesh, scene }) => {
            const parent = new TransformNode("parent", scene);
            mesh.parent = parent;
            parent.setEnabled(false);
            return () => parent.setEnabled(true);
        }));

    test("is out of the scene", () =>
        wait(({ mesh, scene }) => {
            scene.removeMesh(mesh);
            return () => scene.addMesh(mesh);
        }));

    test("is in a container that is", () =>
        wait(({ mesh, scene }) => {
            const container = new AssetContainer(scene);
            container.meshes.push(mesh);
            container.removeAllFromScene();
            return () => container.addAllToScene();
        }));

    test("was out of the scene when the cloth began", () => {
        const world = makeWorld();
        const mesh = makeSquare(world.scene);
        world.scene.removeMesh(mesh);
        const cloth = new ClothBehavior();
        mesh.addBehavior(cloth);
        world.frame(FRAME, 10);
        expect(cloth.stats.kineticEnergy).toBe(0);
        world.scene.addMesh(mesh);
        world.frame();
        expect(cloth.stats.kineticEnergy).toBeGreaterThan(0);
    });

    test("but not while it is invisible, and not for who steps by hand", () => {
        const { mesh, cloth, frame, steps } = setUp();
        mesh.isVisible = false;
        frame(FRAME, 3);
        expect(steps()).toBe(3);
        mesh.setEnabled(false);
        cloth.step(FRAME / 1000);
        expect(steps()).toBe(4);
    });
});

describe("the picture between two steps", () => {
    /** Heights of a particle that falls freely, as drawn after each frame. */
    function drawnHeights(milliseconds: number, count: number): number[] {
        const { mesh, frame } = setUp({ pins: [] });
        return Array.from({ length: count }, () => {
            frame(milliseconds);
            return worldVertices(mesh)[1];
        });
    }

    test.each([30, 60, 90, 120, 144, 240, 1000])("falls without a jump back or a stop at %d Hz", (hertz) => {
        const heights = drawnHeights(1000 / hertz, Math.ceil(hertz / 2));
        const falls = heights.slice(1).map((height, i) => heights[i] - height);
        // The first step may take a while to be seen.
        const skipped = Math.ceil(hertz / 30);
        for (const fall of falls.slice(skipped)) expect(fall).toBeGreaterThan(0);
        // Even, up to the polygon that interpolation makes of a parabola: speed grows by g/60 a step.
        for (let i = skipped + 1; i < falls.length; i++) {
            expect(Math.abs(falls[i] - falls[i - 1]) * hertz).toBeLessThan((2 * 9.81) / Math.min(hertz, 60));
        }
    });

    test("lies on the straight line between the two last steps", () => {
        const { cloth, mesh, frame } = setUp({ pins: [], wind: new Wind({ velocity: new Vector3(2, 0, 1) }) });
        const states: Float32Array[] = [cloth.getParticlePositions()];
        cloth.onAfterStepObservable.add(() => states.push(cloth.getParticlePositions()));
        for (let i = 0; i < 60; i++) {
            frame(0.37 * FRAME);
            const drawn = worldVertices(mesh);
            const [a, b] = [states[Math.max(0, states.length - 2)], states[states.length - 1]];
            let most = 0;
            let share = 0;
            for (let k = 0; k < a.length; k++) {
                if (Math.abs(b[k] - a[k]) <= Math.abs(most)) continue;
                most = b[k] - a[k];
                share = (drawn[k] - a[k]) / most;
            }
            if (states.length < 3) continue;
            expect(share).toBeGreaterThanOrEqual(-1e-3);
            expect(share).toBeLessThanOrEqual(1 + 1e-3);
            const expected = Float64Array.from(a, (start, k) => start + (b[k] - start) * share);
            expect(difference(drawn, expected)).toBeLessThan(1e-5);
        }
    });

    test("a frame that ends on a step shows that step", () => {
        const { cloth, mesh, frame } = setUp();
        for (let i = 0; i < 10; i++) {
            frame(FRAME);
            expect(difference(worldVertices(mesh), cloth.getParticlePositions())).toBeLessThan(1e-6);
        }
    });

    test("after reset it shows the rest shape", () => {
        const { cloth, mesh, frame } = setUp();
        const rest = worldVertices(mesh);
        frame(1.7 * FRAME, 20);
        cloth.reset();
        expect(difference(worldVertices(mesh), rest)).toBeLessThan(1e-6);
        frame(0.1 * FRAME);
        expect(difference(worldVertices(mesh), rest)).toBeLessThan(1e-2);
        expect(cloth.stats.kineticEnergy).toBeLessThan(1e-2);
    });

    test("a shorter step in the midst of a frame draws nothing beyond the state", () => {
        const { cloth, mesh, frame } = setUp({ pins: [] });
        frame(1.9 * FRAME, 10);
        cloth.fixedTimeStep = 1 / 600;
        frame(0.01);
        const lowest = Math.min(...column(cloth.getParticlePositions(), 1));
        expect(Math.min(...column(worldVertices(mesh), 1))).toBeGreaterThan(lowest - 1e-6);
    });
});

test.each([
    ["fixedTimeStep", (cloth: ClothBehavior): number => (cloth.fixedTimeStep = 1 / 120)],
    ["substepCount", (cloth: ClothBehavior): number => (cloth.substepCount = 7)],
] as const)("another %s on the way leaves the cloth as fast as it is", (_, change) => {
    const { scene } = makeWorld();
    const mesh = makeSquare(scene);
    const cloth = new ClothBehavior({ wind: null, gravity: Vector3.Zero(), fabric: { damping: 0 }, autoStep: false });
    mesh.addBehavior(cloth);
    cloth.applyImpulse(Vector3.Zero(), new Vector3(0, 0.2, 0), 1e6);
    cloth.step(1 / 60);
    const energy = cloth.stats.kineticEnergy;
    const height = cloth.getParticlePositions()[1];
    change(cloth);
    for (let i = 0; i < 6; i++) cloth.step(1 / 60);
    expect(cloth.stats.kineticEnergy / energy).toBeCloseTo(1, 3);
    expect((cloth.getParticlePositions()[1] - height) / (6 * height)).toBeCloseTo(1, 1);
});
