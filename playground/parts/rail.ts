import * as BABYLON from "../babylon";
import { solid } from "./fabric";

/** A wooden rail along x on two posts, one side of its middle. @param size length between the posts, height, and thickness [m] @param z where it stands */
export function hangRail(scene: BABYLON.Scene, size: { length: number; height: number; thickness: number }, z: number) {
    const { length, height, thickness } = size;
    const wood = solid(scene, "#8a5a35", 0.7, 0);
    const rail = BABYLON.MeshBuilder.CreateCylinder("rail", { height: length, diameter: thickness }, scene);
    rail.position.set(0, height, z);
    rail.rotation.z = Math.PI / 2;
    const posts = [-1, 1].map((side) => {
        const tall = height + thickness;
        const post = BABYLON.MeshBuilder.CreateCylinder("post", { height: tall, diameter: 1.5 * thickness }, scene);
        post.position.set((side * length) / 2, tall / 2, z);
        return post;
    });
    const all = [rail, ...posts];
    for (const mesh of all) mesh.material = wood;
    return all;
}
