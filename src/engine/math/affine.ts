/**
 * Affine maps as 16 numbers in Babylon's layout: row vectors, p' = (p, 1) M, translation in 12..14. Computed in doubles;
 * called per collider and frame, not per particle.
 */
export type Affine = Float64Array;

/** A new identity. */
export function identity(): Affine {
    const m = new Float64Array(16);
    m[0] = m[5] = m[10] = m[15] = 1;
    return m;
}

/** Makes a map the identity. */
export function setIdentity(map: Affine): void {
    map.fill(0);
    map[0] = map[5] = map[10] = map[15] = 1;
}

/** True if a map is the identity to the bit. */
export function isIdentity(map: Affine): boolean {
    for (let i = 0; i < 16; i++) if (map[i] !== (i % 5 === 0 ? 1 : 0)) return false;
    return true;
}

/** result = a + (b - a) t, entry by entry. */
export function lerp(a: Affine, b: Affine, t: number, result: Affine): void {
    for (let i = 0; i < 16; i++) result[i] = a[i] + (b[i] - a[i]) * t;
}

/** result = a b: first a, then b. `result` must be neither. */
export function multiply(a: Affine, b: Affine, result: Affine): void {
    for (let r = 0; r < 4; r++) {
        for (let c = 0; c < 4; c++) {
            result[4 * r + c] = a[4 * r] * b[c] + a[4 * r + 1] * b[4 + c] + a[4 * r + 2] * b[8 + c] + a[4 * r + 3] * b[12 + c];
        }
    }
}

/**
 * Turns a vector, x y z from slot `o`, by the angles x y z from slot `t` [rad], which is Cayley's rotation about h, half of them:
 * r + 2 (h × r + h × (h × r)) / (1 + h²). In first order it would grow.
 */
export function rotate(x: Float64Array, o: number, turns: ArrayLike<number>, t: number): void {
    const hx = turns[t] / 2;
    const hy = turns[t + 1] / 2;
    const hz = turns[t + 2] / 2;
    const scale = 2 / (1 + hx * hx + hy * hy + hz * hz);
    const bx = hy * x[o + 2] - hz * x[o + 1];
    const by = hz * x[o] - hx * x[o + 2];
    const bz = hx * x[o + 1] - hy * x[o];
    x[o] += scale * (bx + hy * bz - hz * by);
    x[o + 1] += scale * (by + hz * bx - hx * bz);
    x[o + 2] += scale * (bz + hx * by - hy * bx);
}

/** Moves a place, x y z from slot `o`, by a drift x y z and a turn about a centre x y z [rad]. */
export function rotateAbout(x: Float64Array, o: number, centre: ArrayLike<number>, drift: ArrayLike<number>): void {
    for (let c = 0; c < 3; c++) x[o + c] -= centre[c];
    rotate(x, o, drift, 3);
    for (let c = 0; c < 3; c++) x[o + c] += centre[c] + drift[c];
}

/** Determinant of the linear part. */
export function determinant(m: ArrayLike<number>): number {
    return m[0] * (m[5] * m[10] - m[6] * m[9]) - m[1] * (m[4] * m[10] - m[6] * m[8]) + m[2] * (m[4] * m[9] - m[5] * m[8]);
}

/** result = m⁻¹; false, and result untouched, where m is singular or not finite. `result` must not be m. */
export function invert(m: ArrayLike<number>, result: Affine): boolean {
    // The first column's cofactors, and the determinant from them: what a function returned would be boxed.
    const c0 = m[5] * m[10] - m[6] * m[9];
    const c1 = m[6] * m[8] - m[4] * m[10];
    const c2 = m[4] * m[9] - m[5] * m[8];
    const d = m[0] * c0 + m[1] * c1 + m[2] * c2;
    if (!(Math.abs(d) > 1e-30) || !Number.isFinite(d)) return false;
    const s = 1 / d;
    result[0] = c0 * s;
    result[1] = (m[2] * m[9] - m[1] * m[10]) * s;
    result[2] = (m[1] * m[6] - m[2] * m[5]) * s;
    result[3] = 0;
    result[4] = c1 * s;
    result[5] = (m[0] * m[10] - m[2] * m[8]) * s;
    result[6] = (m[2] * m[4] - m[0] * m[6]) * s;
    result[7] = 0;
    result[8] = c2 * s;
    result[9] = (m[1] * m[8] - m[0] * m[9]) * s;
    result[10] = (m[0] * m[5] - m[1] * m[4]) * s;
    result[11] = 0;
    for (let c = 0; c < 3; c++) {
        result[12 + c] = -(m[12] * result[c] + m[13] * result[4 + c] + m[14] * result[8 + c]);
    }
    result[15] = 1;
    return true;
}

