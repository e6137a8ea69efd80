import type { Plane } from "@babylonjs/core/Maths/math.plane";
import type { BoundingBox } from "@babylonjs/core/Culling/boundingBox";
import { identity, isFiniteAffine, multiply } from "../../engine/index";
import type { BoundingSphere } from "@babylonjs/core/Culling/boundingSphere";
import type { ShapeProvider } from "./shapeProvider";

/** Everything behind a plane in world space. */
export function planeProvider(plane: Plane): ShapeProvider {
    return {
        shape: "halfSpace",
        form: [],
        fit: [],
        readPose(pose) {
            const { x, y, z } = plane.normal;
            const squared = x * x + y * y + z * z;
            if (!(squared > 0 && squared < Infinity) || !Number.isFinite(plane.d)) return false;
            const length = Math.sqrt(squared);
            const nx = x / length,
                ny = y / length,
                nz = z / length;
            // Any two directions across the normal: u, and n × u.
            const flat = Math.abs(nx) < 0.6;
            const s = 1 / Math.sqrt(flat ? ny * ny + nz * nz : nx * nx + nz * nz);
            const ux = flat ? 0 : -nz * s;
            const uy = flat ? nz * s : 0;
            const uz = flat ? -ny * s : nx * s;
            pose.fill(0);
            pose[0] = ux;
            pose[1] = uy;
            pose[2] = uz;
            pose[4] = ny * uz - nz * uy;
            pose[5] = nz * ux - nx * uz;
            pose[6] = nx * uy - ny * ux;
            pose[8] = nx;
            pose[9] = ny;
            pose[10] = nz;
            // n · x + d = 0: the point nearest to the world's origin.
            const height = plane.d / length;
            pose[12] = -nx * height;
            pose[13] = -ny * height;
            pose[14] = -nz * height;
            pose[15] = 1;
            return true;
        },
    };
}

/** A box in the local space of what it bounds, under the world matrix that it was last updated with. */
export function boundingBoxProvider(box: BoundingBox): ShapeProvider {
    const toLocal = identity();
    const world = identity();
    return {
        shape: "box",
        form: [],
        fit: [],
        readPose(pose) {
            const { center, extendSize } = box;
            toLocal[0] = extendSize.x;
            toLocal[5] = extendSize.y;
            toLocal[10] = extendSize.z;
            toLocal[12] = center.x;
            toLocal[13] = center.y;
            toLocal[14] = center.z;
            world.set(box.getWorldMatrix().m);
            multiply(toLocal, world, pose);
            return isFiniteAffine(pose);
        },
    };
}

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
