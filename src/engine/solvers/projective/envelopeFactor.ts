/** Symmetric matrices with few numbers off their diagonal, as rows from their first number on; factored once, solved often. */
import { pairKey } from "../../topology/meshComponents";

/** A matrix as rows of so many columns before the diagonal. */
export interface Envelope {
    /** First column of each row, shape [n]. */
    readonly firstColumns: Uint32Array;
    /** Begin of each row's numbers, and end of the last row's, shape [n + 1]. */
    readonly starts: Uint32Array;
}

/**
 * An order of things in which those that are joined come close together: breadth first from an end, things of few neighbours first, and
 * then backwards (Cuthill & McKee 1969, George 1971).
 * @param groups numbers of things that are joined with each other, `size` of each
 * @returns thing of each place
 */
export function reduceBandwidth(count: number, groups: Uint32Array, size: number): Uint32Array {
    const neighbours = neighboursOf(count, groups, size);
    const order: number[] = [];
    const isTaken = new Uint8Array(count);
    const byDegree = (a: number, b: number): number => neighbours[a].length - neighbours[b].length || a - b;
    const walk = (start: number, isMarked: Uint8Array): number[] => {
        const found = [start];
        isMarked[start] = 1;
        for (let k = 0; k < found.length; k++)
            for (const next of neighbours[found[k]])
                if (!isMarked[next]) {
                    isMarked[next] = 1;
                    found.push(next);
                }
        return found;
    };
    for (const list of neighbours) list.sort(byDegree);
    for (let i = 0; i < count; i++) {
        if (isTaken[i]) continue;
        // What is found last is at an end.
        const there = walk(i, isTaken.slice());
        order.push(...walk(there[there.length - 1], isTaken));
    }
    return Uint32Array.from(order.reverse());
}

function neighboursOf(count: number, groups: Uint32Array, size: number): number[][] {
    const neighbours: number[][] = Array.from({ length: count }, () => []);
    const known = new Set<number>();
    for (let o = 0; o < groups.length; o += size)
        for (let k = 0; k < size; k++)
            for (let l = k + 1; l < size; l++) {
                const [a, b] = [groups[o + k], groups[o + l]];
                const key = pairKey(a, b, count);
                if (a === b || known.has(key)) continue;
                known.add(key);
                neighbours[a].push(b);
                neighbours[b].push(a);
            }
    return neighbours;
}

/** The envelope of a matrix that joins things in groups. @param groups places of things, `size` of each */
export function envelopeOf(count: number, groups: Uint32Array, size: number): Envelope {
    const firstColumns = Uint32Array.from({ length: count }, (_, i) => i);
    for (let o = 0; o < groups.length; o += size) {
        let first = groups[o];
        for (let k = 1; k < size; k++) first = Math.min(first, groups[o + k]);
        for (let k = 0; k < size; k++) firstColumns[groups[o + k]] = Math.min(firstColumns[groups[o + k]], first);
    }
    const starts = new Uint32Array(count + 1);
    for (let i = 0; i < count; i++) starts[i + 1] = starts[i] + i - firstColumns[i];
    return { firstColumns, starts };
}

/**
 * Factors a positive definite matrix as L D Lᵀ, in place.
 * @param entries rows of the matrix before its diagonal; becomes those of L, whose diagonal is 1
 * @param diagonal becomes D
 * @param least what follows from rows before, and so leaves less than this share of its diagonal, has ∞ in D: it is left out
 */
export function factorLDL({ firstColumns, starts }: Envelope, entries: Float64Array, diagonal: Float64Array, least = 0): void {
    for (let i = 0; i < diagonal.length; i++) {
        const whole = diagonal[i];
        const row = starts[i] - firstColumns[i];
        // First L D, which needs no division.
        for (let j = firstColumns[i]; j < i; j++) {
            const other = starts[j] - firstColumns[j];
            let sum = entries[row + j];
            for (let k = Math.max(firstColumns[i], firstColumns[j]); k < j; k++) sum -= entries[row + k] * entries[other + k];
            entries[row + j] = sum;
        }
        for (let j = firstColumns[i]; j < i; j++) {
            const own = entries[row + j] / diagonal[j];
            diagonal[i] -= own * entries[row + j];
            entries[row + j] = own;
        }
        if (least > 0 && !(diagonal[i] > least * whole)) diagonal[i] = Infinity;
    }
}
