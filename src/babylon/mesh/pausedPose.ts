import type { Skeleton } from "@babylonjs/core/Bones/skeleton";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import type { MorphTargetManager } from "@babylonjs/core/Morph/morphTargetManager";

/** Without these kinds of vertex data a mesh is not skinned, whatever skeleton it wears. */
export const SKIN_KINDS: readonly string[] = ["matricesIndices", "matricesWeights", "matricesIndicesExtra", "matricesWeightsExtra"];

/** Kinds that a manager of morph targets sets and removes itself. */
const MORPH_KIND = /^(position|normal|tangent|uv_|uv2_|color)\d+$/;

/** True if a kind of vertex data moves vertices on the GPU. */
export function movesVertices(kind: string): boolean {
    return SKIN_KINDS.includes(kind) || MORPH_KIND.test(kind);
}

/**
 * Skeleton and morph targets of a mesh, without effect while its vertices are final. The mesh keeps both, so that code that looks for them, copies or
 * serialises them finds them: only the skin weights are missing in the geometry drawn, and the morph target manager is covered by one through which no target
 * has influence.
 */
export class PausedPose {
    private readonly _mesh: Mesh;
    private readonly _skeleton: Skeleton | null;
    private readonly _manager: MorphTargetManager | null;
    private readonly _proxyManager: MorphTargetManager | null;
    private readonly _wasSkeletonInScene: boolean;

    /** To be called when the mesh has its lent geometry. */
    constructor(mesh: Mesh) {
        this._mesh = mesh;
        this._skeleton = mesh.skeleton;
        this._wasSkeletonInScene = mesh.skeleton !== null && mesh.getScene().skeletons.includes(mesh.skeleton);
        this._manager = mesh.morphTargetManager;
        this._proxyManager = this._manager && inertProxyOf(this._manager);
        this.pause();
    }

    /** Out of effect again, after {@link restoreOn} its own mesh. */
    pause(): void {
        const { _mesh: mesh } = this;
        if (this._proxyManager && mesh.morphTargetManager === this._manager) mesh.morphTargetManager = this._proxyManager;
    }

    /** True if a skeleton or morph targets pose a mesh. */
    static of(mesh: Mesh): boolean {
        return mesh.skeleton !== null || !!mesh.morphTargetManager;
    }

    /** Gives a copy of the mesh what it copied covered. */
    restoreOn(copy: Mesh): void {
        if (this._proxyManager && copy.morphTargetManager === this._proxyManager) copy.morphTargetManager = this._manager;
    }

    /** Back in effect, but for what the user has replaced or disposed of meanwhile. */
    end(): void {
        const mesh = this._mesh;
        const { skeletons, meshes, morphTargetManagers } = mesh.getScene();
        this.restoreOn(mesh);
        // A container that takes all from the scene takes the mesh, too.
        if (!meshes.includes(mesh)) return;
        if (this._manager && mesh.morphTargetManager === this._manager && !morphTargetManagers.includes(this._manager)) {
            mesh.morphTargetManager = null;
        }
        if (this._wasSkeletonInScene && mesh.skeleton === this._skeleton && !skeletons.includes(this._skeleton!)) {
            mesh.skeleton = null;
        }
    }
}

/** Properties that a manager without influence reports as 0. */
const ZEROED_COUNTS: readonly PropertyKey[] = ["vertexCount", "numInfluencers", "numMaxInfluencers"];

/** Proxy of a manager with the same targets, but for {@link ZEROED_COUNTS}. */
function inertProxyOf(manager: MorphTargetManager): MorphTargetManager {
    return new Proxy(manager, {
        get: (target, name) => (ZEROED_COUNTS.includes(name) ? 0 : (Reflect.get(target, name) as unknown)),
    });
}
