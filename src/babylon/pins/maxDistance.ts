import { MaxDistancePins, nonNegative, reject } from "../../engine/index";
import type { PinSet } from "../../engine/index";
import { isPaint } from "./paint";
import type { Paint } from "./paint";
import { PinHold } from "./pinHold";
import type { PinSelection, HoldData } from "./pinHold";

/** Largest distance of each vertex [m], >= 0: one number, one for each vertex of the mesh, or {@link paint} read from the mesh. */
export type MaxDistance = number | ArrayLike<number> | Paint;

/**
 * A pin that lets its particles go no farther than a distance from their places on what carries them: how far a coat leaves its body.
 *
 *     cloth.pin(select.all(), spine, new MaxDistanceHold(paint.vertexColor("r", 0, 0.3)));
 *
 * Where the distance is 0, it holds like a rigid pin of particles that keep their masses.
 */
export class MaxDistanceHold extends PinHold {
    /** @throws RangeError on what is no distance */
    constructor(
        /** See {@link MaxDistance}. */
        readonly maxDistance: MaxDistance,
    ) {
        super();
        if (typeof maxDistance === "number") nonNegative(this._owner, "maxDistance", maxDistance);
        else if (!isPaint(maxDistance) && typeof maxDistance?.length !== "number") {
            reject(this._owner, "maxDistance", "a number, a number for each vertex, or a paint", maxDistance);
        }
    }

    /** Name in errors. @internal */
    protected get _owner(): string {
        return "MaxDistanceHold";
    }

    /** @internal */
    override _createPins(selection: PinSelection): PinSet {
        return this._createMaxDistancePins(selection, null);
    }

    /** @param places see UnweldedPins @internal */
    protected _createMaxDistancePins({ particles, vertices, context, isTorn }: PinSelection, places: Float64Array | null): PinSet {
        const reaches = Float64Array.from(vertices, this._distanceAt(context, isTorn));
        return new MaxDistancePins(particles, null, reaches, places);
    }

    /** @internal */
    override _toData(context: PinSelection["context"] | null): HoldData | null {
        const { maxDistance } = this;
        if (typeof maxDistance === "number") return { maxDistance };
        if (isPaint(maxDistance)) return context && { maxDistance: Array.from(maxDistance.read(context)) };
        return { maxDistance: Array.from(context ? extendToAllVertices(maxDistance, context) : maxDistance) };
    }

    private _distanceAt(context: PinSelection["context"], isTorn: boolean): (vertex: number) => number {
        const { maxDistance } = this;
        if (typeof maxDistance === "number") return () => maxDistance;
        const { mesh, vertexCount } = context;
        const distances = isPaint(maxDistance) ? maxDistance.read(context) : maxDistance;
        if (distances.length !== vertexCount && !(isTorn && distances.length < vertexCount)) {
            const rule = `${vertexCount} numbers, one for each vertex of "${mesh.name}"`;
            reject(this._owner, "maxDistance", rule, distances.length);
        }
        const all = extendToAllVertices(distances, context);
        return (vertex) => nonNegative(this._owner, `maxDistance[${vertex}]`, all[vertex]);
    }
}

/** One distance for each vertex: a tear adds vertices after those that there were, which have that of the nearest of those. */
function extendToAllVertices(distances: ArrayLike<number>, { positions, vertexCount }: PinSelection["context"]): ArrayLike<number> {
    const { length } = distances;
    if (length >= vertexCount) return distances;
    return Float64Array.from({ length: vertexCount }, (_, v) => distances[v < length ? v : nearest(positions, v, length)]);
}

/** The vertex below `count` that is nearest to another. @param x shape [vertexCount, 3] */
function nearest(x: Float32Array, vertex: number, count: number): number {
    let best = 0;
    let least = Infinity;
    for (let v = 0; v < count; v++) {
        const distance = Math.hypot(x[3 * v] - x[3 * vertex], x[3 * v + 1] - x[3 * vertex + 1], x[3 * v + 2] - x[3 * vertex + 2]);
        if (distance >= least) continue;
        least = distance;
        best = v;
    }
    return best;
}

/** {@link ClothBehavior.maxDistance}: the same from where the mesh at rest has the particles, whenever it is set. */
export class RestDistanceHold extends MaxDistanceHold {
    protected override get _owner(): string {
        return "ClothBehavior";
    }

    /** @internal */
    override _createPins(selection: PinSelection): PinSet {
        const { particles, restPositions } = selection;
        return this._createMaxDistancePins(
            selection,
            Float64Array.from(
                { length: 3 * particles.length },
                (_, q) => restPositions[3 * particles[Math.floor(q / 3)] + (q % 3)],
            ),
        );
    }
}
