import { Uniform } from "../../kernels/layout";
import { windFieldOf } from "../forces/windFields";
import type { WindData } from "../forces/wind";
import type { WorldClock } from "../state/settings";

const uniforms = new Float32Array(Uniform.count);
const ORIGIN = new Float64Array(3);

/** Writes the velocity of a wind about a place [m/s], x y z; of a wind with a zone, zeros. */
export function sampleWind(wind: WindData, clock: WorldClock, place: ArrayLike<number>, velocity: Float64Array): void {
    velocity.fill(0);
    const field = windFieldOf(wind);
    if (!field?.isActive || field.zone) return;
    uniforms.fill(0);
    for (let c = 0; c < 3; c++) uniforms[Uniform.middle + c] = place[c];
    field.sample(clock, uniforms, ORIGIN);
    if (!(uniforms[Uniform.airDensity] > 0)) return;
    for (let c = 0; c < 3; c++) velocity[c] = uniforms[Uniform.windVelocity + c];
}
