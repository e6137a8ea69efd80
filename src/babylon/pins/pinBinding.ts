import {
    SUDDEN_SPEED_SHARE,
    SUDDEN_TURN,
    JUMP_FACTOR,
    JumpDetector,
    PinSet,
    angleOfMotion,
    determinant,
    identity,
    invert,
    isFiniteAffine,
    multiply,
    partOfMotion,
    pinReactionModule,
    reject,
    relativeToOrigin,
    twistOfMotion,
} from "../../engine/index";
import type { Affine, Body, DynamicCarrier, LazyModule, SuddennessLimit } from "../../engine/index";
import type { Bone } from "@babylonjs/core/Bones/bone";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import type { Pin, PinSelection, PinHold } from "./pinHold";
import { isPinHold } from "./pinHold";
import { carrierOf, relativePose } from "../support/carriers";
import { impulseBodyOf } from "../physics/physicsBodies";
import { createImpulse } from "../physics/bodyImpulses";
import type { SceneImpulses, ImpulseAccumulator } from "../physics/bodyImpulses";
import type { Carrier, Origin, MeshCarrier } from "../support/carriers";
import { checkSelect } from "./select";
import type { Select } from "./select";

/** Within a call. */
const impulse = createImpulse();
const pose = identity();
const inverse = identity();
/** From where the picture has what takes a pull to where its last step has left it; a carrier there; its principal axes and centre [m]; what it is moved by. */
const renderToStep = identity();
const steppedWorld = identity();
const frame = identity();
const bodyShift = new Float64Array(6);
/** Mean places of pinned particles before and now [m]. */
const [from, to] = [new Float64Array(3), new Float64Array(3)];

/** Loader of a missing module. */
interface ModuleRequester {
    /** Asks for a module that is not loaded yet. */
    requestModule(module: LazyModule<unknown>): void;
}

/** Motion of a carrier in a frame: ordinary; a pose too sudden for anything worn to follow; or a jump elsewhere, of the pins or of the anchor. */
export const Suddenness = { none: 0, pose: 1, jump: 2, anchorJump: 3 } as const;
export type Suddenness = (typeof Suddenness)[keyof typeof Suddenness];

/** A pin at work: holds particles of one cloth where their carrier is. */
export class PinBinding implements Pin {
    readonly select: Select;
    readonly hold: PinHold | null;
    private _target: TransformNode | Bone | null;
    private _carrier: Carrier | null;
    private _ownMesh: MeshCarrier | null = null;
    private _set: PinSet | null = null;
    private _cloth: Body | null = null;
    private _hasCarrierPose = false;
    /** World matrices of the carrier in the last frame and now. */
    private readonly _previousWorld = identity();
    private readonly _currentWorld = identity();
    /** Determinant of the carrier's matrix when it took hold. */
    private _startVolume = 1;
    private readonly _jumpDetector = new JumpDetector();
    /** Speed of the carrier's turn in the last frame [rad/s]. */
    private _lastTurn = 0;
    /** Revision of the cloth's mesh matrix in the last frame; whether it was the same in the frame before is beside it. */
    private _ownRevision = -1;
    private _wasStill = false;
    private _isResting = false;

