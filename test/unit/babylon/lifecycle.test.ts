import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { ClothBehavior } from "../../../src/index";
import { hang } from "./hung";
import { difference, disposeWorlds, FRAME, listen, makeSquare, makeWorld, told, worldVertices } from "./harness";
import type { World } from "./harness";

beforeEach(() => {
    listen("warn");
    listen("error");
});
afterEach(() => {
    disposeWorlds();
    jest.restoreAllMocks();
});

const tick = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1));

/** Observers of everything that a cloth might listen to. */
function observerCounts({ scene, engine }: World): number[] {
    return [scene, engine].flatMap((owner) =>
        Object.entries(owner)
            .filter(([name]) => name.includes("Observable"))
            .map(([, value]) => (value as { observers?: unknown[] } | null)?.observers?.length ?? 0),
    );
}

describe("attach and detach", () => {
    test("detach gives the rest shape back and takes every observer along", async () => {
        const world = makeWorld();
        const counts = observerCounts(world);
        const plain = makeSquare(world.scene, 6, "plain");
        const { mesh, cloth } = hang(world, "square");
        world.frame(FRAME, 30);
        expect(difference(worldVertices(mesh), worldVertices(plain))).toBeGreaterThan(0.1);
        mesh.removeBehavior(cloth);
        await tick();
        expect(observerCounts(world)).toEqual(counts);
        for (const kind of ["position", "normal", "uv"]) {
            expect(difference(mesh.getVerticesData(kind)!, plain.getVerticesData(kind)!)).toBe(0);
        }
        expect(mesh.getBoundingInfo().boundingBox.minimum.asArray()).toEqual(plain.getBoundingInfo().boundingBox.minimum.asArray());
        expect(mesh.getVertexBuffer("position")!.isUpdatable()).toBe(false);
        expect([cloth.attachedNode, cloth.particleCount, cloth.pins[0].particleCount]).toEqual([null, 0, 0]);
        world.frame(FRAME, 3);
        expect(difference(worldVertices(mesh), worldVertices(plain))).toBe(0);
    });

    test("again on the same mesh, on another, and back: each time as at first", () => {
        const world = makeWorld();
        const { mesh, cloth } = hang(world, "square");
        const other = makeSquare(world.scene, 3, "other");
        const run = (): Float32Array => {
            world.frame(FRAME, 10);
            return cloth.getParticlePositions();
        };
        const first = run();
        mesh.removeBehavior(cloth);
        mesh.addBehavior(cloth);
        expect(run()).toEqual(first);
        mesh.removeBehavior(cloth);
        other.addBehavior(cloth);
        const elsewhere = run();
        expect(elsewhere.length).toBe(16 * 3);
        other.removeBehavior(cloth);
        mesh.addBehavior(cloth);
        expect(run()).toEqual(first);
    });

    test("detach is idempotent, and safe when never attached", () => {
        const world = makeWorld();
        const { mesh, cloth } = hang(world, "square");
        const never = new ClothBehavior({});
        never.detach();
        expect([never.attachedNode, never.particleCount]).toEqual([null, 0]);
        world.frame(FRAME, 5);
        mesh.removeBehavior(cloth);
        const rest = worldVertices(makeSquare(world.scene, 6, "plain"));
        cloth.detach();
        mesh.removeBehavior(cloth);
        cloth.step(1);
        cloth.reset();
        cloth.detach();
        world.frame();
        expect([cloth.attachedNode, cloth.particleCount, mesh.behaviors.length]).toEqual([null, 0, 0]);
        expect(difference(worldVertices(mesh), rest)).toBe(0);
        mesh.addBehavior(cloth);
        world.frame(FRAME, 5);
        expect(cloth.stats.kineticEnergy).toBeGreaterThan(0);
    });

    test("memory that grows in the midst of a step moves every cloth along unharmed", () => {
        const run = (count: number): Float32Array => {
            const world = makeWorld();
            const { cloth } = hang(world, "square");
            cloth.onBeforeStepObservable.addOnce(() => {
                for (let i = 0; i < count; i++)
                    makeSquare(world.scene, 60, `other ${i}`).addBehavior(new ClothBehavior({ enabled: false }));
            });
            world.frame(2 * FRAME, 5);
            return cloth.getParticlePositions();
        };
        expect(run(5)).toEqual(run(0));
    });

    test("memory comes back: many clothes, one after the other", () => {
        const world = makeWorld();
        const mesh = makeSquare(world.scene, 20);
        const geometries = world.scene.geometries.length;
        for (let i = 0; i < 30; i++) {
            const cloth = new ClothBehavior({ pins: [{ select: [0] }] });
            mesh.addBehavior(cloth);
            cloth.step(1 / 60);
            expect(cloth.getParticlePositions().every(Number.isFinite)).toBe(true);
            mesh.removeBehavior(cloth);
        }
        expect(world.scene.geometries.length).toBe(geometries);
    });
});

