/**
 * The linear system of a step, in blocks of 3 × 3 (Baraff & Witkin 1998, §5): A Δv = b, A symmetric, rows of blocks one after the other. Its pattern, which
 * particles act on which, is that of the sheet and found once.
 */

/** Numbers of a block. */
const BLOCK = 9;

/** See the top of the file. */
export class BlockSystem {
    /** Blocks, row by row, each row by row; shape [blockCount, 9]. */
    readonly values: Float64Array;
    /** Shape [particleCount, 3]. */
    readonly right: Float64Array;
    /** First block of each row, shape [particleCount + 1]. */
    private readonly _starts: Uint32Array;
    /** Particle of each block's column. */
    private readonly _columns: Uint32Array;

    /** @param groups particles that act on each other, as lists of groups of so many */
    constructor(particleCount: number, groups: readonly { readonly particles: Uint32Array; readonly size: number }[]) {
        const rows = Array.from({ length: particleCount }, (_, i) => new Set([i]));
        for (const { particles, size } of groups) {
            particles.forEach((i, k) => {
                const first = k - (k % size);
                for (let j = first; j < first + size; j++) rows[i].add(particles[j]);
            });
        }
        this._starts = new Uint32Array(particleCount + 1);
        rows.forEach((row, i) => (this._starts[i + 1] = this._starts[i] + row.size));
        this._columns = Uint32Array.from(rows.flatMap((row) => [...row].sort((a, b) => a - b)));
        this.values = new Float64Array(BLOCK * this._columns.length);
        this.right = new Float64Array(3 * particleCount);
    }

    /** Where in {@link values} the block of each pair of a group begins, shape [groups, size, size]. */
    slotsOf(particles: Uint32Array, size: number): Uint32Array {
        return Uint32Array.from({ length: particles.length * size }, (_, k) => {
            const group = Math.floor(k / (size * size)) * size;
            return this._slotOf(particles[group + (Math.floor(k / size) % size)], particles[group + (k % size)]);
        });
    }

    private _slotOf(row: number, column: number): number {
        return BLOCK * this._columns.indexOf(column, this._starts[row]);
    }

    /** Empties it, but for the particles' masses [kg], 1 for what is pinned: it takes no part. */
    begin(inverseMasses: Float32Array): void {
        const { values, _starts: starts, _columns: columns } = this;
        values.fill(0);
        this.right.fill(0);
        for (let i = 0; i + 1 < starts.length; i++) {
            const mass = inverseMasses[i] > 0 ? 1 / inverseMasses[i] : 1;
            for (let k = starts[i]; k < starts[i + 1]; k++) {
                if (columns[k] === i) for (let c = 0; c < BLOCK; c += 4) values[BLOCK * k + c] = mass;
            }
        }
    }

    /** y = A x. */
    multiply(x: Float64Array, y: Float64Array): void {
        const { values: a, _starts: starts, _columns: columns } = this;
        for (let i = 0; i + 1 < starts.length; i++) {
            let y0 = 0;
            let y1 = 0;
            let y2 = 0;
            for (let k = starts[i], end = starts[i + 1]; k < end; k++) {
                const o = BLOCK * k;
                const q = 3 * columns[k];
                const x0 = x[q];
                const x1 = x[q + 1];
                const x2 = x[q + 2];
                y0 += a[o] * x0 + a[o + 1] * x1 + a[o + 2] * x2;
                y1 += a[o + 3] * x0 + a[o + 4] * x1 + a[o + 5] * x2;
                y2 += a[o + 6] * x0 + a[o + 7] * x1 + a[o + 8] * x2;
            }
            y[3 * i] = y0;
            y[3 * i + 1] = y1;
            y[3 * i + 2] = y2;
        }
    }

    /** Writes the inverses of the blocks on the diagonal, shape [particleCount, 9]. */
    invertDiagonal(inverses: Float64Array): void {
        const { values: m, _starts: starts, _columns: columns } = this;
        for (let i = 0; i + 1 < starts.length; i++) {
            const o = BLOCK * columns.indexOf(i, starts[i]);
            const t = BLOCK * i;
            const c0 = m[o + 4] * m[o + 8] - m[o + 5] * m[o + 7];
            const c1 = m[o + 5] * m[o + 6] - m[o + 3] * m[o + 8];
            const c2 = m[o + 3] * m[o + 7] - m[o + 4] * m[o + 6];
            const share = 1 / (m[o] * c0 + m[o + 1] * c1 + m[o + 2] * c2);
            inverses[t] = c0 * share;
            inverses[t + 1] = inverses[t + 3] = c1 * share;
            inverses[t + 2] = inverses[t + 6] = c2 * share;
            inverses[t + 4] = (m[o] * m[o + 8] - m[o + 2] * m[o + 6]) * share;
            inverses[t + 5] = inverses[t + 7] = (m[o + 1] * m[o + 6] - m[o] * m[o + 7]) * share;
            inverses[t + 8] = (m[o] * m[o + 4] - m[o + 1] * m[o + 3]) * share;
        }
    }
}
