import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import type { Scene } from "@babylonjs/core/scene";
import { MeshBinding } from "../../../src/babylon/mesh/meshBinding";
import { getKernels } from "../../../src/engine/index";
import { BUILDERS, DOUBLE_SIDED, SIDES } from "./builders";
import type { Builder } from "./builders";
import { countPlaces, difference, floatsOf, makeScene, smallestCosine, validateBinding, writeShape } from "./harness";

let scene: Scene;
beforeEach(() => {
    scene = makeScene();
});
afterEach(() => {
    scene.getEngine().dispose();
});

/** The rows of the vertices at triangles of three particles; at the others nothing is drawn, their normals mean nothing. */
function ofFaces(mesh: Mesh, { particleOfVertex }: MeshBinding, rows: Float32Array): Float32Array {
    const indices = mesh.getIndices()!;
    const kept = new Set<number>();
    for (let i = 0; i < indices.length; i += 3) {
        const corners = [indices[i], indices[i + 1], indices[i + 2]];
        if (new Set(corners.map((v) => particleOfVertex[v])).size === 3) corners.forEach((v) => kept.add(v));
    }
    return Float32Array.from([...kept].flatMap((v) => [...rows.subarray(3 * v, 3 * v + 3)]));
}

/** Writing the rest shape gives the authored shape, and a bent one stays sewn together. */
function checkIdentity(mesh: Mesh, { cosine }: Builder, binding: MeshBinding, authored: { [kind: string]: Float32Array }): void {
    writeShape(binding);
    expect(difference(floatsOf(mesh, "position"), authored.position)).toBeLessThan(3e-5);
    const normals = floatsOf(mesh, "normal");
    if (cosine === 1) {
        expect(difference(normals, authored.normal)).toBeLessThan(1e-3);
    } else {
        expect(smallestCosine(ofFaces(mesh, binding, normals), ofFaces(mesh, binding, authored.normal), 3)).toBeGreaterThan(cosine);
    }
    for (let o = 0; o < normals.length; o += 3) {
        expect(Math.hypot(normals[o], normals[o + 1], normals[o + 2])).toBeCloseTo(1, 4);
    }
}

describe.each(BUILDERS)("$name", (builder) => {
    test("welds to its places and writes its rest shape back", () => {
        const mesh = builder.make(scene);
        const authored = { position: floatsOf(mesh, "position"), normal: floatsOf(mesh, "normal") };
        const binding = new MeshBinding(mesh, getKernels());
        validateBinding(binding);
        expect(binding.particleCount).toBe(builder.particleCount ?? countPlaces(authored.position, 1e-4));
        expect(mesh.getVertexBuffer("position")!.isUpdatable()).toBe(true);
        checkIdentity(mesh, builder, binding, authored);
    });

    test("stays sewn at its seams, with finite unit normals, when it is bent", () => {
        const mesh = builder.make(scene);
        const binding = new MeshBinding(mesh, getKernels());
        writeShape(binding, (x, y, z) => [x + 0.3 * Math.sin(y + 2 * z), y + 0.2 * Math.cos(3 * x), 1.5 * z - 0.1 * x * y]);
        const positions = floatsOf(mesh, "position");
        const normals = floatsOf(mesh, "normal");
        const first = new Map<number, number>();
        for (let v = 0; v < binding.vertexCount; v++) {
            const p = binding.particleOfVertex[v];
            const seen = first.get(p) ?? v;
            first.set(p, seen);
            expect(positions.subarray(3 * v, 3 * v + 3)).toEqual(positions.subarray(3 * seen, 3 * seen + 3));
            expect(Math.hypot(normals[3 * v], normals[3 * v + 1], normals[3 * v + 2])).toBeCloseTo(1, 4);
        }
    });
});

test.each(DOUBLE_SIDED)("$name, double-sided, is one sheet with two faces", (builder) => {
    const single = new MeshBinding(builder.make(scene, SIDES.FRONT), getKernels());
    const mesh = builder.make(scene, SIDES.DOUBLESIDE);
    const authored = { position: floatsOf(mesh, "position"), normal: floatsOf(mesh, "normal") };
    const binding = new MeshBinding(mesh, getKernels());
    validateBinding(binding);
    expect(mesh.getTotalVertices()).toBe(2 * single.vertexCount);
    expect(binding.particleCount).toBe(single.particleCount);
    expect(binding.triangles).toEqual(single.triangles);
    checkIdentity(mesh, builder, binding, authored);
});

test("every builder of MeshBuilder is bound here, or makes no triangles from numbers", () => {
    const covered = BUILDERS.map(({ make }) => make.toString()).join();
    const others = [
        "CreateLines",
        "CreateDashedLines",
        "CreateLineSystem",
        "CreateGreasedLine",
        "CreateDecal",
        "CreateText",
        "CreateGroundFromHeightMap",
    ];
    expect(Object.keys(MeshBuilder).filter((name) => !covered.includes(name) && !others.includes(name))).toEqual([]);
});
