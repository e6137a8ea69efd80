/** Colours of sticks: sets in which no particle occurs twice. */
export interface Coloring {
    /** Stick indices, colour after colour, shape [stickCount]. */
    order: Uint32Array;
    /** Where each colour begins in `order`, and the end, shape [colourCount + 1]. */
    starts: Uint32Array;
}

/**
 * Greedy graph colouring: each round takes, in order, every remaining stick whose particles the round has not met. On a
 * grid this finds the four natural colours; a vertex of valence v needs at least v. Keeps the sticks' order inside a
 * colour, which keeps neighbours in memory together.
 *
 * @param particlesA first particle of each stick
 * @param particlesB second particle of each stick
 */
export function colorSticks(particlesA: Uint32Array, particlesB: Uint32Array, particleCount: number): Coloring {
    const stickCount = particlesA.length;
    const order = new Uint32Array(stickCount);
    const starts: number[] = [0];
    const lastRound = new Uint32Array(particleCount);
    const remaining = new Uint32Array(stickCount);
    for (let s = 0; s < stickCount; s++) remaining[s] = s;
    let left = stickCount;
    let placed = 0;
    for (let round = 1; left > 0; round++) {
        let kept = 0;
        for (let r = 0; r < left; r++) {
            const s = remaining[r];
            const a = particlesA[s];
            const b = particlesB[s];
            if (lastRound[a] === round || lastRound[b] === round) {
                remaining[kept++] = s;
            } else {
                lastRound[a] = lastRound[b] = round;
                order[placed++] = s;
            }
        }
        left = kept;
        starts.push(placed);
    }
    return { order, starts: Uint32Array.from(starts) };
}
