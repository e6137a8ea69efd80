import { MAX_IMPULSE_SPEED } from "../tunables";
import { ROW, rowOf } from "../../kernels/layout";
import type { Masses } from "./masses";
import type { BodyState } from "./state";

/** An impulse on the particles about a point. */
export interface Impulse {
    /** Simulation space, x y z [m]. */
    readonly point: ArrayLike<number>;
    /** x y z [N s]. */
    readonly impulse: ArrayLike<number>;
    /** Radius of the impulse about the point [m]; particles beyond it take none. */
    readonly radius: number;
}

/** Spreads an impulse over the particles that are free to move, with a smooth falloff. @param substep in which their displacement is counted [s] */
export function addImpulse(state: BodyState, masses: Masses, { point, impulse, radius }: Impulse, substep: number): void {
    const { positions: x, residuals, inverseMasses, particleCount } = state;
    const falloff = (o: number): number => {
        const dx = x[o] - point[0];
        const dy = x[o + 1] - point[1];
        const dz = x[o + 2] - point[2];
        const q = 1 - (dx * dx + dy * dy + dz * dz) / (radius * radius);
        return q > 0 ? q * q : 0;
    };
    // Weighted by mass, so that a patch gets one velocity profile whatever its particles' shares of area.
    let total = 0;
    for (let i = 0; i < particleCount; i++) {
        if (inverseMasses[i] > 0) total += falloff(rowOf(i)) * masses.massOf(i);
    }
    if (total === 0) return;
    const k = substep / total;
    const most = MAX_IMPULSE_SPEED * substep;
    for (let i = 0, o = 0; i < particleCount; i++, o += ROW) {
        if (inverseMasses[i] === 0) continue;
        const f = falloff(o) * k;
        for (let c = 0; c < 3; c++) residuals[o + c] += Math.max(-most, Math.min(most, impulse[c] * f));
    }
}
