import { ROW, rowOf } from "../../kernels/layout";
import type { Body } from "../bodies/body";

/**
 * The impact of a particle on a triangle of cloth: an impulse along the normal by Newton's rule of restitution, and one along the cloth up to what Coulomb's
 * friction allows,
 *
 *     j_n = -(1 + restitution) u_n / W,    j_t = min(friction j_n, |u_t| / W),    W = w + Σ b_k² w_k,
 *
 * u the velocity of the particle against the cloth at that place. The three particles of the triangle take the opposite, by their barycentric shares b: what
 * all have together stays.
 */
export class TriangleImpact {
    /** The particle's velocity [m/s], in and out. */
    readonly velocity = new Float64Array(3);
    /** Unit normal of the triangle, towards the particle. */
    readonly normal = new Float64Array(3);
    /** Share of the speed that it leaves with; speeds below {@link restingSpeed} [m/s] leave none. */
    restitution = NaN;
    restingSpeed = NaN;
    friction = NaN;
    inverseMass = NaN;
    /** Impulse along the normal that the last one took [N s]. */
    impulse = NaN;
    private readonly _relative = new Float64Array(3);

    /** Gives one. @param corners the triangle's particles; `shares`, those of the place */
    apply({ state, settings }: Body, corners: Uint32Array, shares: Float64Array): void {
        const { velocity, normal, _relative: u } = this;
        const { positions: x, previous: p, residuals: r, inverseMasses } = state;
        const substep = settings.fixedTimeStep / settings.substepCount;
        let yielding = this.inverseMass;
        u.set(velocity);
        for (let k = 0; k < 3; k++) {
            const o = rowOf(corners[k]);
            yielding += shares[k] * shares[k] * inverseMasses[corners[k]];
            for (let c = 0; c < 3; c++) u[c] -= (shares[k] * (x[o + c] - p[o + c] + r[o + c])) / substep;
        }
        const closing = u[0] * normal[0] + u[1] * normal[1] + u[2] * normal[2];
        this.impulse = 0;
        if (!(closing < 0)) return;
        const bounce = -closing > this.restingSpeed ? this.restitution : 0;
        this.impulse = (-(1 + bounce) * closing) / yielding;
        for (let c = 0; c < 3; c++) u[c] -= closing * normal[c];
        const sliding = Math.sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
        const drag = sliding > 0 ? Math.min((this.friction * this.impulse) / sliding, 1 / yielding) : 0;
        for (let c = 0; c < 3; c++) {
            const j = this.impulse * normal[c] - drag * u[c];
            velocity[c] += this.inverseMass * j;
            for (let k = 0; k < 3; k++) {
                // To the residuals, which keep what 32 bits of a place would take from it.
                r[ROW * corners[k] + c] -= substep * shares[k] * inverseMasses[corners[k]] * j;
            }
        }
    }
}
