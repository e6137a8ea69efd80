import { TriangleFanLayout } from "../../kernels/restLayout";
import { withScratch } from "../memory/withScratch";

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
 * Here is the mesh; who marches is in nearestGroups.ts, the march in kernels/assembly/fastMarching.ts.
 */
export class Geodesics {
    readonly particleCount: number;
    /** Begin of each particle's triangles in {@link others}, in pairs, shape [particleCount + 1]. */
    readonly starts: Uint32Array;
    /** The two other corners of each triangle around a particle, shape [incidences, 2]. */
    readonly others: Uint32Array;

    /**
     * @param positions rest positions [m], shape [particleCount, 3]
     * @param triangles shape [triangleCount, 3]
     */
    constructor(
        readonly positions: Float32Array,
        triangles: Uint32Array,
    ) {
        this.particleCount = positions.length / 3;
        const numbers = { cornerCount: triangles.length, startCount: this.particleCount + 1 };
        [this.starts, this.others] = withScratch(TriangleFanLayout, numbers, (fans, kernels) => {
            fans.triangles.set(triangles);
            kernels.findTriangleFans(fans);
            return [fans.starts.slice(), fans.others.slice()];
        });
    }

    /**
     * Splits particles into groups that hang together by edges among themselves.
     * @param members particle indices
     * @returns for each particle the lowest one of its group, -1 for no member; shape [particleCount]
     */
    connectedGroups(members: Uint32Array): Int32Array {
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
}
