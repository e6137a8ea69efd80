/** Skinned and morphed meshes as colliders: their triangles as they are posed. */
import { createBodyKernels } from "../kernels/allKernels";
import { Bone } from "@babylonjs/core/Bones/bone";
import { Skeleton } from "@babylonjs/core/Bones/skeleton";
import { Matrix, Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { MorphTarget } from "@babylonjs/core/Morph/morphTarget";
import { MorphTargetManager } from "@babylonjs/core/Morph/morphTargetManager";
import type { Scene } from "@babylonjs/core/scene";
import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { PosedMesh } from "../../../src/babylon/colliders/posedMesh";
import { SkinnedPose } from "../../../src/engine/collision/shapes/skinnedPose";
import { ClothBehavior } from "../../../src/index";
import { seededRandom } from "../../random";
import { disposeWorlds, listen, makeSquare, makeWorld, messageOf, told } from "./harness";

beforeEach(() => listen("warn"));
afterEach(() => {
    disposeWorlds();
    jest.restoreAllMocks();
});

/** A board of 4 m, 0.2 m thick, whose top is at y = 0; a bone carries its half at x > 0. */
function makeBoard(scene: Scene): { mesh: Mesh; root: Bone; half: Bone } {
    const mesh = MeshBuilder.CreateTiledBox("board", { width: 4, height: 0.2, depth: 4, tileSize: 0.2 }, scene);
    mesh.bakeTransformIntoVertices(Matrix.Translation(0, -0.1, 0));
    const skeleton = new Skeleton("skeleton", "skeleton", scene);
    const root = new Bone("root", skeleton, null, Matrix.Identity());
    const half = new Bone("half", skeleton, root, Matrix.Translation(0.5, 0, 0));
    const x = mesh.getVerticesData("position")!;
    const indices: number[] = [];
    const weights: number[] = [];
    for (let o = 0; o < x.length; o += 3) {
        indices.push(0, 1, 0, 0);
        weights.push(x[o] > 0 ? 0 : 1, x[o] > 0 ? 1 : 0, 0, 0);
    }
    mesh.setVerticesData("matricesIndices", indices);
    mesh.setVerticesData("matricesWeights", weights);
    mesh.skeleton = skeleton;
    return { mesh, root, half };
}

/** Heights of the lowest particles on either side of x = 0. */
function lowest(cloth: ClothBehavior): [left: number, right: number] {
    const found: [left: number, right: number] = [Infinity, Infinity];
    const x = cloth.getParticlePositions();
    for (let o = 0; o < x.length; o += 3) {
        const side = x[o] > 0 ? 1 : 0;
        if (Math.abs(x[o]) > 0.2) found[side] = Math.min(found[side], x[o + 1]);
    }
    return found;
}

describe("posed colliders", () => {
    function drape(scene: Scene, mesh: Mesh): ClothBehavior {
        const square = makeSquare(scene);
        square.position.y = 0.03;
        const cloth = new ClothBehavior({ fabric: { thickness: 0.01 } });
        cloth.addCollider(mesh);
        square.addBehavior(cloth);
        return cloth;
    }

    test.each([1000 / 60, 1000 / 144])(
        "what begins anew beside one that was put back is taken along at once, frames of %d ms",
        (milliseconds) => {
            const world = makeWorld();
            const { mesh, half } = makeBoard(world.scene);
            const cloth = drape(world.scene, mesh);
            // By three quarters of its thickness in a frame.
            const pose = (frame: number): void => half.setPosition(new Vector3(0.5, 0.15 * Math.min(4, frame), 0));
            const [first, second] = [0, 1].map(() => {
                pose(0);
                cloth.reset();
                for (let frame = 1; frame <= 40; frame++) {
                    pose(frame);
                    world.frame(milliseconds, 1);
                }
                return cloth.getParticlePositions().slice();
            });
            expect(second).toEqual(first);
            expect(lowest(cloth)[1]).toBeGreaterThan(0.55);
        },
    );

    test("cloth is lifted by the bone's part, under a scaled, mirrored and moved parent", () => {
        const world = makeWorld();
        const { mesh, half } = makeBoard(world.scene);
        const parent = new TransformNode("parent", world.scene);
        mesh.parent = parent;
        parent.scaling.set(-0.5, 0.5, 0.5);
        parent.position.set(0, 0.01, 0);
        parent.rotation.y = Math.PI;
        const cloth = drape(world.scene, mesh);
        for (let frame = 0; frame < 120; frame++) {
            // Mirrored and turned about y: what is at x > 0 stays there; 0.6 in the mesh is 0.3 in the world.
            half.setPosition(new Vector3(0.5, 0.6 * Math.min(1, frame / 60), 0));
            world.frame();
        }
        const [left, right] = lowest(cloth);
        expect(left).toBeGreaterThan(0.018);
        expect(left).toBeLessThan(0.15);
        expect(right).toBeGreaterThan(0.318);
        expect(told("warn")).toEqual([]);
    });

    test("a morph target pushes it up as its influence grows", () => {
        const world = makeWorld();
        const { mesh } = makeBoard(world.scene);
        mesh.skeleton = null;
        const manager = new MorphTargetManager(world.scene);
        const target = new MorphTarget("up", 0, world.scene);
        target.setPositions(Float32Array.from(mesh.getVerticesData("position")!, (y, k) => (k % 3 === 1 ? y + 0.5 : y)));
        manager.addTarget(target);
        mesh.morphTargetManager = manager;
        const cloth = drape(world.scene, mesh);
        for (let frame = 0; frame < 60; frame++) {
            target.influence = Math.min(1, frame / 40);
            world.frame();
        }
        expect(Math.min(...lowest(cloth))).toBeGreaterThan(0.508);
    });
});

describe("a skinned mesh as a collider", () => {
    test("is a mesh, unless it is told to be another shape; without weights it is what its vertices show", () => {
        const { mesh } = makeBoard(makeWorld().scene);
        expect(new ClothBehavior().addCollider(mesh).shape).toBe("mesh");
        expect(new ClothBehavior().addCollider(mesh, { shape: "box" }).shape).toBe("box");
        mesh.removeVerticesData("matricesWeights");
        expect(new ClothBehavior().addCollider(mesh).shape).toBe("box");
    });

    test("weights of bones that are not there, or that are no numbers, are errors", () => {
        const { mesh } = makeBoard(makeWorld().scene);
        const indices = Float32Array.from(mesh.getVerticesData("matricesIndices")!);
        const weights = Float32Array.from(mesh.getVerticesData("matricesWeights")!);
        mesh.setVerticesData(
            "matricesIndices",
            indices.map((bone) => 40 * bone),
        );
        expect(messageOf(() => new ClothBehavior().addCollider(mesh))).toBe(
            'ClothBehavior: addCollider: source must be a mesh whose skeleton has the bones of its weights, got "board"',
        );
        mesh.setVerticesData("matricesIndices", indices);
        mesh.setVerticesData("matricesWeights", weights.fill(NaN));
        expect(messageOf(() => new ClothBehavior().addCollider(mesh))).toBe(
            'ClothBehavior: addCollider: source must be a mesh of finite bone weights, got "board"',
        );
    });

    function run(change: (board: ReturnType<typeof makeBoard>) => void): { positions: number[]; warnings: string[] } {
        const world = makeWorld();
        const board = makeBoard(world.scene);
        const square = makeSquare(world.scene);
        square.position.y = 0.03;
        const cloth = new ClothBehavior();
        cloth.addCollider(board.mesh);
        square.addBehavior(cloth);
        world.frame(undefined, 20);
        change(board);
        world.frame(undefined, 20);
        return { positions: Array.from(cloth.getParticlePositions()), warnings: told("warn") };
    }

    test.each([
        ["a bone scaled to nothing", ({ half }: { half: Bone }) => half.setScale(Vector3.Zero()), 0],
        ["a bone at no place", ({ half }: { half: Bone }) => half.setPosition(new Vector3(NaN, 0, 0)), 1],
        ["a bone that is suddenly 100 m away", ({ half }: { half: Bone }) => half.setPosition(new Vector3(100, 0, 0)), 0],
        ["a skeleton that was disposed", ({ mesh }: { mesh: Mesh }) => mesh.skeleton!.dispose(), 1],
        ["a skeleton that was taken off", ({ mesh }: { mesh: Mesh }) => void (mesh.skeleton = null), 0],
    ])("%s: the cloth goes on", (_, change, warnings) => {
        const { positions, warnings: found } = run(change);
        expect(positions.every((x) => Math.abs(x) < 10)).toBe(true);
        expect(found).toHaveLength(warnings);
    });

    test("two cloths share the posed vertices, which go with the last of them", () => {
        const world = makeWorld();
        const { mesh, half } = makeBoard(world.scene);
        const cloths = [0, 1].map((z) => {
            const square = makeSquare(world.scene);
            square.position.set(0, 0.03, z);
            const cloth = new ClothBehavior();
            cloth.addCollider(mesh);
            square.addBehavior(cloth);
            return cloth;
        });
        for (let frame = 0; frame < 20; frame++) {
            half.setPosition(new Vector3(0.5, 0.01 * frame, 0));
            world.frame();
        }
        for (const cloth of cloths) expect(lowest(cloth)[1]).toBeGreaterThan(0.19);
        cloths[0].attachedNode!.removeBehavior(cloths[0]);
        world.frame(undefined, 3);
        cloths[1].attachedNode!.removeBehavior(cloths[1]);
        world.frame();
        expect(told("warn")).toEqual([]);
    });
});

describe("the skinning kernel", () => {
    const SIZE = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);
    /** [m], of vertices within 3 m of bones that are 0.2 m apart: rounding of single precision. */
    const TOLERANCE = 1e-5;

    test.each([4, 8])("agrees with Babylon in 60 random poses, %i influences and a morph target", (influenceCount) => {
        const { scene } = makeWorld();
        const random = seededRandom(influenceCount);
        const { mesh } = makeBoard(scene);
        const skeleton = new Skeleton("tree", "tree", scene);
        for (let b = 0; b < 9; b++) {
            const parent = b > 0 ? skeleton.bones[Math.floor((b - 1) / 2)] : null;
            new Bone(`bone${b}`, skeleton, parent, Matrix.Translation(0, 0.2, 0));
        }
        mesh.skeleton = skeleton;
        mesh.numBoneInfluencers = influenceCount;
        const vertexCount = mesh.getTotalVertices();
        const all = Array.from({ length: vertexCount }, () => Array.from({ length: influenceCount }, random));
        const sums = all.map((shares) => shares.reduce((sum, share) => sum + share));
        for (const [part, more] of (influenceCount > 4 ? ["", "Extra"] : [""]).entries()) {
            const bones = Float32Array.from({ length: 4 * vertexCount }, () => Math.floor(9 * random()));
            const weights = bones.map((_, i) => all[Math.floor(i / 4)][4 * part + (i % 4)] / sums[Math.floor(i / 4)]);
            mesh.setVerticesData(`matricesIndices${more}`, bones);
            mesh.setVerticesData(`matricesWeights${more}`, weights);
        }
        const target = new MorphTarget("target", 0, scene);
        target.setPositions(mesh.getVerticesData("position")!.map((x) => x + 0.2 * (random() - 0.5)));
        mesh.morphTargetManager = new MorphTargetManager(scene);
        mesh.morphTargetManager.addTarget(target);

        const corners = Array.from(mesh.getIndices()!);
        const positions = mesh.getVerticesData("position")!;
        const form = [0, ...corners.flatMap((v) => [0, 1, 2].map((c) => positions[3 * v + c] / 4))];
        const posed = new PosedMesh(mesh, { form, corners } as unknown as ConstructorParameters<typeof PosedMesh>[1], "test");
        const pose = SkinnedPose.of(createBodyKernels(), posed.skin);
        const vertices = [...new Set(corners)];
        let worst = 0;
        for (let k = 0; k < 60; k++) {
            for (const bone of skeleton.bones) {
                const axis = new Vector3(random() - 0.5, random() - 0.5, random() - 0.5).normalize();
                bone.setRotationQuaternion(Quaternion.RotationAxis(axis, 2 * random()));
            }
            target.influence = random();
            expect(posed.updatePose()).toBe(true);
            pose.pose(SIZE);
            const expected = mesh.getPositionData(true, true)!;
            vertices.forEach((v, i) => {
                const [dx, dy, dz] = [0, 1, 2].map((c) => expected[3 * v + c] - pose.posed[4 * i + c]);
                worst = Math.max(worst, Math.hypot(dx, dy, dz));
            });
        }
        expect(pose.motion).toBeGreaterThan(0.1);
        expect(worst).toBeLessThan(TOLERANCE);
    });
});
