import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { holdShapes, mapPointCloud, meshMapSlices, orderSlices, topologySlices } from "../../engine/index";
import type { Slices } from "../../engine/index";
import { rareModule } from "../scene/rare.lazy";
import { readMesh } from "../mesh/readMesh";
import { runtimeOf } from "./bodyRuntime";
import type { ClothBehavior } from "./clothBehavior";
import { SimulationSpace } from "./simulationSpace";

const OWNER = "attachAsync";

/** Time after which a build lets the page go on [ms]. */
const SLICE_MILLISECONDS = 12;
/** Vertices per expected slice of a build, and slices that every build has: progress is told by them. */
const VERTICES_PER_SLICE = 800;
const FIXED_SLICES = 30;

/**
 * Attaches cloth to a mesh as `mesh.addBehavior(cloth)` does, but builds it in slices of some milliseconds, between which the page goes on: for meshes of
 * more than 60,000 vertices. The mesh is drawn as it is meanwhile. First comes what all sheets of its shape share, which attaching then finds in its
 * caches; then the cloth is attached, and stands still while it is prepared.
 * @param onProgress told the share that is done, 0..1, after each slice
 * @returns settled when the cloth runs, or has left its mesh
 * @throws what attaching throws, and Error when the mesh is disposed meanwhile
 */
export async function attachAsync(cloth: ClothBehavior, mesh: Mesh, onProgress: (share: number) => void = () => {}): Promise<void> {
    const runtime = runtimeOf(cloth)!;
    const expected = FIXED_SLICES + mesh.getTotalVertices() / VERTICES_PER_SLICE;
    let done = 0;
    const run = async (slices: Slices<void>, isWanted: () => boolean): Promise<void> => {
        let start = performance.now();
        while (!slices.next().done) {
            done++;
            if (performance.now() - start < SLICE_MILLISECONDS) continue;
            onProgress(Math.min(0.99, done / expected));
            await new Promise((resolve) => setTimeout(resolve));
            if (!isWanted()) return void slices.return();
            start = performance.now();
        }
    };
    const release = holdShapes();
    try {
        await run(shapeSlices(mesh), () => !mesh.isDisposed());
        if (cloth.parts.length > 0) await rareModule.load();
        if (mesh.isDisposed()) throw new Error(`${OWNER}: "${mesh.name}" was disposed meanwhile`);
        runtime.isPreparedLater = true;
        mesh.addBehavior(cloth);
    } finally {
        runtime.isPreparedLater = false;
        release();
    }
    const { instance } = runtime;
    if (!instance) return;
    // It begins once it is waited for.
    const prepared = Promise.resolve().then(() => run(instance.cloth.prepareSlices(), () => runtime.instance === instance));
    runtime.pendingModules.hold(prepared);
    await prepared;
    onProgress(1);
}

/** Makes what all sheets of a mesh's shape share, as attaching asks for it. */
function* shapeSlices(mesh: Mesh): Slices<void> {
    const space = new SimulationSpace(mesh, OWNER);
    const data = readMesh(mesh, OWNER);
    yield;
    const sheet = yield* meshMapSlices(data, space.pose);
    if (!sheet) return;
    yield;
    space.centre(sheet.restPositions);
    const pose = space.pose.slice();
    const rest = (): Float32Array => mapPointCloud(sheet.restPositions, pose).mapped;
    yield* orderSlices(yield* topologySlices(rest(), sheet.triangles, rest));
}
