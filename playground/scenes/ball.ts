import * as BABYLON from "../babylon/shapes";
import * as BABYLONCLOTH from "babylon-cloth";

/** The classic: a sheet hangs from a beam, and a ball rolls through it and back. */
export function create(scene: BABYLON.Scene) {
    const floor = BABYLON.MeshBuilder.CreateGround("floor", { width: 200, height: 200 }, scene);

    const radius = 0.8;
    const ball = BABYLON.MeshBuilder.CreateSphere("ball", { diameter: 2 * radius, segments: 32 }, scene);
    const spin = new BABYLON.Quaternion();
    ball.rotationQuaternion = spin;

    /** Rolls the ball to its place at a time [s]. */
    function update(time: number) {
        const distance = -2.8 * Math.cos(time * 0.9);
        const sideways = 0.6 * Math.sin(time * 0.37);
        ball.position.set(sideways, radius, distance);
        BABYLON.Quaternion.FromEulerAnglesToRef(distance / radius, 0, -sideways / radius, spin);
    }
    update(0);

    const sheet = BABYLON.MeshBuilder.CreateGround("sheet", { width: 4, height: 3, subdivisionsX: 64, subdivisionsY: 48 }, scene);
    sheet.position.y = 1.55;
    sheet.rotation.x = -Math.PI / 2;

    const cloth = new BABYLONCLOTH.ClothBehavior({
        pins: [{ select: BABYLONCLOTH.select.edge("+z") }],
        fabric: { ...BABYLONCLOTH.Fabrics.cotton, friction: 0.2 },
    });
    sheet.addBehavior(cloth);
    cloth.addCollider(ball);
    cloth.addCollider(floor);

    return { cloths: [cloth], sheet, ball, floor, update };
}
