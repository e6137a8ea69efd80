import type { Matrix } from "@babylonjs/core/Maths/math.vector";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { Tube } from "../../engine/index";
import type { Affine, CentreLine, SurfaceParticles, SurfaceView, Twist } from "../../engine/index";
import type { BodyBinding, RestShape } from "../behaviors/bodyKind";
import { RestMatrices } from "./restMatrices";
import { fail } from "../mesh/readMesh";
import { OWNER } from "./ropeBinding";

/** Points of a link that define its matrix: its origin, and the ends of its axes. */
const POINTS_PER_LINK = 4;

/**
 * Binds the thin instances of a mesh, the links of a chain, to particles between them.
 *
 *     ●═(○)═●═(○)═●═(○)═●      a particle half way from link to link, and one at either end
 *
 * Each link keeps its position and rotation in a frame that follows the line, as a rope's rings of vertices do (engine/meshmap/tube.ts). For pins, the vertices of a
 * chain are its particles.
 */
export class ChainBinding implements BodyBinding {
    readonly particleCount: number;
    readonly vertexCount: number;
    readonly restPositions: Float32Array;
    readonly particleOfVertex: Uint32Array;
    readonly isEdited = false;
    readonly weld = null;
    readonly restShape: RestShape;
    private readonly _tube: Tube;
    private readonly _linkCount: number;
    /** Original matrices, null once restored; and drawn matrices, which Babylon reads. Shape [linkCount, 16]. */
    private _authored: Float32Array | null;
    private readonly _drawn: Float32Array;
    /** Matrices that Babylon's picking reads: copies that Babylon does not update. */
    private readonly _pickMatrices: readonly Matrix[];

    /**
     * @param toWorld map from mesh-local space to the world's axes and size
     * @throws Error if its instances are not a chain
     */
    constructor(
        readonly mesh: Mesh,
        toWorld: Affine,
    ) {
        if (mesh.isDisposed()) throw fail(mesh, "must not be disposed", "a disposed mesh", OWNER);
        const matrices = Float32Array.from(mesh.thinInstanceGetWorldMatrices().flatMap((matrix) => Array.from(matrix.m)));
        const count = matrices.length / 16;
        const isPlaced = count > 1 && matrices.every(Number.isFinite) && centresOf(matrices).every(isApart);
        if (!isPlaced) throw fail(mesh, "must have two thin instances or more, no two in a row at one place", count, OWNER);
        this._linkCount = count;
        this._authored = matrices;
        this._drawn = matrices.slice();
        this.restPositions = particlesOf(matrices);
        this.particleCount = this.vertexCount = count + 1;
        this.particleOfVertex = Uint32Array.from({ length: count + 1 }, (_, i) => i);
        const { line, places } = linkRings(matrices);
        const links = Float32Array.from({ length: count }, (_, k) => k + 0.5);
        this._tube = new Tube(line, links, toWorld, places, null, null);
        mesh.thinInstanceSetBuffer("matrix", this._drawn, 16, false);
        this._pickMatrices = mesh.thinInstanceGetWorldMatrices();
        this.restShape = new RestMatrices(mesh, matrices, this._drawn);
    }

    get restVertexPositions(): Float32Array {
        return this.restPositions;
    }

    get authoredPositions(): Float32Array {
        return this.restPositions;
    }

    /** Sets the twist that its links turn with. */
    setTwist(twist: Twist): void {
        this._tube.setTwist(twist);
    }

    getVertexColors(): null {
        return null;
    }

    write(particles: SurfaceParticles, view: SurfaceView): void {
        const { mesh, _tube: tube, _drawn: drawn } = this;
        if (!this._authored || mesh.isDisposed()) return;
        tube.write(particles, view);
        const { vertexPositions: places } = tube;
        for (let k = 0, o = 0, m = 0; k < this._linkCount; k++, o += 3 * POINTS_PER_LINK, m += 16) {
            for (let c = 0; c < 3; c++) {
                const place = places[o + c];
                for (let axis = 0; axis < 3; axis++) drawn[m + 4 * axis + c] = places[o + 3 * axis + 3 + c] - place;
                drawn[m + 12 + c] = place;
            }
            this._pickMatrices[k].fromArray(drawn, m);
        }
        mesh.thinInstanceBufferUpdated("matrix");
        mesh.thinInstanceRefreshBoundingInfo(false);
    }

    dispose(): null {
        const { mesh, _authored: authored } = this;
        this._authored = null;
        if (authored && !mesh.isDisposed()) {
            mesh.thinInstanceSetBuffer("matrix", authored, 16, false);
            mesh.thinInstanceRefreshBoundingInfo(false);
        }
        return null;
    }
}

/** Centres of links, shape [linkCount][3]. */
function centresOf(matrices: Float32Array): Float32Array[] {
    return Array.from({ length: matrices.length / 16 }, (_, k) => matrices.subarray(16 * k + 12, 16 * k + 15));
}

/** True if a link's centre differs from that of the link before. */
function isApart(centre: Float32Array, k: number, all: Float32Array[]): boolean {
    return k === 0 || centre.some((value, c) => value !== all[k - 1][c]);
}

/** Half way from link to link, and as far beyond the first and the last; shape [linkCount + 1, 3]. */
function particlesOf(matrices: Float32Array): Float32Array {
    const centres = centresOf(matrices);
    const last = centres.length - 1;
    return Float32Array.from({ length: 3 * (last + 2) }, (_, q) => {
        const [i, c] = [Math.floor(q / 3), q % 3];
        const [behind, ahead] = i === 0 ? [0, 1] : i > last ? [last, last - 1] : [i - 1, i];
        const middle = (centres[behind][c] + centres[ahead][c]) / 2;
        return i === 0 || i > last ? 2 * centres[behind][c] - middle : middle;
    });
}

/** Links as a rope's rings of {@link POINTS_PER_LINK} vertices. */
function linkRings(matrices: Float32Array): { line: CentreLine; places: Float32Array } {
    const centres = centresOf(matrices);
    const places = new Float32Array(3 * POINTS_PER_LINK * centres.length);
    const ringOfVertex = new Uint32Array(POINTS_PER_LINK * centres.length);
    centres.forEach((centre, k) => {
        for (let p = 0; p < POINTS_PER_LINK; p++) {
            ringOfVertex[POINTS_PER_LINK * k + p] = k;
            for (let c = 0; c < 3; c++)
                places[3 * (POINTS_PER_LINK * k + p) + c] = centre[c] + (p > 0 ? matrices[16 * k + 4 * (p - 1) + c] : 0);
        }
    });
    return { line: { points: Float32Array.from(centres.flatMap((centre) => Array.from(centre))), ringOfVertex }, places };
}
