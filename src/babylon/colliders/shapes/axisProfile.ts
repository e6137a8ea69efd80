import { identity, reject } from "../../../engine/index";
import type { Affine } from "../../../engine/index";
import { boxAlong, LOCAL_AXES, solidBox } from "./shapeGeometry";
import type { ShapeGeometry } from "./shapeGeometry";

/** A geometry seen along an axis: heights along it and distances from it, of the vertices, from the middle of its box. */
export interface Profile {
    readonly heights: Float64Array;
    readonly radii: Float64Array;
    /** Half the height of the box, and half its width. */
    readonly halfHeight: number;
    readonly halfWidth: number;
    /** Map from the frame in which the box is [-1, 1]³ and the axis y to local space. */
    readonly toLocal: Affine;
}

/** The profiles of a geometry along its local axes y, x and z, where it is as wide as it is deep. */
export function profilesOf({ positions }: ShapeGeometry): Profile[] {
    const { half, centre } = boxAlong(positions, LOCAL_AXES);
    const profiles: Profile[] = [];
    for (const axis of [1, 0, 2]) {
        const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
        const halfWidth = Math.max(half[u], half[v]);
        // A polygon of few corners is wider than deep.
        if (!(Math.min(half[u], half[v]) > 0.8 * halfWidth && half[axis] > 0)) continue;
        const heights = new Float64Array(positions.length / 3);
        const radii = new Float64Array(positions.length / 3);
        for (let i = 0; i < heights.length; i++) {
            heights[i] = positions[3 * i + axis] - centre[axis];
            radii[i] = Math.hypot(positions[3 * i + u] - centre[u], positions[3 * i + v] - centre[v]);
        }
        profiles.push({ heights, radii, halfHeight: half[axis], halfWidth, toLocal: mapAlong(axis, half, halfWidth, centre) });
    }
    return profiles;
}

/** The profile along the longest axis of what is told to be a solid. @throws RangeError where there is none */
export function longestProfile(geometry: ShapeGeometry, shape: string): Profile {
    solidBox(geometry, shape);
    const longest = profilesOf(geometry).sort((a, b) => b.halfHeight - a.halfHeight)[0];
    if (!longest) reject(geometry.owner, "source", `as wide as deep to be a "${shape}"`, geometry.name);
    return longest;
}

function mapAlong(axis: number, half: readonly number[], halfWidth: number, centre: readonly number[]): Affine {
    const map = identity();
    map.fill(0, 0, 12);
    // y is the axis; z, x, y go in turn, so that nothing is mirrored.
    map[4 + axis] = half[axis];
    map[8 + ((axis + 1) % 3)] = halfWidth;
    map[(axis + 2) % 3] = halfWidth;
    map.set(centre, 12);
    return map;
}

/** Same profile, with another half width. */
export function withWidth({ toLocal, halfWidth }: Profile, width: number): Affine {
    const map = toLocal.slice();
    for (let i = 0; i < 12; i++) if (i < 4 || i >= 8) map[i] *= width / halfWidth;
    return map;
}
