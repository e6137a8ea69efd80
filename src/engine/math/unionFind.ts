/**
 * Disjoint sets of numbers (union–find; Tarjan 1975). `parents[i]` is another number of i's set, i itself where it is the set's representative.
 * The smallest number of a set is its representative, whatever was joined first.
 */

/** Makes each of the first `count` numbers a set of its own. */
export function separate(parents: Int32Array, count = parents.length): void {
    for (let i = 0; i < count; i++) parents[i] = i;
}

/** The representative of a number's set. Halves the path to it. */
export function representativeOf(parents: Int32Array, i: number): number {
    while (parents[i] !== i) i = parents[i] = parents[parents[i]];
    return i;
}

/** Joins the sets of two numbers. */
export function join(parents: Int32Array, a: number, b: number): void {
    const first = representativeOf(parents, a);
    const second = representativeOf(parents, b);
    if (first < second) parents[second] = first;
    else parents[first] = second;
}

/** The sets of particles that triangles connect. @param triangles shape [triangleCount, 3] */
export function joinTriangles(particleCount: number, triangles: ArrayLike<number>): Int32Array {
    const parents = new Int32Array(particleCount);
    separate(parents);
    for (let t = 0; t < triangles.length; t += 3) {
        join(parents, triangles[t], triangles[t + 1]);
        join(parents, triangles[t], triangles[t + 2]);
    }
    return parents;
}

/**
 * Numbers the pieces that triangles connect, in the order of their first particles.
 * @param triangles shape [triangleCount, 3]
 * @returns the piece of each particle, and the number of particles of each piece
 */
export function findPieces(particleCount: number, triangles: ArrayLike<number>): [Uint32Array, number[]] {
    const parents = joinTriangles(particleCount, triangles);
    const particleCounts: number[] = [];
    // The first particle of a piece represents it, and has its number by then.
    const pieceOfParticle = new Uint32Array(particleCount);
    for (let i = 0; i < particleCount; i++) {
        const first = representativeOf(parents, i);
        const piece = (pieceOfParticle[i] = first < i ? pieceOfParticle[first] : particleCounts.push(0) - 1);
        particleCounts[piece]++;
    }
    return [pieceOfParticle, particleCounts];
}
