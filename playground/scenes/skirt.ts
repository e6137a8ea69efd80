import "@babylonjs/loaders/glTF/2.0";
import * as BABYLON from "../babylon/models";
import * as BABYLONCLOTH from "babylon-cloth";

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
