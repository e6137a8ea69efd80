import { BOUNDS_MOTION_FACTOR, FACE_MARGIN, FACE_RECORD_CAPACITY, FACE_STRETCH, FACE_THICKNESS_SHARE } from "../../tunables";
import type { Arena } from "../../../kernels/arena";
import {
    Contact,
    SolidData,
    TRIANGLE_GROUP,
    FaceContactLayout,
    TriangleGroup,
    FaceContactCounter,
} from "../../../kernels/contactLayout";
import type { ContactArrays, FaceContactArrays } from "../../../kernels/contactLayout";
import type { Kernels } from "../../../kernels/kernelTable";
import { BLOCK, Uniform } from "../../../kernels/layout";
import type { ParticleArrays, TriangleArrays } from "../../../kernels/layout";
import { ArenaStruct } from "../../memory/arenaArrays";
import type { Collider } from "../shapes/collider";

/** Triangles of one body that keep off colliders: where corners alone do not suffice, see kernels/assembly/faceContacts.ts. */
export class FaceContacts extends ArenaStruct implements FaceContactArrays {
    readonly triangleCount: number;
    readonly groupCount: number;
    readonly capacity = FACE_RECORD_CAPACITY;
    groups!: Uint32Array;
    groupFloats!: Float32Array;
    bounds!: Float32Array;
    candidates!: Uint32Array;
    progress!: Uint32Array;
    records!: Uint32Array;
    recordFloats!: Float32Array;
    pushes!: Float32Array;
    previousSupports!: Float32Array;
    readonly paddedCount: number;

    /** @throws RangeError when there is no memory left */
    constructor(
        arena: Arena,
        private readonly _triangles: TriangleArrays,
        readonly contacts: ContactArrays,
        particles: ParticleArrays,
    ) {
        super(FaceContactLayout, [
            "groups",
            "groupFloats",
            "bounds",
            "candidates",
            "progress",
            "records",
            "recordFloats",
            "pushes",
            "previousSupports",
        ]);
        this.paddedCount = particles.paddedCount;
        this.triangleCount = _triangles.triangleCount;
        this.groupCount = Math.ceil(this.triangleCount / TRIANGLE_GROUP);
        this._allocate(arena);
        this._group(particles);
    }

    private _group({ positions }: ParticleArrays): void {
        const { triangles, triangleCount, groups, groupFloats } = this;
        for (let t = 0; t < triangleCount; t++) {
            const g = Math.floor(t / TRIANGLE_GROUP) * TriangleGroup.count;
            if (t % TRIANGLE_GROUP === 0) groups[g + TriangleGroup.firstBlock] = 0xffffffff;
            for (let k = 3 * t; k < 3 * t + 3; k++) {
                const block = Math.floor(triangles[k] / BLOCK);
                groups[g + TriangleGroup.firstBlock] = Math.min(groups[g + TriangleGroup.firstBlock], block);
                groups[g + TriangleGroup.lastBlock] = Math.max(groups[g + TriangleGroup.lastBlock], block);
            }
            groupFloats[g + TriangleGroup.longestEdge] = Math.max(
                groupFloats[g + TriangleGroup.longestEdge],
                FACE_STRETCH * longestEdgeOf(triangles, t, positions),
            );
        }
    }

    get triangles(): Uint32Array {
        return this._triangles.triangles;
    }

    /** Begins a step. */
    beginStep(colliders: readonly Collider[]): void {
        this.progress[FaceContactCounter.candidateCount] = 0;
        for (let i = 0; i < colliders.length; i++) colliders[i].firstCandidate = -1;
    }

    /** True if triangles are near a collider in the present step. Collected once a step, with a margin for motion. */
    collectCandidates(kernels: Kernels, particles: ParticleArrays, collider: Collider): boolean {
        if (collider.firstCandidate < 0) {
            const { bounds, progress } = this;
            const core = collider.core!;
            const thickness = Math.max(0, collider.data[Contact.thickness]);
            const margin = FACE_MARGIN + thickness + BOUNDS_MOTION_FACTOR * particles.uniforms[Uniform.motion];
            bounds[0] = margin;
            collider.measureStep(bounds);
            bounds[3] = core[SolidData.coreMargin] > 0 ? FACE_THICKNESS_SHARE * thickness : margin;
            this._writeSearchBox(collider, core);
            bounds[3] = core[SolidData.minEdge];
            collider.firstCandidate = progress[FaceContactCounter.candidateCount];
            kernels.collectFaceCandidates(particles, core, this);
            collider.lastCandidate = progress[FaceContactCounter.candidateCount];
        }
        return collider.lastCandidate > collider.firstCandidate;
    }

    /**
     * Writes the box of what can be as near to the solid as the fourth number of the bounds says. What lies off a face of a box at rest stays so: its corners do,
     * and to the other side of a face no triangle goes.
     */
    private _writeSearchBox(collider: Collider, core: Float32Array): void {
        const { bounds } = this;
        const distance = bounds[3];
        bounds.fill(Infinity, 8, 12);
        if (!collider.isAtRest) return;
        const size =
            core[SolidData.coreMargin] + core[SolidData.radius] + Math.abs(core[SolidData.slope]) * core[SolidData.core + 1];
        for (let c = 0; c < 3; c++) bounds[8 + c] = core[SolidData.core + c] + size + distance * core[SolidData.scale + c];
    }

    /** Begins with a collider's candidates. */
    begin(collider: Collider): void {
        this.progress[FaceContactCounter.next] = collider.firstCandidate;
        this.progress[FaceContactCounter.end] = collider.lastCandidate;
    }

    /** True while candidates are left to test. */
    get hasMore(): boolean {
        return this.progress[FaceContactCounter.next] < this.progress[FaceContactCounter.end];
    }

    /** Contacts found. */
    get contactCount(): number {
        return this.progress[FaceContactCounter.recordCount];
    }
}

/** Longest edge of triangles as they are, with room for stretch, squared [m²]. */
export function longestEdge({ triangles, triangleCount }: TriangleArrays, { positions }: ParticleArrays): number {
    let longest = 0;
    for (let t = 0; t < triangleCount; t++) longest = Math.max(longest, longestEdgeOf(triangles, t, positions));
    return FACE_STRETCH * longest;
}

function longestEdgeOf(triangles: Uint32Array, t: number, x: Float32Array): number {
    let longest = 0;
    for (let k = 0; k < 3; k++) {
        const a = 4 * triangles[3 * t + k];
        const b = 4 * triangles[3 * t + ((k + 1) % 3)];
        longest = Math.max(longest, (x[a] - x[b]) ** 2 + (x[a + 1] - x[b + 1]) ** 2 + (x[a + 2] - x[b + 2]) ** 2);
    }
    return longest;
}
