import { lengths, measureRows } from "../../engine/collision/broadphase/bounds";
import type { WorldCollider } from "../../engine/collision/shapes/worldCollider";
import type { Colour, Drawing } from "./drawing";
import type { ShownCloth } from "./shownCloth";
import { wireframes } from "./wireframes";

const NEAR_COLLIDER: Colour = [1, 0.55, 0.1];
const FAR_COLLIDER: Colour = [0.55, 0.5, 0.45];

/** A wireframe, and what it is of: width over height, and which of a skin's poses. */
interface CachedWireframe {
    readonly segments: Float32Array;
    readonly proportion: number;
    readonly revision: number;
}

const wireframeCache = new WeakMap<WorldCollider, CachedWireframe>();

/** The colliders that a cloth meets, where they are now. */
export function colliders({ meetings, body }: ShownCloth, drawing: Drawing): void {
    const { origin } = body;
    for (const { inScene, inBody } of meetings) {
        const { world } = inScene;
        if (world.revision === 0) continue;
        const m = world.pose;
        const { segments } = wireframeOf(world);
        const colour = inBody.isNear ? NEAR_COLLIDER : FAR_COLLIDER;
        for (let o = 0; o < segments.length; o += 3) {
            const x = segments[o];
            const y = segments[o + 1];
            const z = segments[o + 2];
            drawing.add(
                x * m[0] + y * m[4] + z * m[8] + (m[12] - origin[0]),
                x * m[1] + y * m[5] + z * m[9] + (m[13] - origin[1]),
                x * m[2] + y * m[6] + z * m[10] + (m[14] - origin[2]),
                colour,
            );
        }
    }
}

/** Only of capsules does the wireframe depend on how they are stretched, of skins on how they are posed. */
function wireframeOf(world: WorldCollider): CachedWireframe {
    const { pose, shape, geometry: form, skin } = world;
    const revision = skin?.revision ?? 0;
    measureRows(pose);
    const proportion = shape === "capsule" ? Math.max(lengths[0], lengths[2]) / lengths[1] : 1;
    let wires = wireframeCache.get(world);
    if (!wires || wires.revision !== revision || Math.abs(wires.proportion - proportion) > 1e-3 * proportion) {
        wires = { segments: wireframes[shape](form, proportion, skin), proportion, revision };
        wireframeCache.set(world, wires);
    }
    return wires;
}
