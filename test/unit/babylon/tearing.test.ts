// Cloth that tears: by hand, by strain, a thousand times at random.
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { Mesh } from "@babylonjs/core/Meshes/mesh";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { SubMesh } from "@babylonjs/core/Meshes/subMesh";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { ClothBehavior, ClothTearing, Fabrics, select } from "../../../src/index";
import type { ClothOptions } from "../../../src/index";
import { runtimeOf } from "../../../src/babylon/behaviors/bodyRuntime";
import { column, disposeWorlds, FRAME, listen, makeWorld, messageOf, told } from "./harness";
import { limitsOf, markedOf, wronglyMarked } from "../../physics/stickWeights";
import { randomMesh } from "../../fuzz/randomMeshes";
import { tearAtRandom, validateTorn } from "../../fuzz/tears";

beforeEach(() => listen("warn"));
afterEach(() => {
    disposeWorlds();
    jest.restoreAllMocks();
});

/** A square metre that hangs in the xy plane by its upper edge, its middle at the origin. */
function hang(options: ClothOptions = {}, strain = Infinity, subdivisions = 8) {
    const world = makeWorld();
    const mesh = MeshBuilder.CreateGround("sheet", { width: 1, height: 1, subdivisions }, world.scene);
    mesh.rotation.x = -Math.PI / 2;
    const cloth = new ClothBehavior({ pins: [{ select: select.edge("+z") }], ...options });
    const tearing = new ClothTearing({ strain });
    mesh.addBehavior(cloth);
    mesh.addBehavior(tearing);
    return { ...world, mesh, cloth, tearing };
}

/** Groups of the particles that triangles join, by size. */
function pieces(cloth: ClothBehavior): number[] {
    const { triangles } = runtimeOf(cloth)!.instance!.cloth.triangles;
    const head = Array.from({ length: cloth.particleCount }, (_, i) => i);
    const find = (i: number): number => (head[i] === i ? i : (head[i] = find(head[i])));
    for (let i = 0; i < triangles.length; i += 3) {
        head[find(triangles[i])] = find(triangles[i + 1]);
        head[find(triangles[i + 1])] = find(triangles[i + 2]);
    }
    const sizes = new Map<number, number>();
    for (let i = 0; i < head.length; i++) sizes.set(find(i), (sizes.get(find(i)) ?? 0) + 1);
    return [...sizes.values()].sort((a, b) => b - a);
}

/** Area of the mesh's triangles in the plane of their texture coordinates. */
function uvArea(mesh: Mesh): number {
    const uv = mesh.getVerticesData("uv")!;
    const indices = mesh.getIndices()!;
    let area = 0;
    for (let i = 0; i < indices.length; i += 3) {
        const [a, b, c] = [indices[i], indices[i + 1], indices[i + 2]].map((v) => [uv[2 * v], uv[2 * v + 1]]);
        area += ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])) / 2;
    }
    return Math.abs(area);
}

