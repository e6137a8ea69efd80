import * as BABYLON from "../babylon";
import * as BABYLONCLOTH from "babylon-cloth";
import { fabric, solid } from "../parts/fabric";
import { paint, rgb } from "../parts/paint";
import { pave, shade, studio } from "../parts/studio";

export const about = {
    title: "Cape (skinned glTF)",
    text: "A walking figure from a .glb file. ClothBuilder.CreateCape hangs from its shoulders and lies on its skin as the bones pose it.",
    place: 13,
};

type World = Awaited<ReturnType<typeof create>>;

/** Time of two steps [s]. */
const CYCLE = 1.1;

/** A figure walks on the spot, to and fro and turning, and a cape goes along. The figure is plain glTF: nothing in it knows of cloth. */
export async function create(scene: BABYLON.Scene, assets: Record<string, string>) {
    const { meshes, animationGroups } = await BABYLON.ImportMeshAsync(assets["walker.glb"], scene, { pluginExtension: ".glb" });
    const walker = new BABYLON.TransformNode("walker", scene);
    meshes[0].parent = walker;
    const figure = scene.getMeshByName("Walker") as BABYLON.Mesh;
    const walk = animationGroups[0];
    walk.start(true);
    walk.pause();

    /** Where the figure is at a time [s]. */
    function update(time: number) {
        walker.position.set(0.12 * Math.sin(1.3 * time), 0, 0.2 * Math.sin(1.7 * time));
        walker.rotation.y = 0.9 * Math.sin(0.8 * time);
        walk.goToFrame(walk.from + ((time / CYCLE) % 1) * (walk.to - walk.from));
        walker.computeWorldMatrix(true);
        for (const mesh of meshes) mesh.computeWorldMatrix(true);
    }
    update(0);

    // From shoulder to shoulder round the back, and down to the calves. The wearer's left is +x in the file.
    const chest = scene.getTransformNodeByName("chest")!;
    const shoulder = (x: number) => {
        const node = new BABYLON.TransformNode("shoulder", scene);
        node.parent = chest;
        node.position.set(x, 0.2, -0.02);
        return node;
    };
    const cape = BABYLONCLOTH.ClothBuilder.CreateCape(
        "cape",
        { wearer: figure, shoulders: [shoulder(0.16), shoulder(-0.16)], height: 1, flare: 2.5 },
        scene,
    );

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
    pave(scene, floor);
    world.figure.material = solid(scene, "#b9a58c", 0.8, 0);
    const print = paint(scene, 256, 256, (u, v) => {
        const edge = Math.min(u, v, 1 - u, 1 - v);
        return edge < 0.03 ? rgb("#d9b25a") : rgb("#7d1f2b");
    });
    world.cape.material = fabric(scene, print, [40, 40], 0.3);
    shade(shadows, [world.figure, world.cape]);
}
