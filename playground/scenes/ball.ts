import * as BABYLON from "../babylon";
import * as BABYLONCLOTH from "babylon-cloth";
import { fabric, solid } from "../parts/fabric";
import { paint, rgb } from "../parts/paint";
import { applyTiles, shade, studio } from "../parts/studio";

export const about = {
    title: "Ball",
    text: "The classic: a ball rolls through a hanging sheet, and the sheet slides off with friction.",
    place: 3,
    group: "Contact",
};

type World = ReturnType<typeof create>;

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

export function decorate(scene: BABYLON.Scene, world: World) {
    const shadows = studio(scene, {
        boxes: [
            [
                [-2.27, 0, -0.1],
                [2.27, 3.17, 0.1],
            ],
            [
                [-2, 0, -2.3],
                [2, 2.2, 2.3],
            ],
            [
                [-1.4, 0, -3.6],
                [1.4, 1.6, 3.6],
            ],
        ],
        alpha: -2.05,
        beta: 1.36,
        extent: 11,
        sun: [0.55, -1, 0.5],
    });
    applyTiles(scene, world.floor);

    const wood = solid(scene, "#8a5a35", 0.7, 0);
    const beam = BABYLON.MeshBuilder.CreateBox("beam", { width: 4.5, height: 0.1, depth: 0.1 }, scene);
    beam.position.y = 3.11;
    beam.material = wood;
    const posts = [-1, 1].map((side) => {
        const post = BABYLON.MeshBuilder.CreateBox("post", { width: 0.12, height: 3.16, depth: 0.12 }, scene);
        post.position.set(side * 2.2, 1.58, 0);
        post.material = wood;
        return post;
    });

    const rubber = solid(scene, "#ffffff", 0.35, 0);
    rubber.albedoTexture = paint(scene, 512, 256, (u) =>
        rgb(["#f4efe4", "#d8432f", "#f4efe4", "#2f6fb0", "#f4efe4", "#efb22e"][Math.floor(u * 6) % 6]),
    );
    world.ball.material = rubber;

    world.sheet.material = fabric(scene, paint(scene, 512, 384, printGingham), [64, 48], 0.35);
    shade(shadows, [world.sheet, world.ball, beam, ...posts]);
}

/** Gingham: two sets of stripes that darken where they cross. */
function printGingham(u: number, v: number) {
    const white = rgb("#f3f1ea");
    const blue = rgb("#2f5f8f");
    const stripes = (Math.floor(u * 24) % 2) + (Math.floor(v * 18) % 2);
    return white.map((channel, i) => channel + (blue[i] - channel) * [0, 0.5, 1][stripes]);
}