/** Everything that can be disposed around a cloth. */
type Victim = "mesh" | "ball" | "hand" | "scene" | "engine" | "behavior";

function end(victim: Victim, world: World, set: ReturnType<typeof hang>): void {
    if (victim === "behavior") set.mesh.removeBehavior(set.cloth);
    else ({ ...world, ...set })[victim].dispose();
}

const ORDERS: Victim[][] = [
    ["mesh", "scene", "engine"],
    ["scene", "engine", "mesh"],
    ["engine", "scene", "mesh"],
    ["engine", "mesh", "behavior"],
    ["scene", "behavior", "mesh"],
    ["mesh", "behavior", "engine"],
    ["behavior", "mesh", "scene"],
    ["ball", "hand", "mesh"],
    ["hand", "mesh", "ball", "engine"],
    ["mesh", "mesh", "scene", "scene"],
    ["mesh", "ball", "hand", "behavior", "scene"],
];

describe("the end comes in any order", () => {
    test.each(ORDERS.map((order) => [order.join(", "), order] as const))("%s", async (_, order) => {
        const world = makeWorld();
        const [set, bystander] = [hang(world, "square"), hang(world, "bystander")];
        world.frame(FRAME, 3);
        for (const victim of order) {
            end(victim, world, set);
            if (!world.engine.isDisposed && !world.scene.isDisposed) world.frame(FRAME, 2);
            set.cloth.step(1 / 60);
            set.cloth.reset();
            await tick();
        }
        if (!world.scene.isDisposed) {
            expect(bystander.cloth.attachedNode).toBe(bystander.mesh);
            world.frame(FRAME, 3);
            expect(bystander.cloth.stats.kineticEnergy).toBeGreaterThan(0);
        }
        if (order.some((victim) => victim !== "ball" && victim !== "hand")) expect(set.cloth.attachedNode).toBeNull();
        expect(set.cloth.getParticlePositions().length).toBe(3 * set.cloth.particleCount);
        expect(told("error")).toEqual([]);
    });

    describe.each(["onBeforeStepObservable", "onAfterStepObservable"] as const)("inside %s", (observable) => {
        test.each<Victim>(["mesh", "ball", "hand", "behavior"])("%s", (victim) => {
            const world = makeWorld();
            const [set, bystander] = [hang(world, "square"), hang(world, "bystander")];
            let steps = 0;
            set.cloth[observable].add(() => {
                steps++;
                end(victim, world, set);
            });
            world.frame(4 * FRAME, 3);
            expect(bystander.cloth.attachedNode).toBe(bystander.mesh);
            expect(bystander.cloth.getParticlePositions().every(Number.isFinite)).toBe(true);
            if (victim === "mesh" || victim === "behavior") {
                // The other steps of the frame are not taken.
                expect(steps).toBe(1);
                expect([set.cloth.attachedNode, set.cloth.particleCount]).toEqual([null, 0]);
            }
            if (victim === "behavior") {
                const plain = makeSquare(world.scene, 6, "plain");
                expect(difference(worldVertices(set.mesh), worldVertices(plain))).toBe(0);
            }
        });

        test.each<Victim>(["scene", "engine"])("%s, by hand", (victim) => {
            const world = makeWorld();
            const set = hang(world, "square");
            set.cloth.autoStep = false;
            set.cloth[observable].add(() => end(victim, world, set));
            set.cloth.step(3 / 60);
            expect(set.cloth.attachedNode).toBeNull();
            set.cloth.step(3 / 60);
        });

        test("the other cloth, before and after it in the scene", () => {
            for (const swap of [false, true]) {
                const world = makeWorld();
                const sets = [hang(world, "a"), hang(world, "b")];
                if (swap) sets.reverse();
                const [killer, victim] = sets;
                world.frame();
                killer.cloth[observable].addOnce(() => victim.mesh.dispose());
                world.frame(2 * FRAME, 3);
                expect([killer.cloth.attachedNode, victim.cloth.attachedNode]).toEqual([killer.mesh, null]);
            }
        });

        test("attached anew, to the same mesh or another", () => {
            const moves: ((set: ReturnType<typeof hang>, world: World) => void)[] = [
                ({ mesh, cloth }) => {
                    mesh.removeBehavior(cloth);
                    mesh.addBehavior(cloth);
                },
                ({ mesh, cloth }, { scene }) => {
                    mesh.removeBehavior(cloth);
                    makeSquare(scene, 3, "other").addBehavior(cloth);
                },
            ];
            for (const move of moves) {
                const world = makeWorld();
                const set = hang(world, "square");
                world.frame(FRAME, 10);
                set.cloth[observable].addOnce(() => move(set, world));
                world.frame(3 * FRAME);
                expect(set.cloth.attachedNode).not.toBeNull();
                world.frame(3 * FRAME, 10);
                expect(set.cloth.stats.kineticEnergy).toBeGreaterThan(0);
                set.cloth.attachedNode!.removeBehavior(set.cloth);
                const plain = makeSquare(world.scene, 6, "plain");
                expect(difference(worldVertices(set.mesh), worldVertices(plain))).toBe(0);
                expect(set.mesh.getVertexBuffer("position")!.isUpdatable()).toBe(false);
            }
        });
    });
});

