import type { Bone } from "@babylonjs/core/Bones/bone";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { identity, invert, isFiniteAffine, multiply } from "../../engine/math/affine";
import type { Affine } from "../../engine/math/affine";
import type { Body } from "../../engine/bodies/body";
import { JumpDetector } from "../../engine/collision/shapes/jumpDetector";
import type { MotionLimit } from "../../engine/collision/shapes/jumpDetector";
import { pullPart } from "../../engine/world/lazyModules";
import type { DynamicCarrier } from "../../engine/attachments/dynamicCarrier";
import { PinSet } from "../../engine/attachments/pinSet";
import { reject } from "../../engine/state/validate";
import type { AttachmentHost } from "../attachmentHost";
import type { Pin } from "../handles";
import { isPinHold } from "./pinHold";
import type { Held, PinHold } from "./pinHold";
import { carrierOf, relativePose } from "../nodes";
import { bodyOf } from "../physics/bodies";
import { noImpulse } from "../physics/impulses";
import type { Impulses, ImpulseTaker } from "../physics/impulses";
import type { Carrier, Origin, OwnMesh } from "../nodes";
import { checkSelect } from "./select";
import type { Select } from "./select";

/** Within a call. */
const impulse = noImpulse();
const pose = identity();
const inverse = identity();
/** From where the picture has what takes a pull to where its last step has left it; a carrier there; its principal axes and centre [m]; what it is moved by. */
const lead = identity();
const led = identity();
const frame = identity();
const moved = new Float64Array(6);

/** What hears that a part is not here, which is to be loaded. */
type PinHost = Pick<AttachmentHost, "lacks">;

/** A pin at work: holds particles of one cloth where their carrier is. */
export class PinBinding implements Pin {
    readonly select: Select;
    readonly hold: PinHold | null;
    private _target: TransformNode | Bone | null;
    private _carrier: Carrier | null;
    private _own: OwnMesh | null = null;
    private _set: PinSet | null = null;
    private _cloth: Body | null = null;
    private _isCarried = false;
    /** World matrices of the carrier in the last frame and now. */
    private readonly _before = identity();
    private readonly _now = identity();
    private readonly _pace = new JumpDetector();
    /** Where the cloth's mesh stood in the last frame, as a revision, and whether it had stood there in the one before. */
    private _ownRevision = -1;
    private _isStill = false;
    private _isStaying = false;

    /** @throws RangeError when it is no selection, the target cannot carry anything, or the hold is none */
    constructor(
        select: Select,
        target: TransformNode | Bone | null,
        hold: PinHold | null,
        owner = "ClothBehavior: pin",
        option = "target",
    ) {
        checkSelect(owner, select);
        if (hold !== null && !isPinHold(hold)) reject(owner, "hold", "a SoftHold, LooseHold, RailHold or PlaneHold", hold);
        this.select = select;
        this._target = target;
        this.hold = hold;
        this._carrier = target === null ? null : carrierOf(target);
        if (target !== null && !this._carrier) reject(owner, option, "a TransformNode or Bone", target);
        if (this._carrier?.isDisposed()) reject(owner, option, "a node that is not disposed", target!.name);
    }

    get target(): TransformNode | Bone | null {
        return this._target;
    }

    /** Has another node carry what it holds, as far from it as it was from the last one: it jumps there with the next frame. */
    moveTo(target: TransformNode): void {
        this._target = target;
        this._carrier = carrierOf(target);
    }

    get particleCount(): number {
        return this._set?.heldCount ?? 0;
    }

    get isDisposed(): boolean {
        return this._carrier?.isDisposed() ?? false;
    }

    /** Takes hold of particles where they are now. @param own the cloth's mesh, which carries where there is no target */
    attach(cloth: Body, held: Held, own: OwnMesh, origin: Origin, host: PinHost): void {
        const set = this.hold ? this.hold._take(held) : new PinSet(held.particles);
        this._own = own;
        this._cloth = cloth;
        this._set = set;
        this.grab(origin);
        cloth.addPins(this._set);
        this._awaitPull(host);
    }

    /** Holds the particles at their present place relative to the carrier; merely there, while the carrier has no such place. */
    grab(origin: Origin): void {
        if (!this._set) return;
        const world = this._world();
        this._isStill = false;
        this._isCarried = relativePose(world, origin, pose) && invert(pose, inverse);
        if (this._isCarried) for (const matrix of [this._before, this._now]) matrix.set(world);
        this._set.attach(this._cloth!.state, inverse);
    }

    /** What takes what the pin is pulled by in this frame; null: nothing. */
    private _taker: ImpulseTaker | null = null;

