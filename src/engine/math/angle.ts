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
