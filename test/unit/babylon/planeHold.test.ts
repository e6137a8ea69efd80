// Pins on a plane: bodies on inclines, belts and turntables.
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { afterEach, describe, expect, test } from "@jest/globals";
import { ClothBehavior, PlaneHold, RailHold, select, SoftHold, RigidBodyBehavior } from "../../../src/index";
import type { ClothOptions, PinForceOptions, PlaneHoldOptions, Select } from "../../../src/index";
import { fromGltfAxes } from "../../../src/babylon/loader/clothExtras";
import { column, disposeWorlds, makeWorld, messageOf } from "./harness";

afterEach(disposeWorlds);

const STEP = 1 / 60;

/** A square metre in the xz plane, held on a plane that a node carries. */
function lay(selected: Select, options: PlaneHoldOptions, more: ClothOptions = {}, normal = Vector3.Up()) {
    const { scene } = makeWorld();
    const mesh = MeshBuilder.CreateGround("sheet", { width: 1, height: 1, subdivisions: 8 }, scene);
    const node = new TransformNode("belt", scene);
    const cloth = new ClothBehavior({ wind: null, fabric: { damping: 0 }, autoStep: false, ...more });
    cloth.pin(selected, node, new PlaneHold(normal, options));
    mesh.addBehavior(cloth);
    const run = (seconds: number, move: (step: number) => void = () => undefined): void => {
        for (let i = 1; i <= Math.round(seconds / STEP); i++) {
            move(i);
            cloth.step(STEP);
        }
    };
    const mean = (axis: number): number => {
        const all = column(cloth.getParticlePositions(), axis);
        return all.reduce((sum, value) => sum + value, 0) / all.length;
    };
    return { cloth, node, run, mean };
}

/** Gravity on a slope down to +x, of which the plane's normal is up. */
const downhill = (slope: number): Vector3 => new Vector3(9.81 * Math.sin(slope), -9.81 * Math.cos(slope), 0);

describe("a sheet on a plane", () => {
    test.each([
        [0.5, 0],
        [0.5, 0.3],
        [0.8, 0.6],
    ])("slides down a slope of %s as a body does, at friction %s, and stays on it", (slope, friction) => {
        const { cloth, run, mean } = lay(select.all(), { friction }, { gravity: downhill(slope) });
        run(1);
        const acceleration = 9.81 * (Math.sin(slope) - friction * Math.cos(slope));
        // In steps: half of the first one's gravity more.
        expect(mean(0) / (0.5 * acceleration)).toBeGreaterThan(0.99);
        expect(mean(0) / (0.5 * acceleration)).toBeLessThan(1.01);
        for (const y of column(cloth.getParticlePositions(), 1)) expect(Math.abs(y)).toBeLessThan(1e-6);
    });

    test("is held by friction above the slope's tangent", () => {
        const { run, mean } = lay(select.all(), { friction: 1.05 * Math.tan(0.5) }, { gravity: downhill(0.5) });
        run(2);
        expect(Math.abs(mean(0))).toBeLessThan(1e-5);
    });

    test("is taken along by a belt and a turntable where it rubs, and left where it does not", () => {
        for (const [friction, taken] of [
            [2, 1],
            [0, 0],
        ]) {
            const belt = lay(select.all(), { friction }, {});
            belt.run(1, (i) => (belt.node.position.x = 0.3 * i * STEP));
            belt.run(0.2);
            expect(belt.mean(0)).toBeCloseTo(0.3 * taken, 3);
            const table = lay(select.all(), { friction }, {});
            const [x, , z] = table.cloth.getParticlePositions();
            table.run(1, (i) => (table.node.rotation.y = 0.5 * i * STEP));
            table.run(0.2);
            const [nowX, , nowZ] = table.cloth.getParticlePositions();
            // About +y, from +z to +x.
            const turned = Math.atan2(nowX * z - nowZ * x, nowX * x + nowZ * z);
            expect(turned).toBeCloseTo(0.5 * taken, 3);
        }
    });
});

test("an edge stays on a plane that moves and turns, and slides in it", () => {
    const { cloth, node, run } = lay(select.edge("+z"), { point: new Vector3(0, 0, 0.5) }, {}, Vector3.Forward());
    cloth.gravity = new Vector3(3, -9, 0);
    run(0.5);
    run(1, (i) => {
        node.position.z = 0.4 * i * STEP;
        node.rotation.x = 0.3 * i * STEP;
    });
    const x = cloth.getParticlePositions();
    const edge = Array.from({ length: 9 }, (_, v) => cloth.particleOfVertex(v));
    const normal = Vector3.TransformNormal(Vector3.Forward(), node.computeWorldMatrix(true));
    const point = Vector3.TransformCoordinates(new Vector3(0, 0, 0.5), node.computeWorldMatrix(true));
    for (const particle of edge) {
        const off = Vector3.FromArray(x, 3 * particle).subtract(point);
        expect(Math.abs(Vector3.Dot(off, normal))).toBeLessThan(1e-5);
        // Along the plane it falls as free cloth does.
        expect(x[3 * particle]).toBeGreaterThan(2);
        expect(x[3 * particle + 1]).toBeLessThan(-7);
    }
});

