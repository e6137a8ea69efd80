import type { BlockSystem } from "./blockSystem";

/** The residual that is left, as a share of the right side, and most iterations. */
const LEFT = 1e-4;
const MOST = 300;

/**
 * The modified preconditioned conjugate gradient method (Baraff & Witkin 1998, §5.3; Ascher & Boxerman 2003): of the unknowns, what is filtered stays 0.
 * Preconditioned by the inverses of the blocks on the diagonal.
 */
export class ConjugateGradient {
    /** What is found, shape [particleCount, 3]. */
    readonly solution: Float64Array;
    /** Iterations of the last solution. */
    iterations = 0;
    private readonly _residual: Float64Array;
    private readonly _direction: Float64Array;
    private readonly _product: Float64Array;
    private readonly _conditioned: Float64Array;
    private readonly _inverses: Float64Array;

    constructor(length: number) {
        this.solution = new Float64Array(length);
        this._residual = new Float64Array(length);
        this._direction = new Float64Array(length);
        this._product = new Float64Array(length);
        this._conditioned = new Float64Array(length);
        this._inverses = new Float64Array(3 * length);
    }

    /** Solves the system from the last solution on: what falls goes on falling, what rests is at rest. @param inverseMasses 0: filtered */
    solve(system: BlockSystem, inverseMasses: Float32Array): void {
        const { solution: x, _residual: r, _direction: d, _product: p, _conditioned: s } = this;
        system.invertDiagonal(this._inverses);
        filter(x, inverseMasses);
        system.multiply(x, p);
        for (let q = 0; q < x.length; q++) r[q] = system.right[q] - p[q];
        filter(r, inverseMasses);
        // By what the right side is, not by what is left of it at a good guess.
        this._condition(system.right, s);
        filter(s, inverseMasses);
        const enough = LEFT * LEFT * dot(s, system.right);
        this._condition(r, s);
        d.set(s);
        let error = dot(r, s);
        for (this.iterations = 0; error > enough && this.iterations < MOST; this.iterations++) {
            system.multiply(d, p);
            filter(p, inverseMasses);
            const share = error / dot(d, p);
            for (let q = 0; q < x.length; q++) {
                x[q] += share * d[q];
                r[q] -= share * p[q];
            }
            this._condition(r, s);
            const before = error;
            error = dot(r, s);
            const turn = error / before;
            for (let q = 0; q < x.length; q++) d[q] = s[q] + turn * d[q];
        }
    }

    /** y = P⁻¹ x. */
    private _condition(x: Float64Array, y: Float64Array): void {
        const { _inverses: m } = this;
        for (let q = 0, o = 0; q < x.length; q += 3, o += 9) {
            for (let c = 0; c < 3; c++) y[q + c] = m[o + 3 * c] * x[q] + m[o + 3 * c + 1] * x[q + 1] + m[o + 3 * c + 2] * x[q + 2];
        }
    }
}

function dot(x: Float64Array, y: Float64Array): number {
    let sum = 0;
    for (let q = 0; q < x.length; q++) sum += x[q] * y[q];
    return sum;
}

function filter(x: Float64Array, inverseMasses: Float32Array): void {
    for (let q = 0, i = 0; q < x.length; q += 3, i++) if (inverseMasses[i] === 0) x[q] = x[q + 1] = x[q + 2] = 0;
}