describe("a cut", () => {
    test("leaves limits marked by the masses that there are", () => {
        const { cloth, tearing, frame } = hang();
        const body = () => runtimeOf(cloth)!.instance!.cloth;
        const count = (): number => limitsOf(body()).reduce((sum, limits) => sum + markedOf(limits).length, 0);
        frame(FRAME, 60);
        expect([count() > 4, wronglyMarked(body())]).toEqual([true, []]);
        expect(tearing.cut(new Vector3(-1, 0, 0), new Vector3(1, 0, 0))).toBe(true);
        frame(FRAME, 60);
        expect([count() > 0, wronglyMarked(body())]).toEqual([true, []]);
    });

    test("across hanging cloth parts it in two; the lower piece falls, the upper one hangs on", () => {
        const { cloth, tearing, mesh, frame } = hang();
        frame(FRAME, 2);
        expect(pieces(cloth)).toEqual([81]);
        expect(tearing.cut(new Vector3(-1, 0.03, 0), new Vector3(1, 0.03, 0))).toBe(true);
        expect(pieces(cloth)).toHaveLength(2);
        expect(uvArea(mesh)).toBeCloseTo(1, 5);
        frame(FRAME, 60);
        const y = column(cloth.getParticlePositions(), 1).sort((a, b) => a - b);
        expect(y[0]).toBeLessThan(-4);
        expect(y.filter((height) => height > -0.1 && height < 0.6).length).toBe(
            pieces(cloth).find((n, i, all) => n === all.find((m) => m <= 54))!,
        );
        validateTorn(cloth);
    });

    test("within the cloth opens a slit and leaves it in one piece", () => {
        const { cloth, tearing, mesh, frame } = hang();
        frame();
        const before = cloth.particleCount;
        expect(tearing.cut(new Vector3(-0.2, 0.05, 0), new Vector3(0.22, -0.13, 0))).toBe(true);
        expect(pieces(cloth)).toEqual([cloth.particleCount]);
        expect(cloth.particleCount).toBeGreaterThan(before + 4);
        expect(uvArea(mesh)).toBeCloseTo(1, 5);
        frame(FRAME, 30);
        validateTorn(cloth);
    });

    test("that misses the cloth, lies beside it or crosses one edge changes nothing", () => {
        const { cloth, tearing, mesh, frame } = hang();
        frame();
        const geometry = mesh.geometry;
        expect(tearing.cut(new Vector3(2, 0, 0), new Vector3(3, 0, 0))).toBe(false);
        expect(tearing.cut(new Vector3(-1, 0, 2), new Vector3(1, 0, 2))).toBe(false);
        expect(tearing.cut(new Vector3(0.05, 0.03, 0), new Vector3(0.06, 0.03, 0))).toBe(false);
        expect(tearing.cut(new Vector3(0, 0, 0), new Vector3(0, 0, 0))).toBe(false);
        expect(mesh.geometry).toBe(geometry);
        expect(cloth.particleCount).toBe(81);
    });

    test("goes as far from the segment as its reach", () => {
        const { cloth, tearing, frame } = hang();
        frame();
        expect(tearing.cut(new Vector3(-1, 0, 0.3), new Vector3(1, 0, 0.3), 0.2)).toBe(false);
        expect(cloth.cut(new Vector3(-1, 0, 0.3), new Vector3(1, 0, 0.3), 0.4)).toBe(true);
    });

    test("goes on with the motion, and with what pins hold", () => {
        const { cloth, tearing, frame, scene } = hang({ pins: [] });
        const node = new TransformNode("node", scene);
        const pin = cloth.pin(select.edge("+z"), node);
        const velocity = 1.5;
        for (let i = 0; i < 30; i++) {
            node.position.x += velocity * (FRAME / 1000);
            if (i === 20 || i === 21) tearing.cut(new Vector3(-9, -0.2, 0), new Vector3(9, -0.2, 0), 9);
            frame();
        }
        expect(pin.particleCount).toBe(9);
        const x = column(cloth.getParticlePositions(), 0);
        const top = Array.from({ length: 9 }, (_, v) => x[cloth.particleOfVertex(v)]);
        top.forEach((at, v) => expect(at - node.position.x).toBeCloseTo(v / 8 - 0.5, 4));
    });

    test("through a pinned edge divides the pin", () => {
        const { cloth, tearing, frame } = hang();
        frame();
        tearing.cut(new Vector3(0.05, -1, 0), new Vector3(0.05, 1, 0));
        expect(pieces(cloth)).toHaveLength(2);
        frame(FRAME, 60);
        const y = column(cloth.getParticlePositions(), 1);
        expect(Math.min(...y)).toBeGreaterThan(-0.6);
        expect(cloth.pins[0].particleCount).toBe(11);
    });

    test("keeps what vertices carry: colours, tangents, a second set of texture coordinates, parts with materials", () => {
        const world = makeWorld();
        const mesh = MeshBuilder.CreateGround("sheet", { width: 1, height: 1, subdivisions: 8, updatable: true }, world.scene);
        const x = mesh.getVerticesData("position")!;
        mesh.setVerticesData(
            "color",
            Float32Array.from({ length: 324 }, (_, i) => (i % 4 === 3 ? 1 : x[3 * (i >> 2)] + 0.5)),
            false,
            4,
        );
        mesh.setVerticesData(
            "tangent",
            Float32Array.from({ length: 324 }, (_, i) => (i % 4 === 0 || i % 4 === 3 ? 1 : 0)),
            false,
            4,
        );
        mesh.setVerticesData(
            "uv2",
            Float32Array.from({ length: 162 }, (_, i) => x[3 * (i >> 1) + 2 * (i & 1)]),
            false,
            2,
        );
        const half = mesh.getTotalIndices() / 2;
        mesh.releaseSubMeshes();
        new SubMesh(0, 0, 81, 0, half, mesh);
        new SubMesh(1, 0, 81, half, half, mesh);
        const cloth = new ClothBehavior({ gravity: Vector3.Zero() });
        const tearing = new ClothTearing();
        mesh.addBehavior(cloth);
        mesh.addBehavior(tearing);
        world.frame();
        tearing.cut(new Vector3(-0.3, 0, -1), new Vector3(0.36, 0, 1));
        const now = mesh.getVerticesData("position")!;
        const colors = mesh.getVerticesData("color")!;
        const uv2 = mesh.getVerticesData("uv2")!;
        for (let v = 0; v < mesh.getTotalVertices(); v++) {
            expect(colors[4 * v]).toBeCloseTo(now[3 * v] + 0.5, 4);
            expect(uv2[2 * v]).toBeCloseTo(now[3 * v], 4);
            expect(uv2[2 * v + 1]).toBeCloseTo(now[3 * v + 2], 4);
        }
        const [first, second] = mesh.subMeshes;
        expect(first.indexStart).toBe(0);
        expect(second.indexStart).toBe(first.indexCount);
        expect(first.indexCount + second.indexCount).toBe(mesh.getTotalIndices());
        // The parts are the halves that they were: by z.
        const heights = (part: typeof first): number[] =>
            Array.from(mesh.getIndices()!.slice(part.indexStart, part.indexStart + part.indexCount), (v) => now[3 * v + 2]);
        expect(Math.min(...heights(first))).toBeGreaterThan(-1e-3);
        expect(Math.max(...heights(second))).toBeLessThan(1e-3);
        validateTorn(cloth);
    });

    test("parts both sides of a double-sided mesh, and a sphere's poles", () => {
        const { scene, frame } = makeWorld();
        const build = MeshBuilder;
        const plane = build.CreateTiledPlane("plane", { size: 1, tileSize: 0.2, sideOrientation: Mesh.DOUBLESIDE }, scene);
        const sphere = build.CreateSphere("sphere", { diameter: 1, segments: 6 }, scene);
        const cases: [Mesh, Vector3, Vector3, number][] = [
            [plane, new Vector3(-1, 0.11, 0), new Vector3(1, 0.13, 0), 2],
            [sphere, new Vector3(-0.3, 0.11, -0.5), new Vector3(0.3, 0.13, -0.5), 1],
            [sphere.clone(), new Vector3(-0.2, 0.5, 0.02), new Vector3(0.2, 0.5, 0.03), 1],
        ];
        for (const [mesh, from, to, count] of cases) {
            const cloth = new ClothBehavior({ gravity: Vector3.Zero() });
            const tearing = new ClothTearing();
            mesh.addBehavior(cloth);
            mesh.addBehavior(tearing);
            frame();
            expect(tearing.cut(from, to)).toBe(true);
            expect(pieces(cloth)).toHaveLength(count);
            frame(FRAME, 10);
            validateTorn(cloth);
            mesh.dispose();
        }
    });
});

