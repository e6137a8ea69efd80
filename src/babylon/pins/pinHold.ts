import type { PinSet, PinForceLaw } from "../../engine/index";
import type { SelectContext } from "./selectContext";
import { PinForce, boolean, positive } from "../../engine/index";
import type { Bone } from "@babylonjs/core/Bones/bone";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import type { Select } from "./select";

/** Places of particles on a skin, see skin/skinFollower.ts. */
export interface SkinPlaces {
    createPins(particles: Uint32Array): PinSet;
    createLimits(
        selection: PinSelection,
        hold: PinHold,
        read: (option: string, value: unknown) => (vertex: number) => number,
    ): PinSet;
}

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
    /** The skin that the particles follow; null: the mesh is rigid at rest. */
    readonly skin: SkinPlaces | null;
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

/** Options of holds that give: of the whole pin, shared evenly by its particles. */
export interface PinForceOptions {
    /** Spring constant of the whole pin [N/m], > 0, shared evenly by its particles; Infinity: it does not give. Default Infinity. */
    stiffness?: number;
    /** Largest force of the whole pin [N], > 0, shared evenly by its particles. Default Infinity. */
    maxForce?: number;
    /** False (default): a particle that is pulled harder is released for good. True: it slips, pulled by no more than that. */
    slips?: boolean;
}

export const PIN_FORCE_OPTION_NAMES: readonly (keyof PinForceOptions)[] = ["stiffness", "maxForce", "slips"];

/** @throws RangeError on a value out of range */
export function readPinForceLaw(owner: string, options: PinForceOptions): PinForceLaw {
    const { stiffness = Infinity, maxForce = Infinity, slips = false } = options;
    return {
        stiffness: stiffness === Infinity ? stiffness : positive(owner, "stiffness", stiffness),
        maxForce: maxForce === Infinity ? maxForce : positive(owner, "maxForce", maxForce),
        slips: boolean(owner, "slips", slips),
    };
}

/** Force law for so many particles; null for a rigid pin that never lets go. */
export function pinForceOf(firmness: PinForceLaw, count: number): PinForce | null {
    if (firmness.stiffness === Infinity && firmness.maxForce === Infinity) return null;
    return new PinForce(count, sharePinForceLaw(firmness, Math.max(1, count)));
}

/** Of each of so many particles. */
export function sharePinForceLaw({ stiffness, maxForce, slips }: PinForceLaw, count: number): PinForceLaw {
    return { stiffness: stiffness / count, maxForce: maxForce / count, slips };
}

/** Vertices to hold, and their carrier: see {@link ClothBehavior.pin}. */
export interface PinOptions {
    select: Select;
    target?: TransformNode | Bone | null;
    hold?: PinHold | null;
}

/** Vertices held by the mesh itself, a TransformNode or a Bone; made by {@link ClothBehavior.pin}. */
export interface Pin {
    /** Vertices to hold. */
    readonly select: Select;
    /** Carrier; null: the cloth's own mesh. */
    readonly target: TransformNode | Bone | null;
    /** Kind of hold; null: rigid. */
    readonly hold: PinHold | null;
    /** Number of pinned particles, less those that a {@link SoftHold} has let go; 0 while not attached. */
    readonly particleCount: number;
    /** True if the target is gone. */
    readonly isDisposed: boolean;
}
