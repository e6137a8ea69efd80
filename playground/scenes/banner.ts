import * as BABYLON from "../babylon/shapes";
import * as BABYLONCLOTH from "babylon-cloth";

/** A banner tied by its ends between two posts that sway; each post carries its own pins. */
export function create(scene: BABYLON.Scene) {
    const width = 5;
    const height = 1.1;
    const banner = BABYLON.MeshBuilder.CreateGround("banner", { width, height, subdivisionsX: 100, subdivisionsY: 22 }, scene);
    banner.position.y = 2.6;
    banner.rotation.x = -Math.PI / 2;

    const cloth = new BABYLONCLOTH.ClothBehavior({
        fabric: { ...BABYLONCLOTH.Fabrics.denim, damping: 0.3 },
        wind: new BABYLONCLOTH.Wind({ velocity: new BABYLON.Vector3(0.5, 0, 3), turbulence: 0.5 }),
    });
    const posts = [-1, 1].map((side) => {
        const post = BABYLON.MeshBuilder.CreateCylinder("post", { height: 3.5, diameter: 0.12 }, scene);
        post.setPivotPoint(new BABYLON.Vector3(0, -1.75, 0));
        post.position.set((side * width) / 2, 1.75, 0);
        cloth.pin(BABYLONCLOTH.select.edge(side < 0 ? "-x" : "+x"), post);
        return post;
    });
    banner.addBehavior(cloth);

    /** Leans the posts inwards, so that the banner hangs slack, and lets them sway: a time [s] to their angles. */
    function update(time: number) {
        const lean = 0.02 * Math.min(1, time);
        posts.forEach((post, i) => {
            post.rotation.z = lean * (i === 0 ? -1 : 1) * (1 + 0.25 * Math.sin(time * 2.1 + i));
            post.rotation.x = lean * 0.5 * Math.sin(time * 1.3 + 2 * i);
        });
    }

    return { cloths: [cloth], banner, posts, update };
}
