/**
 * Bending by buckling (Choi & Ko 2002, §4): a spring from a particle to what is opposite to it beyond the next one. Pressed from its length L to |x|, cloth gives
 * way sideways, as a beam of stiffness k_b that bends to an arc of curvature κ (eqs. 5 to 8):
 *
 *       ╭──b──╮             |x| = L sinc(κL/2),   E = ½ k_b L κ²,   f = dE/d|x| = k_b κ² / (cos(κL/2) - sinc(κL/2))
 *     a ●─────● c d         c d: the other end is a point between two particles, where the mesh has none
 *
 * From 12 k_b/L² on it gives way (π² k_b/L² of Euler's beam: an arc is stiffer); until then it resists by the sheet's own stiffness, where that is less. Its derivative
 * across is left out: that is what makes pressed springs fall over (eq. 17). Drawn out it does nothing.
 */
import { TriangleBlocks } from "../implicitLayout";
import type { FlexionArrays, SystemArrays } from "../implicitLayout";
import { addCondition } from "./system";

/** Of the force -k_b/L² N(u)/D(u), u = 1 - |x|/L: N and D, so that it is within 2e-4 of the arc's up to the full circle. */
const N0 = 12.000352;
const N1 = -8.499914;
const N2 = 0.456774;
const D1 = -1.307533;
const D2 = 0.407784;

export function addFlexion(system: SystemArrays, flexion: FlexionArrays): void {
    const { springCount, particles, blocks, shares, lengths, stiffnesses, gradient: g } = flexion;
    const { places: x } = system;
    for (let s = 0; s < springCount; s++) {
        const bend = stiffnesses[2 * s];
        if (bend === 0) continue;
        const a = 3 * particles[3 * s];
        const c = 3 * particles[3 * s + 1];
        const d = 3 * particles[3 * s + 2];
        const share = shares[s];
        const dx = share * x[c] + (1 - share) * x[d] - x[a];
        const dy = share * x[c + 1] + (1 - share) * x[d + 1] - x[a + 1];
        const dz = share * x[c + 2] + (1 - share) * x[d + 2] - x[a + 2];
        const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
        const rest = lengths[s];
        if (!(length > 0 && length < rest)) continue;
        const u = 1 - length / rest;
        const above = N0 + u * (N1 + u * N2);
        const below = 1 + u * (D1 + u * D2);
        const scale = bend / (rest * rest);
        let stiffness = stiffnesses[2 * s + 1];
        let force = -stiffness * (rest - length);
        const buckled = (-scale * above) / below;
        if (buckled > force) {
            force = buckled;
            stiffness = ((scale / rest) * ((N1 + 2 * u * N2) * below - above * (D1 + 2 * u * D2))) / (below * below);
        }
        const ex = dx / length;
        const ey = dy / length;
        const ez = dz / length;
        g[0] = -ex;
        g[1] = -ey;
        g[2] = -ez;
        g[3] = share * ex;
        g[4] = share * ey;
        g[5] = share * ez;
        g[6] = (1 - share) * ex;
        g[7] = (1 - share) * ey;
        g[8] = (1 - share) * ez;
        addCondition(system, particles, 3, 3 * s, blocks, TriangleBlocks.count * s, stiffness, force / stiffness, g);
    }
}