/** Applies m to the point x[offset..offset+2], into target[targetOffset..]. */
export function transformPoint(
    m: ArrayLike<number>,
    x: ArrayLike<number>,
    offset: number,
    target: Float32Array | Float64Array,
    targetOffset: number,
): void {
    const px = x[offset];
    const py = x[offset + 1];
    const pz = x[offset + 2];
    target[targetOffset] = px * m[0] + py * m[4] + pz * m[8] + m[12];
    target[targetOffset + 1] = px * m[1] + py * m[5] + pz * m[9] + m[13];
    target[targetOffset + 2] = px * m[2] + py * m[6] + pz * m[10] + m[14];
}

/** True if all sixteen entries are finite. */
export function isFiniteAffine(m: ArrayLike<number>): boolean {
    for (let i = 0; i < 16; i++) if (!Number.isFinite(m[i])) return false;
    return true;
}

/** True if a map changes nothing visible. */
export function isNearlyIdentity(m: Affine): boolean {
    return m.every((entry, i) => Math.abs(entry - (i % 5 === 0 ? 1 : 0)) < 1e-6);
}

/** Products of a pose's axes with each other: what lengths in it depend on. */
export function metricOf(m: Affine, target = new Float64Array(6)): Float64Array {
    for (let i = 0; i < 6; i++) {
        const a = i < 3 ? 4 * i : 4 * (i - 3);
        const b = i < 3 ? a : (a + 4) % 12;
        target[i] = m[a] * m[b] + m[a + 1] * m[b + 1] + m[a + 2] * m[b + 2];
    }
    return target;
}

/** Within a call. */
const [inverse, carry] = [identity(), identity()];

/** Writes the displacement of a pose's material since another one as a map of where it is now, shape [4, 4], to a slot: at x it was at x P⁻¹ P_before, d = x (1 - P⁻¹ P_before). */
export function writeDisplacement(before: Affine, pose: Affine, target: Float32Array, slot: number): void {
    if (!invert(pose, inverse)) {
        target.fill(0, slot, slot + 16);
        return;
    }
    multiply(inverse, before, carry);
    for (let i = 0; i < 16; i++) target[slot + i] = (i % 5 === 0 ? 1 : 0) - carry[i];
}

/** Distance from the origin of simulation space at which it moves along [m]: 32-bit floats hold 0.03 mm there. */
const REBASE_DISTANCE = 256;

/** True if the first point of a list is far from the origin. Its coordinates as arguments would be boxed. */
export function isFarFromOrigin(x: ArrayLike<number>): boolean {
    return Math.abs(x[0]) + Math.abs(x[1]) + Math.abs(x[2]) >= REBASE_DISTANCE;
}

/** A map of the world as a map of the space that begins at an origin. @param result may be the map itself */
export function relativeToOrigin(motion: Affine, origin: ArrayLike<number>, result = identity()): Affine {
    result.set(motion);
    for (let c = 0; c < 3; c++)
        result[12 + c] += origin[0] * motion[c] + origin[1] * motion[4 + c] + origin[2] * motion[8 + c] - origin[c];
    return result;
}

/** Flatness beyond which a rotation is undefined: the sine between its first two rows, or a row's length. */
const DEGENERATE = 1e-6;

/** A map without stretch, shear or mirror: it turns as the first rows of another do (Gram and Schmidt), not at all where that is flat, and takes a place to where that takes it. */
export function rigidTransformOf(map: Affine, place: ArrayLike<number>): Affine {
    const rigid = identity();
    const moved = new Float64Array(3);
    writeRotation(map, rigid);
    transformPoint(map, place, 0, moved, 0);
    for (let c = 0; c < 3; c++) rigid[12 + c] = moved[c] - place[0] * rigid[c] - place[1] * rigid[4 + c] - place[2] * rigid[8 + c];
    return rigid;
}

/** Writes the rotation of a map, row vectors, to the linear part of another; where that is flat, none. */
export function writeRotation(map: Affine, rotation: Affine): void {
    rotation.fill(0, 0, 12);
    rotation[0] = rotation[5] = rotation[10] = 1;
    const along = lengthOf(map, 0);
    if (!(along > DEGENERATE)) return;
    let lean = 0;
    for (let c = 0; c < 3; c++) lean += (map[c] / along) * map[4 + c];
    for (let c = 0; c < 3; c++) rotation[4 + c] = map[4 + c] - (lean * map[c]) / along;
    const across = lengthOf(rotation, 4);
    if (!(across > DEGENERATE * lengthOf(map, 4))) {
        rotation[4] = rotation[6] = 0;
        rotation[5] = 1;
        return;
    }
    for (let c = 0; c < 3; c++) {
        rotation[c] = map[c] / along;
        rotation[4 + c] /= across;
    }
    for (let c = 0; c < 3; c++) {
        const d = (c + 1) % 3;
        const e = (c + 2) % 3;
        rotation[8 + c] = rotation[d] * rotation[4 + e] - rotation[e] * rotation[4 + d];
    }
}

function lengthOf(x: ArrayLike<number>, o: number): number {
    return Math.sqrt(x[o] * x[o] + x[o + 1] * x[o + 1] + x[o + 2] * x[o + 2]);
}