describe("strain", () => {
    test("tears a sheet that is pulled apart, and none that hangs", () => {
        const { cloth, frame, scene, tearing } = hang({ pins: [], fabric: Fabrics.cotton }, 0.3);
        const [above, below] = [new TransformNode("above", scene), new TransformNode("below", scene)];
        cloth.pin(select.edge("+z"), above);
        cloth.pin(select.edge("-z"), below);
        let tears = 0;
        tearing.onTearObservable.add(() => tears++);
        frame(FRAME, 30);
        expect(tears).toBe(0);
        for (let i = 0; i < 120; i++) {
            below.position.y -= 0.01;
            frame();
        }
        expect(tears).toBeGreaterThan(0);
        expect(pieces(cloth).length).toBeGreaterThan(1);
        validateTorn(cloth);
        // Torn, it is slack.
        frame(FRAME, 60);
        expect(cloth.stats.meanStretch).toBeLessThan(0.02);
    });

    test("Infinity: nothing tears by itself", () => {
        const { cloth, frame, scene } = hang({ pins: [{ select: select.edge("+z") }] });
        const below = new TransformNode("below", scene);
        cloth.pin(select.edge("-z"), below);
        below.position.y = -1;
        frame(FRAME, 30);
        expect(cloth.particleCount).toBe(81);
    });
});

