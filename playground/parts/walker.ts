import * as BABYLON from "../babylon";

/** Time of two steps [s]. */
const CYCLE = 1.1;

/** The figure of walker.glb, with nodes on its shoulders for a cape. */
export async function createWalker(scene: BABYLON.Scene, assets: Record<string, string>) {
    const { meshes, transformNodes, animationGroups } = await BABYLON.ImportMeshAsync(assets["walker.glb"], scene, {
        pluginExtension: ".glb",
    });
    const walker = new BABYLON.TransformNode("walker", scene);
    meshes[0].parent = walker;
    // By what was loaded: a scene may have several.
    const figure = meshes.find(({ name }) => name === "Walker") as BABYLON.Mesh;
    const walk = animationGroups[0];
    walk.start(true);
    walk.pause();

    /** Poses it where the walker is now, in its walk as at a time [s]. */
    function walkAt(time: number) {
        walk.goToFrame(walk.from + ((time / CYCLE) % 1) * (walk.to - walk.from));
        walker.computeWorldMatrix(true);
        for (const mesh of meshes) mesh.computeWorldMatrix(true);
    }

    // The wearer's left is +x in the file.
    const chest = transformNodes.find(({ name }) => name === "chest")!;
    const shoulder = (x: number) => {
        const node = new BABYLON.TransformNode("shoulder", scene);
        node.parent = chest;
        node.position.set(x, 0.2, -0.02);
        return node;
    };
    const shoulders = [shoulder(0.16), shoulder(-0.16)] as const;
    return { walker, figure, shoulders, walkAt };
}
