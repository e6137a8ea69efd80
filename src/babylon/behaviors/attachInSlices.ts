import type { Behavior } from "@babylonjs/core/Behaviors/behavior";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { holdShapes, mapPointCloud, meshMapOf, orderSlices, topologySlices } from "../../engine/index";
import type { Body, Slices } from "../../engine/index";
import { readMesh } from "../mesh/readMesh";
import { SimulationSpace } from "./simulationSpace";

/** Time after which a build lets the page go on [ms]. */
const SLICE_MILLISECONDS = 12;
/** Vertices per expected slice of a build, and slices that every build has: progress is told by them. */
const VERTICES_PER_SLICE = 800;
const FIXED_SLICES = 30;

/** Runtime of a sheet that is attached in slices. */
interface SlicedRuntime {
    /** True while a body that is attached is not prepared at once. */
    isPreparedLater: boolean;
    readonly instance: { readonly cloth: Body } | null;
    readonly pendingModules: { hold(work: Promise<void>): void };
}

/**
 * Attaches a sheet in slices, between which the page goes on: first what any sheet of its shape shares, which attaching then finds in its caches; then
 * the sheet is attached, and stands still while it is prepared.
 * @param onProgress told the share that is done, 0..1
 */
export async function attachInSlices(
    owner: string,
    cloth: Behavior<Mesh>,
    mesh: Mesh,
    runtime: SlicedRuntime,
    onProgress: (share: number) => void,
): Promise<void> {
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
        await run(shapeSlices(mesh, owner), () => !mesh.isDisposed());
        if (mesh.isDisposed()) throw new Error(`${owner}: attachAsync: "${mesh.name}" was disposed meanwhile`);
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
function* shapeSlices(mesh: Mesh, owner: string): Slices<void> {
    const space = new SimulationSpace(mesh, owner);
    const sheet = meshMapOf(readMesh(mesh, owner), space.pose);
    if (!sheet) return;
    yield;
    space.centre(sheet.restPositions);
    const pose = space.pose.slice();
    const rest = (): Float32Array => mapPointCloud(sheet.restPositions, pose).mapped;
    yield* orderSlices(yield* topologySlices(rest(), sheet.triangles, rest));
}
