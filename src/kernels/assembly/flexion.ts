/**
 * Bending by buckling (Choi & Ko 2002, §4): a spring from a particle to the opposite point beyond the next one. Pressed from its length L to |x|, cloth buckles
 * sideways, as a beam of stiffness k_b that bends to an arc of curvature κ (eqs. 5 to 8):
 *
 *       ╭──b──╮             |x| = L sinc(κL/2),   E = ½ k_b L κ²,   f = dE/d|x| = k_b κ² / (cos(κL/2) - sinc(κL/2))
 *     a ●─────● c d         c d: the other end is a point between two particles, where the mesh has none
 *
 * From 12 k_b/L² on it buckles (π² k_b/L² of Euler's beam: an arc is stiffer); until then it resists by the sheet's own stiffness, where that is less. Its derivative
 * across is left out: it makes compressed springs tip over (eq. 17). Under tension the spring has no force.
 */
import { FlexionArrays, SystemArrays, TriangleBlocks } from "./layout.generated";
import { addCondition } from "./sparseSystem";
import { double, putDouble, word } from "./memory";

/** Of the force -k_b/L² N(u)/D(u), u = 1 - |x|/L: N and D, so that it is within 2e-4 of the arc's up to the full circle. */
const N0: f64 = 12.000352;
const N1: f64 = -8.499914;
const N2: f64 = 0.456774;
const D1: f64 = -1.307533;
const D2: f64 = 0.407784;

export function addFlexion(system: SystemArrays, flexion: FlexionArrays): void {
    const count = <usize>flexion.springCount;
    const x = system.places;
    const g = flexion.gradient;
    for (let s: usize = 0; s < count; s++) {
        const bend = double(flexion.stiffnesses, 2 * s);
        if (bend == 0) continue;
        const particles = flexion.particles + 12 * s;
        const a = <usize>word(particles, 0) * 3;
        const c = <usize>word(particles, 1) * 3;
        const d = <usize>word(particles, 2) * 3;
        const share = double(flexion.shares, s);
        const dx = share * double(x, c) + (1 - share) * double(x, d) - double(x, a);
        const dy = share * double(x, c + 1) + (1 - share) * double(x, d + 1) - double(x, a + 1);
        const dz = share * double(x, c + 2) + (1 - share) * double(x, d + 2) - double(x, a + 2);
        const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
        const rest = double(flexion.lengths, s);
        if (!(length > 0 && length < rest)) continue;
        const u = 1 - length / rest;
        const above = N0 + u * (N1 + u * N2);
        const below = 1 + u * (D1 + u * D2);
        const scale = bend / (rest * rest);
        let stiffness = double(flexion.stiffnesses, 2 * s + 1);
        let force = -stiffness * (rest - length);
        const buckled = (-scale * above) / below;
        if (buckled > force) {
            force = buckled;
            stiffness = ((scale / rest) * ((N1 + 2 * u * N2) * below - above * (D1 + 2 * u * D2))) / (below * below);
        }
        for (let k: usize = 0; k < 3; k++) {
            const weight = (k == 0 ? -1 : k == 1 ? share : 1 - share) / length;
            putDouble(g, 3 * k, weight * dx);
            putDouble(g, 3 * k + 1, weight * dy);
            putDouble(g, 3 * k + 2, weight * dz);
        }
        addCondition(system, particles, 3, flexion.blocks + TriangleBlocks.count * s, stiffness, force / stiffness, g);
    }
}
