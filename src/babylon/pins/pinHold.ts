import type { PinSet } from "../../engine/index";
import type { SelectContext } from "./selectContext";

/** Vertices of a pin, when its cloth is built. */
export interface PinSelection {
    /** Particles, shape [count]. */
    readonly particles: Uint32Array;
    /** A vertex at each of them, shape [count]. */
    readonly vertices: Uint32Array;
    /** The mesh at rest. */
    readonly context: SelectContext;
    /** All particles of the mesh at rest, as it was posed at attach, mesh-local; shape [particleCount, 3]. */
    readonly restPositions: Float32Array;
    /** True if the mesh was torn, and so has more vertices than at first. */
    readonly isTorn: boolean;
}

/** A hold as plain data; one of these members. */
export interface HoldData {
    /** See {@link SoftHold}. */
    readonly soft?: Readonly<Record<string, unknown>>;
    /** See {@link MaxDistanceHold}: one distance, or one for each vertex of the mesh [m]. */
    readonly maxDistance?: number | readonly number[];
    /** See {@link RailHold}; `points` as x y z each. */
    readonly rail?: Readonly<Record<string, unknown>> & { readonly points: readonly (readonly number[])[] };
    /** See {@link PlaneHold}; vectors as x y z each. */
    readonly plane?: Readonly<Record<string, unknown>> & { readonly normal: readonly number[]; readonly point?: readonly number[] };
}

/** A hold that is not rigid: {@link SoftHold}, {@link MaxDistanceHold}, {@link RailHold} or {@link PlaneHold}. */
export abstract class PinHold {
    /** Told by name: there may be a second copy of this library on the page. */
    readonly isPinHold = true;

    /** @internal */
    abstract _createPins(held: PinSelection): PinSet;

    /** For files. @param context the mesh at rest, where it is known @returns null where it must be @internal */
    abstract _toData(context: SelectContext | null): HoldData | null;
}

/** True if it is a hold. */
export function isPinHold(hold: unknown): hold is PinHold {
    return typeof hold === "object" && hold !== null && (hold as Partial<PinHold>).isPinHold === true;
}
