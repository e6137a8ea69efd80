/** Layers in steady contact: cloth that lies on itself, and cloth on it. */
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import type { Scene } from "@babylonjs/core/scene";
import { ClothBehavior } from "../../src/babylon/behaviors/clothBehavior";
import type { SelfCollision } from "../../src/babylon/behaviors/bodyOptions";
import { instanceOf, ownFrameOf } from "./world";

/** Frames in which it comes down. */
const FALL = 300;

/**
 * Lays a sheet on one that has fallen on its edge, and so in a fold; neither falls asleep.
 * @returns what they do in a frame
 */
export function layPile(scene: Scene, selfCollision: SelfCollision): () => void {
    const floor = MeshBuilder.CreateGround("floor", { width: 9, height: 9 }, scene);
    const cloths = [foldedSheet(scene), flatSheet(scene)].map((mesh) => {
        const cloth = new ClothBehavior({
            substepCount: 2,
            fabric: { damping: 2 },
            colliders: [floor],
            selfCollision,
            sleepSpeed: 0,
        });
        mesh.addBehavior(cloth);
        return cloth;
    });
    const frame = ownFrameOf(scene);
    for (let f = 0; f < FALL; f++) frame();
    for (const cloth of cloths)
        if (!instanceOf(cloth).cloth.collisionProxy?.hasActiveParticles) throw new Error("it touches nothing");
    return frame;
}

/** A sheet on its edge, so bowed that it folds. */
function foldedSheet(scene: Scene): Mesh {
    const mesh = MeshBuilder.CreateGround(
        "fold",
        { width: 0.6, height: 1.1, subdivisionsX: 8, subdivisionsY: 14, updatable: true },
        scene,
    );
    const x = mesh.getVerticesData("position")!;
    for (let o = 0; o < x.length; o += 3) [x[o + 1], x[o + 2]] = [x[o + 2] + 0.6, 0.09 * Math.sin(4 * x[o + 2])];
    mesh.setVerticesData("position", x, true);
    return mesh;
}

function flatSheet(scene: Scene): Mesh {
    const mesh = MeshBuilder.CreateGround("sheet", { width: 0.6, height: 0.6, subdivisions: 8 }, scene);
    mesh.position.y = 1.4;
    return mesh;
}
