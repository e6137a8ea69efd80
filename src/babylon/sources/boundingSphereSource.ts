import type { BoundingSphere } from "@babylonjs/core/Culling/boundingSphere";
import type { Source } from "./source";

/** A sphere in world space. */
export function boundingSphereSource(sphere: BoundingSphere): Source {
    return {
        shape: "sphere",
        hasCentre: true,
        isDisposed: () => false,
        track(origin, pose) {
            const { x, y, z } = sphere.centerWorld;
            const radius = sphere.radiusWorld;
            if (!Number.isFinite(x + y + z + radius)) return false;
            pose.fill(0);
            pose[0] = pose[5] = pose[10] = radius;
            pose[12] = x - origin[0];
            pose[13] = y - origin[1];
            pose[14] = z - origin[2];
            pose[15] = 1;
            return true;
        },
    };
}
