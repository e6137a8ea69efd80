import { longestProfile, profilesOf, withWidth } from "./axisProfile";
import type { Profile } from "./axisProfile";
import type { ShapeFit, ShapeGeometry, GeometryShape } from "./shapeGeometry";

/** Vertices lie on the capsule within this share of its width. */
const TOLERANCE = 0.02;

/** All vertices on the hull of two spheres along a local axis. Its unit frame: y along the axis, [-1, 1]³ around it. */
export const capsule: GeometryShape = {
    matches: (geometry) => fitted(geometry) !== null,
    fit(geometry) {
        const found = fitted(geometry);
        if (found) return found;
        // Told to be one: along the longest axis, round.
        return { toLocal: longestProfile(geometry, "capsule").toLocal, form: [1, 1] };
    },
};

function fitted(geometry: ShapeGeometry): ShapeFit | null {
    for (const profile of profilesOf(geometry)) {
        const bottom = endRadius(profile, -1);
        const top = endRadius(profile, 1);
        if (bottom > 0 && top > 0 && isCapsule(profile, bottom, top)) {
            const radius = Math.max(bottom, top);
            return { toLocal: withWidth(profile, radius), form: [bottom / radius, top / radius] };
        }
    }
    return null;
}

/** Radius of the sphere at an end: the apex and the ring of vertices next to it are on it. 0: there is none. */
function endRadius({ heights, radii, halfHeight, halfWidth }: Profile, side: number): number {
    let nearest = Infinity;
    let radius = 0;
    for (let i = 0; i < heights.length; i++) {
        const depth = halfHeight - side * heights[i];
        if (depth < 1e-6 * halfHeight) {
            // A lid: the end is flat.
            if (radii[i] > TOLERANCE * halfWidth) return 0;
        } else if (depth < nearest && radii[i] > 1e-6 * halfWidth) {
            nearest = depth;
            radius = (radii[i] * radii[i] + depth * depth) / (2 * depth);
        }
    }
    return radius;
}

function isCapsule({ heights, radii, halfHeight }: Profile, bottom: number, top: number): boolean {
    const low = -halfHeight + bottom;
    const length = halfHeight - top - low;
    if (!(length > Math.abs(bottom - top))) return false;
    const sin = (bottom - top) / length;
    const cos = Math.sqrt(1 - sin * sin);
    for (let i = 0; i < heights.length; i++) {
        const y = heights[i] - low;
        const along = y * cos - radii[i] * sin;
        const distance =
            along <= 0
                ? Math.hypot(radii[i], y) - bottom
                : along >= length * cos
                  ? Math.hypot(radii[i], y - length) - top
                  : radii[i] * cos + y * sin - bottom;
        if (!(Math.abs(distance) <= TOLERANCE * Math.max(bottom, top))) return false;
    }
    return true;
}
