import { CloudLayout } from "../../kernels/surfaceLayout";
import type { Affine } from "./affine";
import { buildWith } from "../builder";

/** Many points mapped, and the box of what they were: smallest and largest coordinates, x y z each. @param points shape [n, 3] */
export function mapCloud(points: Float32Array, map: Affine): { mapped: Float32Array; box: Float64Array } {
    return buildWith(CloudLayout, { pointCount: points.length / 3 }, (cloud, kernels) => {
        cloud.points.set(points);
        cloud.map.set(map);
        kernels.mapPoints(cloud);
        return { mapped: cloud.mapped.slice(), box: cloud.box.slice() };
    });
}
