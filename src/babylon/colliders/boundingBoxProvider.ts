import type { BoundingBox } from "@babylonjs/core/Culling/boundingBox";
import { identity, isFiniteAffine, multiply } from "../../engine/index";
import type { ShapeProvider } from "./shapeProvider";

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
