import { Uniform } from "../../src/kernels/layout";
import type { WindField } from "../../src/solver/settings";
import type { Vector } from "../../src/solver/vector";

/** Coefficients of air, round ones: those of `Wind` where they are left out. */
export interface AirNumbers {
    airDensity?: number;
    drag?: number;
    skinFriction?: number;
}

/** An even wind [m/s]. */
export function evenWind(velocity: Vector, { airDensity = 1.2, drag = 1.2, skinFriction = 0.02 }: AirNumbers = {}): WindField {
    return {
        sample(_time, uniforms) {
            uniforms.fill(0, Uniform.windVelocity, Uniform.gustPhase + 1);
            uniforms.set(velocity, Uniform.windVelocity);
            uniforms[Uniform.airDensity] = airDensity;
            uniforms[Uniform.drag] = drag;
            uniforms[Uniform.skinFriction] = skinFriction;
        },
    };
}