    /** @throws RangeError when it is no selection, the target cannot carry anything, or the hold is none */
    constructor(
        select: Select,
        target: TransformNode | Bone | null,
        hold: PinHold | null,
        owner = "ClothBehavior: pin",
        option = "target",
    ) {
        checkSelect(owner, select);
        if (hold !== null && !isPinHold(hold)) reject(owner, "hold", "a SoftHold, MaxDistanceHold, RailHold or PlaneHold", hold);
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
    retarget(target: TransformNode | Bone): void {
        this._target = target;
        this._carrier = carrierOf(target);
        this._startVolume = determinant(this._carrierWorld());
    }

    get particleCount(): number {
        return this._set?.heldCount ?? 0;
    }

    /** Distance that its farthest place has moved since the last frame [m]. */
    get distance(): number {
        return this._set?.displacement ?? 0;
    }

    get isDisposed(): boolean {
        return this._carrier?.isDisposed() ?? false;
    }

    /**
     * Takes hold of particles where they are now.
     * @param own the cloth's mesh, which carries where there is no target
     * @param drawnWorld matrix of that mesh when the particles were last drawn: it may have moved since
     */
    attach(cloth: Body, held: PinSelection, own: MeshCarrier, drawnWorld: Affine, host: ModuleRequester): void {
        const skin = this._target ? null : held.skin;
        const set = this.hold?._createPins(held) ?? skin?.createPins(held.particles) ?? new PinSet(held.particles);
        this._ownMesh = own;
        this._cloth = cloth;
        this._set = set;
        this.captureOffsets(cloth.origin, this._target ? undefined : drawnWorld, cloth.renderer.readMotion(cloth));
        cloth.addPins(this._set);
        this._requestReactions(host);
    }

    /**
     * Holds the particles at their present place relative to the carrier; merely there, while the carrier has no such place.
     * @param motion of the particles since the last step, a map of simulation space
     */
    captureOffsets(origin: Origin, world: ArrayLike<number> = this._carrierWorld(), motion: Affine | null = null): void {
        if (!this._set) return;
        this._wasStill = false;
        this._hasCarrierPose = relativePose(world, origin, pose) && invert(pose, inverse);
        if (this._hasCarrierPose) for (const matrix of [this._previousWorld, this._currentWorld]) matrix.set(world);
        this._startVolume = determinant(this._currentWorld);
        this._set.attach(this._cloth!.state, inverse, motion);
    }

    /** Accumulator of the pin's reaction in this frame; null if there is none. */
    private _accumulator: ImpulseAccumulator | null = null;

    /** That within a frame. */
    private _dynamicCarrier: DynamicCarrier | null = null;

    /** Asks for what it takes that what carries it is pulled. */
    private _requestReactions(host: ModuleRequester): void {
        if (!pinReactionModule.isLoaded && this._target && impulseBodyOf(this._target)) host.requestModule(pinReactionModule);
    }

    /** Asks what takes what the pin is pulled by in this frame: a dynamic physics body that carries its target. */
    findDynamicCarrier(impulses: SceneImpulses, frameCount: number, origin: Origin, host: ModuleRequester): void {
        if (!this._set || !this._carrier) return;
        this._requestReactions(host);
        const { _set: set } = this;
        const before = this._accumulator;
        const accumulator = (this._accumulator = pinReactionModule.isLoaded
            ? impulses.accumulatorOf(this.target!, undefined, frameCount, true)
            : null);
        if (!accumulator) {
            if (before) this._cloth!.setDynamicCarrier(set, null);
            return;
        }
        const dynamicCarrier = (this._dynamicCarrier ??= new pinReactionModule.module.DynamicCarrier());
        dynamicCarrier.isSteppedWithCloth = accumulator.readFrame(renderToStep, frame);
        dynamicCarrier.beginFrameAt(frame[12] - origin[0], frame[13] - origin[1], frame[14] - origin[2]);
        if (accumulator !== before || !set.dynamicCarrier || !set.isFixed)
            dynamicCarrier.updateLevers(set.reactionPoints(this._cloth!.state), frame);
        const isSame = dynamicCarrier.setMass(accumulator.mass, accumulator.registerPins(dynamicCarrier.levers));
        dynamicCarrier.setOrientation(frame, accumulator.moments, accumulator.levers);
        if (accumulator === before && set.dynamicCarrier && isSame) return;
        if (accumulator !== before) dynamicCarrier.reset();
        this._cloth!.setDynamicCarrier(set, dynamicCarrier);
    }

    /** Gives it that. */
    applyReaction(impulses: SceneImpulses, origin: Origin): void {
        const { _accumulator: accumulator } = this;
        const dynamicCarrier = this._set?.dynamicCarrier;
        if (!dynamicCarrier || !accumulator) return;
        dynamicCarrier.consumeVelocity(impulse);
        if (dynamicCarrier.isSteppedWithCloth && this._cloth!.clock.steps > 0) {
            for (let c = 0; c < 6; c++) bodyShift[c] = (dynamicCarrier.drift[c] * dynamicCarrier.mass) / accumulator.mass;
            accumulator.translate(bodyShift);
        }
        impulses.add(accumulator, impulse, origin, 1);
    }

    /** Follows the carrier into a new frame. A place that is not finite is passed over. */
    update(origin: Origin): void {
        this._isResting = false;
        if (!this._hasCarrierPose) {
            this.captureOffsets(origin);
            return;
        }
        this._isResting = this._updateResting();
        if (this._isResting) return;
        let world = this._carrierWorld();
        this._previousWorld.set(this._currentWorld);
        const isLed = this._accumulator !== null && this._dynamicCarrier!.isSteppedWithCloth && relativePose(world, origin, pose);
        this._set?.setRenderTargets(isLed ? pose : null);
        if (isLed) {
            inverse.set(world);
            multiply(inverse, renderToStep, steppedWorld);
            world = steppedWorld;
        }
        if (relativePose(world, origin, pose)) {
            this._currentWorld.set(world);
            this._set?.setTargets(pose);
        } else {
            this._set?.keepTargets();
        }
    }

    /** True if its carrier is a mesh that has not moved for two frames. */
    private _updateResting(): boolean {
        if (this._carrier) return false;
        const { revision } = this._ownMesh!;
        const stays = this._wasStill && revision === this._ownRevision && this._set!.isPlaced;
        this._wasStill = revision === this._ownRevision;
        this._ownRevision = revision;
        if (stays) this._set!.keepTargets();
        return stays;
    }

    /** Tells what its particles have done since the last frame, see {@link Suddenness}; call once a frame. */
    measureSuddenness(limit: SuddennessLimit): Suddenness {
        const { _jumpDetector: detector, _set: set } = this;
        if (!set) return Suddenness.none;
        if (this._isResting) {
            // It has not moved in the last frame either.
            detector.rest(limit);
            return Suddenness.none;
        }
        const { inertia, origin } = this._cloth!;
        if (inertia?.isMoving) relativeToOrigin(inertia.frame, origin, pose);
        set.readMotion(detector.way, inertia?.isMoving ? pose : null);
        const isJump = detector.isJump(limit);
        const isTurned = this._isSuddenTurn(limit);
        if (isJump) return Suddenness.jump;
        // A body that physics moves has its impulse from somewhere, and takes the cloth's reaction.
        if (this._accumulator) return Suddenness.none;
        return isTurned || detector.isSudden(SUDDEN_SPEED_SHARE * limit.speedLimit) ? Suddenness.pose : Suddenness.none;
    }

    private _isSuddenTurn({ seconds, speedLimit }: SuddennessLimit): boolean {
        const before = this._lastTurn;
        this._lastTurn = this._set!.isMoving && this.readMotion(pose) ? angleOfMotion(pose) / seconds : 0;
        return this._lastTurn > SUDDEN_TURN && this._lastTurn > JUMP_FACTOR * before && speedLimit < Infinity;
    }

    /** The carrier's motion since the last frame, as a map of the world; false where it has none that can be told. */
    readMotion(motion: Affine): boolean {
        if (!this._hasCarrierPose || !invert(this._previousWorld, inverse)) return false;
        multiply(inverse, this._currentWorld, motion);
        return isFiniteAffine(motion);
    }

    /** True if the carrier's scale has changed by more than a share since it took hold. */
    isScaled(change: number): boolean {
        const ratio = this._set ? Math.abs(determinant(this._carrierWorld()) / this._startVolume) : 1;
        return ratio > (1 + change) ** 3 || ratio < (1 - change) ** 3;
    }

    /** A share of the carrier's motion since the last frame, as a rigid map of the world; null where it has none that can be told. */
    readShare(share: number): Affine | null {
        if (this._isResting || !this.readMotion(pose)) return null;
        return partOfMotion(pose, this._previousWorld.subarray(12, 15), share);
    }

    /** The upright part of the carrier's motion since the last frame: about gravity, and where the pinned particles go. A map of the world; null where it has none. */
    readUprightMotion(gravity: ArrayLike<number>, origin: Origin): Affine | null {
        if (!this._set || !this.readMotion(pose)) return null;
        this._set.readCentres(from, to);
        for (let c = 0; c < 3; c++) {
            from[c] += origin[c];
            to[c] += origin[c];
        }
        return twistOfMotion(pose, gravity, from, to);
    }

    /** Writes where its carrier is, roughly: x y z [m]. @returns whether it has one that is not the mesh itself */
    readApproximatePosition(place: Float64Array): boolean {
        const world = this._carrier?.approximateWorld();
        if (!world) return false;
        for (let c = 0; c < 3; c++) place[c] = world[12 + c];
        return true;
    }

    /** Follows a move of the world's origin [m], x y z. */
    shiftOrigin(by: readonly number[]): void {
        for (let c = 0; c < 3; c++) {
            this._previousWorld[12 + c] += by[c];
            this._currentWorld[12 + c] += by[c];
        }
    }

    /** Lets the particles go. */
    detach(): void {
        if (this._set) this._cloth!.removePins(this._set);
        this._set = this._cloth = this._ownMesh = null;
    }

    private _carrierWorld(): ArrayLike<number> {
        return (this._carrier ?? this._ownMesh!).world(this._ownMesh!);
    }
}

/** The pins of a body, on a mesh or not. */
export class PinList {
    /** In the order in which they hold: those of options, then those that users have made. */
    readonly all: PinBinding[] = [];
    /** Pins that belong to an option, by its name: the distance limit, the ends of a rope. */
    private readonly _optionPins = new Map<string, PinBinding>();

