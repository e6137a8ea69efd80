/**
 * The box of a limb: about a tapered capsule, of its volume.
 *
 *       ┌──────────┐        As wide as a square of its section's area, and as much longer at both ends as their half balls take.
 *     ( ┤          ├ )
 *       └──────────┘
 */
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import type { Scene } from "@babylonjs/core/scene";
import { cross, dot, scale, subtract, transformPoint } from "../../engine/index";
import type { Affine, Vector } from "../../engine/index";
import { makeHidden } from "../builders/babylonObjects";
import type { Capsule } from "../colliders/skeleton/fitCapsule";

/** Half side of the square with a circle's area, and height of the cylinder with a hemisphere's volume, both over the radius. */
const HALF_SIDE = Math.sqrt(Math.PI) / 2;
const CAP_HEIGHT = 2 / 3;
/** Smallest radius of a limb as a share of its length: a flat box has no volume. */
const MIN_RADIUS_SHARE = 0.02;

/** Rows of corners, from start to end, shape [8], and what lies between them. */
const TRIANGLES = [
    [0, 2, 1, 0, 3, 2],
    [4, 5, 6, 4, 6, 7],
    ...[0, 1, 2, 3].map((k) => {
        const l = (k + 1) % 4;
        return [k, l, l + 4, k, l + 4, k + 4];
    }),
].flat();

/** A hidden box in the world's axes, about its middle. @param toWorld of the capsule's space */
export function makeLimbBox(name: string, capsule: Capsule, toWorld: Affine, scene: Scene): Mesh {
    const corners = cornersOf(capsule);
    const positions = new Float32Array(24);
    const at = new Float64Array(24);
    for (let k = 0; k < 24; k += 3) transformPoint(toWorld, corners, k, at, k);
    const middle = [0, 1, 2].map((c) => at.reduce((sum, x, k) => (k % 3 === c ? sum + x / 8 : sum), 0));
    at.forEach((x, k) => (positions[k] = x - middle[k % 3]));
    const mesh = makeHidden(name, positions, TRIANGLES, scene);
    mesh.position.set(middle[0], middle[1], middle[2]);
    return mesh;
}

/** Shape [8, 3]. */
function cornersOf({ start, end, startRadius, endRadius }: Capsule): number[] {
    const along = axisOf(start, end);
    const least = along.reduce((best, x, c) => (Math.abs(x) < Math.abs(along[best]) ? c : best), 0);
    const side = cross(
        along,
        [0, 1, 2].map((c) => (c === least ? 1 : 0)),
    );
    const u = scale(side, 1 / Math.sqrt(dot(side, side)));
    const v = cross(along, u);
    const size = Math.hypot(...subtract(end, start)) + startRadius + endRadius;
    const ring = (from: Vector, radius: number, sign: number): number[] => {
        const half = HALF_SIDE * Math.max(radius, MIN_RADIUS_SHARE * size);
        const out = sign * CAP_HEIGHT * Math.max(radius, MIN_RADIUS_SHARE * size);
        return [0, 1, 2, 3].flatMap((k) => {
            const [a, b] = [k === 0 || k === 3 ? -half : half, k < 2 ? -half : half];
            return [0, 1, 2].map((c) => from[c] + out * along[c] + a * u[c] + b * v[c]);
        });
    };
    return [...ring(start, startRadius, -1), ...ring(end, endRadius, 1)];
}

/** Unit axis of a capsule; of a sphere, any. */
function axisOf(start: Vector, end: Vector): Vector {
    const along = subtract(end, start);
    const length = Math.hypot(...along);
    return length > 0 ? scale(along, 1 / length) : [0, 1, 0];
}
