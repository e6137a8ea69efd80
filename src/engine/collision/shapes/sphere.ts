/**
 * Sphere or ellipsoid: the image of the unit sphere. C = distance to the surface - thickness >= 0.
 *
 *        ___   ● particle
 *      ╱     ╲ ↑ n = ∇C
 *     (   c   )
 *
 * Met where the particles are, or, where it or they are fast, on their way: an ellipsoid's distance is then one of first order.
 * Data: SphereData and EllipsoidData in kernels/contactLayout.ts.
 */
import { ELLIPSOID_CORE_SHARE, ROUND_TOLERANCE, SWEEP_SHARE } from "../../tunables";
import type { Arena, BlockLayout } from "../../../kernels/arena";
import { Contact, EllipsoidData, SolidData, SphereData } from "../../../kernels/contactLayout";
import { Uniform } from "../../../kernels/layout";
import type { ContactArrays } from "../../../kernels/contactLayout";
import type { ParticleArrays } from "../../../kernels/layout";
import type { Kernels } from "../../../kernels/kernelTable";
import type { Affine } from "../../math/affine";
import { boxesTouch, lengths, expandReach, writeBox } from "../broadphase/bounds";
import { Collider } from "./collider";
import type { Bounds } from "../broadphase/bounds";
import { writeMinEdge } from "./solid";

const sweptBox: Bounds = new Float32Array(8);
/** Within a call: the half axes, shortest first, as rows [m], shape [3, 3], and their squares [m²]. */
const axes = new Float64Array(9);
const squares = new Float64Array(3);

export class SphereCollider extends Collider {
    override readonly box: Bounds = new Float32Array(8);
    /** The longest half axis [m]; 0: it has no inside. */
    private _maxHalfAxis = 0;
    /** Least radius of curvature [m]. */
    private _minCurvatureRadius = 0;
    /** Data of the sweep kernel. */
    declare private _sweepData: Float32Array;
    /** Displacement in this substep [m]. */
    private _motion = 0;

    constructor(arena: Arena) {
        super(arena, SphereData.count);
    }

    protected override _cut(layout: BlockLayout): void {
        super._cut(layout);
        this._sweepData = layout.float32(EllipsoidData.count);
    }

    /** It has the half axes of the frame's end: on the straight way there, what turns is smaller. */
    protected override _updateShape(target: Affine): void {
        const { data, _sweepData: path } = this;
        for (let row = 0; row < 3; row++) for (let c = 0; c < 3; c++) axes[3 * row + c] = target[4 * row + c];
        findHalfAxes(axes);
        for (let row = 0; row < 3; row++) squares[row] = squareOf(axes, 3 * row);
        const shortest = squares[0];
        const longest = squares[2];
        data[SphereData.isRound] = longest < shortest * (1 + 2 * ROUND_TOLERANCE) ? 1 : 0;
        const isSolid = shortest > ROUND_TOLERANCE * ROUND_TOLERANCE * longest && shortest > 1e-30 && longest < 1e30;
        this._maxHalfAxis = isSolid ? Math.sqrt(longest) * (1 + 1e-6) : 0;
        if (!isSolid) return;
        path[EllipsoidData.shortest] = Math.sqrt(shortest);
        // Its core is its centre, in units of the half axes; it is most curved at the end of the longest.
        path[EllipsoidData.radius] = 1;
        this._minCurvatureRadius = shortest / Math.sqrt(longest);
        path[SolidData.sweep] = SWEEP_SHARE * Math.sqrt(shortest);
        for (let row = 0; row < 3; row++) {
            const squared = squares[row];
            const length = Math.sqrt(squared);
            data[SphereData.squares + row] = squared;
            data[SphereData.squareDifferences + row] = squared - shortest;
            path[EllipsoidData.inverseHalfAxes + row] = path[EllipsoidData.scale + row] = 1 / length;
            for (let c = 0; c < 3; c++) {
                data[SphereData.toUnit + 4 * c + row] = axes[3 * row + c] / squared;
                path[SolidData.toFrame + 4 * c + row] = path[SolidData.toFrameBefore + 4 * c + row] = axes[3 * row + c] / length;
            }
        }
    }

    protected override _writeShape(before: Affine): void {
        const { data, box, _pose: pose, _sweepData: path, _maxHalfAxis: longest } = this;
        for (let i = 0; i < 3; i++) data[SphereData.centre + i] = pose[12 + i];
        const reach = longest > 0 ? longest + data[SphereData.thickness] : 0;
        data[SphereData.reach] = reach;
        this._motion = 0;
        if (longest === 0) return;
        let squared = 0;
        for (let c = 0; c < 3; c++) {
            const step = pose[12 + c] - before[12 + c];
            squared += step * step;
            box[c] = pose[12 + c] - reach;
            box[4 + c] = pose[12 + c] + reach;
            sweptBox[c] = Math.min(box[c], box[c] - step);
            sweptBox[4 + c] = Math.max(box[4 + c], box[4 + c] - step);
            path[SolidData.toFrame + 12 + c] = pose[12 + c];
            path[SolidData.toFrameBefore + 12 + c] = before[12 + c];
        }
        path[Contact.thickness] = data[Contact.thickness];
        writeMinEdge(path, this._minCurvatureRadius);
        // Deep inside an ellipsoid, the direction from its middle is not that to its surface.
        if (data[SphereData.isRound] === 0) path[SolidData.coreTolerance] = ELLIPSOID_CORE_SHARE;
        writeBox(data, box);
        writeBox(path, sweptBox);
        this._motion = Math.sqrt(squared);
    }

