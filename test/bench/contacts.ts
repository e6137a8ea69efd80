/** (e3) What contact costs: a cloth of 64² on two corners, pressed against colliders by gravity, against the same cloth without any. */
import { Bone } from "@babylonjs/core/Bones/bone";
import { Skeleton } from "@babylonjs/core/Bones/skeleton";
import { Matrix, Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import type { Scene } from "@babylonjs/core/scene";
import { ClothBehavior } from "../../src/babylon/behaviors/clothBehavior";
import { select } from "../../src/babylon/pins/select";
import { seededRandom } from "../random";
import { atMost, number, withSpread } from "./report";
import type { Section } from "./report";
import { ratio, takeTurns } from "./timing";
import type { Task } from "./timing";
import { createSquare, createWorld, FRAME } from "./world";

const SETTLING_FRAMES = 600;

/** Ten solids behind the cloth, in two rows. */
function solids(make: readonly ((scene: Scene) => Mesh)[]): (scene: Scene) => Mesh[] {
    return (scene) =>
        Array.from({ length: 10 }, (_, i) => {
            const mesh = make[i % make.length](scene);
            mesh.position.set(-0.8 + 0.4 * (i % 5), i < 5 ? -0.5 : -1.2, -0.25);
            return mesh;
        });
}

/** What the cloth never comes to. */
const farAway = (scene: Scene): Mesh[] =>
    Array.from({ length: 990 }, (_, i) => {
        const mesh = i % 2 ? box(scene) : MeshBuilder.CreateSphere("far", { segments: 4 }, scene);
        mesh.position.set(20 + 2 * (i % 32), 0, Math.floor(i / 16));
        return mesh;
    });

/** A wall of so many quads a side behind the cloth, uneven by 1 cm. */
const wall =
    (quads: number, size: number) =>
    (scene: Scene): Mesh[] => {
        const mesh = MeshBuilder.CreateGround("wall", { width: size, height: size, subdivisions: quads }, scene);
        const positions = mesh.getVerticesData("position")!;
        const random = seededRandom(1);
        for (let i = 1; i < positions.length; i += 3) positions[i] = 0.01 * random();
        mesh.setVerticesData("position", positions);
        mesh.rotation.x = Math.PI / 2;
        mesh.position.set(0, -1, -0.05);
        return [mesh];
    };

/** A ball that lies between particles: the triangles about it alone meet it. */
const pebble = (scene: Scene): Mesh[] => {
    const ball = MeshBuilder.CreateSphere("pebble", { diameter: 0.02 }, scene);
    ball.position.set(0.01, -1.21, -0.02);
    return [ball];
};

/** A limb of 10,000 triangles on two bones, which bends to and fro behind the cloth. */
function limb(scene: Scene): Mesh[] {
    const mesh = MeshBuilder.CreateCylinder("limb", { height: 2, diameter: 0.4, tessellation: 100, subdivisions: 50 }, scene);
    mesh.position.set(0, -1, -0.25);
    const positions = mesh.getVerticesData("position")!;
    const count = positions.length / 3;
    const weights = new Float32Array(4 * count);
    const bones = new Float32Array(4 * count);
    for (let v = 0; v < count; v++) {
        weights[4 * v] = Math.max(0, Math.min(1, 0.5 - positions[3 * v + 1]));
        weights[4 * v + 1] = 1 - weights[4 * v];
        bones[4 * v + 1] = 1;
    }
    mesh.setVerticesData("matricesWeights", weights);
    mesh.setVerticesData("matricesIndices", bones);
    mesh.skeleton = new Skeleton("limb", "limb", scene);
    const lower = new Bone("lower", mesh.skeleton, null, Matrix.Identity());
    const upper = new Bone("upper", mesh.skeleton, lower, Matrix.Identity());
    let time = 0;
    motions.set(scene, () => {
        time += FRAME;
        upper.setRotation(new Vector3(0.3 * Math.sin(4 * time), 0, 0));
        mesh.skeleton!.prepare(true);
    });
    return [mesh];
}

/** What moves in a scene before each step. */
const motions = new WeakMap<Scene, () => void>();

const sphere = (scene: Scene): Mesh => MeshBuilder.CreateSphere("s", { diameter: 0.4 }, scene);
const box = (scene: Scene): Mesh => MeshBuilder.CreateBox("b", { size: 0.35 }, scene);
const capsule = (scene: Scene): Mesh => MeshBuilder.CreateCapsule("c", { radius: 0.15, height: 0.5 }, scene);
const cylinder = (scene: Scene): Mesh => MeshBuilder.CreateCylinder("y", { diameter: 0.3, height: 0.4 }, scene);
const hull = (scene: Scene): Mesh => MeshBuilder.CreatePolyhedron("p", { type: 1, size: 0.2 }, scene);

const SCENES: Record<string, (scene: Scene) => Mesh[]> = {
    "no collider": () => [],
    "one sphere": (scene) => solids([sphere])(scene).slice(7, 8),
    "one box": (scene) => solids([box])(scene).slice(7, 8),
    "ten spheres": solids([sphere]),
    "ten spheres, and 990 that are far": (scene) => [...solids([sphere])(scene), ...farAway(scene)],
    "a ball smaller than the edges": pebble,
    "ten boxes": solids([box]),
    "ten capsules": solids([capsule]),
    "ten of five shapes": solids([sphere, box, capsule, cylinder, hull]),
    "skin of 10,000 triangles, bending": limb,
    "mesh of 10,000 triangles, all touch": wall(71, 3),
    "mesh of 100,000 triangles, few near": wall(224, 30),
};

function taskOf(place: (scene: Scene) => Mesh[]): Task {
    const scene = createWorld();
    const square = createSquare(scene, 64);
    square.rotation.x = -Math.PI / 2;
    square.position.y = -1;
    const cloth = new ClothBehavior({
        pins: [{ select: select.corners("-x+z", "+x+z") }],
        gravity: new Vector3(0, -9.8, -2),
        substepCount: 4,
        sleepSpeed: 0,
        autoStep: false,
    });
    square.addBehavior(cloth);
    for (const mesh of place(scene)) cloth.addCollider(mesh);
    const move = motions.get(scene);
    const run = (): void => {
        move?.();
        cloth.step(FRAME);
    };
    for (let f = 0; f < SETTLING_FRAMES; f++) run();
    return { run };
}

/** Measures all of them in turns. */
export function contactsSection(isFull: boolean): Section {
    const names = Object.keys(SCENES);
    const timings = takeTurns(
        names.map((name) => taskOf(SCENES[name])),
        isFull ? 30_000 : 8000,
    );
    const ratios = Object.fromEntries(names.map((name, i) => [name, ratio(timings[i], timings[0]).median]));
    return {
        tables: [
            {
                title: "64² on two corners, four substeps, hung against colliders (ms a frame of our own, by hand)",
                columns: ["", "ms", "over none"],
                rows: names.map((name, i) => [name, withSpread(timings[i]), number(ratios[name])]),
                note: "After ten seconds: the cloth rests on them, and does not sleep.",
            },
        ],
        bars: [
            atMost("ten primitives over none", ratios["ten of five shapes"], 1.3, "x"),
            atMost(
                "1,000 of which ten are near, over those",
                ratios["ten spheres, and 990 that are far"] / ratios["ten spheres"],
                1.2,
                "x",
            ),
            atMost("a ball smaller than the edges over none", ratios["a ball smaller than the edges"], 1.2, "x"),
            atMost("mesh of 10,000 triangles over none", ratios["mesh of 10,000 triangles, all touch"], 2, "x"),
            atMost(
                "mesh of 100,000, few near, over that",
                ratios["mesh of 100,000 triangles, few near"] / ratios["mesh of 10,000 triangles, all touch"],
                1.2,
                "x",
            ),
        ],
        data: ratios,
    };
}
