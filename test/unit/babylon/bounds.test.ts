import "@babylonjs/core/Collisions/collisionCoordinator";
import { Ray } from "@babylonjs/core/Culling/ray";
import "@babylonjs/core/Materials/standardMaterial";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { SubMesh } from "@babylonjs/core/Meshes/subMesh";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { afterEach, describe, expect, test } from "@jest/globals";
import { ClothBehavior, select } from "../../../src/index";
import { column, disposeWorlds, FRAME, makeSquare, makeWorld, worldVertices } from "./harness";

afterEach(disposeWorlds);

/** A square of cloth that hangs from its far edge, or falls when it has no pins. */
function setUp(pinned = true) {
    const world = makeWorld();
    const mesh = makeSquare(world.scene, 8);
    const cloth = new ClothBehavior({ wind: null, pins: pinned ? [{ select: select.edge("+z") }] : [] });
    mesh.addBehavior(cloth);
    return { ...world, mesh, cloth };
}

const DOWN = new Vector3(0, -1, 0);

/** Where a vertical ray through (x, z) hits. */
function hitFromAbove({ scene }: ReturnType<typeof setUp>, mesh: Mesh, x: number, z: number): Vector3 | null {
    const pick = scene.pickWithRay(new Ray(new Vector3(x, 50, z), DOWN), (m) => m === mesh)!;
    return pick.hit ? pick.pickedPoint : null;
}

describe("picking hits the cloth where it is now", () => {
    test("a falling sheet", () => {
        const set = setUp(false);
        expect(hitFromAbove(set, set.mesh, 0.1, 0.2)!.y).toBeCloseTo(0, 5);
        set.frame(FRAME, 60);
        const height = worldVertices(set.mesh)[1];
        expect(height).toBeLessThan(-3);
        expect(hitFromAbove(set, set.mesh, 0.1, 0.2)!.y).toBeCloseTo(height, 3);
    });

    test("a hanging sheet is missed where it was, and hit where it is", () => {
        const set = setUp();
        set.frame(FRAME, 400);
        expect(hitFromAbove(set, set.mesh, 0, -0.2)).toBeNull();
        const pick = set.scene.pickWithRay(new Ray(new Vector3(0.05, -0.5, -5), new Vector3(0, 0, 1)), (m) => m === set.mesh)!;
        expect(pick.hit).toBe(true);
        expect(pick.pickedPoint!.z).toBeGreaterThan(0.2);
    });

    test("by screen, through the camera", () => {
        const set = setUp(false);
        set.mesh.position.y = 2;
        set.mesh.rotation.x = -Math.PI / 2;
        set.cloth.reset();
        set.camera.setTarget(Vector3.Zero());
        set.frame(0);
        expect(set.scene.pick(256, 128).pickedMesh).toBeNull();
        while (Math.max(...column(worldVertices(set.mesh), 1)) > 0.3) set.frame();
        const pick = set.scene.pick(256, 128);
        expect(pick.pickedMesh).toBe(set.mesh);
        expect(Math.abs(pick.pickedPoint!.z)).toBeLessThan(0.1);
    });

    test("under a parent that moves and mirrors", () => {
        const set = setUp(false);
        const parent = new TransformNode("parent", set.scene);
        parent.scaling.set(2, -1, 0.5);
        set.mesh.removeBehavior(set.cloth);
        set.mesh.parent = parent;
        set.mesh.addBehavior(set.cloth);
        for (let i = 0; i < 30; i++) {
            parent.position.x += 0.1;
            set.frame();
        }
        // Moved with the parent in local terms, yet still where it fell in the world.
        const height = worldVertices(set.mesh)[1];
        expect(hitFromAbove(set, set.mesh, 0.3, 0.1)!.y).toBeCloseTo(height, 3);
        expect(hitFromAbove(set, set.mesh, 3, 0.1)).toBeNull();
    });

    test("after detach the rest shape is hit again", () => {
        const set = setUp(false);
        set.frame(FRAME, 60);
        set.mesh.removeBehavior(set.cloth);
        expect(hitFromAbove(set, set.mesh, 0.1, 0.2)!.y).toBeCloseTo(0, 5);
    });
});

/** Smallest and largest world coordinates, of the mesh's box and of its vertices. */
function boxes(mesh: Mesh): { box: number[]; vertices: number[] } {
    const { minimumWorld, maximumWorld } = mesh.getBoundingInfo().boundingBox;
    const points = worldVertices(mesh);
    const columns = [0, 1, 2].map((axis) => column(points, axis));
    return {
        box: [...minimumWorld.asArray(), ...maximumWorld.asArray()],
        vertices: [...columns.map((c) => Math.min(...c)), ...columns.map((c) => Math.max(...c))],
    };
}

