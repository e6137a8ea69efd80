import { Crossing, TouchProgress, WebBox, WebTriangle } from "../../kernels/touchLayout";
import type { TouchArrays, WebArrays } from "../../kernels/touchLayout";
import type { Member } from "./member";

/** How many triangles it reaches over the mesh: as far as lines of intersection wander from one look to the next. */
const RINGS = 6;

/** What is near crossings over the mesh: where these are looked for again, so that a look costs what is crossed and not what there is. */
export class Vicinity {
    /** Of each particle: 1, it was at a crossing; 1 + n, n triangles from there; 0, it is not in it. */
    private readonly _rings: Uint8Array;

    constructor(particleCount: number) {
        this._rings = new Uint8Array(particleCount);
    }

    /** Puts it about crossings, of particles. */
    centre({ crossings, progress }: TouchArrays): void {
        this._rings.fill(0);
        const end = progress[TouchProgress.crossingCount] * Crossing.count;
        for (let o = 0; o < end; o += Crossing.count) for (let k = 0; k < 5; k++) this._rings[crossings[o + k]] = 1;
    }

    /** Has searches of a member's web find only what is in it, until that is refitted. */
    confine({ first, web }: Member): void {
        for (let ring = 1; ring <= RINGS; ring++)
            for (let t = 0; t < web.triangleCount; t++) if (this._reaches(web, first, t, ring)) this._mark(web, first, t, ring + 1);
        const { boxes, boxCount, leafCount, triangleCount } = web;
        const leaves = boxCount - leafCount;
        for (let t = 0; t < triangleCount; t++) if (!this._reaches(web, first, t, RINGS + 1)) close(boxes, leaves + t);
        for (let i = leaves - 1; i >= 0; i--) if (isClosed(boxes, 2 * i + 1) && isClosed(boxes, 2 * i + 2)) close(boxes, i);
    }

    /** Whether a corner of a triangle is in the vicinity, up to a ring. */
    private _reaches({ triangles }: WebArrays, first: number, t: number, ring: number): boolean {
        const { _rings: rings } = this;
        const o = t * WebTriangle.count + WebTriangle.corners;
        for (let k = 0; k < 3; k++) {
            const at = rings[first + triangles[o + k]];
            if (at > 0 && at <= ring) return true;
        }
        return false;
    }

    private _mark({ triangles }: WebArrays, first: number, t: number, ring: number): void {
        const o = t * WebTriangle.count + WebTriangle.corners;
        for (let k = 0; k < 3; k++) this._rings[first + triangles[o + k]] ||= ring;
    }
}

/** Makes a box one over nothing, which is apart from all. */
function close(boxes: Float32Array, i: number): void {
    boxes[i * WebBox.count + WebBox.minimum] = Infinity;
}

function isClosed(boxes: Float32Array, i: number): boolean {
    return boxes[i * WebBox.count + WebBox.minimum] === Infinity;
}
