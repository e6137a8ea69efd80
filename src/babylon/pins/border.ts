import { reject, uniqueTriangles, weld } from "../../engine/index";
import type { Weld } from "../../engine/index";
import { allIndices } from "../mesh/joinedMeshes";
import type { SelectContext } from "./selectContext";

/** Border vertices within this share of the box's size of its side are the strip of that side. */
const STRIP_SHARE = 0.1;
/** Share of the extent for surfaces without a border there, of which all vertices count. */
const CLOSED_SHARE = 0.02;

/** Border of a mesh: its edges that have a triangle on one side only. Vertices at one place count as one. */
interface Border extends Weld {
    /** Places at the ends of each border edge, shape [edgeCount, 2]. */
    readonly edges: readonly number[];
}

/** Finds the border. Triangles that repeat, as in two-sided meshes, count once; those without area do not count. */
function borderOf({ positions, mesh, meshes = [mesh] }: SelectContext): Border {
    const indices = Uint32Array.from(allIndices(meshes));
    const places = weld(positions, indices);
    const corners = uniqueTriangles(indices.map((v) => places.placeOfVertex[v]));
    /** Numbers of triangles by edge: of its places, the lower one × number of places + the higher one. */
    const counts = new Map<number, number>();
    for (let t = 0; t < corners.length; t += 3) {
        for (let k = 0; k < 3; k++) {
            const [a, b] = [corners[t + k], corners[t + ((k + 1) % 3)]];
            if (a === b || corners[t + ((k + 2) % 3)] === a || corners[t + ((k + 2) % 3)] === b) continue;
            const edge = Math.min(a, b) * places.placeCount + Math.max(a, b);
            counts.set(edge, (counts.get(edge) ?? 0) + 1);
        }
    }
    const edges: number[] = [];
    for (const [edge, count] of counts) {
        if (count === 1) edges.push(Math.floor(edge / places.placeCount), edge % places.placeCount);
    }
    return { ...places, edges };
}

/** All vertices at some places. */
function verticesAt({ placeOfVertex }: Weld, chosen: ReadonlySet<number>): number[] {
    return Array.from(placeOfVertex.keys()).filter((v) => chosen.has(placeOfVertex[v]));
}

/** Border vertices near a side; vertices close to it where the surface has no border there. @param shareOf depth of a vertex, as a share of the box's size */
function borderStrip(context: SelectContext, shareOf: (vertex: number) => number): number[] {
    const border = borderOf(context);
    const near = border.edges.filter((place) => shareOf(border.vertexOfPlace[place]) <= STRIP_SHARE);
    const strip = verticesAt(border, new Set(near));
    return strip.length > 2 ? strip : [...border.placeOfVertex.keys()].filter((v) => shareOf(v) <= CLOSED_SHARE);
}

/**
 * The edge of a cloth on one side: what lies on the side, or a strip of the border where that is next to nothing, or everything. Warns of what is still.
 * @param onSide vertices on the side of the local bounding box
 * @param depthOf depth of a vertex below the side [mesh-local units]
 * @param size of the box across the side [mesh-local units]
 */
export function edgeOfCloth(
    context: SelectContext & { warn: (message: string) => void },
    side: string,
    onSide: number[],
    depthOf: (vertex: number) => number,
    size: number,
): number[] {
    const { mesh, positions, vertexCount, warn } = context;
    const isFlat = onSide.length === vertexCount;
    const strip = onSide.length > 2 && !isFlat ? onSide : borderStrip(context, (v) => (size > 0 ? depthOf(v) / size : 0));
    const is = `select.edge("${side}") of "${mesh.name}" is`;
    if (isFlat) {
        const flat = `the mesh has a size of ${size} along ${side[1]}. Its border is taken`;
        warn(`${is} all its ${vertexCount} vertices: ${flat}, ${strip.length} vertices; name a side of another axis`);
        return strip;
    }
    const places = new Set(strip.map((v) => String(positions.subarray(3 * v, 3 * v + 3))));
    if (places.size < 3) {
        const few = `${strip.length} of its ${vertexCount} vertices, at ${places.size} places`;
        warn(`${is} ${few}; for more use select.borderLoop, select.box or paint`);
    }
    return strip;
}

/** The border loop that comes nearest to a point: all border edges that hang together. @throws RangeError where there is no border */
export function nearestLoop(context: SelectContext, x: number, y: number, z: number): number[] {
    const border = borderOf(context);
    const { edges, vertexOfPlace } = border;
    if (edges.length === 0) reject("select", "borderLoop(near)", "a mesh with a border", context.mesh.name);
    const neighbours = new Map<number, number[]>();
    let nearest = edges[0];
    let least = Infinity;
    edges.forEach((place, i) => {
        neighbours.set(place, [...(neighbours.get(place) ?? []), edges[i ^ 1]]);
        const [px, py, pz] = context.positions.subarray(3 * vertexOfPlace[place]);
        const distance = (px - x) ** 2 + (py - y) ** 2 + (pz - z) ** 2;
        if (distance < least) [least, nearest] = [distance, place];
    });
    const loop = new Set([nearest]);
    // Sets are walked through as they grow.
    for (const place of loop) for (const next of neighbours.get(place)!) loop.add(next);
    return verticesAt(border, loop);
}
