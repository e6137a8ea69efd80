/**
 * Geodesic distances over a triangle mesh by fast marching with unfolded triangles (Kimmel & Sethian 1998; point sources as
 * in Novotni & Klein 2002):
 *
 *        C            d(A), d(B) known: unfold a virtual source S behind A–B with |SA| = d(A), |SB| = d(B);
 *       ╱ ╲           if S–C crosses A–B then d(C) = |SC|, else along an edge: min(d(A) + |AC|, d(B) + |BC|).
 *      A───B          Exact on flat cloth; elsewhere never shorter than the straight line.
 *       ╲ ╱
 *        S
 *
 * Here are the mesh and the geometry; the march is in nearestGroups.ts.
 */
export class Geodesics {
    readonly particleCount: number;
    /** Where each particle's triangles begin in {@link others}, in pairs, shape [particleCount + 1]. */
    readonly starts: Uint32Array;
    /** The two other corners of each triangle around a particle, shape [incidences, 2]. */
    readonly others: Uint32Array;

    /**
     * @param _positions rest positions [m], shape [particleCount, 3]
     * @param triangles shape [triangleCount, 3]
     */
    constructor(
        private readonly _positions: Float32Array,
        triangles: Uint32Array,
    ) {
        const particleCount = _positions.length / 3;
        const starts = new Uint32Array(particleCount + 1);
        for (let i = 0; i < triangles.length; i++) starts[triangles[i] + 1]++;
        for (let i = 0; i < particleCount; i++) starts[i + 1] += starts[i];
        const next = starts.slice(0, particleCount);
        const others = new Uint32Array(triangles.length * 2);
        for (let t = 0; t < triangles.length; t += 3) {
            const a = triangles[t];
            const b = triangles[t + 1];
            const c = triangles[t + 2];
            let o = next[a]++ * 2;
            others[o] = b;
            others[o + 1] = c;
            o = next[b]++ * 2;
            others[o] = c;
            others[o + 1] = a;
            o = next[c]++ * 2;
            others[o] = a;
            others[o + 1] = b;
        }
        this.particleCount = particleCount;
        this.starts = starts;
        this.others = others;
    }

    /**
     * Splits particles into groups that hang together by edges among themselves.
     * @param members particle indices
     * @returns for each particle the lowest one of its group, -1 for no member; shape [particleCount]
     */
    groups(members: Uint32Array): Int32Array {
        const { starts, others } = this;
        const isMember = new Uint8Array(this.particleCount);
        for (const p of members) isMember[p] = 1;
        const labels = new Int32Array(this.particleCount).fill(-1);
        const found = new Uint32Array(members.length);
        for (const first of Uint32Array.from(members).sort()) {
            if (labels[first] >= 0) continue;
            let count = 0;
            found[count++] = first;
            labels[first] = first;
            for (let i = 0; i < count; i++) {
                for (let k = starts[found[i]] * 2; k < starts[found[i] + 1] * 2; k++) {
                    const q = others[k];
                    if (isMember[q] === 0 || labels[q] >= 0) continue;
                    labels[q] = first;
                    found[count++] = q;
                }
            }
        }
        return labels;
    }

    /** Straight distance [m]. */
    length(a: number, b: number): number {
        const x = this._positions;
        const dx = x[3 * a] - x[3 * b];
        const dy = x[3 * a + 1] - x[3 * b + 1];
        const dz = x[3 * a + 2] - x[3 * b + 2];
        return Math.sqrt(dx * dx + dy * dy + dz * dz);
    }

    /** Distance of c over the edge a–b, see the top of the file. */
    unfold(a: number, b: number, c: number, da: number, db: number): number {
        const ab = this.length(a, b);
        const ac = this.length(a, c);
        const bc = this.length(b, c);
        const alongEdge = Math.min(da + ac, db + bc);
        if (!(ab > 0)) return alongEdge;
        // Frame: A at 0, B at (ab, 0), C above, S below.
        const cx = (ac * ac - bc * bc + ab * ab) / (2 * ab);
        const cy = Math.sqrt(Math.max(0, ac * ac - cx * cx));
        const sx = (da * da - db * db + ab * ab) / (2 * ab);
        const sySquared = da * da - sx * sx;
        if (sySquared < 0) return alongEdge;
        const sy = -Math.sqrt(sySquared);
        const height = cy - sy;
        if (!(height > 0)) return alongEdge;
        // Where the straight line crosses the edge's line.
        const crossing = sx + ((cx - sx) * -sy) / height;
        if (crossing < 0 || crossing > ab) return alongEdge;
        return Math.min(alongEdge, Math.sqrt((cx - sx) * (cx - sx) + height * height));
    }
}
