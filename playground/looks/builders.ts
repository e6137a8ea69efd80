import * as BABYLON from "../babylon/looks";
import { fabric, solid } from "./fabric";
import { paint } from "./paint";
import { pave, shade, studio } from "./studio";
import type { create } from "../scenes/builders";

type World = ReturnType<typeof create>;

export function decorate(scene: BABYLON.Scene, world: World) {
    const shadows = studio(scene, { target: [0, 1.72, 0.2], alpha: -1.66, beta: 1.36, radius: 10.2, extent: 15 });
    pave(scene, world.floor);

    const colours = ["#c8553d", "#e09f3e", "#6a994e", "#2a9d8f", "#3d6fa5", "#6c5b9e", "#b5588a"];
    const materials = colours.map((hex) => {
        const colour = BABYLON.Color3.FromHexString(hex);
        const print = paint(scene, 128, 128, (u, v) => {
            const stripe = 1 - 0.16 * ((Math.floor(u * 8) + Math.floor(v * 8)) % 2);
            return [colour.r * stripe, colour.g * stripe, colour.b * stripe];
        });
        return fabric(scene, print, [16, 16], 0.2);
    });
    world.exhibits.forEach(({ mesh, x, z }, i) => {
        mesh.material = materials[i % 7];
        const railHeight = world.railHeights[Math.floor(i / 7)] ?? 0;
        label(scene, mesh.name, x, railHeight + 0.12, railHeight > 0 ? z : z - 0.62);
    });

    const grey = solid(scene, "#e4e0d8", 0.6, 0);
    for (const ball of world.balls) ball.material = grey;
    const wood = solid(scene, "#8a5a35", 0.7, 0);
    const rails = world.railHeights.flatMap((height, r) => {
        const rail = BABYLON.MeshBuilder.CreateCylinder("rail", { height: 11, diameter: 0.04 }, scene);
        rail.position.set(0, height + 0.02, world.exhibits[7 * r].z);
        rail.rotation.z = Math.PI / 2;
        const posts = [-5.5, 5.5].map((x) => {
            const post = BABYLON.MeshBuilder.CreateCylinder("post", { height: height + 0.04, diameter: 0.07 }, scene);
            post.position.set(x, height / 2 + 0.02, rail.position.z);
            return post;
        });
        return [rail, ...posts];
    });
    for (const rail of rails) rail.material = wood;
    shade(shadows, [...rails, ...world.exhibits.map(({ mesh }) => mesh), ...world.balls]);
}

/** A small sign, on the rail or on the floor. */
function label(scene: BABYLON.Scene, text: string, x: number, y: number, z: number) {
    const texture = new BABYLON.DynamicTexture("label", { width: 512, height: 96 }, scene, true);
    const context = texture.getContext() as CanvasRenderingContext2D;
    context.fillStyle = "#fbf8f1";
    context.fillRect(0, 0, 512, 96);
    context.fillStyle = "#33302b";
    context.font = "56px Georgia, 'Liberation Serif', 'DejaVu Serif', serif";
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillText(text, 256, 50);
    texture.update();

    const sign = BABYLON.MeshBuilder.CreateGround("label", { width: 0.9, height: 0.17 }, scene);
    sign.position.set(x, y, z);
    sign.rotation.x = -1.2;
    const material = new BABYLON.StandardMaterial("label", scene);
    material.diffuseTexture = texture;
    material.specularColor = BABYLON.Color3.Black();
    sign.material = material;
}
