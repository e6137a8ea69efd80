/** Number of halvings of an angle. */
const HALF_ANGLE_STEPS = 4;

/** The angle of a vector in the plane [rad], in (-π, π]: atan2, by arithmetic that is the same in all engines. */
export function angleOf(y: number, x: number): number {
    let cos = x;
    let sin = Math.abs(y);
    const length = Math.sqrt(cos * cos + sin * sin);
    if (!(length > 0)) return 0;
    cos /= length;
    sin /= length;
    for (let k = 0; k < HALF_ANGLE_STEPS; k++) {
        const half = Math.sqrt((1 + cos) / 2);
        // Of 180° there is no half by that.
        sin = half > 1e-8 ? sin / (2 * half) : 1;
        cos = half;
    }
    const t = sin / cos;
    const angle =
        2 ** HALF_ANGLE_STEPS * t * (1 - t * t * (1 / 3 - t * t * (1 / 5 - t * t * (1 / 7 - t * t * (1 / 9 - (t * t) / 11)))));
    return y < 0 ? -angle : angle;
}

/** Directions across a line that are carried along it without turning about it (parallel transport, Bishop 1975). Vectors are x y z from a slot. */

/** Turned back by more than this, there is no shortest way: the cosine. */
const REVERSAL_COSINE = -0.999;

/** Carries a direction across unit vector a the shortest way to one across unit vector b. */
export function parallelTransport(u: Float64Array, a: ArrayLike<number>, i: number, b: ArrayLike<number>, j: number): void {
    const cos = a[i] * b[j] + a[i + 1] * b[j + 1] + a[i + 2] * b[j + 2];
    if (cos > REVERSAL_COSINE) {
        // u - (a + b) (b · u) / (1 + cos), since a · u = 0.
        const k = (u[0] * b[j] + u[1] * b[j + 1] + u[2] * b[j + 2]) / (1 + cos);
        for (let c = 0; c < 3; c++) u[c] -= k * (a[i + c] + b[j + c]);
    }
    orthonormaliseTo(u, b, j);
}

/** Makes it a unit vector across a unit vector. */
export function orthonormaliseTo(u: Float64Array, t: ArrayLike<number>, o: number): void {
    const along = u[0] * t[o] + u[1] * t[o + 1] + u[2] * t[o + 2];
    for (let c = 0; c < 3; c++) u[c] -= along * t[o + c];
    const length = Math.sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
    if (!(length > 0)) return anyPerpendicular(t, o, u);
    for (let c = 0; c < 3; c++) u[c] /= length;
}

/** Writes a unit vector across one, whatever it is. */
export function anyPerpendicular(t: ArrayLike<number>, o: number, u: Float64Array): void {
    const isOther = Math.abs(t[o]) < 0.6;
    const along = isOther ? t[o] : t[o + 1];
    u[0] = (isOther ? 1 : 0) - along * t[o];
    u[1] = (isOther ? 0 : 1) - along * t[o + 1];
    u[2] = -along * t[o + 2];
    const length = Math.sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
    // Of no direction at all.
    if (!(length > 0)) return;
    for (let c = 0; c < 3; c++) u[c] /= length;
}

/** The angle from one direction across a unit vector to another, right-handed about that [rad], -π to π. */
export function angleAbout(t: ArrayLike<number>, o: number, u: ArrayLike<number>, v: ArrayLike<number>): number {
    let sin = 0;
    let cos = 0;
    for (let c = 0; c < 3; c++) {
        const d = (c + 1) % 3;
        const e = (c + 2) % 3;
        sin += t[o + c] * (u[d] * v[e] - u[e] * v[d]);
        cos += u[c] * v[c];
    }
    return angleOf(sin, cos);
}
