import * as BABYLON from "../babylon";
import * as BABYLONCLOTH from "babylon-cloth";
import { fabric, solid } from "../parts/fabric";
import { paint, rgb } from "../parts/paint";
import { applyTiles, shade, studio } from "../parts/studio";

export const about = {
    title: "Skirt (glTF)",
    text: "A mesh from a .glb file, with a seam, on a turning form. The pins follow the mesh's parent.",
    place: 6,
    group: "Characters",
};

type World = Awaited<ReturnType<typeof create>>;

/** A skirt from a .glb model on a turning dress form. The model is plain glTF: nothing in it knows of cloth. */
export async function create(scene: BABYLON.Scene, assets: Record<string, string>) {
    const { meshes } = await BABYLON.ImportMeshAsync(assets["skirt.glb"], scene, { pluginExtension: ".glb" });
    const turntable = new BABYLON.TransformNode("turntable", scene);
    meshes[0].parent = turntable;
    const skirt = scene.getMeshByName("Skirt") as BABYLON.Mesh;
    const form = scene.getMeshByName("Form") as BABYLON.Mesh;
    const hips = scene.getMeshByName("Hips") as BABYLON.Mesh;
    const stand = scene.getMeshByName("Stand") as BABYLON.Mesh;

    const cloth = new BABYLONCLOTH.ClothBehavior({
        // The waistband: all that is above 1.08 m in the model.
        pins: [{ select: (position) => position.y > 1.08 }],
        fabric: { ...BABYLONCLOTH.Fabrics.cotton, friction: 0.2 },
    });
    skirt.addBehavior(cloth);
    cloth.addCollider(hips, { shape: "sphere" });

    /** Turns the form to and fro: a time [s] to its angle. */
    function update(time: number) {
        turntable.rotation.y = 9 * (1 - Math.cos(0.55 * time));
    }

    return { cloths: [cloth], skirt, form, hips, stand, turntable, update };
}

export function decorate(scene: BABYLON.Scene, world: World) {
    const shadows = studio(scene, {
        boxes: [
            [
                [-0.3, 0, -0.3],
                [0.3, 1.64, 0.3],
            ],
            [
                [-0.66, 0.4, -0.66],
                [0.66, 1.12, 0.66],
            ],
        ],
        alpha: -1.57,
        beta: 1.38,
        extent: 4.5,
        sun: [-0.6, -1, 0.6],
    });
    const floor = BABYLON.MeshBuilder.CreateGround("floor", { width: 200, height: 200 }, scene);
    applyTiles(scene, floor);

    const linen = solid(scene, "#d8c7a8", 0.9, 0);
    world.form.material = world.hips.material = linen;
    world.stand.material = solid(scene, "#5b3a22", 0.5, 0);
    const print = paint(scene, 1024, 512, printSkirt);
    print.wrapU = BABYLON.Texture.WRAP_ADDRESSMODE; // it goes on over the seam
    world.skirt.material = fabric(scene, print, [90, 40], 0.3);
    shade(shadows, [world.skirt, world.form, world.hips, world.stand]);
}

/** A dark field with rows of dots that grow towards the hem, and three coloured bands. */
function printSkirt(u: number, v: number) {
    const night = rgb("#5a1836");
    const rose = rgb("#e7728a");
    const gold = rgb("#f0bb55");
    const down = 1 - v;
    if (down > 0.95) return gold;
    if (down > 0.86 && down < 0.91) return rose;
    if (down > 0.82 && down < 0.84) return gold;
    const row = Math.floor(down * 12);
    const x = ((u * 36 + (row % 2) * 0.5) % 1) - 0.5;
    const y = ((down * 12) % 1) - 0.5;
    return row < 9 && Math.hypot(x, y) < 0.06 + 0.02 * row ? rose : night;
}