    /** That within a frame. */
    private _drift: DynamicCarrier | null = null;

    /** Asks for what it takes that what carries it is pulled. */
    private _awaitPull(host: PinHost): void {
        if (!pullPart.isLoaded && this._target && bodyOf(this._target)) host.lacks(pullPart);
    }

    /** Asks what takes what the pin is pulled by in this frame: a dynamic physics body that carries its target. */
    findTaker(impulses: Impulses, frameCount: number, origin: Origin, host: PinHost): void {
        if (!this._set || !this._carrier) return;
        this._awaitPull(host);
        const { _set: set } = this;
        const before = this._taker;
        const taker = (this._taker = pullPart.isLoaded ? impulses.takerOf(this.target!, undefined, frameCount, true) : null);
        if (!taker) {
            if (before) this._cloth!.setDynamicCarrier(set, null);
            return;
        }
        const drift = (this._drift ??= new pullPart.module.PinDrift());
        drift.isSteppedWithCloth = taker.follow(lead, frame);
        drift.beginFrameAt(frame[12] - origin[0], frame[13] - origin[1], frame[14] - origin[2]);
        if (taker !== before || !set.dynamicCarrier || !set.isFixed)
            drift.updateLevers(set.reactionPoints(this._cloth!.state), frame);
        const isSame = drift.setMass(taker.mass, taker.share(drift.levers));
        drift.setOrientation(frame, taker.moments, taker.levers);
        if (taker === before && set.dynamicCarrier && isSame) return;
        if (taker !== before) drift.reset();
        this._cloth!.setDynamicCarrier(set, drift);
    }

    /** Gives it that. */
    giveBack(impulses: Impulses, origin: Origin): void {
        const { _taker: taker } = this;
        const drift = this._set?.dynamicCarrier;
        if (!drift || !taker) return;
        drift.consumeVelocity(impulse);
        if (drift.isSteppedWithCloth && this._cloth!.clock.steps > 0) {
            for (let c = 0; c < 6; c++) moved[c] = (drift.drift[c] * drift.mass) / taker.mass;
            taker.shift(moved);
        }
        impulses.add(taker, impulse, origin, 1);
    }

    /** Follows the carrier into a new frame. A place that is not finite is passed over. */
    update(origin: Origin): void {
        this._isStaying = false;
        if (!this._isCarried) {
            this.grab(origin);
            return;
        }
        this._isStaying = this._stays();
        if (this._isStaying) return;
        let world = this._world();
        this._before.set(this._now);
        const isLed = this._taker !== null && this._drift!.isSteppedWithCloth && relativePose(world, origin, pose);
        this._set?.setRenderTargets(isLed ? pose : null);
        if (isLed) {
            inverse.set(world);
            multiply(inverse, lead, led);
            world = led;
        }
        if (relativePose(world, origin, pose)) {
            this._now.set(world);
            this._set?.setTargets(pose);
        } else {
            this._set?.keepTargets();
        }
    }

    /** Whether its carrier is a mesh that has not moved for two frames: there is nothing to tell then. */
    private _stays(): boolean {
        if (this._carrier) return false;
        const { revision } = this._own!;
        const stays = this._isStill && revision === this._ownRevision && this._set!.isPlaced;
        this._isStill = revision === this._ownRevision;
        this._ownRevision = revision;
        if (stays) this._set!.keepTargets();
        return stays;
    }

    /** Whether its particles have jumped since the last frame; to be asked once. @param limit what counts as motion */
    isJump(limit: MotionLimit): boolean {
        // It has not moved in the last frame either.
        if (!this._set || this._isStaying) return false;
        this._pace.travelled = this._set.displacement;
        return this._pace.isJump(limit);
    }

    /** The carrier's motion since the last frame, as a map of the world; false where it has none that can be told. */
    readMotion(motion: Affine): boolean {
        if (!this._isCarried || !invert(this._before, inverse)) return false;
        multiply(inverse, this._now, motion);
        return isFiniteAffine(motion);
    }

    /** Writes where its carrier is, roughly: x y z [m]. @returns whether it has one that is not the mesh itself */
    readPlace(place: Float64Array): boolean {
        const world = this._carrier?.roughly();
        if (!world) return false;
        for (let c = 0; c < 3; c++) place[c] = world[12 + c];
        return true;
    }

    /** Lets the particles go. */
    detach(): void {
        if (this._set) this._cloth!.removePins(this._set);
        this._set = this._cloth = this._own = null;
    }

    private _world(): ArrayLike<number> {
        return (this._carrier ?? this._own!).world(this._own!);
    }
}
