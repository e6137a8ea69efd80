import { RailPins, finiteVector, knownOptions, nonNegative, reject } from "../../engine/index";
import type { PinSet, VectorLike } from "../../engine/index";
import { PIN_FORCE_OPTION_NAMES, readPinForceLaw, pinForceOf, PinHold } from "./pinHold";
import type { PinForceOptions, PinSelection, HoldData } from "./pinHold";

/** Options of {@link RailHold}. */
export interface RailHoldOptions extends PinForceOptions {
    /** Coulomb friction coefficient of the rail, >= 0. Default 0.1. */
    friction?: number;
    /** Least distance of two particles along the rail, as of rings that have a width [m], >= 0. Default 0. */
    spacing?: number;
    /** Greatest distance of two neighbours along the rail, as of rings on a cord [m], >= `spacing`. Default Infinity: any. */
    maxSpacing?: number;
}

const OWNER = "RailHold";

/**
 * A pin along a rail: its particles slide from end to end, in the order in which they began, and leave it nowhere, unless it gives (`stiffness`) or lets go (`maxForce`).
 *
 *     cloth.pin(rings, null, new RailHold([new Vector3(-1, 2, 0), new Vector3(1, 2, 0)], { friction: 0.2 }));
 *     cloth.pin(select.edge("+z"), rod, new RailHold(Curve3.CreateCatmullRomSpline(corners, 8).getPoints()));
 *
 * The pin's target carries the rail: its points are local to the target, or to the cloth's mesh where there is none.
 */
export class RailHold extends PinHold {
    /** See {@link RailHoldOptions}. */
    readonly friction: number;
    readonly spacing: number;
    readonly maxSpacing: number;
    readonly stiffness: number;
    readonly maxForce: number;
    readonly slips: boolean;
    /** Corners of the rail, local to what carries it. */
    readonly points: readonly VectorLike[];

    /**
     * @param points corners of the rail, two or more, as a Curve3 gives them
     * @throws RangeError on fewer points, points that are not finite or all in one place, an unknown option or a value out of range
     */
    constructor(points: readonly VectorLike[], options: RailHoldOptions = {}) {
        super();
        if (!Array.isArray(points) || points.length < 2) {
            reject(OWNER, "points", "two vectors or more", Array.isArray(points) ? points.length : points);
        }
        points.forEach((point, i) => finiteVector(OWNER, `points[${i}]`, point));
        knownOptions(OWNER, options, ["friction", "spacing", "maxSpacing", ...PIN_FORCE_OPTION_NAMES]);
        this.friction = nonNegative(OWNER, "friction", options.friction ?? 0.1);
        this.spacing = nonNegative(OWNER, "spacing", options.spacing ?? 0);
        const { maxSpacing = Infinity } = options;
        if (typeof maxSpacing !== "number" || !(maxSpacing >= this.spacing))
            reject(OWNER, "maxSpacing", `a number >= the spacing of ${this.spacing}`, maxSpacing);
        this.maxSpacing = maxSpacing;
        ({ stiffness: this.stiffness, maxForce: this.maxForce, slips: this.slips } = readPinForceLaw(OWNER, options));
        this.points = points.map(({ x, y, z }) => ({ x, y, z }));
        const [{ x, y, z }] = points;
        if (points.every((point) => point.x === x && point.y === y && point.z === z)) {
            reject(OWNER, "points", "at more than one place", points.length);
        }
    }

    /** @internal */
    override _createPins({ particles }: PinSelection): PinSet {
        const { points, friction, spacing, maxSpacing } = this;
        const corners = Float64Array.from(points.flatMap(({ x, y, z }) => [x, y, z]));
        return new RailPins(particles, { corners, friction, spacing, maxSpacing }, pinForceOf(this, particles.length));
    }

    /** @internal */
    override _toData(): HoldData {
        const { points, friction, spacing, maxSpacing, stiffness, maxForce, slips } = this;
        const corners = points.map(({ x, y, z }) => [x, y, z]);
        return { rail: { points: corners, friction, spacing, maxSpacing, stiffness, maxForce, slips } };
    }
}
