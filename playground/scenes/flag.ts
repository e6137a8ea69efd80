import * as BABYLON from "../babylon/shapes";
import * as BABYLONCLOTH from "babylon-cloth";

/** A flag on a pole, flown by a gusty wind. */
export function create(scene: BABYLON.Scene) {
    const pole = BABYLON.MeshBuilder.CreateCylinder("pole", { height: 6, diameterBottom: 0.11, diameterTop: 0.07 }, scene);
    pole.position.y = 3;

    const flag = BABYLON.MeshBuilder.CreateGround("flag", { width: 3, height: 2, subdivisionsX: 54, subdivisionsY: 36 }, scene);
    flag.position.set(1.55, 4.85, 0);
    flag.rotation.x = -Math.PI / 2;

    const cloth = new BABYLONCLOTH.ClothBehavior({
        pins: [{ select: BABYLONCLOTH.select.edge("-x") }],
        fabric: BABYLONCLOTH.Fabrics.nylon,
        wind: new BABYLONCLOTH.Wind({ velocity: new BABYLON.Vector3(6.5, 0, 1.5), turbulence: 0.5 }),
    });
    flag.addBehavior(cloth);

    return { cloths: [cloth], flag, pole };
}
