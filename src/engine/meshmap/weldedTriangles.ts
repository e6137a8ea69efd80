import { WeldedTriangleCount, WeldedTriangleLayout, UniqueTriangleLayout } from "../../kernels/surfaceLayout";
import { NONE } from "../../kernels/layout";
import { withScratch } from "../memory/withScratch";
import type { MeshData } from "./meshData";
import { slotCountFor } from "./weld";
import type { Weld } from "./weld";

/** The triangles that have an area, and the particles at their corners. */
export interface SurfaceTriangles {
    readonly faceCount: number;
    /** Vertices of each face, shape [faceCount, 3], wound so that in the world (b-a)×(c-a) points along the authored normals. */
    readonly corners: Uint32Array;
    /** Particles of the same, shape [faceCount, 3]. */
    readonly cornerParticles: Uint32Array;
    readonly particleCount: number;
    /** Particle of each vertex, shape [vertexCount]. */
    readonly particleOfVertex: Uint32Array;
    /** The vertex that gives each particle its place, shape [particleCount]. */
    readonly vertexOfParticle: Uint32Array;
    /** Vertices without a particle of their own; see {@link findWeldedTriangles}. */
    readonly embeddedVertices: readonly number[];
}

/**
 * Drops the triangles without area, winds the others right side out, and numbers their particles by first vertex.
 *
 * A vertex of no such triangle has no particle of its own: nothing is drawn at it. It rides on a particle of the degenerate
 * triangle that it belongs to, so that this triangle stays without area, else on the first particle.
 *
 * @param isMirrored whether the mesh is seen in a mirror in the world: a normal there points to the other side of the mesh-local triangle
 */
export function findWeldedTriangles(
    data: MeshData,
    { placeCount, placeOfVertex, vertexOfPlace }: Weld,
    isMirrored: boolean,
): SurfaceTriangles {
    const { vertexCount, positions, normals, indices } = data;
    const numbers = { vertexCount, indexCount: indices.length, placeCount, hasNormals: normals !== null };
    return withScratch(WeldedTriangleLayout, numbers, (arrays, kernels) => {
        arrays.positions.set(positions);
        if (normals) arrays.normals.set(isMirrored ? normals.map((value) => -value) : normals);
        arrays.indices.set(indices);
        arrays.placeOfVertex.set(placeOfVertex);
        arrays.vertexOfPlace.set(vertexOfPlace);
        kernels.findWeldedTriangles(arrays);
        const { counts } = arrays;
        const end = counts[WeldedTriangleCount.corners];
        const riders: number[] = [];
        const particleOfVertex = arrays.particleOfVertex.slice();
        if (counts[WeldedTriangleCount.strays] > 0) {
            particleOfVertex.forEach((particle, v) => particle === NONE && riders.push(v));
            const particleOfPlace = Int32Array.from(arrays.particleOfPlace);
            assignHostParticles(indices, placeOfVertex, particleOfPlace);
            for (const v of riders) particleOfVertex[v] = particleOfPlace[placeOfVertex[v]];
        }
        return {
            faceCount: end / 3,
            corners: arrays.corners.slice(0, end),
            cornerParticles: arrays.cornerParticles.slice(0, end),
            particleCount: counts[WeldedTriangleCount.particles],
            particleOfVertex,
            vertexOfParticle: arrays.vertexOfParticle.slice(0, counts[WeldedTriangleCount.particles]),
            embeddedVertices: riders,
        };
    });
}

/** Gives every place without a particle (-1) one to ride on. */
function assignHostParticles(indices: Uint32Array, placeOfVertex: Uint32Array, particleOfPlace: Int32Array): void {
    let missing = true;
    while (missing) {
        missing = false;
        for (let i = 0; i < indices.length; i += 3) {
            const a = placeOfVertex[indices[i]],
                b = placeOfVertex[indices[i + 1]],
                c = placeOfVertex[indices[i + 2]];
            const seat = Math.max(particleOfPlace[a], particleOfPlace[b], particleOfPlace[c]);
            if (seat < 0) continue;
            if (Math.min(particleOfPlace[a], particleOfPlace[b], particleOfPlace[c]) < 0) {
                missing = true;
                if (particleOfPlace[a] < 0) particleOfPlace[a] = seat;
                if (particleOfPlace[b] < 0) particleOfPlace[b] = seat;
                if (particleOfPlace[c] < 0) particleOfPlace[c] = seat;
            }
        }
    }
    for (let p = 0; p < particleOfPlace.length; p++) {
        if (particleOfPlace[p] < 0) particleOfPlace[p] = 0;
    }
}

/**
 * The triangles of the simulated sheet: each set of three particles once (the back of a double-sided mesh is the same
 * cloth), in the faces' order and winding.
 * @returns shape [triangleCount, 3]
 */
export function simulatedTriangles({ cornerParticles }: SurfaceTriangles): Uint32Array {
    return uniqueTriangles(cornerParticles);
}

/**
 * Each set of three corners once, the first of each, in its own winding.
 * @param corners shape [n, 3]
 */
export function uniqueTriangles(corners: Uint32Array): Uint32Array {
    const numbers = { cornerCount: corners.length, slotCount: slotCountFor(corners.length / 3) };
    return withScratch(UniqueTriangleLayout, numbers, (arrays, kernels) => {
        arrays.corners.set(corners);
        arrays.slots.fill(NONE);
        kernels.findUniqueTriangles(arrays);
        return arrays.triangles.slice(0, arrays.end[0]);
    });
}
