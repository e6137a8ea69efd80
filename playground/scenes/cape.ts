import * as BABYLON from "../babylon";
import * as BABYLONCLOTH from "babylon-cloth";
import { fabric, solid } from "../parts/fabric";
import { paint, rgb } from "../parts/paint";
import { applyTiles, shade, studio } from "../parts/studio";
import { createWalker } from "../parts/walker";

export const about = {
    title: "Cape (skinned glTF)",
    text: "A walking figure from a .glb file. ClothBuilder.CreateCape hangs from its shoulders and lies on its skin as the bones pose it.",
    place: 13,
    group: "Characters",
};

type World = Awaited<ReturnType<typeof create>>;

/** A figure walks on the spot, to and fro and turning, and a cape goes along. The figure is plain glTF: nothing in it knows of cloth. */
export async function create(scene: BABYLON.Scene, assets: Record<string, string>) {
    const { walker, figure, shoulders, walkAt } = await createWalker(scene, assets);

    /** Position of the figure at a time [s]. */
    function update(time: number) {
        walker.position.set(0.12 * Math.sin(1.3 * time), 0, 0.2 * Math.sin(1.7 * time));
        walker.rotation.y = 0.9 * Math.sin(0.8 * time);
        walkAt(time);
    }
    update(0);

    // From shoulder to shoulder round the back, and down to the calves.
    const cape = BABYLONCLOTH.ClothBuilder.CreateCape("cape", { wearer: figure, shoulders, height: 1, flare: 2.5 }, scene);

    return { cloths: [cape.cloth], cape, figure, walker, update };
}

export function decorate(scene: BABYLON.Scene, world: World) {
    const shadows = studio(scene, {
        boxes: [
            [
                [-0.62, 0, -0.62],
                [0.62, 1.8, 0.62],
            ],
        ],
        alpha: -1.2,
        beta: 1.2,
        extent: 4.5,
        sun: [0.6, -1, 0.5],
    });
    const floor = BABYLON.MeshBuilder.CreateGround("floor", { width: 200, height: 200 }, scene);
    applyTiles(scene, floor);
    world.figure.material = solid(scene, "#b9a58c", 0.8, 0);
    const print = paint(scene, 256, 256, (u, v) => {
        const edge = Math.min(u, v, 1 - u, 1 - v);
        return edge < 0.03 ? rgb("#d9b25a") : rgb("#7d1f2b");
    });
    world.cape.material = fabric(scene, print, [40, 40], 0.3);
    shade(shadows, [world.figure, world.cape]);
}
