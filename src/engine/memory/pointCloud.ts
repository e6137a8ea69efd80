import { PointCloudLayout } from "../../kernels/surfaceLayout";
import type { Affine } from "../math/affine";
import { withScratch } from "./withScratch";

/** Many points mapped, and the box of what they were: smallest and largest coordinates, x y z each. @param points shape [n, 3] */
export function mapPointCloud(points: Float32Array, map: Affine): { mapped: Float32Array; box: Float64Array } {
    return withScratch(PointCloudLayout, { pointCount: points.length / 3 }, (cloud, kernels) => {
        cloud.points.set(points);
        cloud.map.set(map);
        kernels.mapPointCloud(cloud);
        return { mapped: cloud.mapped.slice(), box: cloud.box.slice() };
    });
}
