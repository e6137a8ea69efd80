import { WELD_TOLERANCE } from "../tunables";
import { NONE } from "../../kernels/layout";
import { WeldBox, WeldLayout } from "../../kernels/surfaceLayout";
import { withScratch } from "../memory/withScratch";

/** Steps of 32-bit floats that coordinates far from the local origin are rounded by. */
const ROUNDING = 2 ** -22;
/** Vertices by place. */
export interface Weld {
    /** Number of distinct places. */
    readonly placeCount: number;
    /** Place of each vertex, shape [vertexCount]; places are numbered by their first vertex. */
    readonly placeOfVertex: Uint32Array;
    /** First vertex of each place, shape [placeCount]. */
    readonly vertexOfPlace: Uint32Array;
}

/**
 * Finds the vertices that lie at the same place, in one pass over a hash of cells (kernels/assembly/meshTopology.ts). A place is where its first vertex lies;
 * a vertex joins the nearest place within the tolerance, looking across the borders of its cell. The tolerance comes from the
 * vertices that triangles use; what lies outside of their box is a place of its own.
 * @param positions mesh-local, shape [vertexCount, 3], finite
 * @param indices vertices of the triangles; left out: all
 */
export function weld(positions: Float32Array, indices: Uint32Array | null = null): Weld {
    const vertexCount = positions.length / 3;
    const used = indices ?? Uint32Array.from({ length: vertexCount }, (_, v) => v);
    const numbers = { vertexCount, indexCount: used.length, slotCount: slotCountFor(vertexCount) };
    return withScratch(WeldLayout, numbers, (arrays, kernels) => {
        arrays.positions.set(positions);
        arrays.indices.set(used);
        arrays.heads.fill(NONE);
        kernels.measureUsedBounds(arrays);
        widen(arrays.box);
        kernels.weldVertices(arrays);
        const [placeCount] = arrays.placeCount;
        const vertexOfPlace = arrays.vertexOfPlace.slice(0, placeCount);
        return { placeCount, placeOfVertex: arrays.placeOfVertex.slice(), vertexOfPlace };
    });
}

/** Vertices by places that are known. @param placeOfVertex shape [vertexCount], each below placeCount */
export function weldOfPlaces(placeOfVertex: Uint32Array, placeCount: number): Weld {
    const vertexOfPlace = new Uint32Array(placeCount).fill(NONE);
    for (let v = placeOfVertex.length - 1; v >= 0; v--) vertexOfPlace[placeOfVertex[v]] = v;
    return { placeCount, placeOfVertex, vertexOfPlace };
}

/** Sets the tolerance [mesh-local units], and widens the box of the vertices used by it. */
function widen(box: Float64Array): void {
    const [minX, minY, minZ, maxX, maxY, maxZ] = box;
    const diagonal = Math.hypot(maxX - minX, maxY - minY, maxZ - minZ);
    const largest = Math.max(-minX, -minY, -minZ, maxX, maxY, maxZ);
    const tolerance = Math.max(diagonal * WELD_TOLERANCE, largest * ROUNDING, Number.MIN_VALUE * 2 ** 60);
    for (let c = 0; c < 3; c++) {
        box[WeldBox.minimum / 2 + c] -= tolerance;
        box[WeldBox.maximum / 2 + c] += tolerance;
    }
    box[WeldBox.tolerance / 2] = tolerance;
}

/** Slots of a hash of so many items: a power of two, at most half of them taken. */
export function slotCountFor(count: number): number {
    let slots = 16;
    while (slots < count * 2) slots *= 2;
    return slots;
}
