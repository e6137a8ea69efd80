/** What makes a world of all kinds of bodies: cloth in layers, ropes, plants and rigid bodies; for lives of them, see life.ts. */
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import type { Scene } from "@babylonjs/core/scene";
import { ClothBuilder, PlantBehavior, RigidBodyBehavior, Wind } from "../../src/index";
import type { ClothMesh } from "../../src/index";
import { pick, vector } from "./lifeEvents";
import type { Dice } from "./randomMeshes";

/** Makes a body, which stands for a cloth in its life. */
type Make = (name: string, dice: Dice, scene: Scene) => ClothMesh;

/** What any body can be asked for. */
export const WORLD_EVENTS: readonly string[] = [
    ...["move", "turn", "farAway", "scale", "flatten", "reparent", "setParent", "moveNode", "disposeNode", "swing", "shrinkNode"],
    ...[
        "substeps",
        "pin",
        "unpin",
        "collide",
        "uncollide",
        "collideAnew",
        "obstacle",
        "push",
        "reset",
        "teleport",
        "step",
        "pause",
    ],
    ...["disable", "remove", "pace", "gravity", "blowAll", "sleep", "teleportSpeed", "clone", "dispose"],
];

const form = (name: string, dice: Dice, scene: Scene): Mesh => {
    const size = dice.size(0.1, 2);
    const forms = [
        () => MeshBuilder.CreateBox(name, { width: size, height: size * dice.size(0.1, 3), depth: size }, scene),
        () => MeshBuilder.CreateSphere(name, { diameter: size, segments: dice.count(2, 6) }, scene),
        () => MeshBuilder.CreateTorus(name, { diameter: size, thickness: 0.3 * size, tessellation: dice.count(4, 12) }, scene),
        () => MeshBuilder.CreateGround(name, { width: size, height: size, subdivisions: dice.count(1, 6) }, scene),
        () =>
            MeshBuilder.CreateTube(
                name,
                {
                    path: Array.from({ length: 12 }, (_, i) => new Vector3(0, (size * i) / 11, 0.1 * size * Math.sin(i))),
                    radius: dice.size(0.02, 0.1) * size,
                    tessellation: 6,
                },
                scene,
            ),
    ];
    const mesh = pick(dice, forms)();
    mesh.position.copyFrom(vector(dice, 1));
    return mesh;
};

const paceOf = (dice: Dice) => ({ substepCount: dice.count(1, 16), maxStepsPerFrame: dice.count(1, 30) });

/** A body as its life takes it. */
const living = (mesh: Mesh, cloth: object): ClothMesh => Object.assign(mesh, { cloth }) as unknown as ClothMesh;

export const WORLD_MAKERS: [string, Make][] = [
    [
        "cloth",
        (name, dice, scene) => {
            const size = dice.size(0.2, 3);
            const selfCollision = pick(dice, ["particles", "triangles", false] as const);
            const options = { width: size, height: size * dice.size(0.5, 2), subdivisions: dice.count(4, 14), selfCollision };
            return ClothBuilder.CreateFlag(name, { ...options, ...paceOf(dice) }, scene);
        },
    ],
    [
        "rope",
        (name, dice, scene) => {
            const mesh = ClothBuilder.CreateRope(
                name,
                {
                    from: vector(dice, 1),
                    to: vector(dice, 1).addInPlaceFromFloats(0, 1.1, 0),
                    radius: dice.size(0.002, 0.05),
                    segmentCount: dice.count(2, 60),
                    endMass: dice.chance(0.5) ? 0 : dice.size(0.01, 100),
                    linearDensity: dice.size(0.01, 2),
                    wind: dice.chance(0.5) ? "breeze" : null,
                    ...paceOf(dice),
                },
                scene,
            );
            return living(mesh, mesh.rope);
        },
    ],
    [
        "plant",
        (name, dice, scene) => {
            const mesh = form(name, dice, scene);
            const pinned = dice.integer(0, 5);
            const plant = new PlantBehavior({
                stiffness: dice.chance(0.2) ? Infinity : dice.size(1, 1e10),
                density: dice.size(1, 1e4),
                thickness: dice.size(1e-4, 0.1),
                wind: dice.chance(0.5) ? new Wind({ velocity: vector(dice, dice.size(0.1, 40)) }) : null,
                pins: pinned > 0 ? [{ select: (_, v) => v < pinned }] : [],
                ...paceOf(dice),
            });
            mesh.addBehavior(plant);
            return living(mesh, plant);
        },
    ],
    [
        "rigid body",
        (name, dice, scene) => {
            // What is flat has no volume, and no behavior for it.
            const mesh = MeshBuilder.CreateBox(name, { width: dice.size(0.1, 2), height: dice.size(0.1, 2) }, scene);
            mesh.position.copyFrom(vector(dice, 1));
            const mass = dice.chance(0.5) ? null : dice.size(1e-3, 1e3);
            const body = new RigidBodyBehavior({ mass, friction: dice.next(), ...paceOf(dice) });
            mesh.addBehavior(body);
            return living(mesh, body);
        },
    ],
];