    /** Not less than the longest half axis (Gershgorin): of a pose that does not shear, its longest row. */
    protected override expandReach(reach: Float64Array, m: Affine): void {
        const xy = Math.abs(m[0] * m[4] + m[1] * m[5] + m[2] * m[6]);
        const yz = Math.abs(m[4] * m[8] + m[5] * m[9] + m[6] * m[10]);
        const zx = Math.abs(m[8] * m[0] + m[9] * m[1] + m[10] * m[2]);
        const x = m[0] * m[0] + m[1] * m[1] + m[2] * m[2] + xy + zx;
        const y = m[4] * m[4] + m[5] * m[5] + m[6] * m[6] + xy + yz;
        const z = m[8] * m[8] + m[9] * m[9] + m[10] * m[10] + yz + zx;
        lengths[0] = Math.sqrt(Math.max(x, y, z));
        expandReach(reach);
    }

    override mayTouch(bounds: Bounds): boolean {
        const { _sweepData: path } = this;
        if (this._motion > path[SolidData.sweep]) return boxesTouch(path, Contact.minimum, bounds);
        let squared = 0;
        for (let i = 0; i < 3; i++) {
            const c = this.data[SphereData.centre + i];
            const d = c < bounds[i] ? bounds[i] - c : c > bounds[i + 4] ? c - bounds[i + 4] : 0;
            squared += d * d;
        }
        const reach = this.data[SphereData.reach];
        return squared < reach * reach;
    }

    override get core(): Float32Array | null {
        return this._maxHalfAxis > 0 ? this._sweepData : null;
    }

    override detect(kernels: Kernels, particles: ParticleArrays, contacts: ContactArrays): void {
        const { data, _sweepData: path } = this;
        // As fast as the particles were in the last step, they may be in this substep.
        path[Contact.supportDistance] = data[Contact.supportDistance];
        const motion = Math.max(this._motion, particles.uniforms[Uniform.motion]);
        if (motion > path[SolidData.sweep] && data[SphereData.reach] > 0)
            kernels.detectEllipsoidContacts(particles, path, contacts);
        else this.detectStatic(kernels, particles, contacts);
    }

    override detectStatic(kernels: Kernels, particles: ParticleArrays, contacts: ContactArrays): void {
        kernels.detectSphereContacts(particles, this.data, contacts);
    }
}

/**
 * Turns the rows of a map of the unit sphere into the half axes of its image, the shortest first: pairs of rows are turned
 * into each other, which leaves the sphere a sphere, until they are orthogonal (one-sided Jacobi, Hestenes 1958).
 */
function findHalfAxes(rows: Float64Array): void {
    for (let sweep = 0; sweep < 8; sweep++) {
        let skew = 0;
        for (let i = 0; i < 9; i += 3) {
            const j = (i + 3) % 9;
            const a = rows[i] * rows[i] + rows[i + 1] * rows[i + 1] + rows[i + 2] * rows[i + 2];
            const b = rows[j] * rows[j] + rows[j + 1] * rows[j + 1] + rows[j + 2] * rows[j + 2];
            const ab = rows[i] * rows[j] + rows[i + 1] * rows[j + 1] + rows[i + 2] * rows[j + 2];
            if (!(Math.abs(ab) > 1e-12 * Math.sqrt(a * b))) continue;
            skew++;
            // Square roots only: sines differ from browser to browser in their last bit.
            const zeta = (b - a) / (2 * ab);
            const tangent = (zeta < 0 ? -1 : 1) / (Math.abs(zeta) + Math.sqrt(1 + zeta * zeta));
            const cos = 1 / Math.sqrt(1 + tangent * tangent);
            rotateRows(rows, i, j, cos, -tangent * cos);
        }
        if (skew === 0) break;
    }
    orderRows(rows, 0, 3);
    orderRows(rows, 3, 6);
    orderRows(rows, 0, 3);
}

/** Puts the shorter of two rows first. */
function orderRows(rows: Float64Array, i: number, j: number): void {
    if (squareOf(rows, i) > squareOf(rows, j)) rotateRows(rows, i, j, 0, 1);
}

/** Rows i and j become i cos + j sin and j cos - i sin. */
function rotateRows(rows: Float64Array, i: number, j: number, cos: number, sin: number): void {
    for (let c = 0; c < 3; c++) {
        const a = rows[i + c];
        const b = rows[j + c];
        rows[i + c] = a * cos + b * sin;
        rows[j + c] = b * cos - a * sin;
    }
}

function squareOf(rows: Float64Array, i: number): number {
    return rows[i] * rows[i] + rows[i + 1] * rows[i + 1] + rows[i + 2] * rows[i + 2];
}
