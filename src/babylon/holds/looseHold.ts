import { LoosePins } from "../../solver/loosePins";
import type { PinSet } from "../../solver/pins";
import { nonNegative, reject } from "../../solver/validate";
import { isPaint } from "../paint";
import type { Paint } from "../paint";
import { PinHold } from "./pinHold";
import type { Held, HoldData } from "./pinHold";

/** How far each vertex may go [m], >= 0: one number, one for each vertex of the mesh, or what {@link paint} reads of the mesh. */
export type MaxDistance = number | ArrayLike<number> | Paint;

const OWNER = "LooseHold";

/**
 * A pin that lets its particles go no farther than a distance from their places on what carries them: how far a coat leaves its body.
 *
 *     cloth.pin(select.all(), spine, new LooseHold(paint.vertexColor("r", 0, 0.3)));
 *
 * Where the distance is 0, it holds like a rigid pin of particles that keep their masses.
 */
export class LooseHold extends PinHold {
    /** @throws RangeError on what is no distance */
    constructor(
        /** See {@link MaxDistance}. */
        readonly maxDistance: MaxDistance,
    ) {
        super();
        if (typeof maxDistance === "number") nonNegative(OWNER, "maxDistance", maxDistance);
        else if (!isPaint(maxDistance) && typeof maxDistance?.length !== "number") {
            reject(OWNER, "maxDistance", "a number, a number for each vertex, or a paint", maxDistance);
        }
    }

    /** @internal */
    override _take({ particles, vertices, context }: Held): PinSet {
        const reaches = Float64Array.from(vertices, this._distanceAt(context));
        return new LoosePins(particles, { stiffness: Infinity, maxForce: Infinity, slips: false, reaches });
    }

    /** @internal */
    override _toData(context: Held["context"] | null): HoldData | null {
        const { maxDistance } = this;
        if (typeof maxDistance === "number") return { maxDistance };
        if (!isPaint(maxDistance)) return { maxDistance: Array.from(maxDistance) };
        return context && { maxDistance: Array.from(maxDistance.read(context)) };
    }

    private _distanceAt(context: Held["context"]): (vertex: number) => number {
        const { maxDistance } = this;
        if (typeof maxDistance === "number") return () => maxDistance;
        const { mesh, vertexCount } = context;
        const distances = isPaint(maxDistance) ? maxDistance.read(context) : maxDistance;
        if (distances.length !== vertexCount) {
            reject(OWNER, "maxDistance", `${vertexCount} numbers, one for each vertex of "${mesh.name}"`, distances.length);
        }
        return (vertex) => nonNegative(OWNER, `maxDistance[${vertex}]`, distances[vertex]);
    }
}