    constructor(private readonly _instance: () => { addPin(pin: PinBinding): void } | null) {}

    /** Those that users have made. */
    get userPins(): readonly PinBinding[] {
        return this._optionPins.size > 0 ? this.all.slice(this._optionPins.size) : this.all;
    }

    /** @throws RangeError when the pin cannot hold what it selects; it is then not added */
    add(pin: PinBinding): void {
        this._instance()?.addPin(pin);
        this.all.push(pin);
    }

    /** Takes a pin off, whoever has made it. */
    remove(pin: Pin): void {
        const index = this.all.findIndex((own) => own === pin);
        if (index < 0) return;
        const [removed] = this.all.splice(index, 1);
        for (const [option, own] of this._optionPins) if (own === removed) this._optionPins.delete(option);
        removed.detach();
    }

    /** The pin that an option has made, or null. */
    pinOfOption(option: string): PinBinding | null {
        return this._optionPins.get(option) ?? null;
    }

    /** Gives an option another pin, or none. @throws RangeError when it cannot hold; all is then as it was */
    setOptionPin(option: string, pin: PinBinding | null): void {
        if (pin) this._instance()?.addPin(pin);
        const before = this._optionPins.get(option);
        if (before) this.remove(before);
        if (!pin) return;
        this.all.splice(this._optionPins.size, 0, pin);
        this._optionPins.set(option, pin);
    }
}
