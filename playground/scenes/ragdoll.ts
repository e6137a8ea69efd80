import * as BABYLON from "../babylon";
import * as BABYLONCLOTH from "babylon-cloth";
import { fabric, solid } from "../parts/fabric";
import { paint, rgb } from "../parts/paint";
import { applyTiles, shade, studio } from "../parts/studio";
import { createWalker } from "../parts/walker";

export const about = {
    title: "Ragdoll (skinned glTF)",
    text: "One is hit, falls down the stairs, and gets up again. Ragdoll.fromSkeleton.",
    place: 20,
    group: "Characters",
};

type World = Awaited<ReturnType<typeof create>>;

/** When it is hit, when it begins to get up, and how long that takes [s]. */
const HIT = 1;
const RISE = 6;
const RISING = 1.4;
/** Stairs: how many, how high and how deep [m]; the landing is as high as all. */
const COUNT = 5;
const HIGH = 0.18;
const DEEP = 0.3;
/** About the figure's own x: elbows bend forwards, knees backwards [rad]. */
const SIDE = { x: 1, y: 0, z: 0 };
const LIMITS = [
    { bones: /forearm/, hinge: { axis: SIDE, min: -2.4, max: 0 } },
    { bones: /shin/, hinge: { axis: SIDE, min: 0, max: 2.4 } },
];

export async function create(scene: BABYLON.Scene, assets: Record<string, string>) {
    const { walker, figure, shoulders, walkAt } = await createWalker(scene, assets);
    const floor = BABYLON.MeshBuilder.CreateGround("floor", { width: 200, height: 200 }, scene);
    const stairs = Array.from({ length: COUNT }, (_, i) => {
        const deep = i > 0 ? DEEP : 1.2;
        const height = HIGH * (COUNT - i);
        const step = BABYLON.MeshBuilder.CreateBox("step", { width: 1.6, height, depth: deep }, scene);
        step.position.set(0, height / 2, -0.9 - DEEP * i + (i > 0 ? DEEP : deep) / 2);
        return step;
    });
    const ragdoll = BABYLONCLOTH.Ragdoll.fromSkeleton(figure, {
        blend: 0,
        mass: 70,
        limits: LIMITS,
        colliders: [...stairs, floor],
    });
    const chest = ragdoll.limbs.find(({ bone }) => bone.name === "chest")!;
    const hips = ragdoll.limbs[0];
    let isHit = false;
    let isUp = false;

    /** Position of the figure at a time [s], and blend of animation and ragdoll. */
    function update(time: number) {
        if (time < RISE) {
            walker.position.set(0, HIGH * COUNT, -0.5);
            walker.rotation.y = 0;
        } else if (!isUp) {
            // Gets up where it lies.
            walker.position.set(hips.mesh.position.x, 0, Math.min(hips.mesh.position.z, -0.9 - DEEP * COUNT - 0.2));
        }
        isUp = time >= RISE;
        ragdoll.blend = time < HIT ? 0 : Math.min(1, Math.max(0, 1 - (time - RISE) / RISING));
        if (time >= HIT && !isHit) chest.body.applyImpulse(chest.mesh.position, new BABYLON.Vector3(8, 0, -140));
        isHit = time >= HIT;
        walkAt(time);
    }
    update(0);

    const cape = BABYLONCLOTH.ClothBuilder.CreateCape(
        "cape",
        { wearer: figure, shoulders, height: 0.9, flare: 2, colliders: [...stairs, floor] },
        scene,
    );
    await Promise.all([ragdoll.whenReady(), cape.cloth.whenReady()]);
    return { cloths: [cape.cloth], ragdolls: [ragdoll], cape, figure, floor, stairs, update };
}

export function decorate(scene: BABYLON.Scene, world: World) {
    const shadows = studio(scene, {
        boxes: [
            [
                [-0.75, 0, -3],
                [0.7, 2.6, 0.1],
            ],
        ],
        alpha: -2.0,
        beta: 1.05,
        extent: 6,
        sun: [-0.8, -1, 0.3],
    });
    applyTiles(scene, world.floor);
    const wood = solid(scene, "#7a4f30", 0.7, 0);
    for (const step of world.stairs) step.material = wood;
    world.figure.material = solid(scene, "#8f7154", 0.8, 0);
    const print = paint(scene, 256, 256, (u, v) => {
        const edge = Math.min(u, v, 1 - u, 1 - v);
        return edge < 0.03 ? rgb("#d9b25a") : rgb("#7d1f2b");
    });
    world.cape.material = fabric(scene, print, [40, 40], 0.3);
    shade(shadows, [world.figure, world.cape, ...world.stairs]);
}
