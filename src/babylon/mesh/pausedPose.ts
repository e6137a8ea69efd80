import type { Skeleton } from "@babylonjs/core/Bones/skeleton";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import type { MorphTargetManager } from "@babylonjs/core/Morph/morphTargetManager";

/** Without these kinds of vertex data a mesh is not skinned, whatever skeleton it wears. */
export const SKIN_KINDS: readonly string[] = ["matricesIndices", "matricesWeights", "matricesIndicesExtra", "matricesWeightsExtra"];

/** Kinds that a manager of morph targets sets and removes itself. */
const MORPH_KIND = /^(position|normal|tangent|uv_|uv2_|color)\d+$/;

/** Whether a kind of vertex data moves vertices on the GPU. */
export function movesVertices(kind: string): boolean {
    return SKIN_KINDS.includes(kind) || MORPH_KIND.test(kind);
}

/**
 * What poses a mesh, out of effect while its vertices are final. The mesh keeps its skeleton and morph targets, so that
 * whoever looks for them, copies or serialises them, finds them: of the skeleton only the vertices' weights are missing in
 * the geometry drawn, and the manager of morph targets is covered by one through which no target has influence.
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
        if (this._proxyManager) mesh.morphTargetManager = this._proxyManager;
    }

    /** Whether a mesh has anything that poses it. */
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

/** What a manager without influence on any vertex says of itself. */
const ZEROED_COUNTS: readonly PropertyKey[] = ["vertexCount", "numInfluencers", "numMaxInfluencers"];

/** The same manager with the same targets, but for what {@link ZEROED_COUNTS} names. */
function inertProxyOf(manager: MorphTargetManager): MorphTargetManager {
    return new Proxy(manager, {
        get: (target, name) => (ZEROED_COUNTS.includes(name) ? 0 : (Reflect.get(target, name) as unknown)),
    });
}
