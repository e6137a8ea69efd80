import { Uniform } from "../../kernels/layout";
import type { WindField, WorldClock } from "../state/settings";

const uniforms = new Float32Array(Uniform.count);
const ORIGIN = new Float64Array(3);

/** Adds the velocity of a wind at a place [m/s], x y z; that of a zone as strong as it is there. */
export function addWindAt(field: WindField, clock: WorldClock, place: ArrayLike<number>, velocity: Float64Array): void {
    if (!field.isActive) return;
    const { zone } = field;
    zone?.update();
    const strength = zone ? zone.strengthAt(place) : 1;
    if (!(strength > 0)) return;
    uniforms.fill(0);
    for (let c = 0; c < 3; c++) uniforms[Uniform.middle + c] = place[c];
    field.sample(clock, uniforms, ORIGIN);
    if (!(uniforms[Uniform.airDensity] > 0)) return;
    for (let c = 0; c < 3; c++) velocity[c] += strength * uniforms[Uniform.windVelocity + c];
}
