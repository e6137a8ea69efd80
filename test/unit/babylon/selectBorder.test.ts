// Edges and border loops of meshes whose border is not straight along an axis, as in models.
import { Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { afterEach, beforeEach, expect, jest, test } from "@jest/globals";
import { ClothBehavior, select } from "../../../src/index";
import type { Selector, Side } from "../../../src/index";
import { disposeWorlds, listen, makeWorld, messageOf, told } from "./harness";

beforeEach(() => listen("warn"));
afterEach(() => {
    disposeWorlds();
    jest.restoreAllMocks();
});

/** A sheet of 11 × 11 vertices, 1 m wide, row by row, moved by `bend`. */
function makeSheet(bend: (point: Vector3) => Vector3 = (point) => point): Mesh {
    const mesh = MeshBuilder.CreateGround("sheet", { width: 1, height: 1, subdivisions: 10 }, makeWorld().scene);
    const places = Array.from(mesh.getVerticesData("position")!);
    for (let i = 0; i < places.length; i += 3) bend(Vector3.FromArray(places, i)).toArray(places, i);
    mesh.setVerticesData("position", places);
    return mesh;
}

/** Vertices that a cloth pins by a selection. */
function pinned(mesh: Mesh, selection: Selector): number[] {
    let chosen: number[] = [];
    const cloth = new ClothBehavior({ wind: null, pins: [{ select: { pick: (at) => (chosen = selection.pick(at)) } }] });
    mesh.addBehavior(cloth);
    mesh.removeBehavior(cloth);
    return chosen;
}

const warnings = (): string[] => told("warn").filter((line) => line.includes("select."));

/** The first row of a sheet lies at z = 0.5. */
const FIRST_ROW = [...Array(11).keys()];

test("edge of a bowed border: its strip, though one vertex alone is on the side", () => {
    const mesh = makeSheet((p) => p.addInPlaceFromFloats(0, 0, p.z * 0.08 * (1 - Math.abs(p.x))));
    expect(pinned(mesh, select.edge("+z"))).toEqual(FIRST_ROW);
    expect(warnings()).toEqual([]);
});

test("edge of a sheet cut out askew", () => {
    const turn = Quaternion.RotationAxis(Vector3.Up(), 0.06);
    const mesh = makeSheet((p) => p.applyRotationQuaternionInPlace(turn));
    const chosen = pinned(mesh, select.edge("+z"));
    expect(chosen).toEqual(expect.arrayContaining(FIRST_ROW));
    expect(chosen.length).toBeLessThan(14);
    expect(warnings()).toEqual([]);
});

test("edge with three vertices of a bowed border: those", () => {
    const mesh = makeSheet((p) => p.addInPlaceFromFloats(0, 0, 0.08 * Math.min(0, 0.15 - Math.abs(p.x))));
    expect(pinned(mesh, select.edge("+z"))).toEqual([4, 5, 6]);
    expect(warnings()).toEqual([]);
});

test("edge across a flat axis: the border, and one warning with the numbers", () => {
    const mesh = makeSheet();
    expect(pinned(mesh, select.edge("-y"))).toHaveLength(40);
    expect(warnings()).toEqual([
        'ClothBehavior: select.edge("-y") of "sheet" is all its 121 vertices: the mesh has a size of 0 along y. Its border is taken, 40 vertices; name a side of another axis',
    ]);
});

test("edge of a tip: its vertex, and one warning with the numbers", () => {
    const mesh = makeSheet();
    const places = [0, 0, 0, 1, 0, 5, -1, 0, 5];
    mesh.setVerticesData("position", places);
    mesh.setVerticesData("normal", [0, 1, 0, 0, 1, 0, 0, 1, 0]);
    mesh.setIndices([0, 1, 2]);
    pinned(mesh, select.edge("-z"));
    expect(warnings()).toEqual([
        'ClothBehavior: select.edge("-z") of "sheet" is 1 of its 3 vertices, at 1 places; for more use select.borderLoop, select.box or paint',
    ]);
});

test.each(["+x", "-x", "+y", "-y", "+z", "-z"] as Side[])("edge %s of a closed mesh: what lies within a fiftieth", (side) => {
    const mesh = MeshBuilder.CreateIcoSphere("ball", { radius: 1, subdivisions: 5, flat: false }, makeWorld().scene);
    const turn = Quaternion.RotationAxis(new Vector3(0.3, 1.1, 0.62).normalize(), 0.77);
    mesh.forceSharedVertices();
    const places = Array.from(mesh.getVerticesData("position")!);
    const point = new Vector3();
    for (let i = 0; i < places.length; i += 3) {
        Vector3.FromArrayToRef(places, i, point);
        point.applyRotationQuaternionInPlace(turn).toArray(places, i);
    }
    mesh.setVerticesData("position", places);
    const axis = "xyz".indexOf(side[1]);
    const sign = side[0] === "-" ? -1 : 1;
    const highest = Math.max(...[...places.keys()].filter((i) => i % 3 === axis).map((i) => sign * places[i]));
    const chosen = pinned(mesh, select.edge(side));
    expect(chosen.length).toBeGreaterThan(2);
    for (let v = 0; v < places.length / 3; v++) {
        const depth = highest - sign * places[3 * v + axis];
        if (Math.abs(depth - 0.04) > 0.002) expect([v, chosen.includes(v)]).toEqual([v, depth < 0.04]);
    }
    expect(warnings()).toEqual([]);
});

test("border loop: the nearest of a skirt's two, seams closed", () => {
    const mesh = MeshBuilder.CreateCylinder(
        "skirt",
        { height: 1, diameterTop: 0.4, diameterBottom: 0.8, tessellation: 16, subdivisions: 8, cap: 0 },
        makeWorld().scene,
    );
    const places = mesh.getVerticesData("position")!;
    const rim = (y: number): number[] => [...Array(places.length / 3).keys()].filter((v) => Math.abs(places[3 * v + 1] - y) < 1e-6);
    expect(pinned(mesh, select.borderLoop(new Vector3(0, 1, 0)))).toEqual(rim(0.5));
    expect(pinned(mesh, select.borderLoop(new Vector3(0, -0.3, 0.3)))).toEqual(rim(-0.5));
});

test("border loop of a closed mesh, or near nothing", () => {
    const { scene } = makeWorld();
    const ball = MeshBuilder.CreateIcoSphere("ball", { subdivisions: 3 }, scene);
    const cloth = new ClothBehavior({ pins: [{ select: select.borderLoop(Vector3.Zero()) }] });
    expect(messageOf(() => ball.addBehavior(cloth))).toBe('select: borderLoop(near) must be a mesh with a border, got "ball"');
    expect(messageOf(() => select.borderLoop(null as never))).toBe("select: borderLoop(near) must be a Vector3, got null");
});
