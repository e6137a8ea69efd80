import { Bone } from "@babylonjs/core/Bones/bone";
import { Skeleton } from "@babylonjs/core/Bones/skeleton";
import { Matrix, Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { Mesh } from "@babylonjs/core/Meshes/mesh";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { VertexData } from "@babylonjs/core/Meshes/mesh.vertexData";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import type { Scene } from "@babylonjs/core/scene";
import { afterEach, describe, expect, jest, test } from "@jest/globals";
import { ClothBehavior, Wind } from "../../../src/index";
import type { ClothOptions } from "../../../src/index";
import { difference, disposeWorlds, listen, makeSquare, makeWorld, rows, told, toWorld, worldVertices } from "./harness";
import type { World } from "./harness";

afterEach(() => {
    disposeWorlds();
    jest.restoreAllMocks();
});

/** Puts the mesh somewhere; what it returns moves that somewhere while the cloth runs. */
type Placing = (scene: Scene, mesh: Mesh) => void | ((time: number) => void);

const placings: Record<string, Placing> = {
    "moved, turned": (_, mesh) => {
        mesh.position.set(0.5, 1, -0.3);
        mesh.rotation.set(0.4, 1.2, -0.7);
    },
    "scaled unevenly": (_, mesh) => {
        mesh.scaling.set(0.5, 3, 1);
        mesh.rotationQuaternion = Quaternion.RotationYawPitchRoll(0.5, 0.3, 0.1);
    },
    mirrored: (_, mesh) => {
        mesh.scaling.set(-1, 1, 1);
        mesh.rotation.z = 0.5;
    },
    "scaled negatively in all": (_, mesh) => {
        mesh.scaling.set(-1.5, -0.5, -1);
        mesh.rotation.x = 0.5;
    },
    "under glTF's __root__": (scene, mesh) => {
        const root = new TransformNode("__root__", scene);
        root.rotationQuaternion = new Quaternion(0, 1, 0, 0);
        root.scaling.set(1, 1, -1);
        mesh.parent = root;
        mesh.rotation.x = 0.4;
    },
    "sheared by parent and grandparent": (scene, mesh) => {
        const [low, high] = [new TransformNode("low", scene), new TransformNode("high", scene)];
        high.scaling.set(0.7, -1, 0.5);
        high.rotation.set(0.3, 0.6, 0);
        low.parent = high;
        low.position.set(1, 2, 3);
        low.rotation.set(0.2, 0.1, 0.3);
        low.scaling.set(1.5, 1, 1);
        mesh.parent = low;
        mesh.rotation.set(0, 0.5, 0.3);
    },
    "with a pivot": (_, mesh) => {
        mesh.setPivotPoint(new Vector3(0.5, 0, 0.5));
        mesh.rotation.y = 1;
    },
    "moving, turning and breathing": (_, mesh) => (time) => {
        mesh.position.set(Math.sin(time), time, 0);
        mesh.rotation.set(time, 2 * time, 0);
        mesh.scaling.setAll(1 + 0.3 * Math.sin(5 * time));
    },
    "under a parent that moves and mirrors": (scene, mesh) => {
        const parent = new TransformNode("parent", scene);
        parent.scaling.set(1, 1, -1);
        mesh.parent = parent;
        mesh.position.y = 1;
        return (time) => {
            parent.position.x = time;
            parent.rotation.y = 3 * time;
        };
    },
    "on a bone that moves": (scene, mesh) => {
        const skeleton = new Skeleton("skeleton", "skeleton", scene);
        const bone = new Bone("bone", skeleton, null, Matrix.Translation(0, 0.5, 0));
        const wearer = MeshBuilder.CreateBox("wearer", {}, scene);
        wearer.skeleton = skeleton;
        mesh.attachToBone(bone, wearer);
        return (time) => {
            bone.setRotationQuaternion(Quaternion.RotationYawPitchRoll(2 * time, time, 0));
            wearer.position.x = time;
        };
    },
};

/**
 * A mesh at the world's origin whose own vertices lie where those of the flat `mesh` lie in the world. Its normals are on
 * the side on which the mesh's are there, so that the sticks come in the same order.
 */
function bakedTwin(mesh: Mesh): Mesh {
    const twin = new Mesh("twin", mesh.getScene());
    const positions = worldVertices(mesh);
    const indices = mesh.getIndices()!;
    // On the side on which the mesh's are in the world.
    const authored = new Vector3(...rows(mesh.getVerticesData("normal")!, [0]));
    const side = Vector3.Dot(crossOf(positions, indices), Vector3.TransformNormal(authored, mesh.computeWorldMatrix(true)));
    const normal = crossOf(positions, indices).scale(Math.sign(side)).normalize();
    const data = new VertexData();
    data.positions = Array.from(positions);
    data.indices = Array.from(indices);
    data.normals = Array.from(positions, (_, i) => normal.asArray()[i % 3]);
    data.applyToMesh(twin);
    return twin;
}

/** (b-a)×(c-a) of the first triangle. */
function crossOf(positions: ArrayLike<number>, indices: ArrayLike<number>): Vector3 {
    const [a, b, c] = [0, 1, 2].map((i) => new Vector3(...rows(positions, [indices[i]])));
    return Vector3.Cross(b.subtract(a), c.subtract(a));
}

const wind = new Wind({ velocity: new Vector3(2, 1, 3) });
const RIM = Array.from({ length: 25 }, (_, v) => v).filter((v) => v % 5 === 0 || v % 5 === 4 || v < 5 || v > 19);

/** Ways for a cloth to move that do not amplify rounding much, as folds or ties between tethers would. */
const scenes: Record<string, (ball: Mesh, hold: TransformNode) => ClothOptions> = {
    "a drum on a ball": (ball, hold) => ({
        pins: [{ select: RIM, target: hold }],
        colliders: [ball],
        tetherSlack: Infinity,
        fabric: { stretchStiffness: 100, shearStiffness: 30, friction: 0 },
    }),
    "a sheet held by a corner": (_, hold) => ({
        pins: [{ select: [0], target: hold }],
        fabric: { bendStiffness: 1e-3, damping: 2 },
    }),
    "a free sheet in the wind": () => ({ wind, fabric: { bendStiffness: 1e-3, damping: 2 } }),
};

/** Verlet in 32-bit floats rounds about 1e-7 m a substep; over 96 substeps that adds up to a fifth of a millimetre. */
const TOLERANCE = 2e-4;

/** The point at a distance below the middle of the mesh's plane. */
function underside(mesh: Mesh, distance: number): Vector3 {
    const vertices = worldVertices(mesh);
    const normal = crossOf(vertices, mesh.getIndices()!).normalize();
    return new Vector3(...rows(vertices, [12])).add(normal.scale(normal.y < 0 ? distance : -distance));
}

function compare(world: World, mesh: Mesh, options: (typeof scenes)[string], move: (time: number) => void): void {
    const { scene } = world;
    const ball = MeshBuilder.CreateSphere("ball", { diameter: 0.5 }, scene);
    ball.position = underside(mesh, 0.28);
    const hold = new TransformNode("hold", scene);
    const [cloth, reference] = [mesh, bakedTwin(mesh)].map((each) => {
        const made = new ClothBehavior({ ...options(ball, hold), autoStep: false });
        each.addBehavior(made);
        return made;
    });
    const start = cloth.getParticlePositions();
    for (let i = 1; i <= 24; i++) {
        move(i / 60);
        hold.position.x = 0.002 * i;
        for (const each of [cloth, reference]) each.step(1 / 60);
        const particles = cloth.getParticlePositions();
        expect(difference(particles, reference.getParticlePositions())).toBeLessThan(TOLERANCE);
        expect(difference(worldVertices(mesh), particles)).toBeLessThan(1e-5);
    }
    expect(difference(start, cloth.getParticlePositions())).toBeGreaterThan(0.02);
}

describe("the world-space motion is that of the same cloth without transform", () => {
    describe.each([false, true])("right-handed scene: %p", (rightHanded) => {
        const each = Object.keys(placings).flatMap((placing) => Object.keys(scenes).map((scene) => [placing, scene]));
        test.each(each)("%s: %s", (placing, scene) => {
            const world = makeWorld({ rightHanded });
            const mesh = makeSquare(world.scene, 4);
            const move = placings[placing](world.scene, mesh) ?? (() => {});
            move(0);
            compare(world, mesh, scenes[scene], move);
        });
    });
});

test("what is drawn is where the particles are, also when the parent moves in the frame", () => {
    const { scene, frame } = makeWorld();
    const mesh = makeSquare(scene);
    const parent = new TransformNode("parent", scene);
    mesh.parent = parent;
    const cloth = new ClothBehavior({ pins: [{ select: [0, 6], target: new TransformNode("still", scene) }] });
    mesh.addBehavior(cloth);
    for (let i = 0; i < 20; i++) {
        parent.position.x += 0.3;
        parent.rotation.z += 0.2;
        frame();
        // The matrix that Babylon draws with, not renewed by the test.
        const drawn = toWorld(
            { computeWorldMatrix: () => mesh.getWorldMatrix() } as unknown as TransformNode,
            mesh.getVerticesData("position")!,
        );
        expect(difference(drawn, cloth.getParticlePositions())).toBeLessThan(1e-5);
    }
});

test.each(
    [
        [1, 0, 0],
        [0, -1, 0],
        [0, 0, -1],
    ].map((way) => ({ way })),
)("carried 100 km away along $way it keeps its shape to a hair", ({ way }) => {
    const { scene, frame } = makeWorld();
    const mesh = makeSquare(scene);
    const hand = new TransformNode("hand", scene);
    const cloth = new ClothBehavior({ pins: [{ select: [0, 1, 2, 3, 4, 5, 6], target: hand }] });
    mesh.addBehavior(cloth);
    for (let km = 1; km <= 100; km++) {
        hand.position.fromArray(way).scaleInPlace(1000 * km);
        mesh.position.copyFrom(hand.position);
        frame();
    }
    frame(undefined, 240);
    // A 32-bit float there tells steps of 8 mm: 5 % of an edge.
    expect(cloth.stats.maxStretch).toBeLessThan(0.01);
    expect(cloth.stats.kineticEnergy).toBeLessThan(0.1);
});

test("a world matrix that is not invertible for a while: the cloth goes on, the picture waits", () => {
    listen("warn");
    const { scene, frame } = makeWorld();
    const mesh = makeSquare(scene);
    const cloth = new ClothBehavior({ pins: [{ select: [0, 6], target: new TransformNode("still", scene) }] });
    mesh.addBehavior(cloth);
    frame(undefined, 5);
    mesh.scaling.y = 0;
    frame(undefined, 5);
    mesh.scaling.y = NaN;
    frame(undefined, 5);
    mesh.scaling.y = 1;
    frame(undefined, 5);
    const particles = cloth.getParticlePositions();
    expect(particles.every(Number.isFinite)).toBe(true);
    expect(difference(worldVertices(mesh), particles)).toBeLessThan(1e-5);
    expect(told("warn")).toEqual([
        'ClothBehavior: the world matrix of "square" is not finite and invertible; it is not drawn anew',
    ]);
});
