/** Points of a rigid body for collisions and pins. */

/** Most points: more than these of a mesh's places are sampled. */
const MAX_POINTS = 256;
/** Points of a ball; none of them collides. */
const BALL_POINTS = 32;
/** A mesh is a ball where it has more places than this, all of them as far from the centre as others but for this share, and no triangle cuts deeper. */
const MIN_BALL_PLACES = 32;
const ROUND_TOLERANCE = 0.01;
const SHALLOW_TOLERANCE = 0.9;

/** See {@link bodyPointsOf}. */
export interface BodyPoints {
    /** In the space of the places, shape [n, 3]. */
    readonly points: Float32Array;
    /** Number of points that collide, the first ones. */
    readonly contactPointCount: number;
    /** The point at each place, or the nearest. */
    readonly pointOfPlace: Uint32Array;
    /** Triangles of points; empty where they are sampled. */
    readonly triangles: Uint32Array;
    /** Radius of a ball about its one point; else 0. */
    readonly radius: number;
}

/**
 * @param places shape [n, 3]
 * @param triangles of places, of a closed surface
 * @param centre of mass
 */
export function bodyPointsOf(places: Float32Array, triangles: Uint32Array, centre: ArrayLike<number>): BodyPoints {
    const radius = ballRadiusOf(places, triangles, centre);
    const count = places.length / 3;
    if (radius === 0 && count <= MAX_POINTS) {
        const pointOfPlace = Uint32Array.from({ length: count }, (_, i) => i);
        return { points: places, contactPointCount: count, pointOfPlace, triangles, radius };
    }
    const { chosen, nearest } = farthestSamples(places, radius > 0 ? BALL_POINTS : MAX_POINTS);
    const points = chosen.flatMap((i) => Array.from(places.subarray(3 * i, 3 * i + 3)));
    if (radius === 0) {
        const sampled = Float32Array.from(points);
        return { points: sampled, contactPointCount: chosen.length, pointOfPlace: nearest, triangles: new Uint32Array(), radius };
    }
    return {
        points: Float32Array.from([...Array.from(centre), ...points]),
        contactPointCount: 1,
        pointOfPlace: nearest.map((i) => i + 1),
        triangles: new Uint32Array(),
        radius,
    };
}

/** Radius of what is a ball, else 0. */
function ballRadiusOf(places: Float32Array, triangles: Uint32Array, centre: ArrayLike<number>): number {
    const count = places.length / 3;
    if (count <= MIN_BALL_PLACES) return 0;
    const distance = (x: number, y: number, z: number): number => Math.hypot(x - centre[0], y - centre[1], z - centre[2]);
    let least = Infinity;
    let most = 0;
    for (let o = 0; o < places.length; o += 3) {
        const d = distance(places[o], places[o + 1], places[o + 2]);
        least = Math.min(least, d);
        most = Math.max(most, d);
    }
    if (!(least > (1 - ROUND_TOLERANCE) * most)) return 0;
    for (let t = 0; t < triangles.length; t += 3) {
        const middle = [0, 1, 2].map(
            (c) => (places[3 * triangles[t] + c] + places[3 * triangles[t + 1] + c] + places[3 * triangles[t + 2] + c]) / 3,
        );
        if (!(distance(middle[0], middle[1], middle[2]) > SHALLOW_TOLERANCE * most)) return 0;
    }
    return most;
}

/** Places that are far from each other, the first of all first: each next is the farthest from those before. @returns them, and which is nearest to each place */
function farthestSamples(places: Float32Array, most: number): { chosen: number[]; nearest: Uint32Array } {
    const count = places.length / 3;
    const distances = new Float64Array(count).fill(Infinity);
    const nearest = new Uint32Array(count);
    const chosen: number[] = [];
    for (let next = 0; chosen.length < most && distances[next] > 0;) {
        const [x, y, z] = places.subarray(3 * next, 3 * next + 3);
        let farthest = 0;
        for (let i = 0, o = 0; i < count; i++, o += 3) {
            const squared = (places[o] - x) ** 2 + (places[o + 1] - y) ** 2 + (places[o + 2] - z) ** 2;
            if (squared < distances[i]) {
                distances[i] = squared;
                nearest[i] = chosen.length;
            }
            if (distances[i] > distances[farthest]) farthest = i;
        }
        chosen.push(next);
        next = farthest;
    }
    return { chosen, nearest };
}
