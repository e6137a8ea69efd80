import type { KernelFunctions } from "../../kernels/kernels";
import { Uniform } from "../../kernels/layout";
import { join, representativeOf, separate } from "../math/unionFind";
import type { BodyState } from "../state";
import type { Triangles } from "../surface/triangles";

/*
 * What nothing touches keeps its momentum, linear and angular, but for gravity and damping. Passes of constraints keep it only nearly: each move is
 * rounded to 32 bits, and a stick pulls along where it has turned to, while Verlet's spin is Σ m p × x / dt, which so loses ω² dt of itself a second. So at
 * the end of a step what is missing is given back as one rigid motion, to the residuals: no particle leaves its place, and no shape is changed.
 */

/** What is faster than such a share of the speed limit may meet it within the step, and is not given back what that takes. */
const MOST_SPEED = 0.5;
/** Added to moments of inertia as a share of their sum: what lies in a line has none about it. */
const LEAST_INERTIA = 1e-6;

/** Of what was measured last: mean displacement x y z [m] and spin x y z about the centre of mass [kg m²], in a substep. */
const measured = new Float64Array(6);
/** The turn that gives back what is missing [rad], x y z, in a substep. */
const turn = new Float64Array(3);

/** What is asked of a body. */
interface Free {
    readonly kernels: KernelFunctions;
    readonly state: BodyState;
    readonly settings: { readonly substepCount: number };
    readonly triangles: Triangles;
    readonly pins: readonly unknown[];
    readonly isWindy: boolean;
    readonly company: unknown;
    readonly method: unknown;
}

/** Keeps the momentum of a free body through its steps. */
export class Momentum {
    /** Whether nothing but gravity acts on the body in the present step, as far as is known: what does says so. */
    isKept = false;
    /** What the step has to end with, as {@link measured}. */
    protected readonly _due = new Float64Array(6);
    /** Whether the body hangs together, once asked: its pieces would lend each other what they have. */
    private _isWhole: boolean | null = null;

    /** Begins a step, once the uniforms are written and the air is known. */
    begin(body: Free): void {
        const { kernels, state, settings } = body;
        const isFree = body.pins.length === 0 && !body.isWindy && !body.company && !body.method;
        this.isKept = isFree && (this._isWhole ??= isWhole(body));
        if (!this.isKept) return;
        const { _due: due } = this;
        measure(kernels, state);
        const { uniforms } = state;
        this.isKept = isSlow(uniforms);
        if (!this.isKept) return;
        const kept = uniforms[Uniform.keptDisplacement];
        due.set(measured);
        for (let s = 0; s < settings.substepCount; s++) {
            for (let c = 0; c < 3; c++) {
                due[c] = kept * due[c] + uniforms[Uniform.gravity + c];
                due[3 + c] *= kept;
            }
        }
    }

    /** Ends it: gives back what is missing. */
    end({ kernels, state }: Free): void {
        if (!this.isKept) return;
        const { _due: due } = this;
        measure(kernels, state);
        const { uniforms: u } = state;
        if (!isSlow(u)) return;
        findTurn(u, due);
        const share = 1 / u[Uniform.mass];
        for (let c = 0; c < 3; c++) {
            const d = (c + 1) % 3;
            const e = (c + 2) % 3;
            // Told from the first particle, not from the centre of mass.
            const moved = share * (turn[d] * u[Uniform.moments + e] - turn[e] * u[Uniform.moments + d]);
            u[Uniform.shift + c] = due[c] - measured[c] - moved;
            u[Uniform.turn + c] = turn[c];
        }
        // What is no number, or has no mass, has no motion to give back.
        if (Number.isFinite(u[Uniform.shift] + u[Uniform.shift + 1] + u[Uniform.shift + 2])) kernels.addRigidMotion(state);
    }
}

/** Whether all that was measured is far from the speed limit, and a number. */
function isSlow(u: Float32Array): boolean {
    return u[Uniform.fastest] <= MOST_SPEED * u[Uniform.maxDisplacement];
}

/** Writes {@link measured}; the uniforms' squares and products are then told from the centre of mass, too. */
function measure(kernels: KernelFunctions, state: BodyState): void {
    const { positions: x, previous: p, residuals: r, uniforms: u } = state;
    for (let c = 0; c < 3; c++) u[Uniform.reference + c] = x[c] - p[c] + r[c];
    kernels.measureMomentum(state);
    const share = 1 / u[Uniform.mass];
    for (let c = 0; c < 3; c++) {
        const d = (c + 1) % 3;
        const e = (c + 2) % 3;
        measured[c] = u[Uniform.reference + c] + share * (u[Uniform.momentum + c] + u[Uniform.momentumRest + c]);
        measured[3 + c] =
            u[Uniform.spin + c] -
            share * (u[Uniform.moments + d] * u[Uniform.momentum + e] - u[Uniform.moments + e] * u[Uniform.momentum + d]);
    }
    for (let c = 0; c < 3; c++) {
        const moment = share * u[Uniform.moments + c];
        u[Uniform.squares + c] -= moment * u[Uniform.moments + c];
        u[Uniform.products + c] -= moment * u[Uniform.moments + ((c + 1) % 3)];
    }
}

/** Finds the {@link turn} that has the spin that is missing: by the inverse of the inertia. */
function findTurn(u: Float32Array, due: Float64Array): void {
    const lx = due[3] - measured[3];
    const ly = due[4] - measured[4];
    const lz = due[5] - measured[5];
    const xx = u[Uniform.squares];
    const yy = u[Uniform.squares + 1];
    const zz = u[Uniform.squares + 2];
    const least = LEAST_INERTIA * (xx + yy + zz);
    const a = yy + zz + least;
    const b = zz + xx + least;
    const c = xx + yy + least;
    const ab = -u[Uniform.products];
    const bc = -u[Uniform.products + 1];
    const ca = -u[Uniform.products + 2];
    // Cofactors.
    const A = b * c - bc * bc;
    const B = c * a - ca * ca;
    const C = a * b - ab * ab;
    const AB = ca * bc - ab * c;
    const BC = ab * ca - a * bc;
    const CA = ab * bc - b * ca;
    const share = 1 / (a * A + ab * AB + ca * CA);
    turn[0] = share * (A * lx + AB * ly + CA * lz);
    turn[1] = share * (AB * lx + B * ly + BC * lz);
    turn[2] = share * (CA * lx + BC * ly + C * lz);
}

/** Whether all particles hang together by triangles; what has none is one line. */
function isWhole({ triangles: { triangles, triangleCount }, state: { particleCount } }: Free): boolean {
    if (triangleCount === 0) return true;
    const parents = new Int32Array(particleCount);
    separate(parents);
    for (let k = 0; k < 3 * triangleCount; k++) join(parents, triangles[k - (k % 3)], triangles[k]);
    // The representative of a set is its smallest number.
    return parents.every((_, i) => representativeOf(parents, i) === 0);
}