describe("mending", () => {
    test("gives the mesh its own geometry back, and the cloth goes on", () => {
        const { mesh, cloth, tearing, frame } = hang();
        const positions = mesh.getVerticesData("position")!.slice();
        frame();
        tearing.cut(new Vector3(-1, 0, 0), new Vector3(1, 0.1, 0));
        tearing.cut(new Vector3(0, -1, 0), new Vector3(0.1, 1, 0));
        frame(FRAME, 30);
        tearing.mend();
        expect(cloth.particleCount).toBe(81);
        expect(pieces(cloth)).toEqual([81]);
        frame(FRAME, 120);
        expect(Math.min(...column(cloth.getParticlePositions(), 1))).toBeGreaterThan(-0.6);
        mesh.removeBehavior(cloth);
        expect(Array.from(mesh.getVerticesData("position")!)).toEqual(Array.from(positions));
    });

    test("comes with the behavior's end, in any order, and leaves no geometry behind", () => {
        for (const isClothFirst of [true, false]) {
            const { mesh, cloth, tearing, frame, scene } = hang();
            const geometry = mesh.geometry;
            void geometry;
            const { length } = scene.geometries;
            const indices = Array.from(mesh.getIndices()!);
            frame();
            for (let i = 0; i < 3; i++) tearing.cut(new Vector3(-1, 0.1 * i, 0), new Vector3(1, 0.1 * i + 0.03, 0));
            expect(scene.geometries.length).toBeLessThanOrEqual(length + 1);
            mesh.removeBehavior(isClothFirst ? cloth : tearing);
            mesh.removeBehavior(isClothFirst ? tearing : cloth);
            expect(Array.from(mesh.getIndices()!)).toEqual(indices);
            expect(mesh.getTotalVertices()).toBe(81);
            expect(mesh.subMeshes.map(({ indexCount }) => indexCount)).toEqual([indices.length]);
            expect(scene.geometries).toHaveLength(1);
            mesh.dispose();
            expect(scene.geometries).toHaveLength(0);
        }
        const { mesh, tearing, frame, scene } = hang();
        frame();
        tearing.cut(new Vector3(-1, 0, 0), new Vector3(1, 0.1, 0));
        mesh.dispose();
        expect(scene.geometries).toHaveLength(0);
    });
});

// `npm run survey -- --only tears` tears a thousand times.
test.each([0, 5, 9])("torn at random, random mesh %i stays valid", async (seed) => {
    const { scene } = makeWorld();
    const { tears } = await tearAtRandom(randomMesh(seed, scene), seed, 25);
    expect(tears).toBeGreaterThanOrEqual(20);
});

test("wrong input is told, and none does harm", () => {
    const { mesh, tearing, scene } = hang();
    expect(messageOf(() => new ClothTearing({ strain: 0 }))).toBe("ClothTearing: strain must be a finite number > 0, got 0");
    expect(messageOf(() => new ClothTearing({ strian: 1 } as never))).toBe(
        'ClothTearing: unknown option "strian"; the options are strain; did you mean "strain"?',
    );
    expect(messageOf(() => tearing.cut(new Vector3(NaN, 0, 0), Vector3.Zero()))).toContain("ClothTearing: cut(from).x must be");
    expect(messageOf(() => tearing.cut(Vector3.Zero(), Vector3.Up(), 0))).toContain("ClothTearing: cut(reach) must be");
    const other = MeshBuilder.CreateGround("other", {}, scene);
    expect(messageOf(() => other.addBehavior(tearing))).toBe('ClothTearing: can be on one mesh only; this one is on "sheet"');
    const cloth = new ClothBehavior();
    expect(messageOf(() => cloth.cut(Vector3.Zero(), Vector3.Up()))).toBe("ClothBehavior: cut needs a mesh with a ClothTearing");
    // No cloth.
    const alone = new ClothTearing();
    other.addBehavior(alone);
    expect(alone.cut(new Vector3(-1, 0, 0), new Vector3(1, 0, 0))).toBe(false);
    alone.mend();
    other.removeBehavior(alone);
    mesh.dispose();
    tearing.mend();
    expect(tearing.cut(new Vector3(-1, 0, 0), new Vector3(1, 0, 0))).toBe(false);
    expect(told("warn")).toEqual([]);
});
