/**
 * Plane: the unit square [-1, 1]² at z = 0 under the pose, solid on both faces; its front is the pose's +z side. As a
 * half-space it has no edges and everything behind it is solid. C = side · (n · x - offset) - thickness >= 0.
 *
 *       ● ↑ n
 *     ━━━━━━━━━
 *
 * A rectangle knows which face each particle belongs to, from substep to substep: neither a turn of the plane, nor what
 * presses a particle in, nor a thickness of zero or less lets it pass. Data: PlaneData in kernels/contactLayout.ts.
 */
import type { Arena } from "../../kernels/arena";
import { PlaneData } from "../../kernels/contactLayout";
import { paddedCountOf } from "../../kernels/layout";
import type { ContactArrays } from "../../kernels/contactLayout";
import type { ParticleArrays } from "../../kernels/layout";
import type { Kernels } from "../../kernels/kernels";
import type { Affine } from "../affine";
import { Collider } from "./collider";
import type { Bounds } from "./collider";

/** Cloth on the back face lies a thickness below the plane; what is above this share of it, or this depth [m], may be the front's. */
const BACK_FACE = 0.9;
const SMALLEST_DEPTH = 1e-4;

export class PlaneCollider extends Collider {
    override readonly isLast = true;
    private _areSidesKnown = false;
    /** Whether the pose spans a plane at all. */
    private _isFlat = false;

    constructor(
        arena: Arena,
        private readonly _isHalfSpace: boolean,
        particleCount: number,
    ) {
        super(arena, PlaneData.sides + (_isHalfSpace ? 0 : paddedCountOf(particleCount)));
    }

    override setPose(pose: ArrayLike<number>): void {
        super.setPose(pose);
        completeNormal(this._to);
    }

    protected override _comeNear(): void {
        if (this._isHalfSpace) centre(this._to);
    }

    /** The centre of a half-space does not tell where it is: far away, it moves with the slightest turn. */
    protected override get canJump(): boolean {
        return !this._isHalfSpace;
    }

    override rebase(dx: number, dy: number, dz: number): void {
        super.rebase(dx, dy, dz);
        if (this._isHalfSpace) for (const pose of this._poses) centre(pose);
    }

    override teleport(): void {
        super.teleport();
        this.leave();
    }

    protected override mayPass(bounds: Bounds, distance: number): boolean {
        return this._isHalfSpace || super.mayPass(bounds, distance);
    }

    /** The sides of particles are told beyond its edges, too. */
    protected override _maySweep(): boolean {
        return true;
    }

    protected override _writeShape(before: Affine): void {
        const { data } = this;
        this._isFlat =
            writePlane(this._pose, data, PlaneData.normal, PlaneData.toUnit, !this._isHalfSpace) &&
            writePlane(before, data, PlaneData.normalBefore, PlaneData.toUnitBefore, !this._isHalfSpace);
        data[PlaneData.recovery] = this._isHalfSpace ? Infinity : Math.max(BACK_FACE * data[PlaneData.thickness], SMALLEST_DEPTH);
    }

    /** Not where the box is on one side of the plane, as it is and as it was, and no particle belongs to the other. */
    override mayTouch(bounds: Bounds): boolean {
        if (!this._isFlat) return false;
        const { data } = this;
        const { normal, normalBefore } = PlaneData;
        const thickness = data[PlaneData.thickness];
        const height = extreme(data, normal, bounds, 1);
        if (this._isHalfSpace) return height < thickness;
        // Seen first while it is in front for certain, or farther behind than what may be the front's.
        if (height >= Math.max(thickness, 0) && extreme(data, normalBefore, bounds, 1) >= 0) return this._has(-1);
        const isBehind = extreme(data, normal, bounds, -1) >= Math.max(thickness, 2 * SMALLEST_DEPTH);
        return !(isBehind && extreme(data, normalBefore, bounds, -1) > data[PlaneData.recovery]) || this._has(1);
    }

    /** Whether a particle is known to belong to a side. */
    private _has(side: number): boolean {
        return this._areSidesKnown && this.data.indexOf(side, PlaneData.sides) >= 0;
    }

