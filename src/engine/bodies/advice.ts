import { joinTriangles, representativeOf } from "../math/unionFind";
import type { Body } from "./body";

/** Cloth of fewer particles cannot fold. */
const MIN_PARTICLES = 30;
/** Nor can cloth with fewer edges along its size. */
const MIN_EDGES = 8;
/** Attaching takes so long above that a page is felt to stand still. */
const SLOW_PARTICLES = 60_000;
/** Edges are not measured in cloth of so many particles. */
const FINE_PARTICLES = 2000;

/**
 * Warnings about a sheet of cloth before its first frame: too coarse, held everywhere, held nowhere, or not in all of its parts. Each
 * has its numbers and the cure.
 * @param name of its mesh
 * @param rest positions [m], shape [particleCount, 3]
 * @param isSupported true if something else than pins may hold it
 * @param milliseconds time that attaching took [ms]
 */
export function adviceOn(cloth: Body, name: string, rest: Float32Array, isSupported: boolean, milliseconds: number): string[] {
    const { triangles } = cloth.triangles;
    const { particleCount } = cloth.state;
    const advice: string[] = [];
    if (particleCount > SLOW_PARTICLES) {
        const took = `attaching "${name}" took ${Math.round(milliseconds)} ms for its ${particleCount} particles`;
        advice.push(
            `${took}, in which the page stood still: use a coarser mesh, or attachAsync(cloth, mesh, onProgress), which builds it in slices`,
        );
    }
    if (particleCount < FINE_PARTICLES) {
        const edge = medianEdge(rest, triangles);
        const size = diagonalOf(rest);
        if (particleCount < MIN_PARTICLES || edge > size / MIN_EDGES) {
            const has = `has ${particleCount} particles with edges of ${edge.toPrecision(2)} m`;
            const needs = `it needs ${MIN_EDGES} edges or more along its size of ${size.toPrecision(2)} m`;
            const cure = `ClothBuilder.Subdivide(mesh, ${(size / MIN_EDGES / 2).toPrecision(2)})`;
            advice.push(`"${name}" ${has}, and cannot fold: ${needs}, see ${cure}`);
        }
    }
    const { heldCount, looseCount, partCount } = countHeld(cloth);
    if (heldCount === particleCount) {
        advice.push(`all ${particleCount} particles of "${name}" are pinned, and none can move: pin fewer`);
    } else if (looseCount === particleCount) {
        if (!isSupported && cloth.settings.gravity.some((g) => g !== 0))
            advice.push(`"${name}" falls, with no pin and no collider: pin some of it, or add a collider below`);
    } else if (looseCount > 0) {
        const loose = `${looseCount} of the ${particleCount} particles of "${name}" are in ${partCount} parts that hang on nothing`;
        advice.push(`${loose}: pin these, too, or join their vertices to the rest`);
    }
    return advice;
}

/** Counts the particles that pins hold rigidly, and the parts in which none is held, with their particles. */
function countHeld({ triangles: { triangles }, state, pins }: Body): { heldCount: number; looseCount: number; partCount: number } {
    const parents = joinTriangles(state.particleCount, triangles);
    const held = new Set<number>();
    const heldParts = new Set<number>();
    for (const { particles, isFixed, limitedParticles = particles } of pins) {
        for (const i of limitedParticles) heldParts.add(representativeOf(parents, i));
        if (isFixed) for (const i of particles) held.add(i);
    }
    const loose = parents.map((_, i) => representativeOf(parents, i)).filter((part) => !heldParts.has(part));
    return { heldCount: held.size, looseCount: loose.length, partCount: new Set(loose).size };
}

/** Median length of the triangles' edges [m]. */
function medianEdge(positions: Float32Array, triangles: Uint32Array): number {
    const lengths = Float32Array.from(triangles, (a, t) => {
        const b = triangles[t % 3 === 2 ? t - 2 : t + 1];
        return Math.hypot(...[0, 1, 2].map((c) => positions[3 * a + c] - positions[3 * b + c]));
    });
    return lengths.sort()[lengths.length >> 1];
}

/** Diagonal of the bounding box [m]. */
function diagonalOf(positions: Float32Array): number {
    const sides = [0, 1, 2].map((c) => {
        const coordinates = positions.filter((_, i) => i % 3 === c).sort();
        return coordinates[coordinates.length - 1] - coordinates[0];
    });
    return Math.hypot(...sides);
}
