import { cross, subtract } from "../../../engine/index";
import { cornerOf } from "./shapeGeometry";
import type { ShapeGeometry, GeometryShape } from "./shapeGeometry";
import { longestProfile, profilesOf, withWidth } from "./axisProfile";
import type { Profile } from "./axisProfile";

/** Vertices lie on the mantle within this share of the radius… */
const TOLERANCE = 0.01;
/** …whose polygon has an area of at least this share of a circle's, eight corners, on each of two lids. */
const LID = 0.89;

/** All vertices on a cylinder with lids along a local axis. Its unit frame: y along the axis, radius 1, from -1 to 1. */
export const cylinder: GeometryShape = {
    matches: (geometry) => find(geometry) !== null,
    fit(geometry) {
        const found = find(geometry) ?? longestProfile(geometry, "cylinder");
        return { toLocal: withWidth(found, widest(found)), form: [] };
    },
};

function find(geometry: ShapeGeometry): Profile | null {
    return profilesOf(geometry).find((profile) => isCylinder(profile) && areLidsCovered(geometry, profile)) ?? null;
}

function widest({ radii }: Profile): number {
    return radii.reduce((largest, radius) => Math.max(largest, radius), 0);
}

function isAtEnd({ heights, halfHeight }: Profile, vertex: number): boolean {
    return Math.abs(Math.abs(heights[vertex]) - halfHeight) <= 1e-4 * halfHeight;
}

function isCylinder(profile: Profile): boolean {
    const radius = widest(profile);
    return profile.radii.every((r, i) => isAtEnd(profile, i) || Math.abs(r / radius - 1) <= TOLERANCE);
}

/** True if both lids exist, once or on both sides, and are of one size. */
function areLidsCovered(geometry: ShapeGeometry, profile: Profile): boolean {
    const lids = [0, 0];
    const { indices } = geometry;
    for (let i = 0; i + 2 < indices.length; i += 3) {
        const ends = [0, 1, 2].map((k) => (isAtEnd(profile, indices[i + k]) ? Math.sign(profile.heights[indices[i + k]]) : 0));
        if (ends[0] === 0 || ends[1] !== ends[0] || ends[2] !== ends[0]) continue;
        const a = cornerOf(geometry, i);
        lids[ends[0] > 0 ? 1 : 0] +=
            Math.hypot(...cross(subtract(cornerOf(geometry, i + 1), a), subtract(cornerOf(geometry, i + 2), a))) / 2;
    }
    const circle = Math.PI * widest(profile) ** 2;
    return lids.every((area) => [1, 2].some((sides) => area >= LID * sides * circle && area <= 1.001 * sides * circle));
}
