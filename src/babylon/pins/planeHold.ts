import { PlanePins, cross, finiteVector, knownOptions, nonNegative, reject } from "../../engine/index";
import type { PinSet, VectorLike } from "../../engine/index";
import { PIN_FORCE_OPTION_NAMES, readPinForceLaw, pinForceOf, PinHold } from "./pinHold";
import type { PinForceOptions, PinSelection, HoldData } from "./pinHold";

/** Options of {@link PlaneHold}. */
export interface PlaneHoldOptions extends PinForceOptions {
    /** A point of the plane, local to what carries it. Default its origin. */
    point?: VectorLike;
    /** Coulomb friction coefficient of the plane, >= 0. Default 0: particles slide freely. */
    friction?: number;
}

const OWNER = "PlaneHold";

/**
 * A pin on a plane: its particles slide on it anywhere, and leave it nowhere, whatever pulls at them, unless it gives (`stiffness`) or lets go (`maxForce`).
 *
 *     cloth.pin(select.edge("-y"), glass, new PlaneHold(Vector3.Forward(), { friction: 0.3 }));
 *
 * The pin's target carries the plane: normal and point are local to the target, or to the cloth's mesh where there is none. Where it moves
 * in itself, as a belt or a turntable does, friction takes the particles along.
 */
export class PlaneHold extends PinHold {
    /** Of any length but 0, local to what carries the plane. */
    readonly normal: VectorLike;
    /** See {@link PlaneHoldOptions}. */
    readonly point: VectorLike;
    readonly friction: number;
    readonly stiffness: number;
    readonly maxForce: number;
    readonly slips: boolean;

    /** @throws RangeError on a normal of length 0, numbers that are not finite, an unknown option or a friction below 0 */
    constructor(normal: VectorLike, options: PlaneHoldOptions = {}) {
        super();
        knownOptions(OWNER, options, ["point", "friction", ...PIN_FORCE_OPTION_NAMES]);
        const { point = { x: 0, y: 0, z: 0 }, friction = 0 } = options;
        finiteVector(OWNER, "normal", normal);
        if (!(Math.hypot(normal.x, normal.y, normal.z) > 0)) reject(OWNER, "normal", "a vector longer than 0", normal);
        finiteVector(OWNER, "point", point);
        this.normal = { x: normal.x, y: normal.y, z: normal.z };
        this.point = { x: point.x, y: point.y, z: point.z };
        this.friction = nonNegative(OWNER, "friction", friction);
        ({ stiffness: this.stiffness, maxForce: this.maxForce, slips: this.slips } = readPinForceLaw(OWNER, options));
    }

    /** @internal */
    override _createPins({ particles }: PinSelection): PinSet {
        const { normal, point, friction } = this;
        const length = Math.hypot(normal.x, normal.y, normal.z);
        const n = [normal.x / length, normal.y / length, normal.z / length];
        const p = [point.x, point.y, point.z];
        // Two directions in the plane, across the axis that is least along its normal.
        const least = n.reduce((best, value, c) => (Math.abs(value) < Math.abs(n[best]) ? c : best), 0);
        const u = cross(
            n,
            [0, 1, 2].map((c) => (c === least ? 1 : 0)),
        );
        const corners = [[0, 0, 0], u, cross(n, u)].flatMap((arm) => arm.map((value, c) => p[c] + value));
        return new PlanePins(particles, Float64Array.from(corners), friction, pinForceOf(this, particles.length));
    }

    /** @internal */
    override _toData(): HoldData {
        const { normal, point, friction, stiffness, maxForce, slips } = this;
        const places = { normal: [normal.x, normal.y, normal.z], point: [point.x, point.y, point.z] };
        return { plane: { ...places, friction, stiffness, maxForce, slips } };
    }
}
