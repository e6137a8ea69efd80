import * as BABYLON from "../babylon";
import * as BABYLONCLOTH from "babylon-cloth";
import { boneTube, chain } from "../parts/boneSurface";
import { fabric, solid } from "../parts/fabric";
import { paint, rgb } from "../parts/paint";
import { applyTiles, shade, studio } from "../parts/studio";
import { createWalker } from "../parts/walker";

export const about = {
    title: "Avatars",
    text: "Thirty avatars walk and turn, each with five locks of hair: 150 bone chains.",
    place: 15,
    group: "Characters",
};

type World = Awaited<ReturnType<typeof create>>;

const [COLUMNS, ROWS] = [6, 5];
/** Wearer of a cape. */
const CAPES = [1, 4, 9];
/** Places of the locks on the head: from ear to ear around its back [rad]. */
const LOCKS = [-1.3, -0.65, 0, 0.65, 1.3];

/** A crowd in rows, each at another step of its walk. */
export async function create(scene: BABYLON.Scene, assets: Record<string, string>) {
    const avatars = await Promise.all(
        Array.from({ length: COLUMNS * ROWS }, async (_, i) => {
            const { walker, figure, shoulders, walkAt } = await createWalker(scene, assets);
            const head = figure.skeleton!.bones.find(({ name }) => name === "head")!.getTransformNode()!;
            const locks = LOCKS.map((angle, k) => {
                const out = new BABYLON.Vector3(Math.sin(angle), 0, -Math.cos(angle));
                const offsets = Array.from({ length: 6 }, () => out.scale(0.006).addInPlaceFromFloats(0, -0.06, 0));
                offsets[0] = out.scale(0.07).addInPlaceFromFloats(0, 0.14, 0);
                offsets[1] = out.scale(0.035).addInPlaceFromFloats(0, -0.03, 0);
                const nodes = chain(scene, `lock${i}.${k}.`, head, offsets);
                const mesh = boneTube(scene, "lock", nodes, (along) => 0.045 * (1 - 0.7 * along));
                return { nodes, mesh };
            });
            const hair = new BABYLONCLOTH.BoneChainBehavior({
                chains: locks.map(({ nodes }) => ({ root: nodes[0] })),
                links: "line",
                stiffness: 8,
                damping: 5,
                gravity: new BABYLON.Vector3(0, -9.81, 0),
                radius: 0.03,
                colliders: BABYLONCLOTH.Colliders.fromSkeleton(figure).filter(({ name }) => /head|neck|chest|spine/.test(name)),
            });
            head.addBehavior(hair);
            return { walker, figure, shoulders, walkAt, hair, locks: locks.map(({ mesh }) => mesh) };
        }),
    );

    function update(time: number) {
        avatars.forEach(({ walker, walkAt }, i) => {
            const phase = (i * 7) % 13;
            const [column, row] = [i % COLUMNS, Math.floor(i / COLUMNS)];
            walker.position.set(
                1.3 * (column - (COLUMNS - 1) / 2),
                0,
                1.6 * (row - (ROWS - 1) / 2) + 0.2 * Math.sin(1.7 * time + phase),
            );
            walker.rotation.y = Math.PI + 1.2 * Math.sin(1.4 * time + phase);
            walkAt((1 + 0.03 * phase) * time + phase);
        });
    }
    update(0);

    const capes = avatars
        .filter((_, i) => CAPES.includes(i))
        .map(({ figure, shoulders }) =>
            BABYLONCLOTH.ClothBuilder.CreateCape("cape", { wearer: figure, shoulders, height: 0.5, flare: 1.8 }, scene),
        );
    return { cloths: capes.map(({ cloth }) => cloth), chains: avatars.map(({ hair }) => hair), avatars, capes, update };
}

export function decorate(scene: BABYLON.Scene, world: World) {
    const shadows = studio(scene, {
        boxes: [
            [
                [-3.6, 0, -3.6],
                [3.6, 1.7, 3.6],
            ],
        ],
        alpha: -1.3,
        beta: 1.15,
        extent: 10,
        sun: [0.6, -1, 0.5],
    });
    const floor = BABYLON.MeshBuilder.CreateGround("floor", { width: 200, height: 200 }, scene);
    applyTiles(scene, floor);
    const skins = ["#c9a78a", "#8d6a4f", "#e0c3a8", "#6b4a34"].map((colour) => solid(scene, colour, 0.8, 0));
    const hairs = ["#4a2c17", "#1d1713", "#a3763f", "#7a3b1e", "#c9b27c"].map((colour) => solid(scene, colour, 0.6, 0));
    world.avatars.forEach(({ figure, locks }, i) => {
        figure.material = skins[i % skins.length];
        for (const lock of locks) lock.material = hairs[(i * 3) % hairs.length];
        shade(shadows, [figure, ...locks]);
    });
    const cape = fabric(
        scene,
        paint(scene, 256, 256, () => rgb("#7d1f2b")),
        [40, 20],
        0.3,
    );
    for (const each of world.capes) each.material = cape;
    shade(shadows, world.capes);
}
