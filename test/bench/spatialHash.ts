/**
 * The particles tier's baseline: self-collision as Müller publishes it in plain JavaScript ("Ten minute physics" 11 and 15, MIT; written here from its
 * description): a dense hash of cells, all pairs within reach found once a frame, each pushed apart to its distance in each substep, with damping for friction.
 */
export class SpatialHash {
    private readonly _starts: Int32Array;
    private readonly _entries: Int32Array;
    private readonly _firsts: Int32Array;
    private readonly _next: Float32Array;
    private _others = new Int32Array(10);

    constructor(
        private readonly _spacing: number,
        private readonly _count: number,
    ) {
        this._starts = new Int32Array(2 * _count + 1);
        this._entries = new Int32Array(_count);
        this._firsts = new Int32Array(_count + 1);
        this._next = new Float32Array(3);
    }

    /** Pairs that were found last. */
    get pairCount(): number {
        return this._firsts[this._count];
    }

    /** Sorts particles into cells. @param x positions [m], rows of 4 */
    create(x: Float32Array): void {
        const { _starts: starts, _entries: entries, _count: count } = this;
        starts.fill(0);
        for (let i = 0; i < count; i++) starts[this._slotOf(x, i)]++;
        let sum = 0;
        for (let slot = 0; slot < starts.length; slot++) starts[slot] = sum += starts[slot];
        for (let i = 0; i < count; i++) entries[--starts[this._slotOf(x, i)]] = i;
    }

    /** Finds the pairs within a distance, each once. */
    findAll(x: Float32Array, reach: number): void {
        const { _starts: starts, _entries: entries, _firsts: firsts, _count: count } = this;
        let found = 0;
        for (let i = 0; i < count; i++) {
            firsts[i] = found;
            const o = 4 * i;
            for (let cx = this._cellOf(x[o] - reach); cx <= this._cellOf(x[o] + reach); cx++) {
                for (let cy = this._cellOf(x[o + 1] - reach); cy <= this._cellOf(x[o + 1] + reach); cy++) {
                    for (let cz = this._cellOf(x[o + 2] - reach); cz <= this._cellOf(x[o + 2] + reach); cz++) {
                        const slot = this._hash(cx, cy, cz);
                        for (let e = starts[slot]; e < starts[slot + 1]; e++) {
                            const j = entries[e];
                            if (j <= i || squaredDistance(x, i, j) > reach * reach) continue;
                            if (found === this._others.length) this._grow();
                            this._others[found++] = j;
                        }
                    }
                }
            }
        }
        firsts[count] = found;
    }

    /** Pushes the pairs that were found apart. @param rest positions at rest [m], rows of 4 */
    solve(x: Float32Array, previous: Float32Array, inverseMasses: Float32Array, rest: Float32Array, thickness: number): void {
        const { _firsts: firsts, _others: others, _next: mean } = this;
        for (let i = 0; i < this._count; i++) {
            if (inverseMasses[i] === 0) continue;
            for (let k = firsts[i]; k < firsts[i + 1]; k++) {
                const j = others[k];
                if (inverseMasses[j] === 0) continue;
                const squared = squaredDistance(x, i, j);
                if (squared > thickness * thickness || squared === 0) continue;
                const restSquared = squaredDistance(rest, i, j);
                if (squared > restSquared) continue;
                const least = restSquared < thickness * thickness ? Math.sqrt(restSquared) : thickness;
                const distance = Math.sqrt(squared);
                const share = (0.5 * (least - distance)) / distance;
                for (let c = 0; c < 3; c++) {
                    const d = share * (x[4 * j + c] - x[4 * i + c]);
                    x[4 * i + c] -= d;
                    x[4 * j + c] += d;
                    const a = x[4 * i + c] - previous[4 * i + c];
                    const b = x[4 * j + c] - previous[4 * j + c];
                    mean[c] = (a + b) / 2;
                    x[4 * i + c] += FRICTION * (mean[c] - a);
                    x[4 * j + c] += FRICTION * (mean[c] - b);
                }
            }
        }
    }

    private _grow(): void {
        const others = new Int32Array(2 * this._others.length);
        others.set(this._others);
        this._others = others;
    }

    private _cellOf(x: number): number {
        return Math.floor(x / this._spacing);
    }

    private _slotOf(x: Float32Array, i: number): number {
        return this._hash(this._cellOf(x[4 * i]), this._cellOf(x[4 * i + 1]), this._cellOf(x[4 * i + 2]));
    }

    private _hash(cx: number, cy: number, cz: number): number {
        return Math.abs((cx * 92837111) ^ (cy * 689287499) ^ (cz * 283923481)) % (this._starts.length - 1);
    }
}

/** Share of the difference of two particles' ways that a contact takes. */
const FRICTION = 0.2;

function squaredDistance(x: Float32Array, i: number, j: number): number {
    const dx = x[4 * i] - x[4 * j];
    const dy = x[4 * i + 1] - x[4 * j + 1];
    const dz = x[4 * i + 2] - x[4 * j + 2];
    return dx * dx + dy * dy + dz * dz;
}
