/**
 * The spectrum of one linearised substep at rest, of any cloth.
 *
 * Near rest and without gravity a substep maps displacements u and their differences v to u' = P (u + k v), v' = u' - u, with P
 * the product of all sticks' linearised projections in their order of passes and k the damping's share. P is not symmetric, so
 * its eigenvalues p may be complex, and then z² - (1 + k) p z + k p = 0 may have |z| > 1: a mode that gains energy from nothing.
 */
import type { Body } from "../../src/engine/index";
import { Bend } from "../../src/engine/solvers/xpbd/bend";
import { particleAt, StencilRecord } from "../../src/kernels/layout";
import { UnilateralLimits } from "../../src/engine/solvers/xpbd/unilateralLimits";
import { DistanceConstraints } from "../../src/engine/solvers/xpbd/distanceConstraints";
import { Structural } from "../../src/engine/solvers/xpbd/structuralConstraints";
import type { BodyState } from "../../src/engine/state/state";
import { weightsAt } from "../physics/stickWeights";
import { seededRandom } from "../random";

export interface SpectrumOptions {
    /** Substeps of power iteration. Default 3000. */
    substeps?: number;
    /** Whether long limits, which only pull, count as taut or as slack. Default taut. */
    areLimitsTaut?: boolean;
    /** Share of the motion that damping leaves in a substep. Default 1. */
    keep?: number;
}

/** Growth per substep of the fastest growing mode that is no rigid motion; 1 or less is stable. */
export function growthPerSubstep(cloth: Body, { substeps = 3000, areLimitsTaut = true, keep = 1 }: SpectrumOptions = {}): number {
    const { particleCount: n, positions, inverseMasses } = cloth.state;
    const x = new Float64Array(3 * n);
    for (let i = 0; i < n; i++) for (let c = 0; c < 3; c++) x[3 * i + c] = positions[4 * i + c];
    const passes = cloth.passes
        .filter(
            (c): c is DistanceConstraints | Bend =>
                c instanceof Bend || (c instanceof DistanceConstraints && (areLimitsTaut || !(c instanceof UnilateralLimits))),
        )
        .flatMap((c) =>
            c instanceof Structural && c.repeated ? [c, ...Array<DistanceConstraints>(c.repeatCount).fill(c.repeated)] : [c],
        )
        .map((c) => (c instanceof Bend ? lineariseBend(c, x) : linearise(c, x, cloth.state)));
    const rigid = rigidModes(
        x,
        Float64Array.from({ length: n }, (_, i) => cloth.masses.massOf(i)),
        inverseMasses,
    );
    const random = seededRandom(1);
    let u: Float64Array = Float64Array.from({ length: 3 * n }, (_, i) => (inverseMasses[(i / 3) | 0] > 0 ? random() - 0.5 : 0));
    let before: Float64Array = u.slice();
    let total = 0;
    let counted = 0;
    for (let s = 0; s < substeps; s++) {
        const next = new Float64Array(3 * n);
        for (let i = 0; i < 3 * n; i++) next[i] = inverseMasses[(i / 3) | 0] > 0 ? u[i] + keep * (u[i] - before[i]) : 0;
        for (const pass of passes) {
            if ("stencils" in pass) bend(pass, next);
            else project(pass, next);
        }
        before = u;
        u = next;
        if (s % 10 !== 9) continue;
        rigid.remove(u);
        rigid.remove(before);
        let norm = 0;
        for (let i = 0; i < 3 * n; i++) norm += u[i] * u[i] + (u[i] - before[i]) ** 2;
        norm = Math.sqrt(norm);
        if (norm < 1e-200) return 0;
        for (let i = 0; i < 3 * n; i++) {
            u[i] /= norm;
            before[i] /= norm;
        }
        // The first half lets the fastest mode come out.
        if (s >= substeps / 2) {
            total += Math.log(norm);
            counted += 10;
        }
    }
    return Math.exp(total / counted);
}

/** Above this growth per substep a mode counts as gaining energy. */
export const LARGEST_GROWTH = 1 + 1e-4;

/**
 * The larger growth of taut and of slack limits. Motion that no stick hinders grows in proportion to time, which a short power
 * iteration cannot tell from a slow exponential: what looks like growth is looked at for longer.
 */
export function largestGrowth(cloth: Body): number {
    let largest = 0;
    for (const areLimitsTaut of [true, false]) {
        let growth = growthPerSubstep(cloth, { substeps: 600, areLimitsTaut });
        if (growth > LARGEST_GROWTH) growth = growthPerSubstep(cloth, { substeps: 20_000, areLimitsTaut });
        largest = Math.max(largest, growth);
    }
    return largest;
}

interface LinearSticks {
    count: number;
    a: Uint32Array;
    b: Uint32Array;
    /** Unit directions, shape [count, 3]. */
    n: Float64Array;
    weightsA: Float64Array;
    weightsB: Float64Array;
}

function linearise(sticks: DistanceConstraints, x: Float64Array, state: BodyState): LinearSticks {
    const stickAt = (s: number) => ({ ...sticks.constraintAt(s), weights: weightsAt(sticks, s, state) });
    const all = Array.from({ length: sticks.constraintCount }, (_, s) => stickAt(s)).filter(
        ({ a, b, restLength }) => a !== b && (!(sticks instanceof UnilateralLimits) || isTaut(x, a, b, restLength)),
    );
    const n = new Float64Array(3 * all.length);
    all.forEach(({ a, b }, s) => {
        const d = [0, 1, 2].map((c) => x[3 * b + c] - x[3 * a + c]);
        const length = Math.hypot(...d);
        d.forEach((value, c) => (n[3 * s + c] = length > 0 ? value / length : 0));
    });
    return {
        count: all.length,
        n,
        a: Uint32Array.from(all, ({ a }) => 3 * a),
        b: Uint32Array.from(all, ({ b }) => 3 * b),
        weightsA: Float64Array.from(all, ({ weights }) => weights[0]),
        weightsB: Float64Array.from(all, ({ weights }) => weights[1]),
    };
}

