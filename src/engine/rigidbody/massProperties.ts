/** Volume, centre and inertia of what a closed surface encloses, of even density. */

/** See {@link massPropertiesOf}; in the units of the positions. */
export interface MassProperties {
    /** Below 0 where the triangles are wound the other way round. */
    readonly volume: number;
    /** Centre of mass, x y z. */
    readonly centre: Float64Array;
    /** Unit vectors along the principal axes, right-handed, shape [3, 3]. */
    readonly axes: Float64Array;
    /** Means of the squared coordinates along them, from the centre, the largest first, [3]. */
    readonly moments: Float64Array;
}

/** Rotation in a sweep below which the matrix counts as diagonal. */
const JACOBI_TOLERANCE = 1e-14;
const MAX_SWEEPS = 32;
/** Least radius of a body, as a share of its longest: the four particles must not lie in a plane. */
const MIN_RADIUS_RATIO = 1e-3;

/**
 * Sums over tetrahedra from one point to each triangle (divergence theorem): with corners a b c from there and v = a · b × c / 6, the volume is Σ v, the
 * first moment Σ v (a + b + c) / 4, and the second Σ v (a aᵀ + b bᵀ + c cᵀ + s sᵀ) / 20, s = a + b + c (Tonon 2005, "Explicit exact formulas for the 3-D tetrahedron inertia tensor").
 * @param positions shape [n, 3]
 * @param triangles shape [m, 3], of a closed surface
 */
export function massPropertiesOf(positions: ArrayLike<number>, triangles: ArrayLike<number>): MassProperties {
    // From a point of the mesh: far from the origin the sums would cancel.
    const origin = Float64Array.from({ length: 3 }, (_, c) => positions[3 * triangles[0] + c]);
    const corner = (t: number, k: number): number[] => [0, 1, 2].map((c) => positions[3 * triangles[t + k] + c] - origin[c]);
    const centre = new Float64Array(3);
    const second = new Float64Array(9);
    let volume = 0;
    for (let t = 0; t < triangles.length; t += 3) {
        const corners = [corner(t, 0), corner(t, 1), corner(t, 2)];
        const [a, b, c] = corners;
        const v =
            (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0])) / 6;
        const sum = a.map((_, i) => a[i] + b[i] + c[i]);
        volume += v;
        for (let i = 0; i < 3; i++) {
            centre[i] += (v * sum[i]) / 4;
            for (let j = 0; j < 3; j++) {
                const squares = sum[i] * sum[j] + a[i] * a[j] + b[i] * b[j] + c[i] * c[j];
                second[3 * i + j] += (v * squares) / 20;
            }
        }
    }
    for (let i = 0; i < 3; i++) centre[i] /= volume;
    for (let i = 0; i < 3; i++) for (let j = 0; j < 3; j++) second[3 * i + j] = second[3 * i + j] / volume - centre[i] * centre[j];
    const axes = diagonalise(second);
    for (let i = 0; i < 3; i++) centre[i] += origin[i];
    return { volume, centre, ...sortDescending(axes, [second[0], second[4], second[8]]) };
}

/** Axes in the order of their moments: the last is the least sure of a flat body's. */
function sortDescending(rows: Float64Array, of: readonly number[]): Pick<MassProperties, "axes" | "moments"> {
    const order = [0, 1, 2].sort((a, b) => of[b] - of[a]);
    const axes = Float64Array.from({ length: 9 }, (_, k) => rows[3 * order[Math.floor(k / 3)] + (k % 3)]);
    for (let c = 0; c < 3; c++) {
        const [d, e] = [(c + 1) % 3, (c + 2) % 3];
        axes[6 + c] = axes[d] * axes[3 + e] - axes[e] * axes[3 + d];
    }
    return { axes, moments: Float64Array.from(order, (axis) => of[axis]) };
}

/** Turns a symmetric matrix into a diagonal one, in place (Jacobi). @returns the axes in which it is, as rows, right-handed */
function diagonalise(m: Float64Array): Float64Array {
    const axes = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);
    for (let sweep = 0; sweep < MAX_SWEEPS; sweep++) {
        let isTurned = false;
        for (let i = 0; i < 3; i++) {
            const j = (i + 1) % 3;
            const skew = m[3 * i + j];
            if (!(Math.abs(skew) > JACOBI_TOLERANCE * (Math.abs(m[4 * i]) + Math.abs(m[4 * j])))) continue;
            isTurned = true;
            // Square roots only: sines differ from browser to browser in their last bit.
            const zeta = (m[4 * j] - m[4 * i]) / (2 * skew);
            const tangent = (zeta < 0 ? -1 : 1) / (Math.abs(zeta) + Math.sqrt(1 + zeta * zeta));
            const cos = 1 / Math.sqrt(1 + tangent * tangent);
            rotateRows(m, i, j, cos, -tangent * cos);
            rotateColumns(m, i, j, cos, -tangent * cos);
            rotateRows(axes, i, j, cos, -tangent * cos);
        }
        if (!isTurned) break;
    }
    return axes;
}

/** Rows i and j become i cos + j sin and j cos - i sin. */
function rotateRows(m: Float64Array, i: number, j: number, cos: number, sin: number): void {
    for (let c = 0; c < 3; c++) {
        const a = m[3 * i + c];
        const b = m[3 * j + c];
        m[3 * i + c] = a * cos + b * sin;
        m[3 * j + c] = b * cos - a * sin;
    }
}

/** Rotates two columns. */
function rotateColumns(m: Float64Array, i: number, j: number, cos: number, sin: number): void {
    for (let r = 0; r < 9; r += 3) {
        const a = m[r + i];
        const b = m[r + j];
        m[r + i] = a * cos + b * sin;
        m[r + j] = b * cos - a * sin;
    }
}

/** The four particles' places, shape [4, 3]: (± √moment) along the axes, every other corner of a box; of what is flatter than {@link MIN_RADIUS_RATIO}, as if it were not. */
export function tetrahedronOf({ centre, axes, moments }: MassProperties): Float64Array {
    const least = moments[0] * MIN_RADIUS_RATIO * MIN_RADIUS_RATIO;
    return Float64Array.from({ length: 12 }, (_, k) => {
        const [i, c] = [Math.floor(k / 3), k % 3];
        let x = centre[c];
        for (let axis = 0; axis < 3; axis++) x += signOf(i, axis) * Math.sqrt(Math.max(least, moments[axis])) * axes[3 * axis + c];
        return x;
    });
}

/** On which side of the centre a particle lies along an axis: + + +, + - -, - + -, - - +. */
function signOf(particle: number, axis: number): number {
    return particle === 0 || particle === axis + 1 ? 1 : -1;
}
