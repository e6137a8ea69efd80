import * as BABYLON from "../babylon";
import * as BABYLONCLOTH from "babylon-cloth";
import { fabric, solid } from "../parts/fabric";
import { applyTiles, shade, studio } from "../parts/studio";

export const about = {
    title: "Banner",
    text: "ClothBuilder.CreateBanner between two posts; each post carries its end as it sways.",
    place: 5,
    group: "Flags and curtains",
};

type World = ReturnType<typeof create>;

/** A banner tied by its ends between two posts that sway; each post carries its own pins. */
export function create(scene: BABYLON.Scene) {
    const makePost = (x: number) => {
        const post = BABYLON.MeshBuilder.CreateCylinder("post", { height: 3.5, diameter: 0.12 }, scene);
        post.setPivotPoint(new BABYLON.Vector3(0, -1.75, 0));
        post.position.set(x, 1.75, 0);
        return post;
    };
    const posts: [BABYLON.Mesh, BABYLON.Mesh] = [makePost(-2.5), makePost(2.5)];
    const fabric = { ...BABYLONCLOTH.Fabrics.denim, damping: 0.3 };
    const wind = { velocity: new BABYLON.Vector3(0.5, 0, 3), turbulence: 0.5 };
    const banner = BABYLONCLOTH.ClothBuilder.CreateBanner("banner", { posts, height: 1.1, fabric, wind }, scene);

    /** Leans the posts inwards, and lets them sway: a time [s] to their angles. */
    function update(time: number) {
        const lean = 0.02 * Math.min(1, time);
        posts.forEach((post, i) => {
            post.rotation.z = lean * (i === 0 ? -1 : 1) * (1 + 0.25 * Math.sin(time * 2.1 + i));
            post.rotation.x = lean * 0.5 * Math.sin(time * 1.3 + 2 * i);
        });
    }

    return { cloths: [banner.cloth], banner, posts, update };
}

export function decorate(scene: BABYLON.Scene, world: World) {
    const shadows = studio(scene, {
        boxes: [
            [
                [-2.62, 0, -0.1],
                [2.62, 3.52, 0.6],
            ],
        ],
        alpha: -1.8,
        beta: 1.5,
        extent: 9,
        sun: [-0.5, -0.9, 0.7],
    });
    const floor = BABYLON.MeshBuilder.CreateGround("floor", { width: 200, height: 200 }, scene);
    applyTiles(scene, floor);
    for (const post of world.posts) post.material = solid(scene, "#7a4f30", 0.7, 0);

    world.banner.material = fabric(scene, printBanner(scene), [100, 22], 0.4);
    shade(shadows, [world.banner, ...world.posts]);
}

/** Lettering between two lines, drawn by the canvas. */
function printBanner(scene: BABYLON.Scene) {
    const texture = new BABYLON.DynamicTexture("banner", { width: 2048, height: 450 }, scene, true);
    const context = texture.getContext() as CanvasRenderingContext2D;
    context.fillStyle = "#1f6f66";
    context.fillRect(0, 0, 2048, 450);
    context.fillStyle = "#f2c14e";
    context.fillRect(0, 34, 2048, 14);
    context.fillRect(0, 402, 2048, 14);
    context.fillStyle = "#fbf5e6";
    context.font = "bold 210px Georgia, 'Liberation Serif', 'DejaVu Serif', serif";
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillText("BABYLON CLOTH", 1024, 232, 1880);
    texture.update();
    texture.wrapU = texture.wrapV = BABYLON.Texture.CLAMP_ADDRESSMODE;
    texture.anisotropicFilteringLevel = 8;
    return texture;
}
