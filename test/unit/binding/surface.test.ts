import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import "@babylonjs/core/Materials/standardMaterial";
import { Ray } from "@babylonjs/core/Culling/ray";
import { Vector2, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { Mesh } from "@babylonjs/core/Meshes/mesh";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import type { Scene } from "@babylonjs/core/scene";
import { MeshBinding } from "../../../src/babylon/mesh/meshBinding";
import { getKernels } from "../../../src/engine/index";
import { applyData, withTangents } from "./builders";
import {
    difference,
    expectIs,
    floatsOf,
    IDENTITY,
    makeScene,
    moveMemory,
    particlesAt,
    smallestCosine,
    validateBinding,
    writeShape,
} from "./harness";

let scene: Scene;
beforeEach(() => {
    scene = makeScene();
});
afterEach(() => {
    scene.getEngine().dispose();
});

const ground = (): Mesh => MeshBuilder.CreateGround("ground", { width: 2, height: 2, subdivisions: 4 }, scene);

describe("normals", () => {
    test("point as authored, whichever way the triangles are wound", () => {
        const sphere = MeshBuilder.CreateSphere("s", { segments: 8 }, scene);
        const authored = floatsOf(sphere, "normal");
        const indices = sphere.getIndices()!.slice();
        for (let i = 0; i < indices.length; i += 6) [indices[i], indices[i + 1]] = [indices[i + 1], indices[i]];
        sphere.setIndices(indices);
        writeShape(new MeshBinding(sphere, getKernels()));
        expect(smallestCosine(floatsOf(sphere, "normal"), authored, 3)).toBeGreaterThan(0.98);
    });

    test("of a right-handed scene's mesh point outward", () => {
        scene.useRightHandedSystem = true;
        const sphere = MeshBuilder.CreateSphere("s", { segments: 8 }, scene);
        const authored = floatsOf(sphere, "normal");
        writeShape(new MeshBinding(sphere, getKernels()));
        expect(smallestCosine(floatsOf(sphere, "normal"), authored, 3)).toBeGreaterThan(0.98);
        expect(smallestCosine(floatsOf(sphere, "position"), authored, 3)).toBeGreaterThan(0.98);
    });

    test("of a tilted sheet are the sheet's", () => {
        const mesh = ground();
        writeShape(new MeshBinding(mesh, getKernels()), (x, _y, z) => [x, x, z]);
        const normals = floatsOf(mesh, "normal");
        for (let o = 0; o < normals.length; o += 3) {
            expect(difference(normals.subarray(o, o + 3), [-Math.SQRT1_2, Math.SQRT1_2, 0])).toBeLessThan(1e-6);
        }
    });

    test("of a box stay split at its edges when it shears", () => {
        const box = MeshBuilder.CreateBox("b", {}, scene);
        const binding = new MeshBinding(box, getKernels());
        writeShape(binding, (x, y, z) => [x + 0.5 * y, y, z]);
        const normals = floatsOf(box, "normal");
        const distinct = new Set<string>();
        for (let o = 0; o < normals.length; o += 3)
            distinct.add([...normals.subarray(o, o + 3)].map((c) => Math.round(c * 1e4) / 1e4 || 0).join());
        const s = 0.8944,
            t = 0.4472;
        expect([...distinct].sort()).toEqual([`0,-1,0`, `0,0,-1`, `0,0,1`, `0,1,0`, `${-s},${t},0`, `${s},${-t},0`].sort());
    });

    test("are shared across a texture seam whose normals differ by rounding", () => {
        // A roof: two quads meet in a smooth ridge, with the ridge's vertices doubled.
        const positions = [-1, 0, 0, -1, 0, 1, 0, 1, 0, 0, 1, 1, 0, 1, 0, 0, 1, 1, 1, 0, 0, 1, 0, 1];
        const up = [0.008, 1, 0],
            down = [-0.008, 1, 0];
        const normals = [-1, 1, 0, -1, 1, 0, ...up, ...up, ...down, ...down, 1, 1, 0, 1, 1, 0];
        const mesh = applyData(new Mesh("roof", scene), positions, [0, 2, 1, 1, 2, 3, 4, 6, 5, 5, 6, 7], normals);
        writeShape(new MeshBinding(mesh, getKernels()));
        const written = floatsOf(mesh, "normal");
        for (const v of [2, 3, 4, 5]) expect(written[3 * v + 1]).toBeGreaterThan(0.9);
        expect(written.subarray(6, 9)).toEqual(written.subarray(12, 15));
    });

    test("of a mesh without normals are not invented", () => {
        const mesh = applyData(new Mesh("bare", scene), [0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0], [0, 1, 2, 1, 3, 2]);
        const binding = new MeshBinding(mesh, getKernels());
        writeShape(binding, (x, y, z) => [x, y, z + x * y]);
        expect(mesh.isVerticesDataPresent("normal")).toBe(false);
        expect([...floatsOf(mesh, "position")].slice(9)).toEqual([1, 1, 1]);
        expect([...binding.triangles]).toEqual([0, 1, 2, 1, 3, 2]);
    });

    test("that are not finite do not spread", () => {
        const mesh = ground();
        // The first three rows of triangles have no normal to tell their front: they take the side of the others.
        const normals = floatsOf(mesh, "normal").fill(NaN, 0, 50);
        mesh.setVerticesData("normal", normals);
        const binding = new MeshBinding(mesh, getKernels());
        expect(binding.particleCount).toBe(25);
        writeShape(binding);
        expect(
            difference(
                floatsOf(mesh, "normal"),
                [...normals].map((_, i) => (i % 3 === 1 ? 1 : 0)),
            ),
        ).toBeLessThan(1e-6);
    });
});

describe("tangents", () => {
    test("come back at rest, with their signs", () => {
        const mesh = withTangents(ground());
        const authored = floatsOf(mesh, "tangent");
        writeShape(new MeshBinding(mesh, getKernels()));
        expect(difference(floatsOf(mesh, "tangent"), authored)).toBeLessThan(1e-5);
    });

    test("of a face come from it, not from a larger one beside it", () => {
        // In the planes of x and y, and of y and z; each tangent is in the plane of its face.
        const large = [0, 0, 0, 9, 0, 0, 0, 9, 0];
        const small = [20, 0, 0, 20, 0, 1, 20, 1, 0];
        for (const isLargeFirst of [true, false]) {
            const mesh = applyData(
                new Mesh("faces", scene),
                isLargeFirst ? [...large, ...small] : [...small, ...large],
                [0, 1, 2, 3, 4, 5],
            );
            mesh.createNormals(false);
            const inXY = [0.8, 0.6, 0, 1];
            const inYZ = [0, -0.6, 0.8, -1];
            const authored = [0, 1, 2, 3, 4, 5].flatMap((v) => (v < 3 === isLargeFirst ? inXY : inYZ));
            mesh.setVerticesData("tangent", authored);
            writeShape(new MeshBinding(mesh, getKernels()));
            expect(difference(floatsOf(mesh, "tangent"), authored)).toBeLessThan(1e-6);
        }
    });

    test("that are not finite do not spread", () => {
        const mesh = withTangents(ground());
        const tangents = floatsOf(mesh, "tangent");
        tangents[9] = NaN;
        mesh.setVerticesData("tangent", tangents);
        writeShape(new MeshBinding(mesh, getKernels()));
        const written = floatsOf(mesh, "tangent");
        expect(written.every(Number.isFinite)).toBe(true);
        for (let v = 0; v < written.length / 4; v++) {
            if (v !== 2) expect([...written.subarray(4 * v, 4 * v + 4)]).toEqual([...tangents.subarray(4 * v, 4 * v + 4)]);
        }
    });

    test("turn and stretch with the cloth and stay orthogonal to the normal", () => {
        const mesh = withTangents(ground());
        writeShape(new MeshBinding(mesh, getKernels()), (x, y, z) => [y, 3 * x, z]);
        const tangents = floatsOf(mesh, "tangent"),
            normals = floatsOf(mesh, "normal");
        for (let v = 0; v < tangents.length / 4; v++) {
            expect(difference(tangents.subarray(4 * v, 4 * v + 3), [0, 1, 0])).toBeLessThan(1e-6);
            expect(difference(normals.subarray(3 * v, 3 * v + 3), [-1, 0, 0])).toBeLessThan(1e-6);
        }
    });

    test("of a sphere come back up to its roundness", () => {
        const mesh = MeshBuilder.CreateSphere("s", { segments: 16 }, scene);
        const normals = floatsOf(mesh, "normal");
        const tangents = new Float32Array((normals.length / 3) * 4);
        for (let v = 0; v < normals.length / 3; v++) {
            const length = Math.hypot(normals[3 * v], normals[3 * v + 2]) || 1;
            tangents.set([normals[3 * v + 2] / length, 0, -normals[3 * v] / length, -1], 4 * v);
        }
        mesh.setVerticesData("tangent", tangents);
        writeShape(new MeshBinding(mesh, getKernels()));
        const written = floatsOf(mesh, "tangent");
        for (let v = 0; v < normals.length / 3; v++) {
            if (Math.abs(normals[3 * v + 1]) < 0.95) {
                expect(smallestCosine(written.subarray(4 * v, 4 * v + 3), tangents.subarray(4 * v, 4 * v + 3), 3)).toBeGreaterThan(
                    0.99,
                );
            }
            expect(written[4 * v + 3]).toBe(-1);
        }
    });
});

describe("write", () => {
    test("interpolates between the last fixed step's start and end", () => {
        const mesh = ground();
        const binding = new MeshBinding(mesh, getKernels());
        const particles = particlesAt(binding.restPositions);
        for (let i = 1; i < particles.positions.length; i += 4) particles.positions[i] += 8;
        binding.write(particles, { toLocal: IDENTITY, alpha: 0.25 });
        expect(floatsOf(mesh, "position").every((y, i) => i % 3 !== 1 || y === 2)).toBe(true);
    });

    test("maps by rows: rotation, uneven negative scale and offset", () => {
        const mesh = ground();
        const binding = new MeshBinding(mesh, getKernels());
        const map = new Float32Array([0, 2, 0, 0, -3, 0, 0, 0, 0, 0, -1, 0, 10, 20, 30, 1]);
        const rest = binding.restVertexPositions;
        binding.write(particlesAt(binding.restPositions), { toLocal: map, alpha: 1 });
        const expected = [];
        for (let o = 0; o < rest.length; o += 3) expected.push(-3 * rest[o + 1] + 10, 2 * rest[o] + 20, -rest[o + 2] + 30);
        expect(difference(floatsOf(mesh, "position"), expected)).toBeLessThan(1e-5);
    });

    test("keeps bounds right for culling, under a moved and mirrored parent too", () => {
        const parent = new Mesh("parent", scene);
        parent.position.set(100, 0, 0);
        parent.scaling.set(1, 1, -2);
        const mesh = ground();
        mesh.parent = parent;
        mesh.computeWorldMatrix(true);
        writeShape(new MeshBinding(mesh, getKernels()), (x, y, z) => [x, y + 7, z + 3]);
        const { boundingBox: box, boundingSphere: sphere } = mesh.getBoundingInfo();
        expect(box.minimumWorld.asArray()).toEqual([99, 7, -8]);
        expect(box.maximumWorld.asArray()).toEqual([101, 7, -4]);
        expect(sphere.centerWorld.asArray()).toEqual([100, 7, -6]);
        expectIs(mesh.subMeshes[0].getBoundingInfo(), mesh.getBoundingInfo());
    });

    test("uploads each of its buffers once, whole", () => {
        const mesh = withTangents(ground());
        const binding = new MeshBinding(mesh, getKernels());
        const uploads: unknown[] = [];
        const engine = scene.getEngine();
        engine.updateDynamicVertexBuffer = (buffer, data) => void uploads.push(buffer, data);
        writeShape(binding);
        const expected = ["position", "normal", "tangent"].flatMap((kind) => [
            mesh.getVertexBuffer(kind)!.getBuffer(),
            mesh.getVerticesData(kind),
        ]);
        expect(uploads.length).toBe(6);
        uploads.forEach((upload, i) => expect(upload === expected[i]).toBe(true));
    });

    test("keeps the geometry's bounding bias", () => {
        const mesh = ground();
        mesh.geometry!.boundingBias = new Vector2(0, 0.5);
        writeShape(new MeshBinding(mesh, getKernels()));
        expect(mesh.getBoundingInfo().minimum.asArray()).toEqual([-1.5, -0.5, -1.5]);
        expect(mesh.getBoundingInfo().maximum.asArray()).toEqual([1.5, 0.5, 1.5]);
    });

    test("keeps picking right: the ray meets the cloth where it is now", () => {
        const mesh = ground();
        const binding = new MeshBinding(mesh, getKernels());
        for (const height of [1, 4, 2.5]) {
            writeShape(binding, (x, y, z) => [x, y + height, z]);
            const hit = scene.pickWithRay(new Ray(new Vector3(0.3, 50, 0.2), Vector3.Down()));
            expectIs(hit!.pickedMesh, mesh);
            expect(hit!.pickedPoint!.y).toBeCloseTo(height, 5);
        }
        binding.dispose();
        expect(scene.pickWithRay(new Ray(new Vector3(0.3, 50, 0.2), Vector3.Down()))!.pickedPoint!.y).toBeCloseTo(0, 5);
    });

    test("allocates nothing", () => {
        const mesh = withTangents(ground());
        const binding = new MeshBinding(mesh, getKernels());
        const particles = particlesAt(binding.restPositions);
        const view = { toLocal: IDENTITY, alpha: 1 };
        const run = (count: number): number => {
            const before = process.memoryUsage().heapUsed;
            for (let i = 0; i < count; i++) binding.write(particles, view);
            return process.memoryUsage().heapUsed - before;
        };
        // Long enough for the compiler to be done with Babylon's own methods, which box numbers before.
        run(20000);
        const samples = [1, 2, 3, 4, 5].map(() => run(2000)).sort((a, b) => a - b);
        expect(samples[2] / 2000).toBeLessThan(64);
    });
});

test("a move of the kernels' memory between frames leaves picking and vertex data right", () => {
    const mesh = ground();
    const binding = new MeshBinding(mesh, getKernels());
    const other = MeshBuilder.CreateSphere("s", { segments: 4 }, scene);
    writeShape(binding, (x, y, z) => [x, y + 3, z]);
    const positions = floatsOf(mesh, "position");
    new MeshBinding(other, getKernels());
    moveMemory();
    expect(floatsOf(mesh, "position")).toEqual(positions);
    expect(scene.pickWithRay(new Ray(new Vector3(0.3, 50, 0.2), Vector3.Down()), (m) => m === mesh)!.pickedPoint!.y).toBeCloseTo(
        3,
        5,
    );
    writeShape(binding, (x, y, z) => [x, y + 4, z]);
    expect(mesh.getBoundingInfo().maximum.y).toBe(4);
    binding.dispose();
    moveMemory();
    expect(mesh.getBoundingInfo().maximum.y).toBe(0);
});

describe("vertices of no triangle", () => {
    test("ride on a particle and stay finite", () => {
        const positions = [9, 9, 9, 0, 0, 0, 1, 0, 0, 0, 1, 0, -5, 0, 0, 1, 0, 0];
        const mesh = applyData(new Mesh("loose", scene), positions, [1, 2, 3], new Array(6).fill([0, 0, 1]).flat());
        const binding = new MeshBinding(mesh, getKernels());
        validateBinding(binding);
        expect(binding.particleCount).toBe(3);
        expect([...binding.particleOfVertex]).toEqual([0, 0, 1, 2, 0, 1]);
        expect([...binding.restVertexPositions.subarray(0, 3)]).toEqual([0, 0, 0]);
        writeShape(binding);
        expect(floatsOf(mesh, "normal").every((n, i) => n === (i % 3 === 2 ? 1 : 0))).toBe(true);
        expect(mesh.getBoundingInfo().maximum.asArray()).toEqual([1, 1, 0]);
        binding.dispose();
        expect([...floatsOf(mesh, "position")]).toEqual(positions);
    });

    test("in slivers keep the slivers shut", () => {
        // A T-junction: vertex 4 lies on the edge 1-2, joined to it only by a triangle without area.
        const positions = [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 1, 0.5, 0];
        const mesh = applyData(new Mesh("sliver", scene), positions, [0, 1, 2, 0, 2, 3, 1, 4, 2]);
        const binding = new MeshBinding(mesh, getKernels());
        validateBinding(binding);
        expect(binding.particleCount).toBe(4);
        expect(binding.triangles.length).toBe(6);
        expect([binding.particleOfVertex[1], binding.particleOfVertex[2]]).toContain(binding.particleOfVertex[4]);
    });
});

test("vertex colours come as four floats", () => {
    const mesh = ground();
    const binding = new MeshBinding(mesh, getKernels());
    expect(binding.getVertexColors()).toBe(null);
    mesh.setVerticesData("color", new Float32Array(75).fill(0.5), false, 3);
    expect([...binding.getVertexColors()!.subarray(0, 4)]).toEqual([0.5, 0.5, 0.5, 1]);
});