    override meet(kernels: Kernels, particles: ParticleArrays): void {
        if (this._isHalfSpace) return;
        this._areSidesKnown = true;
        kernels.findSides(particles, this.data);
    }

    override leave(): void {
        if (this._areSidesKnown) this.data.fill(0, PlaneData.sides);
        this._areSidesKnown = false;
    }

    protected override takeOver({ data, _areSidesKnown }: PlaneCollider): void {
        this._areSidesKnown = _areSidesKnown;
        if (_areSidesKnown) for (let i = PlaneData.sides; i < data.length; i++) this.data[i] = data[i];
    }

    override find(kernels: Kernels, particles: ParticleArrays, contacts: ContactArrays): void {
        kernels.findPlaneContacts(particles, this.data, contacts);
    }

    override support(kernels: Kernels, particles: ParticleArrays, contacts: ContactArrays): void {
        kernels.findSupports(particles, this.data, contacts);
    }
}

/** The pose's third row becomes the unit normal on its side: a plane is as solid under a scale of 0 across it. */
function completeNormal(m: Affine): void {
    const nx = m[1] * m[6] - m[2] * m[5];
    const ny = m[2] * m[4] - m[0] * m[6];
    const nz = m[0] * m[5] - m[1] * m[4];
    const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
    if (!(length > 0)) return;
    const front = nx * m[8] + ny * m[9] + nz * m[10] < 0 ? -length : length;
    m[8] = nx / front;
    m[9] = ny / front;
    m[10] = nz / front;
}

/** Puts the centre of a half-space to its point nearest to the origin, about which it then turns: the body is there. */
function centre(m: Affine): void {
    const nx = m[1] * m[6] - m[2] * m[5];
    const ny = m[2] * m[4] - m[0] * m[6];
    const nz = m[0] * m[5] - m[1] * m[4];
    const squared = nx * nx + ny * ny + nz * nz;
    if (!(squared > 0)) return;
    const height = (nx * m[12] + ny * m[13] + nz * m[14]) / squared;
    m[12] = nx * height;
    m[13] = ny * height;
    m[14] = nz * height;
}

/** Writes normal, offset and unit map of a pose; false where it is no plane. */
function writePlane(m: Affine, data: Float32Array, normal: number, toUnit: number, hasEdges: boolean): boolean {
    let nx = m[1] * m[6] - m[2] * m[5];
    let ny = m[2] * m[4] - m[0] * m[6];
    let nz = m[0] * m[5] - m[1] * m[4];
    const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
    if (!(length > 1e-12)) return false;
    const front = nx * m[8] + ny * m[9] + nz * m[10] < 0 ? -length : length;
    nx /= front;
    ny /= front;
    nz /= front;
    data[normal] = nx;
    data[normal + 1] = ny;
    data[normal + 2] = nz;
    data[normal + 3] = nx * m[12] + ny * m[13] + nz * m[14];
    if (!hasEdges) return true;
    // Across one edge and the normal: u* = v × n / (u × v · n), v* = n × u / (u × v · n).
    for (let c = 0; c < 2; c++) {
        const o = c === 0 ? 4 : 0;
        const s = (c === 0 ? 1 : -1) / front;
        const x = (m[o + 1] * nz - m[o + 2] * ny) * s;
        const y = (m[o + 2] * nx - m[o] * nz) * s;
        const z = (m[o] * ny - m[o + 1] * nx) * s;
        data[toUnit + c] = x;
        data[toUnit + 4 + c] = y;
        data[toUnit + 8 + c] = z;
        data[toUnit + 12 + c] = -(x * m[12] + y * m[13] + z * m[14]);
    }
    return true;
}

/** Smallest height above a plane (sign 1), or depth below it (-1), of the box's corners [m]. */
function extreme(data: Float32Array, normal: number, bounds: Bounds, sign: number): number {
    let height = -sign * data[normal + 3];
    for (let i = 0; i < 3; i++) {
        const n = sign * data[normal + i];
        height += Math.min(n * bounds[i], n * bounds[i + 4]);
    }
    return height;
}
