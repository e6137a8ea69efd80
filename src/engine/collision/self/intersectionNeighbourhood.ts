import { IntersectionRecord, SelfContactCounter, BvhBox, BvhTriangle } from "../../../kernels/selfContactLayout";
import type { SelfContactArrays, BvhArrays } from "../../../kernels/selfContactLayout";
import type { CollisionProxy } from "./collisionProxy";

/** Rings of triangles around an intersection: as far as intersection lines move between two searches. */
const RINGS = 6;

/** Mesh neighbourhood of the intersections. Later searches are limited to it, so that their cost follows the intersections and not the mesh. */
export class IntersectionNeighbourhood {
    /** Of each particle: 1, it was at a crossing; 1 + n, n triangles from there; 0, it is not in it. */
    private readonly _rings: Uint8Array;

    constructor(particleCount: number) {
        this._rings = new Uint8Array(particleCount);
    }

    /** Puts it about crossings, of particles. */
    centreOn({ intersections: crossings, progress }: SelfContactArrays): void {
        this._rings.fill(0);
        const end = progress[SelfContactCounter.intersectionCount] * IntersectionRecord.count;
        for (let o = 0; o < end; o += IntersectionRecord.count) for (let k = 0; k < 5; k++) this._rings[crossings[o + k]] = 1;
    }

    /** Limits searches of a body's triangles to the neighbourhood, until the hierarchy is refitted. */
    restrictSearch({ first, bvh: web }: CollisionProxy): void {
        for (let ring = 1; ring <= RINGS; ring++)
            for (let t = 0; t < web.triangleCount; t++)
                if (this._isWithinRing(web, first, t, ring)) this._markTriangle(web, first, t, ring + 1);
        const { boxes, boxCount, leafCount, triangleCount } = web;
        const leaves = boxCount - leafCount;
        for (let t = 0; t < triangleCount; t++) if (!this._isWithinRing(web, first, t, RINGS + 1)) emptyBox(boxes, leaves + t);
        for (let i = leaves - 1; i >= 0; i--) if (isEmptyBox(boxes, 2 * i + 1) && isEmptyBox(boxes, 2 * i + 2)) emptyBox(boxes, i);
    }

    /** True if a corner of the triangle is in the neighbourhood, up to a ring. */
    private _isWithinRing({ triangles }: BvhArrays, first: number, t: number, ring: number): boolean {
        const { _rings: rings } = this;
        const o = t * BvhTriangle.count + BvhTriangle.corners;
        for (let k = 0; k < 3; k++) {
            const at = rings[first + triangles[o + k]];
            if (at > 0 && at <= ring) return true;
        }
        return false;
    }

    private _markTriangle({ triangles }: BvhArrays, first: number, t: number, ring: number): void {
        const o = t * BvhTriangle.count + BvhTriangle.corners;
        for (let k = 0; k < 3; k++) this._rings[first + triangles[o + k]] ||= ring;
    }
}

/** Makes a box one over nothing, which is apart from all. */
function emptyBox(boxes: Float32Array, i: number): void {
    boxes[i * BvhBox.count + BvhBox.minimum] = Infinity;
}

function isEmptyBox(boxes: Float32Array, i: number): boolean {
    return boxes[i * BvhBox.count + BvhBox.minimum] === Infinity;
}
