import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { zoneShapes } from "../../engine/forces/windZones";
import type { WindZoneData, ZoneShape } from "../../engine/forces/windZones";
import { isFiniteAffine } from "../../engine/math/affine";
import { knownOptions, positive, reject } from "../../engine/state/validate";
import { worldMatrixOf } from "../nodes";

/** Where a wind blows: in a shape that a node carries, as large as the node's scaling makes it. */
export interface WindZone {
    /**
     * `"box"`: a cube of side 1 about the node, as of `MeshBuilder.CreateBox`; `"sphere"`: a ball of diameter 1; `"cone"`: the stream of
     * a fan of diameter ½ at the node, along its z axis to 1, where it is 1 wide and half as fast.
     */
    shape: "box" | "sphere" | "cone";
    /** Carries it. Once it is disposed, the wind is still. */
    node: TransformNode;
    /** How far inside its edge the wind has its full strength, as a share of the way to the middle, (0, 1]. Default 0.25. */
    falloff?: number;
}

const OWNER = "Wind: zone";
const NAMES = ["shape", "node", "falloff"] as const;

/** A zone and its node. */
export class ZoneBinding implements WindZone, WindZoneData {
    readonly shape: ZoneShape;
    readonly node: TransformNode;
    readonly falloff: number;

    /** @throws RangeError on an unknown option or a value that cannot be used */
    constructor(zone: WindZone) {
        if (typeof zone !== "object" || zone === null) reject("Wind", "zone", "{ shape, node, falloff? } or null", zone);
        knownOptions(OWNER, zone, NAMES);
        const { shape, node, falloff = 0.25 } = zone;
        if (!Object.hasOwn(zoneShapes, shape)) {
            reject(OWNER, "shape", `one of ${Object.keys(zoneShapes).join(", ")}`, shape);
        }
        if (typeof node !== "object" || !node?.computeWorldMatrix) reject(OWNER, "node", "a TransformNode", node);
        if (positive(OWNER, "falloff", falloff) > 1) reject(OWNER, "falloff", "a number > 0 and <= 1", falloff);
        this.shape = shape;
        this.node = node;
        this.falloff = falloff;
    }

    world(): ArrayLike<number> | null {
        if (this.node.isDisposed()) return null;
        const world = worldMatrixOf(this.node);
        return isFiniteAffine(world) ? world : null;
    }
}
