import { joinTriangles, representativeOf } from "../math/unionFind";

/**
 * Size of the piece of a mesh that each particle belongs to: the diagonal of its bounding box [m]. Null: the mesh is one piece.
 * @param positions rest positions [m], shape [particleCount, 3]
 * @param triangles particles of each triangle, shape [triangleCount, 3]
 */
export function pieceSizesOf(positions: Float32Array, triangles: Uint32Array): Float32Array | null {
    const count = positions.length / 3;
    const parents = joinTriangles(count, triangles);
    /** Lowest and highest coordinates by piece. */
    const boxes = new Map<number, number[]>();
    for (let i = 0; i < count; i++) {
        const piece = representativeOf(parents, i);
        let box = boxes.get(piece);
        if (!box) boxes.set(piece, (box = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity]));
        for (let c = 0; c < 3; c++) {
            box[c] = Math.min(box[c], positions[3 * i + c]);
            box[3 + c] = Math.max(box[3 + c], positions[3 * i + c]);
        }
    }
    if (boxes.size < 2) return null;
    return Float32Array.from(parents, (_, i) => {
        const [ax, ay, az, bx, by, bz] = boxes.get(representativeOf(parents, i))!;
        return Math.hypot(bx - ax, by - ay, bz - az);
    });
}
