import type { Plane } from "@babylonjs/core/Maths/math.plane";
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
