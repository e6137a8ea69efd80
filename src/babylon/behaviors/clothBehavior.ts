import { OPTION_NAMES } from "./bodyOptions";
import type { ClothOptions } from "./bodyOptions";
import { ClothProperties } from "./clothProperties";
import { requireFormat } from "../files/format/fileFormat";
import type { ClothData, FileOptions, NamedNodes } from "../files/format/fileFormat";
import { defaultSettings, createCloth, mapPointCloud, reject, topologyOf } from "../../engine/index";
import type { VectorLike, Affine } from "../../engine/index";
import type { BodyKind } from "./bodyKind";
import { MeshBinding, checkWarpWeft, warpWeftOf } from "../mesh/meshBinding";

/** Meshes as sheets of cloth. */
export const clothKind: BodyKind<MeshBinding> = {
    owner: "ClothBehavior",
    isSheet: true,
    bind: (mesh, kernels, toWorld, { cloneListener, parts }) => new MeshBinding(mesh, kernels, toWorld, cloneListener, parts),
    build(binding, kernels, settings, pose, rest, origin) {
        checkWarpWeft(binding, settings.fabric);
        const recall = createRestReader(binding.restPositions, pose.slice());
        const topology = topologyOf(rest, binding.triangles, recall);
        const threads = warpWeftOf(binding, recall);
        const cloth = createCloth(kernels, topology, rest, settings, origin, binding.sharedTriangles, threads);
        binding.releaseTriangles();
        return cloth;
    },
};

/** Maps points once more, holding nothing else: cloths of one shape share it. */
function createRestReader(local: Float32Array, pose: Affine): () => Float32Array {
    return () => mapPointCloud(local, pose).mapped;
}

/** The part of a ClothTearing that {@link ClothBehavior.cut} calls. */
interface Cuttable {
    cut(from: VectorLike, to: VectorLike, reach?: number): boolean;
}

/**
 * Makes a mesh cloth. Add it to any mesh with triangles:
 *
 *     mesh.addBehavior(new ClothBehavior({ pins: [{ select: select.edge("-x") }] }));
 *
 * The cloth is simulated in world space from the scene's before-render observable and written back into the mesh's own
 * vertex buffers in mesh-local space, so the mesh may be parented, rotated, scaled and moved. Removing the behavior gives
 * the mesh its rest shape and its buffers back.
 */
export class ClothBehavior extends ClothProperties {
    /** Name under which `mesh.getBehaviorByName` finds the cloth. */
    override readonly name = "Cloth";
    /** @throws RangeError on an unknown option or a value out of range */
    constructor(options: ClothOptions = {}) {
        super(clothKind, defaultSettings());
        this._assign(options, OPTION_NAMES);
        // Fabrics.slik is nothing, and would be cotton without a word.
        if ("fabric" in options && options.fabric === undefined) {
            reject("ClothBehavior", "fabric", "a fabric's name or an object", options.fabric);
        }
    }

    /**
     * Cuts the cloth along a segment, world space [m], by the {@link ClothTearing} on its mesh: see {@link ClothTearing.cut}.
     * @returns whether anything has parted
     * @throws Error where its mesh has no ClothTearing
     */
    cut(from: VectorLike, to: VectorLike, reach?: number): boolean {
        const tearing = this.attachedNode?.getBehaviorByName("ClothTearing") as Cuttable | null | undefined;
        if (!tearing) throw new Error(`${this._owner}: cut needs a mesh with a ClothTearing`);
        return tearing.cut(from, to, reach);
    }

    /**
     * All settings, the pins by their vertices, and what carries it or is met by it by the names of nodes, as plain data for JSON.stringify:
     * see {@link ClothFiles.serialize}. Needs `import "babylon-cloth/files"`.
     */
    serialize(options?: FileOptions): ClothData {
        return requireFormat<ClothBehavior>("serialize").serialize(this, options);
    }

    /**
     * A cloth as it was serialised, to be added to a mesh with the same vertices: see {@link ClothFiles.parse}. Needs
     * `import "babylon-cloth/files"`.
     * @param scene or AssetContainer, where its nodes are looked for, by name
     */
    static Parse(data: ClothData, scene: NamedNodes): ClothBehavior {
        return requireFormat<ClothBehavior>("Parse").parse(data, scene);
    }

    /** @internal */
    protected override _createAnother(options: ClothOptions): ClothBehavior {
        return new ClothBehavior(options);
    }
}
