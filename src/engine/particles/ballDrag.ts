import type { AirArrays } from "../../kernels/layout";
import { ROW, Uniform } from "../../kernels/layout";
import type { BodyState } from "../state/state";
import type { WindField, WorldClock } from "../state/settings";
import type { ParticleMaterial } from "./particleMaterial";

/** Of air at 15 °C [kg/m³]. */
export const AIR_DENSITY = 1.2;

/** The air that free particles always fall through, at rest where no wind moves it. It comes first: what the air is, is its word. */
export class StillAir implements WindField {
    readonly zone = null;
    readonly isActive = true;

    constructor(private readonly _material: ParticleMaterial) {}

    sample(_: WorldClock, uniforms: Float32Array): void {
        uniforms[Uniform.airDensity] = AIR_DENSITY;
        uniforms[Uniform.drag] = this._material.drag;
        uniforms[Uniform.skinFriction] = 0;
    }

    /** It adds no velocity. */
    addToAir(): void {}
}

/**
 * Drag of the air on free balls in one fixed step, quadratic in their speed through it:
 *
 *     F = ½ ρ drag π radius² |r| r,    r = air - v
 *
 * The speed falls by λ / (1 + λ) of what it would be with the weight of the step, λ = ½ ρ drag π radius² |r| Δt / m, and so comes to the terminal speed
 * √(2 m g / (ρ drag π radius²)) whatever the step is, and never beyond the air's. Air is everywhere; a wind's zone only moves it.
 *
 * @param air velocities of the air in, what it adds to a displacement in each substep out, see AirLayout
 */
export function applyBallDrag(state: BodyState, { airMotion }: AirArrays): void {
    const { positions: x, previous: p, residuals: r, inverseMasses, uniforms, particleCount } = state;
    const dt = uniforms[Uniform.substep];
    const share = uniforms[Uniform.substepShare];
    const rate = uniforms[Uniform.dragRate];
    const perStep = 1 / (dt * share);
    const fallX = uniforms[Uniform.gravity] * perStep;
    const fallY = uniforms[Uniform.gravity + 1] * perStep;
    const fallZ = uniforms[Uniform.gravity + 2] * perStep;
    for (let i = 0, o = 0; i < particleCount; i++, o += ROW) {
        if (!(inverseMasses[i] > 0)) {
            airMotion.fill(0, o, o + ROW);
            continue;
        }
        const rx = airMotion[o] - (x[o] - p[o] + r[o]) / dt;
        const ry = airMotion[o + 1] - (x[o + 1] - p[o + 1] + r[o + 1]) / dt;
        const rz = airMotion[o + 2] - (x[o + 2] - p[o + 2] + r[o + 2]) / dt;
        const lambda = rate * Math.sqrt(rx * rx + ry * ry + rz * rz);
        const answered = (lambda / (1 + lambda)) * dt * share;
        airMotion[o] = answered * (rx - fallX);
        airMotion[o + 1] = answered * (ry - fallY);
        airMotion[o + 2] = answered * (rz - fallZ);
        airMotion[o + 3] = 0;
    }
}
