import { MAX_SUBSTEPS, bits, boolean, finite, finiteVector, integer, nonNegative, positive, reject } from "../../engine/index";
import type { ClothSettings, VectorLike } from "../../engine/index";
import type { BodyRuntime } from "./bodyRuntime";
import { colliderRevision } from "../colliders/colliderBinding";

/** Properties of every behavior that simulates its mesh. Each may be set at any time, before and after attach. */
export abstract class BodyProperties {
    /** @internal */
    protected abstract readonly _runtime: BodyRuntime;
    private _gravity: VectorLike | null = null;
    private _autoStep = true;
    private _enabled = true;

    /** @internal @param _owner names the class in errors */
    protected constructor(
        /** @internal */
        protected readonly _owner: string,
        /** @internal */
        protected readonly _settings: ClothSettings,
    ) {}

    /** True if the scene's observer steps the cloth. Default true; with false, the caller calls {@link ClothBehavior.step}. */
    get autoStep(): boolean {
        return this._autoStep;
    }
    set autoStep(value: boolean) {
        this._autoStep = boolean(this._owner, "autoStep", value);
    }

    /**
     * False pauses the cloth. Default true.
     *
     * It pauses by itself while its mesh is disabled (`setEnabled(false)`, on a parent too) or taken out of the scene (`removeMesh`,
     * `AssetContainer.removeAllFromScene`); not while it is invisible; and out of view, see {@link alwaysUpdate}. If its carrier jumped in a pause, it comes
     * along as in a {@link ClothBehavior.teleport} when it goes on, and no time is owed. {@link ClothBehavior.step} works on a disabled mesh, to have the cloth
     * at rest when it appears.
     */
    get enabled(): boolean {
        return this._enabled;
    }
    set enabled(value: boolean) {
        this._enabled = boolean(this._owner, "enabled", value);
    }

    /** Acceleration of gravity in world axes [m/s²]; null takes the scene's gravity. Default null. */
    get gravity(): VectorLike | null {
        return this._gravity;
    }
    set gravity(value: VectorLike | null) {
        if (value !== null) finiteVector(this._owner, "gravity", value);
        this._gravity = value;
    }

    /** Slices of a fixed step, an integer from 1 to 256. Default 4. Stretch falls as 1/n², cost grows as n. */
    get substepCount(): number {
        return this._runtime.updatePolicy.lod.substepCount;
    }
    set substepCount(value: number) {
        this._runtime.updatePolicy.lod.substepCount = integer(this._owner, "substepCount", 1, value, MAX_SUBSTEPS);
        this._runtime.updatePolicy.lod.apply(this._runtime.instance?.cloth);
    }

    /** The fixed step [s], > 0. Default 1/60. The motion does not depend on the frame rate. */
    get fixedTimeStep(): number {
        return this._runtime.updatePolicy.lod.fixedTimeStep;
    }
    set fixedTimeStep(value: number) {
        this._runtime.updatePolicy.lod.fixedTimeStep = positive(this._owner, "fixedTimeStep", value);
        this._runtime.updatePolicy.lod.apply(this._runtime.instance?.cloth);
    }

    /** Most fixed steps in one frame, an integer >= 1. Default 4. Time beyond is dropped: the cloth slows, the page does not. */
    get maxStepsPerFrame(): number {
        return this._settings.maxStepsPerFrame;
    }
    set maxStepsPerFrame(value: number) {
        this._settings.maxStepsPerFrame = integer(this._owner, "maxStepsPerFrame", 1, value);
    }

    /**
     * Cloth in which nothing has been faster for half a second, and that nothing acts upon, comes to rest and costs next to
     * nothing until it is disturbed: by a pin or a collider that moves, an impulse, another gravity, fabric or setting [m/s],
     * >= 0; 0: never. Default 0.001. In a wind that blows, cloth does not sleep. `stats.isAsleep` tells.
     */
    get sleepSpeed(): number {
        return this._settings.sleepSpeed;
    }
    set sleepSpeed(value: number) {
        this._settings.sleepSpeed = nonNegative(this._owner, "sleepSpeed", value);
        this._runtime.instance?.cloth.wake();
    }

    /**
     * True if the cloth collides with near bodies of its scene's physics (v2), as if each were added as a collider: shapes as their types and meshes show,
     * two-way. Default false. The groups of the cloth decide as for colliders in the first group.
     */
    get collideWithPhysics(): boolean {
        return this._runtime.collideWithPhysics;
    }
    set collideWithPhysics(value: boolean) {
        this._runtime.collideWithPhysics = boolean(this._owner, "collideWithPhysics", value);
    }