describe("calls from inside a step", () => {
    test("step() and reset() neither nest nor loop", () => {
        const world = makeWorld();
        const { cloth } = hang(world);
        let steps = 0;
        cloth.onBeforeStepObservable.add(() => {
            steps++;
            cloth.step(1);
        });
        world.frame(2 * FRAME, 3);
        expect(steps).toBe(6);
        cloth.onAfterStepObservable.add(() => cloth.reset());
        world.frame(2 * FRAME, 3);
        expect(cloth.getParticlePositions().every(Number.isFinite)).toBe(true);
    });

    test("every setter", () => {
        const world = makeWorld();
        const { cloth } = hang(world);
        let n = 0;
        const change = (): void => {
            n++;
            cloth.substepCount = 1 + (n % 5);
            cloth.fixedTimeStep = 1 / (30 + 30 * (n % 3));
            cloth.maxStepsPerFrame = 1 + (n % 4);
            cloth.fabric = { damping: n % 2, stretchStiffness: n % 3 ? Infinity : 100 };
            cloth.tetherSlack = n % 2 ? Infinity : 0.1;
            cloth.gravity = n % 2 ? null : { x: 0, y: -1, z: 0 };
            cloth.enabled = n % 7 !== 0;
            cloth.applyImpulse({ x: 0, y: 0, z: 0 }, { x: 0, y: 0.01, z: 0 });
        };
        cloth.onBeforeStepObservable.add(change);
        cloth.onAfterStepObservable.add(change);
        for (let i = 0; i < 60; i++) {
            cloth.enabled = true;
            world.frame(FRAME * (1 + (i % 3)));
            expect(cloth.getParticlePositions().every(Number.isFinite)).toBe(true);
        }
        expect(n).toBeGreaterThan(60);
        expect(cloth.stats.maxStretch).toBeLessThan(1);
    });

    test("a new substep and an impulse together give the impulse's speed", () => {
        const world = makeWorld();
        const mesh = makeSquare(world.scene, 1);
        const cloth = new ClothBehavior({ wind: null, gravity: { x: 0, y: 0, z: 0 }, fabric: { damping: 0, arealDensity: 1 } });
        mesh.addBehavior(cloth);
        world.frame();
        cloth.onBeforeStepObservable.addOnce(() => {
            cloth.substepCount = 8;
            cloth.applyImpulse({ x: 0, y: 0, z: 0 }, { x: 0, y: 1, z: 0 }, 1000);
        });
        world.frame(FRAME, 10);
        // 1 N s on 1 kg, for 10 steps of 1/60 s.
        expect(cloth.getParticlePositions()[1]).toBeCloseTo(10 / 60, 3);
    });

    test("an error of the observer's own goes to the caller; the cloth goes on", () => {
        const world = makeWorld();
        const { cloth } = hang(world);
        cloth.onBeforeStepObservable.addOnce(() => {
            throw new Error("mine");
        });
        expect(() => world.frame()).toThrow("mine");
        world.frame(FRAME, 10);
        expect(cloth.getParticlePositions().every(Number.isFinite)).toBe(true);
        expect(cloth.stats.kineticEnergy).toBeGreaterThan(0);
    });
});
