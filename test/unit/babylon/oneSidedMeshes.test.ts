// Triangles that are solid on one side alone: what is behind them comes through, what is before them stays there.
import { VertexBuffer } from "@babylonjs/core/Buffers/buffer";
import { Plane } from "@babylonjs/core/Maths/math.plane";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { MorphTarget } from "@babylonjs/core/Morph/morphTarget";
import { MorphTargetManager } from "@babylonjs/core/Morph/morphTargetManager";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import type { Scene } from "@babylonjs/core/scene";
import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { ClothBehavior } from "../../../src/index";
import { column, disposeWorlds, FRAME, listen, makeSquare, makeWorld } from "./harness";

beforeEach(() => listen("warn"));
afterEach(() => {
    disposeWorlds();
    jest.restoreAllMocks();
});

/** An uneven ground of 3 m that looks up. */
function ground(scene: Scene): Mesh {
    const mesh = MeshBuilder.CreateGround("ground", { width: 3, height: 3, subdivisions: 12, updatable: true }, scene);
    const positions = mesh.getVerticesData("position")!;
    for (let o = 0; o < positions.length; o += 3)
        positions[o + 1] = 0.02 * Math.sin(3 * positions[o]) * Math.cos(2 * positions[o + 2]);
    mesh.updateVerticesData("position", positions);
    mesh.createNormals(true);
    return mesh;
}

/** As other tools write them: the corners go round the other way, the normals are the same. */
function turnedRound(mesh: Mesh): Mesh {
    const indices = mesh.getIndices()!.slice() as number[];
    for (let k = 0; k < indices.length; k += 3) [indices[k], indices[k + 1]] = [indices[k + 1], indices[k]];
    mesh.setIndices(indices);
    return mesh;
}

function withoutNormals(mesh: Mesh): Mesh {
    mesh.removeVerticesData(VertexBuffer.NormalKind);
    return mesh;
}

const GROUNDS: Record<string, (scene: Scene) => Mesh> = {
    ground,
    "corners the other way round": (scene) => turnedRound(ground(scene)),
    "without normals": (scene) => withoutNormals(ground(scene)),
    mirrored: (scene) => {
        const mesh = ground(scene);
        mesh.scaling.x = -1;
        return mesh;
    },
};

/** Heights of a square after a second and a half, that starts at one height and is pulled to one side by 9.8 m/s². */
function heightsAfter(make: (scene: Scene) => Mesh, y: number, down: number, twoSided: boolean): number[] {
    const { scene, frame } = makeWorld();
    const square = makeSquare(scene, 10);
    square.position.y = y;
    const cloth = new ClothBehavior({ gravity: new Vector3(0, -9.8 * down, 0) });
    square.addBehavior(cloth);
    cloth.addCollider(make(scene), { shape: "mesh", twoSided });
    frame(FRAME, 60);
    return column(cloth.getParticlePositions(), 1);
}

describe("one-sided", () => {
    test.each(Object.keys(GROUNDS))("%s", (name) => {
        const make = GROUNDS[name];
        // From above both are solid.
        for (const twoSided of [true, false]) {
            const above = heightsAfter(make, 0.3, 1, twoSided);
            expect(Math.min(...above)).toBeGreaterThan(-0.02);
            expect(Math.max(...above)).toBeLessThan(0.06);
        }
        // From below one of them.
        expect(Math.max(...heightsAfter(make, -0.3, -1, true))).toBeLessThan(0.02);
        expect(Math.min(...heightsAfter(make, -0.3, -1, false))).toBeGreaterThan(1);
    });

    test("what starts below an open dome comes out through it", () => {
        const dome = (scene: Scene): Mesh => MeshBuilder.CreateSphere("dome", { diameter: 1, slice: 0.5, segments: 12 }, scene);
        expect(Math.min(...heightsAfter(dome, 0.3, -1, true))).toBeLessThan(0.7);
        expect(Math.min(...heightsAfter(dome, 0.3, -1, false))).toBeGreaterThan(1);
    });

    test("triangles that bones or targets move", () => {
        const posed = (scene: Scene): Mesh => {
            const mesh = ground(scene);
            mesh.morphTargetManager = new MorphTargetManager(scene);
            mesh.morphTargetManager.addTarget(MorphTarget.FromMesh(mesh, "as it is", 0.5));
            return mesh;
        };
        expect(Math.min(...heightsAfter(posed, 0.3, 1, false))).toBeGreaterThan(-0.02);
        expect(Math.max(...heightsAfter(posed, -0.3, -1, true))).toBeLessThan(0.02);
        expect(Math.min(...heightsAfter(posed, -0.3, -1, false))).toBeGreaterThan(1);
    });
});

test("it is an error where there is no such choice", () => {
    const { scene } = makeWorld();
    const cloth = new ClothBehavior();
    makeSquare(scene).addBehavior(cloth);
    const told = (act: () => void): void => expect(act).toThrow(/ClothBehavior: addCollider: twoSided must be true/);
    told(() => cloth.addCollider(MeshBuilder.CreateSphere("ball", {}, scene), { twoSided: false }));
    told(() => cloth.addCollider(MeshBuilder.CreateGround("flat", {}, scene), { twoSided: false }));
    told(() => cloth.addCollider(new Plane(0, 1, 0, 0), { twoSided: false }));
    told(() => cloth.addCollider(ground(scene), { twoSided: false, inside: true }));
    expect(() => cloth.addCollider(ground(scene), { twoSided: 1 as unknown as boolean })).toThrow(/twoSided must be true or false/);
});
