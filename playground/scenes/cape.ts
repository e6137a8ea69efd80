import * as BABYLON from "../babylon";
import * as BABYLONCLOTH from "babylon-cloth";
import { fabric, solid } from "../parts/fabric";
import { paint, rgb } from "../parts/paint";
import { pave, shade, studio } from "../parts/studio";

export const about = {
    title: "Cape (skinned glTF)",
    text: "A walking figure from a .glb file. The cape lies on its skin as the bones pose it, and is pinned to one of them.",
    place: 12,
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

    // From shoulder to shoulder round the back, and down to the calves.
    const chest = scene.getTransformNodeByName("chest")!;
    const paths = Array.from({ length: 25 }, (_, row) => {
        const down = row / 24;
        return Array.from({ length: 25 }, (_, column) => {
            const angle = Math.PI * (1 - column / 24);
            const radius = 0.095 + 0.34 * Math.pow(down, 0.8);
            return new BABYLON.Vector3(
                1.25 * radius * Math.cos(angle) * (1 - 0.15 * down),
                1.475 - 0.015 * Math.abs(Math.cos(angle)) - 1.03 * down,
                -radius * Math.sin(angle) * 1.05 - 0.01,
            );
        });
    });
    const cape = BABYLON.MeshBuilder.CreateRibbon("cape", { pathArray: paths, sideOrientation: 0 }, scene);
    cape.position.copyFrom(walker.position);
    cape.rotation.y = walker.rotation.y;

    const cloth = new BABYLONCLOTH.ClothBehavior({
        pins: [{ select: (_, vertex) => vertex < 25, target: chest }],
        fabric: { ...BABYLONCLOTH.Fabrics.wool, friction: 0.25, thickness: 0.012 },
        wind: new BABYLONCLOTH.Wind(),
        substepCount: 8,
    });
    cape.addBehavior(cloth);
    cloth.addCollider(figure);

    return { cloths: [cloth], cape, figure, walker, update };
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
