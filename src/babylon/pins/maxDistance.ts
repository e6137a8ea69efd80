import { MaxDistancePins, knownOptions, nonNegative, reject } from "../../engine/index";
import type { PinSet } from "../../engine/index";
import { PausedPose } from "../mesh/pausedPose";
import { isPaint } from "./paint";
import type { Paint } from "./paint";
import { PinHold } from "./pinHold";
import type { PinSelection, HoldData } from "./pinHold";

/** Largest distance of each vertex [m], >= 0: one number, one for each vertex of the mesh, or {@link paint} read from the mesh. */
export type MaxDistance = number | ArrayLike<number> | Paint;

/** Sphere behind each vertex of a skin, which the particle stays out of: it keeps a garment out of the body. See {@link ClothBehavior.backstop}. */
export interface Backstop {
    /** Depth of the sphere's surface behind the skinned place, along its normal [m], >= 0; as {@link MaxDistance}. Default 0: at the place. */
    distance?: MaxDistance;
    /** Radius of the sphere [m], >= 0; as {@link MaxDistance}. 0: none at this vertex. Default 10: nearly a plane. */
    radius?: MaxDistance;
}

const BACKSTOP_NAMES: readonly (keyof Backstop)[] = ["distance", "radius"];

/** @throws RangeError on what is no distance */
function checkDistance(owner: string, option: string, value: MaxDistance): void {
    if (typeof value === "number") nonNegative(owner, option, value);
    else if (!isPaint(value) && typeof value?.length !== "number")
        reject(owner, option, "a number, a number for each vertex, or a paint", value);
}

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
        this._check(maxDistance);
    }

    /** @internal */
    protected _check(maxDistance: MaxDistance): void {
        checkDistance(this._owner, "maxDistance", maxDistance);
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
    protected _createMaxDistancePins(selection: PinSelection, places: Float64Array | null): PinSet {
        const { particles, vertices } = selection;
        const reaches = Float64Array.from(vertices, this._distanceAt("maxDistance", this.maxDistance, selection));
        return new MaxDistancePins(particles, null, reaches, places);
    }

    /** @internal */
    override _toData(context: PinSelection["context"] | null): HoldData | null {
        const maxDistance = writeDistance(this.maxDistance, context);
        return maxDistance === null ? null : { maxDistance };
    }

    /** @internal */
    protected _distanceAt(option: string, value: MaxDistance, { context, isTorn }: PinSelection): (vertex: number) => number {
        if (typeof value === "number") return () => value;
        const { mesh, vertexCount } = context;
        const distances = isPaint(value) ? value.read(context) : value;
        if (distances.length !== vertexCount && !(isTorn && distances.length < vertexCount)) {
            const rule = `${vertexCount} numbers, one for each vertex of "${mesh.name}"`;
            reject(this._owner, option, rule, distances.length);
        }
        const all = extendToAllVertices(distances, context);
        return (vertex) => nonNegative(this._owner, `${option}[${vertex}]`, all[vertex]);
    }
}

/** Distances as plain data. @param context the mesh at rest, where it is known @returns null where it must be */
export function writeDistance(value: MaxDistance, context: PinSelection["context"] | null): number | number[] | null {
    if (typeof value === "number") return value;
    if (isPaint(value)) return context && Array.from(value.read(context));
    return Array.from(context ? extendToAllVertices(value, context) : value);
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

/**
 * {@link ClothBehavior.maxDistance} and {@link ClothBehavior.backstop}: from the skinned place, or from where the mesh at rest has the particles, whenever
 * it is set.
 */
export class RestDistanceHold extends MaxDistanceHold {
    /** @param maxDistance Infinity: any @throws RangeError on what is no distance */
    constructor(
        maxDistance: MaxDistance,
        readonly backstop: Backstop | null,
    ) {
        super(maxDistance);
        if (backstop === null) return;
        knownOptions(`${this._owner}: backstop`, backstop, BACKSTOP_NAMES);
        for (const name of BACKSTOP_NAMES) checkDistance(this._owner, `backstop.${name}`, backstop[name] ?? 0);
    }

    protected override get _owner(): string {
        return "ClothBehavior";
    }

    protected override _check(maxDistance: MaxDistance): void {
        if (maxDistance !== Infinity) super._check(maxDistance);
    }

    /** @internal */
    override _createPins(selection: PinSelection): PinSet {
        const { particles, restPositions, context, skin } = selection;
        const { backstop } = this;
        if (backstop && !PausedPose.of(context.mesh))
            reject(this._owner, "backstop", "null on a mesh without skeleton and morph targets", context.mesh.name);
        if (skin)
            return skin.createLimits(selection, this, (option, value) => this._distanceAt(option, value as MaxDistance, selection));
        return this._createMaxDistancePins(
            selection,
            Float64Array.from(Array.from(particles).flatMap((i) => Array.from(restPositions.subarray(3 * i, 3 * i + 3)))),
        );
    }
}
