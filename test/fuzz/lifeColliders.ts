/** Colliders of every kind, of any size, in any place: what users give to `addCollider`. Seeded. */
import { Bone } from "@babylonjs/core/Bones/bone";
import { Skeleton } from "@babylonjs/core/Bones/skeleton";
import { BoundingBox } from "@babylonjs/core/Culling/boundingBox";
import { BoundingSphere } from "@babylonjs/core/Culling/boundingSphere";
import { Plane } from "@babylonjs/core/Maths/math.plane";
import { Matrix, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { Mesh } from "@babylonjs/core/Meshes/mesh";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import "@babylonjs/core/Meshes/thinInstanceMesh";
import { MorphTarget } from "@babylonjs/core/Morph/morphTarget";
import { MorphTargetManager } from "@babylonjs/core/Morph/morphTargetManager";
import type { Scene } from "@babylonjs/core/scene";
import type { ColliderOptions, ColliderSource } from "../../src/index";
import type { Dice } from "./randomMeshes";

/** Of a size [m]. */
type Make = (dice: Dice, scene: Scene, size: number) => Mesh;

const SOLIDS: Record<string, Make> = {
    sphere: (_, scene, size) => MeshBuilder.CreateSphere("sphere", { diameter: size, segments: 4 }, scene),
    ellipsoid(dice, scene, size) {
        const [diameterX, diameterY, diameterZ] = [0, 1, 2].map(() => size * dice.size(0.2, 1));
        return MeshBuilder.CreateSphere("ellipsoid", { diameterX, diameterY, diameterZ, segments: 4 }, scene);
    },
    box: (dice, scene, size) =>
        MeshBuilder.CreateBox("box", { width: size, height: size * dice.size(0.02, 1), depth: size * dice.size(0.1, 1) }, scene),
    capsule: (_, scene, size) => MeshBuilder.CreateCapsule("capsule", { radius: size / 5, height: size }, scene),
    cylinder: (dice, scene, size) =>
        MeshBuilder.CreateCylinder("cylinder", { diameter: size, height: size * dice.size(0.1, 2), tessellation: 16 }, scene),
    hull: (dice, scene, size) => MeshBuilder.CreatePolyhedron("hull", { type: dice.integer(0, 4), size: size / 2 }, scene),
    torus: (dice, scene, size) =>
        MeshBuilder.CreateTorus("torus", { diameter: size, thickness: size * dice.range(0.1, 0.5), tessellation: 12 }, scene),
    plane: (_, scene, size) => MeshBuilder.CreateGround("plane", { width: 3 * size, height: 2 * size }, scene),
    terrain(dice, scene, size) {
        const mesh = MeshBuilder.CreateGround(
            "terrain",
            { width: 4 * size, height: 4 * size, subdivisions: 10, updatable: true },
            scene,
        );
        const height = size * dice.size(0.02, 0.5);
        const positions = mesh.getVerticesData("position")!;
        for (let i = 1; i < positions.length; i += 3) positions[i] = height * dice.next();
        mesh.updateVerticesData("position", positions);
        return mesh;
    },
    skinned(_, scene, size) {
        const mesh = MeshBuilder.CreateCylinder("skinned", { diameter: size / 2, height: size, subdivisions: 4 }, scene);
        const skeleton = new Skeleton("skeleton", "skeleton", scene);
        const root = new Bone("root", skeleton, null, Matrix.Identity());
        new Bone("tip", skeleton, root, Matrix.Identity());
        const y = mesh.getVerticesData("position")!.filter((__, i) => i % 3 === 1);
        mesh.setVerticesData("matricesIndices", Array.from(y, () => [0, 1, 0, 0]).flat());
        mesh.setVerticesData("matricesWeights", Array.from(y, (h) => [0.5 - h / size, 0.5 + h / size, 0, 0]).flat());
        mesh.skeleton = skeleton;
        return mesh;
    },
    morphed(_, scene, size) {
        const mesh = MeshBuilder.CreateSphere("morphed", { diameter: size, segments: 4 }, scene);
        const target = new MorphTarget("wide", 0, scene);
        target.setPositions(mesh.getVerticesData("position")!.map((x, i) => (i % 3 === 0 ? 2 * x : x)));
        mesh.morphTargetManager = new MorphTargetManager(scene);
        mesh.morphTargetManager.addTarget(target);
        return mesh;
    },
    thin(dice, scene, size) {
        scene.getEngine().getCaps().instancedArrays = true;
        const mesh = MeshBuilder.CreateBox("thin", { size: size / 4 }, scene);
        const places = Array.from({ length: dice.integer(1, 6) }, () =>
            Matrix.Translation(size * dice.range(-1, 1), 0, size * dice.range(-1, 1)),
        );
        mesh.thinInstanceAdd(places);
        return mesh;
    },
};

const BOUNDS: Record<string, (centre: Vector3, size: number) => ColliderSource> = {
    halfSpace: ({ x, y, z }, size) => Plane.FromPositionAndNormal(new Vector3(x, y - size, z), new Vector3(0, 1, 0)),
    boundingSphere: (centre, size) =>
        new BoundingSphere(centre.subtractFromFloats(size, size, size), centre.addInPlaceFromFloats(size, size, size)),
    boundingBox: (centre, size) =>
        new BoundingBox(centre.subtractFromFloats(size, size, size), centre.addInPlaceFromFloats(size, size, size)),
};

const ROOMS = ["sphere", "ellipsoid", "box", "capsule", "cylinder", "hull", "torus", "boundingSphere", "boundingBox"];

/** Something to collide with. */
export interface Obstacle {
    readonly name: string;
    readonly source: ColliderSource;
    readonly options: ColliderOptions;
    /** Its mesh, where it has one. */
    readonly node: Mesh | null;
}

/**
 * Makes a collider about a place.
 * @param size of what is to meet it [m]
 */
export function makeObstacle(dice: Dice, scene: Scene, place: Vector3, size: number): Obstacle {
    const names = [...Object.keys(SOLIDS), ...Object.keys(BOUNDS)];
    const name = names[dice.integer(0, names.length - 1)];
    const options: ColliderOptions = {};
    if (ROOMS.includes(name) && dice.chance(0.2)) options.inside = true;
    if (dice.chance(0.2)) options.friction = dice.range(0, 2);
    if (dice.chance(0.2)) options.restitution = dice.next();
    if (dice.chance(0.2)) options.margin = dice.range(-0.02, 0.05);
    const large = size * (options.inside ? dice.size(1.5, 4) : dice.size(0.1, 1.5));
    if (name in BOUNDS) return { name, source: BOUNDS[name](place.clone(), large / 2), options, node: null };
    const node = SOLIDS[name](dice, scene, large);
    node.position.copyFrom(place);
    if (!options.inside)
        node.position.addInPlaceFromFloats(size * dice.range(-0.7, 0.7), size * dice.range(-1, 0.2), size * dice.range(-0.7, 0.7));
    node.rotation.set(dice.range(-3, 3), dice.range(-3, 3), dice.range(-3, 3));
    return { name, source: node, options, node };
}

/** What happens to colliders. */
export const OBSTACLE_EVENTS: Record<string, (node: Mesh, dice: Dice) => void> = {
    shove: (node, dice) => void node.position.addInPlaceFromFloats(dice.range(-1, 1), dice.range(-1, 1), dice.range(-1, 1)),
    spin: (node, dice) => void node.rotation.addInPlaceFromFloats(dice.range(-3, 3), dice.range(-3, 3), dice.range(-3, 3)),
    sendFar: (node, dice) => void node.position.setAll(dice.size(1, 1e5)),
    stretch: (node, dice) =>
        void node.scaling.set(dice.size(0.1, 10), dice.size(0.1, 10), dice.size(0.1, 10) * (dice.chance(0.3) ? -1 : 1)),
    shrink: (node, dice) => void node.scaling.setAll([0, NaN, 1e-9, 1, 1][dice.integer(0, 4)]),
    bend(node, dice) {
        const { skeleton, morphTargetManager } = node;
        skeleton?.bones[1].setRotation(new Vector3(dice.range(-1, 1), 0, dice.range(-1, 1)));
        if (morphTargetManager) morphTargetManager.getTarget(0).influence = dice.range(-1, 2);
    },
    edit(node, dice) {
        const positions = node.getVerticesData("position");
        if (!positions || node.skeleton || node.morphTargetManager) return;
        const scale = dice.size(0.5, 2);
        node.setVerticesData(
            "position",
            positions.map((x) => x * scale),
            true,
        );
    },
    fewer(node, dice) {
        if (node.hasThinInstances) node.thinInstanceCount = dice.integer(0, node.thinInstanceCount);
    },
    end: (node) => node.dispose(),
};

/** Whether a node is a mesh that still is. */
export function isObstacle(node: TransformNode): node is Mesh {
    return node instanceof Mesh && !node.isDisposed();
}