describe("bounds", () => {
    test("enclose the cloth tightly in every frame", () => {
        const set = setUp();
        for (let i = 0; i < 30; i++) {
            set.frame();
            const { box, vertices } = boxes(set.mesh);
            for (let k = 0; k < 6; k++) expect(box[k]).toBeCloseTo(vertices[k], 4);
        }
    });

    test("submeshes have bounds of their own", () => {
        const set = setUp();
        set.mesh.removeBehavior(set.cloth);
        const count = set.mesh.getTotalIndices();
        set.mesh.releaseSubMeshes();
        for (const start of [0, count / 2]) new SubMesh(0, 0, set.mesh.getTotalVertices(), start, count / 2, set.mesh);
        set.mesh.addBehavior(set.cloth);
        set.frame(FRAME, 60);
        for (const subMesh of set.mesh.subMeshes) {
            expect(subMesh.getBoundingInfo().boundingBox.minimumWorld.y).toBeLessThan(-0.2);
        }
        for (const y of [-0.1, -0.3]) {
            const ray = new Ray(new Vector3(0.05, y, -5), new Vector3(0, 0, 1));
            expect(set.scene.pickWithRay(ray, (m) => m === set.mesh)!.hit).toBe(true);
        }
    });

    test("a cloth that leaves the camera's sight is culled, one that enters it is drawn", () => {
        const set = setUp(false);
        set.camera.setTarget(Vector3.Zero());
        const isActive = (): boolean => {
            const active = set.scene.getActiveMeshes();
            return Array.from({ length: active.length }, (_, i) => active.data[i]).includes(set.mesh);
        };
        set.frame();
        expect(isActive()).toBe(true);
        set.frame(FRAME, 120);
        expect(worldVertices(set.mesh)[1]).toBeLessThan(-10);
        expect(isActive()).toBe(false);
        set.camera.position.y = worldVertices(set.mesh)[1] + 3;
        set.camera.setTarget(new Vector3(0, worldVertices(set.mesh)[1], 0));
        set.frame();
        expect(isActive()).toBe(true);
    });

    test("a cloth far from its own node is drawn where it is", () => {
        const set = setUp(false);
        const hand = new TransformNode("hand", set.scene);
        set.cloth.pin(select.all(), hand);
        hand.position.x = 200;
        set.frame(FRAME, 2);
        const active = set.scene.getActiveMeshes();
        expect(Array.from({ length: active.length }, (_, i) => active.data[i])).not.toContain(set.mesh);
        set.camera.position.x = 200;
        set.camera.setTarget(new Vector3(200, 0, 0));
        set.frame(FRAME, 2);
        expect(set.scene.getActiveMeshes().data.slice(0, set.scene.getActiveMeshes().length)).toContain(set.mesh);
    });

    test("intersectsMesh and intersectsPoint meet the cloth where it is now", () => {
        const set = setUp(false);
        const ball = MeshBuilder.CreateSphere("ball", {}, set.scene);
        ball.position.y = -4.9;
        ball.computeWorldMatrix(true);
        expect(set.mesh.intersectsMesh(ball)).toBe(false);
        while (worldVertices(set.mesh)[1] > -4.9) set.frame();
        expect(set.mesh.intersectsMesh(ball)).toBe(true);
        expect(set.mesh.intersectsMesh(ball, true)).toBe(true);
        expect(set.mesh.intersectsPoint(new Vector3(0, 0, 0))).toBe(false);
    });

    test("moveWithCollisions is stopped by the cloth where it is now, not where it was", () => {
        const set = setUp(false);
        set.mesh.checkCollisions = true;
        const body = new TransformNode("body", set.scene);
        const mover = MeshBuilder.CreateBox("mover", { size: 0.2 }, set.scene);
        mover.parent = body;
        mover.ellipsoid.setAll(0.1);
        /** Lowest place that a body which comes down from two metres above a height gets to. */
        const fall = (from: number): number => {
            mover.position.set(0.03, from + 2, 0.02);
            mover.computeWorldMatrix(true);
            mover.moveWithCollisions(new Vector3(0, -4, 0));
            return mover.position.y;
        };
        expect(fall(0)).toBeCloseTo(0.1, 1);
        set.frame(FRAME, 60);
        const height = worldVertices(set.mesh)[1];
        expect(height).toBeLessThan(-3);
        expect(fall(0)).toBeCloseTo(-2, 5);
        expect(fall(height)).toBeCloseTo(height + 0.1, 1);
    });

    test("a box that the user has locked, or alwaysSelectAsActiveMesh, stays", () => {
        const set = setUp(false);
        set.mesh.getBoundingInfo().isLocked = true;
        set.mesh.alwaysSelectAsActiveMesh = true;
        set.frame(FRAME, 60);
        expect(set.mesh.getBoundingInfo().boundingBox.minimum.y).toBeCloseTo(0, 6);
        set.mesh.removeBehavior(set.cloth);
        expect(set.mesh.alwaysSelectAsActiveMesh).toBe(true);
        expect(set.mesh.getBoundingInfo().isLocked).toBe(true);
    });
});
