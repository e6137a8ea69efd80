import { Uniform } from "../../kernels/layout";
import type { WindField } from "../state/settings";

/** Density of air at 15 to 20 °C [kg/m³]. */
export const AIR_DENSITY = 1.2;

/** Air at rest, everywhere: that of bodies without a wind of their own, and around the zones of winds. */
export const stillAir: WindField = {
    zone: null,
    isActive: false,
    sample(_clock, uniforms) {
        uniforms[Uniform.airDensity] = AIR_DENSITY;
        uniforms[Uniform.drag] = 1.2;
        uniforms[Uniform.skinFriction] = 0.02;
    },
    /** It adds no velocity. */
    addToAir() {},
};
