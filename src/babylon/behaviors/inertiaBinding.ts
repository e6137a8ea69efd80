import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { dropMotion, identity, inertiaModule, knownOptions, reject, share } from "../../engine/index";
import type { Body, InertiaSettings, SuddennessLimit } from "../../engine/index";
import type { CopiedHierarchy } from "../mesh/copiedHierarchy";
import type { PinBinding } from "../pins/pinBinding";
import { worldMatrixOf } from "../support/carriers";

/** Inertia of a body: which part of the motion of what it rides on it feels. */
export interface InertiaOptions {
    /**
     * The node that the body rides on: a vehicle, a lift, a ship, a character's root. Damping and sleep are relative to its motion. null: the world; the maxima
     * then hold for what carries the pins. Default: null; on a {@link ClothBehavior.skin}, the nearest common ancestor of the mesh and the nodes of its
     * skeleton, such as glTF's `__root__`.
     */
    anchor?: TransformNode | null;
    /** Share of the anchor's linear acceleration that is felt, 0..1. 0: the body moves as if the anchor went evenly; 1 (default): physics. */
    linear?: number;
    /** Share of the anchor's rotation that is felt as centrifugal, Coriolis and angular acceleration, 0..1. Default 1. */
    angular?: number;
    /** Share of the anchor's velocity that the air about the body has, 0..1: 1 in a cabin, 0 on an open deck. Winds add to it. Default 1; with the default anchor of a skin 0. */
    air?: number;
    /** Speed of the anchor beyond which its motion carries the body along instead of being felt [m/s], >= 0. Default Infinity. */
    maxSpeed?: number;
    /** Angular speed of the anchor beyond which its rotation carries the body along [rad/s], >= 0. Default Infinity. */
    maxAngularSpeed?: number;
}

const NAMES: readonly (keyof InertiaOptions)[] = ["anchor", "linear", "angular", "air", "maxSpeed", "maxAngularSpeed"];

/** Follows an anchor, and tells the body what it does. */
export class InertiaBinding {
    readonly options: Readonly<Required<InertiaOptions>>;
    private readonly _startWorld = identity();
    private _startsLater = false;

    /** @throws RangeError on an unknown option or a value out of range */
    constructor(
        private readonly _owner: string,
        private readonly _given: InertiaOptions,
    ) {
        const [owner, options] = [_owner, _given];
        if (typeof options !== "object" || options === null) reject(owner, "inertia", "an object or null", options);
        knownOptions(`${owner}: inertia`, options, NAMES);
        const { anchor = null, linear = 1, angular = 1, air = 1, maxSpeed = Infinity, maxAngularSpeed = Infinity } = options;
        if (anchor !== null && (typeof anchor?.computeWorldMatrix !== "function" || anchor.isDisposed()))
            reject(owner, "inertia.anchor", "a TransformNode that is not disposed, or null", anchor);
        this.options = Object.freeze({
            anchor,
            linear: share(owner, "inertia.linear", linear),
            angular: share(owner, "inertia.angular", angular),
            air: share(owner, "inertia.air", air),
            maxSpeed: limitOf(owner, "inertia.maxSpeed", maxSpeed),
            maxAngularSpeed: limitOf(owner, "inertia.maxAngularSpeed", maxAngularSpeed),
        });
    }

    /** With an anchor, where none was named. */
    withAnchor(anchor: TransformNode): InertiaBinding {
        return this._given.anchor === undefined ? new InertiaBinding(this._owner, { air: 0, ...this._given, anchor }) : this;
    }

    /** That of a copy, which rides on the copy of the anchor where that was copied, too. */
    followCopy(hierarchy: CopiedHierarchy): InertiaBinding {
        const { anchor } = this.options;
        const copy = anchor && (hierarchy.copyOf(anchor) as TransformNode | null);
        return copy ? new InertiaBinding("", { ...this.options, anchor: copy }) : this;
    }

    /** Begins with a body that is attached. @param isRunning whether that has moved before: then in its next frame */
    start(isRunning: boolean): void {
        const { anchor } = this.options;
        this._startsLater = isRunning;
        if (anchor) this._startWorld.set(worldMatrixOf(anchor));
    }

    /** Follows a move of the world's origin [m], x y z. */
    shiftOrigin({ inertia }: Body, by: readonly number[]): void {
        for (let c = 0; c < 3; c++) this._startWorld[12 + c] += by[c];
        inertia?.shiftOrigin(by);
    }

    /** Begins a frame of the body. @returns true if the anchor jumps */
    beginFrame(cloth: Body, limit: SuddennessLimit): boolean {
        const { anchor } = this.options;
        if (!anchor || anchor.isDisposed() || !inertiaModule.isLoaded) {
            cloth.inertia = null;
            return false;
        }
        if (this._startsLater) {
            this.start(false);
            return false;
        }
        const settings: InertiaSettings = this.options;
        if (cloth.inertia?.settings !== settings) cloth.inertia = new inertiaModule.module.Inertia(settings, this._startWorld);
        return cloth.inertia.beginFrameOf(cloth.clock.time, worldMatrixOf(anchor), limit, cloth.settings);
    }

    /**
     * Carries the body along through what is not felt of this frame's motion.
     * @param seconds time that is left of the frame
     * @param dropped share of the frame that was dropped before, with its motion
     */
    dropExcess(cloth: Body, pin: PinBinding | null, seconds: number, dropped: number): void {
        const { inertia } = cloth;
        if (inertia) {
            const excess = inertia.excessShare(seconds);
            if (excess > 0) dropMotion(cloth, inertia.readShare(excess), excess);
            return;
        }
        if (!pin || !inertiaModule.isLoaded) return;
        const carried = identity();
        const excess = inertiaModule.module.excessOfCarrier(pin, this.options, seconds, dropped, carried);
        if (excess > 0) dropMotion(cloth, carried, excess);
    }
}

function limitOf(owner: string, option: string, value: number): number {
    return typeof value === "number" && value >= 0 ? value : reject(owner, option, "a number >= 0 (Infinity = any)", value);
}
