import * as BABYLON from "../babylon/shapes";
import * as BABYLONCLOTH from "babylon-cloth";

/** A tablecloth falls over a sphere that lies on the ground. */
export function create(scene: BABYLON.Scene) {
    const floor = BABYLON.MeshBuilder.CreateGround("floor", { width: 200, height: 200 }, scene);
    const sphere = BABYLON.MeshBuilder.CreateSphere("sphere", { diameter: 1.3, segments: 48 }, scene);
    sphere.position.y = 0.65;

    const tablecloth = BABYLON.MeshBuilder.CreateGround("tablecloth", { width: 3.2, height: 3.2, subdivisions: 80 }, scene);
    tablecloth.position.set(0.06, 2, 0.04);
    tablecloth.rotation.y = 0.3;

    const cloth = new BABYLONCLOTH.ClothBehavior({
        fabric: BABYLONCLOTH.Fabrics.cotton,
        colliders: [sphere, floor],
        substepCount: 8,
    });
    tablecloth.addBehavior(cloth);

    return { cloths: [cloth], tablecloth, sphere, floor };
}
