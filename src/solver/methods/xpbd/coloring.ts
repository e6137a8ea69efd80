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

/**
 * Greedy colouring of stencils over a shuffled order: in the order of the mesh, each stencil's move would run on through the sheet with the
 * next one's, which gains energy.
 * @param particles of all stencils, shape [n, 4]
 * @param which the stencils to colour, ascending; inside a colour they keep their order
 */
export function colorStencils(particles: Uint32Array, which: Uint32Array, particleCount: number): Coloring {
    const count = which.length;
    const shuffled = Uint32Array.from({ length: count }, (_, i) => i);
    let random = 1;
    for (let i = count - 1; i > 0; i--) {
        random = (Math.imul(random, 1664525) + 1013904223) >>> 0;
        const j = Math.floor((random / 0x1_0000_0000) * (i + 1));
        const k = shuffled[i];
        shuffled[i] = shuffled[j];
        shuffled[j] = k;
    }
    // Colours 32 at a time: a bit for each at every particle.
    const colors = new Uint32Array(count);
    const used = new Uint32Array(particleCount);
    let left = shuffled;
    let colorCount = 0;
    for (let base = 0; left.length > 0; base += 32) {
        used.fill(0);
        let kept = 0;
        for (const i of left) {
            const o = 4 * which[i];
            const taken = used[particles[o]] | used[particles[o + 1]] | used[particles[o + 2]] | used[particles[o + 3]];
            if (taken === -1) {
                left[kept++] = i;
                continue;
            }
            const bit = ~taken & (taken + 1);
            const color = base + 31 - Math.clz32(bit);
            colors[i] = color;
            colorCount = Math.max(colorCount, color + 1);
            for (let k = 0; k < 4; k++) used[particles[o + k]] |= bit;
        }
        left = left.subarray(0, kept);
    }
    const starts = new Uint32Array(colorCount + 1);
    for (let i = 0; i < count; i++) starts[colors[i] + 1]++;
    for (let c = 0; c < colorCount; c++) starts[c + 1] += starts[c];
    const free = starts.slice();
    const order = new Uint32Array(count);
    for (let i = 0; i < count; i++) order[free[colors[i]]++] = which[i];
    return { order, starts };
}