test("in glTF's axes its normal and its point are mirrored", () => {
    const hold = { plane: { normal: [1, 2, 3], point: [4, 5, 6], friction: 0.1 } };
    const data = { pins: [{ select: [0], hold }], colliders: [], options: {} } as unknown as Parameters<typeof fromGltfAxes>[0];
    expect(fromGltfAxes(data, true).pins[0].hold).toEqual({ plane: { normal: [-1, 2, 3], point: [-4, 5, 6], friction: 0.1 } });
});

test.each([
    [() => new PlaneHold(Vector3.Zero()), "PlaneHold: normal must be a vector longer than 0, got"],
    [() => new PlaneHold(new Vector3(0, NaN, 0)), "PlaneHold: normal.y must be a finite number, got NaN"],
    [() => new PlaneHold(Vector3.Up(), { friction: -1 }), "PlaneHold: friction must be a finite number >= 0, got -1"],
    [
        () => new PlaneHold(Vector3.Up(), { point: new Vector3(Infinity, 0, 0) }),
        "PlaneHold: point.x must be a finite number, got Infinity",
    ],
    [() => new PlaneHold(Vector3.Up(), { width: 1 } as PlaneHoldOptions), 'PlaneHold: unknown option "width"'],
])("says what is wrong, %#", (make, message) => {
    expect(messageOf(make)).toContain(message);
});

test.each([
    ["PlaneHold", new PlaneHold(new Vector3(1, 0.5, 0.2))],
    ["RailHold", new RailHold([new Vector3(-1, 0, 0), new Vector3(1, 0, 0)])],
    ["SoftHold", new SoftHold({ stiffness: 100 })],
])("%s on a rigid body holds cloth, and does not pull the body", (_, hold) => {
    const { scene, frame } = makeWorld();
    const crate = MeshBuilder.CreateBox("crate", { size: 0.4 }, scene);
    crate.addBehavior(new RigidBodyBehavior({ mass: 2 }));
    const mesh = MeshBuilder.CreateGround("sheet", { width: 1, height: 1, subdivisions: 4 }, scene);
    const cloth = new ClothBehavior({ wind: null });
    cloth.pin(select.edge("+x"), crate, hold);
    mesh.addBehavior(cloth);
    frame(1000 * STEP, 60);
    expect(cloth.getParticlePositions().every(Number.isFinite)).toBe(true);
    expect(crate.position.y).toBeCloseTo(-4.9, 0);
});

/** A sheet of 0.2 kg that hangs by an edge. */
describe.each([
    ["plane", (options: PinForceOptions) => new PlaneHold(Vector3.Up(), options)],
    ["rail", (options: PinForceOptions) => new RailHold([new Vector3(-3, 0, 0), new Vector3(3, 0, 0)], options)],
])("a %s that gives", (_, make) => {
    const WEIGHT = 0.2 * 9.81;

    function hang(options: PinForceOptions) {
        const { scene } = makeWorld();
        const mesh = MeshBuilder.CreateGround("sheet", { width: 1, height: 1, subdivisions: 8 }, scene);
        mesh.rotation.x = -Math.PI / 2;
        mesh.bakeCurrentTransformIntoVertices();
        mesh.position.y = -0.5;
        const fabric = { arealDensity: 0.2, damping: 4 };
        const cloth = new ClothBehavior({ wind: null, fabric, autoStep: false, gravity: new Vector3(0, -9.81, 0) });
        const node = new TransformNode("rail", scene);
        cloth.pin(select.edge("+y"), node, make(options));
        mesh.addBehavior(cloth);
        /** Mean height of the edge after a time. */
        const edgeAfter = (seconds: number): number => {
            for (let k = 0; k < 144 * seconds; k++) cloth.step(1 / 144);
            const edge = Array.from(column(cloth.getParticlePositions(), 1)).sort((a, b) => b - a);
            return edge.slice(0, 9).reduce((sum, y) => sum + y / 9, 0);
        };
        return { edgeAfter };
    }

    test("gives as a spring does", () => {
        for (const stiffness of [20, 200]) expect(hang({ stiffness }).edgeAfter(6) * -stiffness).toBeCloseTo(WEIGHT, 1);
        expect(Math.abs(hang({}).edgeAfter(2))).toBeLessThan(1e-4);
    });

    test("lets go of what pulls harder, and holds what does not", () => {
        expect(hang({ maxForce: 0.5 * WEIGHT }).edgeAfter(1)).toBeLessThan(-1.5);
        expect(hang({ maxForce: 3 * WEIGHT }).edgeAfter(2)).toBeGreaterThan(-0.05);
        // Slipping, it falls by what the force leaves of gravity, half of it.
        const slid = hang({ maxForce: 0.5 * WEIGHT, slips: true }).edgeAfter(0.5);
        const fallen = hang({ maxForce: 0.01 * WEIGHT }).edgeAfter(0.5);
        expect(slid / fallen).toBeCloseTo(0.5, 1);
    });
});