    /**
     * Groups in which the cloth is, one bit each of a 32-bit integer. Default 1. It meets the colliders with which it agrees both
     * ways: `(collider.group & cloth.collisionMask) !== 0 && (cloth.collisionGroup & collider.mask) !== 0`.
     */
    get collisionGroup(): number {
        return this._runtime.groups.group;
    }
    set collisionGroup(value: number) {
        this._runtime.groups.group = bits(this._owner, "collisionGroup", value);
        colliderRevision.count++;
    }

    /** Groups of the colliders that the cloth meets, as bits; see {@link collisionGroup}. Default -1: all. */
    get collisionMask(): number {
        return this._runtime.groups.mask;
    }
    set collisionMask(value: number) {
        this._runtime.groups.mask = bits(this._owner, "collisionMask", value);
        colliderRevision.count++;
    }

    /**
     * Priority under the scene's time budget ({@link TimeBudget}): the cloth has its turn so many frames sooner than others. A finite number, default 0. One of
     * 10 waits only for cloths of 0 that have waited for more than ten frames longer than it.
     */
    get priority(): number {
        return this._runtime.turn.priority;
    }
    set priority(value: number) {
        this._runtime.turn.priority = finite(this._owner, "priority", value);
    }

    /**
     * True if the cloth moves while no camera sees it. Default false: out of the view of all cameras of its scene, with room for its motion until it comes
     * back, it pauses after ten frames, and goes on from there when it is seen again. Render targets that have the mesh on their lists count as cameras: shadow
     * maps, mirrors. It counts as seen if that cannot be told: without a camera, on an engine without a canvas (NullEngine), with `scene.skipFrustumClipping`,
     * in a frame graph. Cloth that moves physics bodies goes on, and so does one that you {@link ClothBehavior.step} by hand.
     */
    get alwaysUpdate(): boolean {
        return this._runtime.updatePolicy.alwaysUpdate;
    }
    set alwaysUpdate(value: boolean) {
        this._runtime.updatePolicy.alwaysUpdate = boolean(this._owner, "alwaysUpdate", value);
    }

    /**
     * Distance from the nearest camera up to which the cloth moves as finely as it is set [m], > 0; Infinity (default): at any. Beyond, half of
     * the substeps are left, at twice the distance a quarter, and so on down to one; then steps are twice as long.
     */
    get fullDetailDistance(): number {
        return this._runtime.updatePolicy.lod.fullDetailDistance;
    }
    set fullDetailDistance(value: number) {
        this._runtime.updatePolicy.lod.fullDetailDistance = positiveOrInfinity(this._owner, "fullDetailDistance", value);
    }

    /** Distance from the nearest camera beyond which the cloth pauses as if it were out of view [m], > 0. Default Infinity: never. */
    get pauseDistance(): number {
        return this._runtime.updatePolicy.lod.pauseDistance;
    }
    set pauseDistance(value: number) {
        this._runtime.updatePolicy.lod.pauseDistance = positiveOrInfinity(this._owner, "pauseDistance", value);
    }

    /**
     * Speed beyond which what carries the cloth jumps instead of moving [m/s], >= 0; Infinity: never. Default 50. It must come
     * suddenly, three times as fast as in the last frame: what keeps its speed for two frames moves. Where most of the pinned particles
     * jump in a frame, the cloth comes along as in a {@link ClothBehavior.teleport}; a collider that jumps does not sweep what lies between.
     * A fifth of it, come within one frame, or a turn of 18 rad/s out of rest, is a sudden pose: the cloth comes along upright, and is not
     * flung. What a physics engine moves makes no such poses. A frame counts for at least a fixed step, and for no more than
     * `maxStepsPerFrame` of them: time beyond is dropped, and with it that share of the way of the pins and of colliders; cloth without pins is not carried.
     */
    get teleportSpeed(): number {
        return this._runtime.teleportSpeed;
    }
    set teleportSpeed(value: number) {
        if (!(typeof value === "number" && value >= 0))
            reject(this._owner, "teleportSpeed", "a number >= 0 (Infinity = never)", value);
        this._runtime.teleportSpeed = value;
    }
}

function positiveOrInfinity(owner: string, option: string, value: number): number {
    if (!(typeof value === "number" && value > 0)) reject(owner, option, "a number > 0 (Infinity = any)", value);
    return value;
}
