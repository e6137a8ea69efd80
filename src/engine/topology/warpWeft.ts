/**
 * Threads of a sheet at rest: warp along u of its texture coordinates, weft across.
 *
 *      v ┆   ╱ b      Along an edge a–b at an angle θ to the warp a thread property p that is p₁ along warp and p₂ along weft counts
 *        ┆  ╱         by cos² θ and sin² θ.
 *      a ●╱┄┄┄┄ u
 */
export class WarpWeft {
    /**
     * @param _positions at rest [m], shape [particleCount, 3]
     * @param _warps unit tangents along u, shape [particleCount, 3]; zero where the texture coordinates have no area
     */
    constructor(
        private readonly _positions: Float32Array,
        private readonly _warps: Float32Array,
    ) {}

    /** Writes the unit tangent along the warp at a particle; zero where there are no threads. */
    directionAt(particle: number, target: Float64Array): void {
        for (let i = 0; i < 3; i++) target[i] = this._warps[3 * particle + i];
    }

    /** cos² θ of the line between two particles at rest; a half where there are no threads. */
    alongWarp(a: number, b: number): number {
        const { _positions: x, _warps: warps } = this;
        let squared = 0;
        let atA = 0;
        let atB = 0;
        let size = 0;
        for (let i = 0; i < 3; i++) {
            const d = x[3 * b + i] - x[3 * a + i];
            squared += d * d;
            atA += d * warps[3 * a + i];
            atB += d * warps[3 * b + i];
            size += warps[3 * a + i] ** 2 + warps[3 * b + i] ** 2;
        }
        const total = squared * size;
        return total > 0 ? Math.min(1, (atA * atA + atB * atB) / total) : 0.5;
    }
}

/** Gives the threads of a sheet; what needs them asks for them then, since few fabrics have any. */
export type WarpWeftFinder = () => WarpWeft;

/**
 * Finds the threads.
 * @param positions at rest [m], shape [particleCount, 3]
 * @param indices vertices of the triangles, shape [triangleCount, 3]
 * @param particleOfVertex shape [vertexCount]
 * @param uvs texture coordinates, shape [vertexCount, 2]
 */
export function findWarpWeft(
    positions: Float32Array,
    indices: ArrayLike<number>,
    particleOfVertex: ArrayLike<number>,
    uvs: ArrayLike<number>,
): WarpWeft {
    const warps = new Float32Array(positions.length);
    for (let t = 0; t + 2 < indices.length; t += 3) addTangent(positions, indices, t, particleOfVertex, uvs, warps);
    for (let p = 0; p < warps.length; p += 3) {
        const length = Math.sqrt(warps[p] ** 2 + warps[p + 1] ** 2 + warps[p + 2] ** 2);
        for (let i = 0; i < 3 && length > 0; i++) warps[p + i] /= length;
    }
    return new WarpWeft(positions, warps);
}

/** Adds a triangle's tangent along u, by its area, to those of its particles, along the same line as they have. */
function addTangent(
    x: Float32Array,
    indices: ArrayLike<number>,
    t: number,
    particleOfVertex: ArrayLike<number>,
    uvs: ArrayLike<number>,
    warps: Float32Array,
): void {
    const [a, b, c] = [indices[t], indices[t + 1], indices[t + 2]];
    const [p, q, r] = [3 * particleOfVertex[a], 3 * particleOfVertex[b], 3 * particleOfVertex[c]];
    const v1 = uvs[2 * b + 1] - uvs[2 * a + 1];
    const v2 = uvs[2 * c + 1] - uvs[2 * a + 1];
    const area = (uvs[2 * b] - uvs[2 * a]) * v2 - (uvs[2 * c] - uvs[2 * a]) * v1;
    if (!(Math.abs(area) > 0)) return;
    const tangent = [0, 1, 2].map((i) => (v2 * (x[q + i] - x[p + i]) - v1 * (x[r + i] - x[p + i])) * Math.sign(area));
    for (const corner of [p, q, r]) {
        const along = tangent[0] * warps[corner] + tangent[1] * warps[corner + 1] + tangent[2] * warps[corner + 2];
        for (let i = 0; i < 3; i++) warps[corner + i] += along < 0 ? -tangent[i] : tangent[i];
    }
}
