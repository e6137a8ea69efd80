import * as BABYLON from "../babylon";
import * as BABYLONCLOTH from "babylon-cloth";
import { boneSkirt, boneTube, chain } from "../parts/boneSurface";
import { fabric, solid } from "../parts/fabric";
import { paint, rgb } from "../parts/paint";
import { applyTiles, shade, studio } from "../parts/studio";
import { createWalker } from "../parts/walker";

export const about = {
    title: "Bone chains",
    text: "Hair and a skirt of bones: BoneChainBehavior swings 16 chains of bones, without vertices. The cape is cloth.",
    place: 14,
    group: "Characters",
};

type World = Awaited<ReturnType<typeof create>>;

/** Chains of the skirt, and joints of each. */
const [COLUMNS, ROWS] = [14, 6];
const [WAIST, HEM] = [0.185, 0.34];

/** A figure walks and turns; two plaits hang from its head, and a skirt of bones from its hips. */
export async function create(scene: BABYLON.Scene, assets: Record<string, string>) {
    const { walker, figure, shoulders, walkAt } = await createWalker(scene, assets);
    const head = scene.getTransformNodeByName("head")!;
    const hips = scene.getTransformNodeByName("hips")!;

    function update(time: number) {
        walker.position.set(0.15 * Math.sin(1.3 * time), 0, 0.25 * Math.sin(1.7 * time));
        walker.rotation.y = 1.5 * Math.sin(1.1 * time);
        walkAt(1.2 * time);
    }
    update(0);

    const plaits = [1, -1].map((side) => {
        const offsets = Array.from({ length: 8 }, () => new BABYLON.Vector3(0.006 * side, -0.065, -0.004));
        offsets[0] = new BABYLON.Vector3(0.085 * side, 0.1, -0.03);
        offsets[1] = new BABYLON.Vector3(0.05 * side, -0.02, -0.01);
        const nodes = chain(scene, `plait${side}`, head, offsets);
        return {
            nodes,
            mesh: boneTube(scene, "plait", nodes, (along) => 0.012 + 0.022 * Math.sin(Math.PI * (0.15 + 0.8 * along))),
        };
    });
    const columns = Array.from({ length: COLUMNS }, (_, i) => {
        const angle = (2 * Math.PI * i) / COLUMNS;
        const out = new BABYLON.Vector3(Math.cos(angle), 0, Math.sin(angle));
        const offsets = Array.from({ length: ROWS }, () => out.scale((HEM - WAIST) / (ROWS - 1)).addInPlaceFromFloats(0, -0.11, 0));
        offsets[0] = out.scale(WAIST).addInPlaceFromFloats(0, 0.08, 0);
        return chain(scene, `skirt${i}.`, hips, offsets);
    });
    const skirt = boneSkirt(scene, "skirt", columns);

    const body = BABYLONCLOTH.Colliders.fromSkeleton(figure);
    // Hands hang within the skirt.
    const legs = body.filter(({ name }) => /hips|leg|shin/.test(name));
    const hair = new BABYLONCLOTH.BoneChainBehavior({
        chains: plaits.map(({ nodes }) => ({ root: nodes[0] })),
        stiffness: 6,
        damping: 4,
        gravity: new BABYLON.Vector3(0, -9.81, 0),
        limitAngle: 0.8,
        radius: 0.03,
        colliders: body,
    });
    head.addBehavior(hair);
    const swinging = new BABYLONCLOTH.BoneChainBehavior({
        chains: columns.map(([root]) => ({ root })),
        links: "loop",
        stiffness: 7,
        damping: 5,
        limitAngle: 0.6,
        gravity: new BABYLON.Vector3(0, -9.81, 0),
        radius: 0.02,
        colliders: legs,
    });
    hips.addBehavior(swinging);

    const cape = BABYLONCLOTH.ClothBuilder.CreateCape("cape", { wearer: figure, shoulders, height: 0.5, flare: 1.8 }, scene);
    return {
        cloths: [cape.cloth],
        chains: [hair, swinging],
        cape,
        skirt,
        plaits: plaits.map(({ mesh }) => mesh),
        figure,
        walker,
        update,
    };
}

export function decorate(scene: BABYLON.Scene, world: World) {
    const shadows = studio(scene, {
        boxes: [
            [
                [-0.6, 0, -0.6],
                [0.6, 1.8, 0.6],
            ],
        ],
        alpha: -1.2,
        beta: 1.3,
        extent: 4.5,
        sun: [0.6, -1, 0.5],
    });
    const floor = BABYLON.MeshBuilder.CreateGround("floor", { width: 200, height: 200 }, scene);
    applyTiles(scene, floor);
    world.figure.material = solid(scene, "#c9a78a", 0.8, 0);
    for (const plait of world.plaits) plait.material = solid(scene, "#4a2c17", 0.6, 0);
    const pleats = paint(scene, 512, 256, (u, v) =>
        v < 0.08 || v > 0.95 ? rgb("#d9b25a") : (u * 28) % 1 < 0.5 ? rgb("#2c4a6e") : rgb("#35587f"),
    );
    world.skirt.material = fabric(scene, pleats, [60, 30], 0.2);
    world.skirt.material.backFaceCulling = false;
    world.cape.material = fabric(
        scene,
        paint(scene, 256, 256, () => rgb("#7d1f2b")),
        [40, 20],
        0.3,
    );
    shade(shadows, [world.figure, world.cape, world.skirt, ...world.plaits]);
}
