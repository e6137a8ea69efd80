import type { BoundingSphere } from "@babylonjs/core/Culling/boundingSphere";
import type { ShapeProvider } from "./shapeProvider";

/** A sphere in world space. */
export function boundingSphereProvider(sphere: BoundingSphere): ShapeProvider {
    return {
        shape: "sphere",
        form: [],
        fit: [],
        readPose(pose) {
            const { x, y, z } = sphere.centerWorld;
            const radius = sphere.radiusWorld;
            if (!Number.isFinite(x + y + z + radius) || radius < 0) return false;
            pose.fill(0);
            pose[0] = pose[5] = pose[10] = radius;
            pose[12] = x;
            pose[13] = y;
            pose[14] = z;
            pose[15] = 1;
            return true;
        },
    };
}