interface LinearStencils {
    stencils: {
        particles: number[];
        weights: number[];
        moves: number[];
        /** Direction of the curvature at rest, of which alone it takes note; null: there is none. */
        direction: number[] | null;
    }[];
}

function lineariseBend({ levels }: Bend, x: Float64Array): LinearStencils {
    const stencils: LinearStencils["stencils"] = [];
    for (const { kinds } of levels) {
        for (const { records, recordFloats, recordCount, slots } of kinds) {
            const arms = slots.count === StencilRecord.count ? 3 : 2;
            for (let i = 0; i < recordCount; i++) {
                const r = i * slots.count;
                // Padding joins the spare particle with itself.
                if (records[r] === records[r + 1]) continue;
                const particles = Array.from({ length: arms + 1 }, (_, k) => 3 * particleAt(records[r + k]));
                const weights = Array.from({ length: arms }, (_, k) => recordFloats[r + slots.weights + k]);
                weights.splice(1, 0, -weights.reduce((a, b) => a + b));
                const moves = Array.from({ length: arms + 1 }, (_, k) => recordFloats[r + slots.moves + k]);
                let direction: number[] | null = null;
                if (arms === 3 && recordFloats[r + StencilRecord.curvature] > 0) {
                    const d = [0, 1, 2].map((c) => particles.reduce((sum, p, k) => sum + weights[k] * x[p + c], 0));
                    direction = d.map((value) => value / Math.hypot(...d));
                }
                stencils.push({ particles, weights, moves, direction });
            }
        }
    }
    return { stencils };
}

function bend({ stencils }: LinearStencils, u: Float64Array): void {
    for (const { particles, weights, moves, direction } of stencils) {
        let dx = 0,
            dy = 0,
            dz = 0;
        for (let k = 0; k < particles.length; k++) {
            dx += weights[k] * u[particles[k]];
            dy += weights[k] * u[particles[k] + 1];
            dz += weights[k] * u[particles[k] + 2];
        }
        if (direction) {
            const along = dx * direction[0] + dy * direction[1] + dz * direction[2];
            dx = along * direction[0];
            dy = along * direction[1];
            dz = along * direction[2];
        }
        for (let k = 0; k < particles.length; k++) {
            u[particles[k]] += moves[k] * dx;
            u[particles[k] + 1] += moves[k] * dy;
            u[particles[k] + 2] += moves[k] * dz;
        }
    }
}

/** A limit round a bend is slack at rest: its length is that of the way, not the chord. */
function isTaut(x: Float64Array, a: number, b: number, restLength: number): boolean {
    return Math.hypot(x[3 * b] - x[3 * a], x[3 * b + 1] - x[3 * a + 1], x[3 * b + 2] - x[3 * a + 2]) > restLength * (1 - 1e-4);
}

function project({ count, a, b, n, weightsA, weightsB }: LinearSticks, u: Float64Array): void {
    for (let s = 0; s < count; s++) {
        const p = a[s],
            q = b[s],
            o = 3 * s;
        const stretch = n[o] * (u[q] - u[p]) + n[o + 1] * (u[q + 1] - u[p + 1]) + n[o + 2] * (u[q + 2] - u[p + 2]);
        const ka = stretch * weightsA[s],
            kb = stretch * weightsB[s];
        for (let c = 0; c < 3; c++) {
            u[p + c] += n[o + c] * ka;
            u[q + c] -= n[o + c] * kb;
        }
    }
}

/** The six rigid motions, orthonormal by mass; none where particles are pinned. */
function rigidModes(x: Float64Array, masses: Float64Array, inverseMasses: Float32Array): { remove(u: Float64Array): void } {
    const n = masses.length;
    for (let i = 0; i < n; i++) if (inverseMasses[i] === 0 && masses[i] > 0) return { remove: () => {} };
    const modes: Float64Array[] = [];
    const dot = (a: Float64Array, b: Float64Array): number => {
        let sum = 0;
        for (let i = 0; i < 3 * n; i++) sum += a[i] * b[i] * masses[(i / 3) | 0];
        return sum;
    };
    const subtract = (u: Float64Array): void => {
        for (const mode of modes) {
            const share = dot(u, mode);
            for (let i = 0; i < 3 * n; i++) u[i] -= share * mode[i];
        }
    };
    for (let k = 0; k < 6; k++) {
        const mode = new Float64Array(3 * n);
        for (let i = 0; i < n; i++) {
            if (k < 3) mode[3 * i + k] = 1;
            else {
                mode[3 * i + ((k + 1) % 3)] = -x[3 * i + ((k + 2) % 3)];
                mode[3 * i + ((k + 2) % 3)] = x[3 * i + ((k + 1) % 3)];
            }
        }
        const before = Math.sqrt(dot(mode, mode));
        subtract(mode);
        const norm = Math.sqrt(dot(mode, mode));
        if (!(norm > 1e-6 * before)) continue;
        for (let i = 0; i < 3 * n; i++) mode[i] /= norm;
        modes.push(mode);
    }
    return { remove: subtract };
}
