import { findPieces } from "../math/unionFind";

/**
 * Size of the piece of a mesh that each particle belongs to: the diagonal of its bounding box [m]. Null: the mesh is one piece.
 * @param positions rest positions [m], shape [particleCount, 3]
 * @param triangles particles of each triangle, shape [triangleCount, 3]
 */
export function pieceSizesOf(positions: Float32Array, triangles: Uint32Array): Float32Array | null {
    const [pieceOfParticle, particleCounts] = findPieces(positions.length / 3, triangles);
    if (particleCounts.length < 2) return null;
    /** Lowest and highest coordinates by piece. */
    const boxes = particleCounts.map(() => [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity]);
    for (let q = 0; q < positions.length; q++) {
        const c = q % 3;
        const box = boxes[pieceOfParticle[(q - c) / 3]];
        box[c] = Math.min(box[c], positions[q]);
        box[3 + c] = Math.max(box[3 + c], positions[q]);
    }
    const sizes = boxes.map(([ax, ay, az, bx, by, bz]) => Math.hypot(bx - ax, by - ay, bz - az));
    return Float32Array.from(pieceOfParticle, (piece) => sizes[piece]);
}
