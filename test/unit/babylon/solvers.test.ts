// ClothBehavior.solver: the other methods come when they are wanted, and meet what cloth meets.
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import "@babylonjs/core/Materials/standardMaterial";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { ClothBehavior, ClothViewer, select, Wind } from "../../../src/index";
import type { ClothOptions, SolverName } from "../../../src/index";
import { solverModule } from "../../../src/engine/index";
import { disposeWorlds, FRAME, listen, makeSquare, makeWorld, told, toldBesidesAdvice } from "./harness";

const SOLVERS = ["explicitEuler", "verlet"] as const;
const FABRIC = { arealDensity: 0.3, stretchStiffness: 60, shearStiffness: 10, bendStiffness: 1e-4, damping: 2 };

beforeEach(() => {
    listen("warn");
    listen("error");
});
afterEach(async () => {
    disposeWorlds();
    jest.restoreAllMocks();
    await solverModule.load();
});

function begin(options: ClothOptions) {
    const world = makeWorld();
    world.scene.gravity = new Vector3(0, -9.81, 0);
    const mesh = makeSquare(world.scene, 8, "square");
    const cloth = new ClothBehavior(options);
    mesh.addBehavior(cloth);
    return { ...world, mesh, cloth };
}

const places = (cloth: ClothBehavior): number[] => [...cloth.getParticlePositions()];
const mean = (cloth: ClothBehavior, axis: number): number => {
    const all = places(cloth).filter((_, k) => k % 3 === axis);
    return all.reduce((sum, x) => sum + x, 0) / all.length;
};

test("stands still until it is loaded, and moves as if it had been here from the start", async () => {
    solverModule.set(null);
    const options: ClothOptions = { solver: "verlet", substepCount: 16, fabric: FABRIC, pins: [{ select: select.edge("+z") }] };
    const { cloth, frame } = begin(options);
    const rest = places(cloth);
    frame(FRAME, 5);
    expect(places(cloth)).toEqual(rest);
    await cloth.whenReady();
    frame(FRAME, 20);
    const other = begin(options);
    other.frame(FRAME, 20);
    expect(places(cloth)).toEqual(places(other.cloth));
    expect(places(cloth)).not.toEqual(rest);
    expect([toldBesidesAdvice(), told("error")]).toEqual([[], []]);
});

test("is changed while attached, from the rest shape, and back", () => {
    const { cloth, frame } = begin({ fabric: FABRIC });
    const rest = places(cloth);
    frame(FRAME, 5);
    const fallen = places(cloth);
    cloth.solver = "rungeKutta4";
    expect([cloth.solver, places(cloth)]).toEqual(["rungeKutta4", rest]);
    frame(FRAME, 5);
    expect(cloth.stats.counts.structural).toBeGreaterThan(0);
    expect(cloth.stats.counts.tethers).toBe(0);
    cloth.solver = "xpbd";
    frame(FRAME, 5);
    expect(places(cloth)).toEqual(fallen);
    expect([toldBesidesAdvice(), told("error")]).toEqual([[], []]);
});

test("says once where its step is too large, and the scene goes on", () => {
    const { cloth, frame } = begin({ solver: "verlet", pins: [{ select: select.edge("+z") }] });
    frame(FRAME, 60);
    expect(toldBesidesAdvice()).toEqual([
        expect.stringMatching(/ClothBehavior: solver "verlet": a substep is 4.17 ms; the largest stable one is 0\.\d+ ms/),
    ]);
    expect(told("error")).toEqual([]);
    expect(places(cloth).every(Number.isFinite)).toBe(true);
});

test("rejects what is none", () => {
    expect(() => new ClothBehavior({ solver: "euler" as SolverName })).toThrow(/solver must be xpbd, explicitEuler.*euler/);
    expect(() => new ClothBehavior({ springDamping: -1 })).toThrow(RangeError);
});

describe.each(SOLVERS)("%s", (solver) => {
    const soft: ClothOptions = { solver, substepCount: 16, springDamping: 4e-3, fabric: FABRIC };

    test("leans in a wind as the default does", () => {
        const wind = (): Wind => new Wind({ velocity: new Vector3(0, 0, 3), turbulence: 0 });
        const lean = (options: ClothOptions): number => {
            const { cloth, frame } = begin({ ...options, wind: wind(), pins: [{ select: select.edge("+z") }] });
            frame(FRAME, 300);
            return mean(cloth, 2) - 0.5;
        };
        const known = lean({ ...soft, solver: "xpbd" });
        expect(known).toBeGreaterThan(0.1);
        expect(Math.abs(lean(soft) / known - 1)).toBeLessThan(0.05);
    });

    test.each(["particles", "triangles"] as const)("lies on a box with selfCollision %s, and is shown", (selfCollision) => {
        const world = makeWorld();
        const mesh = makeSquare(world.scene, 8, "square");
        mesh.position.y = 0.4;
        const box = MeshBuilder.CreateBox("box", { size: 0.5 }, world.scene);
        const cloth = new ClothBehavior({ ...soft, selfCollision, colliders: [box] });
        mesh.addBehavior(cloth);
        world.frame(FRAME, 60);
        expect(mean(cloth, 1)).toBeGreaterThan(-0.3);
        expect(places(cloth).every(Number.isFinite)).toBe(true);
        const viewer = new ClothViewer(world.scene);
        viewer.showCloth(cloth);
        world.frame(FRAME, 2);
        viewer.dispose();
        expect([toldBesidesAdvice(), told("error")]).toEqual([[], []]);
    });
});
