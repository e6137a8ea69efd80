import { backendNames } from "../solver/backend";
import type { BackendName } from "../solver/backend";
import type { Fabric } from "../solver/fabric";
import { resolveFabric } from "../solver/fabric";
import { checkThreads } from "./mesh/meshThreads";
import { fieldOf } from "../solver/forces/fields";
import { defaultSettings, MAX_SUBSTEPS } from "../solver/settings";
import { bits, boolean, finite, integer, nonNegative, positive, reject } from "../solver/validate";
import { finiteVector } from "../solver/vector";
import type { VectorLike } from "../solver/vector";
import type { SelfCollision } from "./clothOptions";
import type { ClothDriver } from "./clothDriver";
import { Leash } from "./holds/looseHold";
import type { MaxDistance } from "./holds/looseHold";
import { PinBinding } from "./pinBinding";
import { changesOfMeetings } from "./sources/colliderBinding";
import type { Wind } from "./wind";

/** Names its owner in errors: who sets a property sees a ClothBehavior. */
const OWNER = "ClothBehavior";

/** What a {@link ClothBehavior} can be set to, at any time, before and after attach. */
export abstract class ClothProperties {
    /** @internal */
    protected readonly _settings = defaultSettings();
    /** @internal */
    protected abstract readonly _driver: ClothDriver;
    private _gravity: VectorLike | null = null;
    private _wind: Wind | null = null;
    private _autoStep = true;
    private _enabled = true;

    /** Whether the scene's observer steps the cloth. Default true; with false, the caller calls {@link ClothBehavior.step}. */
    get autoStep(): boolean {
        return this._autoStep;
    }
    set autoStep(value: boolean) {
        this._autoStep = boolean(OWNER, "autoStep", value);
    }

    /**
     * Whether the cloth moves; false pauses it. Default true.
     *
     * It pauses by itself while its mesh is disabled (`setEnabled(false)`, on a parent too) or taken out of the scene
     * (`removeMesh`, `AssetContainer.removeAllFromScene`); not while it is invisible; and out of view, see {@link alwaysUpdate}. What carried the cloth has
     * jumped in a pause: when it goes on, it comes along as in a {@link ClothBehavior.teleport}, and no time is owed. {@link ClothBehavior.step} works on
     * a disabled mesh, to have the cloth at rest when it appears.
     */
    get enabled(): boolean {
        return this._enabled;
    }
    set enabled(value: boolean) {
        this._enabled = boolean(OWNER, "enabled", value);
    }

    /**
     * What the cloth is made of. Assign any subset: what is left out takes the default ({@link Fabrics.cotton}). To change one
     * property: `cloth.fabric = { ...cloth.fabric, damping: 1 }`. Throws a RangeError where stiffness differs along warp and weft, and the mesh that it
     * is attached to has no texture coordinates.
     */
    get fabric(): Readonly<Fabric> {
        return this._settings.fabric;
    }
    set fabric(value: Partial<Fabric>) {
        const fabric = resolveFabric(OWNER, value);
        const { attachment } = this._driver;
        if (attachment) checkThreads(attachment.mesh, fabric);
        this._settings.fabric = Object.freeze(fabric);
        attachment?.cloth.invalidate();
    }

    /**
     * Its own wind, beside those of its scene ({@link Winds}); `new Wind()` is still air. Default null: no air, but the fabric's damping in
     * its place: cheaper, and one rate whatever the cloth weighs. Set a wind for what falls, sails or flies.
     */
    get wind(): Wind | null {
        return this._wind;
    }
    set wind(value: Wind | null) {
        const field = value === null ? null : (fieldOf(value) ?? reject(OWNER, "wind", "a Wind or null", value));
        this._wind = value;
        this._settings.wind = field;
    }

    /** Acceleration of gravity in world axes [m/s²]; null takes the scene's gravity. Default null. */
    get gravity(): VectorLike | null {
        return this._gravity;
    }
    set gravity(value: VectorLike | null) {
        if (value !== null) finiteVector(OWNER, "gravity", value);
        this._gravity = value;
    }

    /** Slices of a fixed step, an integer from 1 to 256. Default 4. Stretch falls as 1/n², cost grows as n. */
    get substepCount(): number {
        return this._driver.watch.detail.substepCount;
    }
    set substepCount(value: number) {
        this._driver.watch.detail.substepCount = integer(OWNER, "substepCount", 1, value, MAX_SUBSTEPS);
        this._driver.watch.detail.apply(this._driver.attachment?.cloth);
    }

    /** The fixed step [s], > 0. Default 1/60. The motion does not depend on the frame rate. */
    get fixedTimeStep(): number {
        return this._driver.watch.detail.fixedTimeStep;
    }
    set fixedTimeStep(value: number) {
        this._driver.watch.detail.fixedTimeStep = positive(OWNER, "fixedTimeStep", value);
        this._driver.watch.detail.apply(this._driver.attachment?.cloth);
    }

    /** Most fixed steps in one frame, an integer >= 1. Default 4. Time beyond is dropped: the cloth slows, the page does not. */
    get maxStepsPerFrame(): number {
        return this._settings.maxStepsPerFrame;
    }
    set maxStepsPerFrame(value: number) {
        this._settings.maxStepsPerFrame = integer(OWNER, "maxStepsPerFrame", 1, value);
    }

    /**
     * Pinned cloth is held by tethers too: straight limits between each particle and up to four pins, as long as the distance over
     * the cloth at rest. This is how much longer they are, as a share of that, >= 0; Infinity turns them off. Default 0.
     * Fabrics of finite stretch stiffness get room for their weight in addition.
     */
    get tetherSlack(): number {
        return this._settings.tetherSlack;
    }
    set tetherSlack(value: number) {
        if (!(typeof value === "number" && value >= 0)) {
            reject(OWNER, "tetherSlack", "a number >= 0 (Infinity = no tethers)", value);
        }
        this._settings.tetherSlack = value;
        this._driver.attachment?.cloth.invalidate();
    }

    /**
     * How far each particle may go from its place in the mesh at rest, which the mesh carries [m], >= 0: one number, one for each vertex, or
     * what {@link paint} reads of the mesh (where a coat is loose, and where it lies close). Default null: any distance. In addition to
     * {@link ClothBehavior.pins}; for what other nodes carry, see {@link LooseHold}. Throws a RangeError where the mesh has not what is read.
     */
    get maxDistance(): MaxDistance | null {
        return (this._driver.pinList.leash?.hold as Leash | undefined)?.maxDistance ?? null;
    }
    set maxDistance(value: MaxDistance | null) {
        this._driver.pinList.leash = value === null ? null : new PinBinding(() => true, null, new Leash(value));
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
        this._settings.sleepSpeed = nonNegative(OWNER, "sleepSpeed", value);
        this._driver.attachment?.cloth.wake();
    }

    /**
     * Whether the cloth meets the bodies of its scene's physics (v2) that come near, as if each were added as a collider: shapes as
     * their types and meshes show, two-way. Default false. The groups of the cloth decide as for colliders in the first group.
     */
    get collideWithPhysics(): boolean {
        return this._driver.collideWithPhysics;
    }
    set collideWithPhysics(value: boolean) {
        this._driver.collideWithPhysics = boolean(OWNER, "collideWithPhysics", value);
    }

    /**
     * Whether the cloth keeps off itself, and off other cloth of its scene and backend that does: "particles": by discs about its
     * particles, as thick as {@link selfThickness}: for folds and two or three layers; "triangles": particles off triangles and edges off
     * edges, at any thickness, for thin layers and piles; in motion that costs tens of times as much as the cloth itself. Default false.
     * Which cloths meet, their groups decide, as with colliders.
     */
    get selfCollision(): SelfCollision {
        return this._driver.layers.kind;
    }
    set selfCollision(value: SelfCollision) {
        if (value !== false && value !== "particles" && value !== "triangles")
            reject(OWNER, "selfCollision", 'false, "particles" or "triangles"', value);
        this._driver.layers.kind = value;
        this._driver.meet();
    }

    /**
     * Distance that layers of cloth keep [m], >= 0; between two cloths it is the mean of theirs. Default null: the fabric's thickness, at
     * least half of the mesh's edges with "particles"; below that, layers may pass through each other, and a warning says so.
     */
    get selfThickness(): number | null {
        return this._driver.layers.thickness;
    }
    set selfThickness(value: number | null) {
        this._driver.layers.thickness = value === null ? null : nonNegative(OWNER, "selfThickness", value);
        this._driver.attachment?.cloth.invalidate();
    }

    /**
     * Groups in which the cloth is, one bit each of a 32-bit integer. Default 1. It meets the colliders with which it agrees both
     * ways: `(collider.group & cloth.collisionMask) !== 0 && (cloth.collisionGroup & collider.mask) !== 0`.
     */
    get collisionGroup(): number {
        return this._driver.groups.group;
    }
    set collisionGroup(value: number) {
        this._driver.groups.group = bits(OWNER, "collisionGroup", value);
        changesOfMeetings.count++;
    }

    /** Groups of the colliders that the cloth meets, as bits; see {@link collisionGroup}. Default -1: all. */
    get collisionMask(): number {
        return this._driver.groups.mask;
    }
    set collisionMask(value: number) {
        this._driver.groups.mask = bits(OWNER, "collisionMask", value);
        changesOfMeetings.count++;
    }

    /**
     * Where the scene has a time budget ({@link TimeBudget}): so many frames sooner than others the cloth has its turn. A finite
     * number, default 0. One of 10 waits only for cloths of 0 that have waited for more than ten frames longer than it.
     */
    get priority(): number {
        return this._driver.turn.priority;
    }
    set priority(value: number) {
        this._driver.turn.priority = finite(OWNER, "priority", value);
    }

    /**
     * Whether the cloth moves while no one sees it. Default false: out of the view of all cameras of its scene, with room for what it may
     * do until it comes back, it pauses after ten frames, and goes on from there when it is seen again. Render targets that have the mesh on
     * their lists count as seen: shadow maps, mirrors. So does everything where that cannot be told: without a camera, on an engine without a
     * canvas (NullEngine), with `scene.skipFrustumClipping`, in a frame graph. Cloth that moves physics bodies goes on, and what you
     * {@link ClothBehavior.step} by hand.
     */
    get alwaysUpdate(): boolean {
        return this._driver.watch.alwaysUpdate;
    }
    set alwaysUpdate(value: boolean) {
        this._driver.watch.alwaysUpdate = boolean(OWNER, "alwaysUpdate", value);
    }

    /**
     * Distance from the nearest camera up to which the cloth moves as finely as it is set [m], > 0; Infinity (default): at any. Beyond, half of
     * the substeps are left, at twice the distance a quarter, and so on down to one; then steps are twice as long.
     */
    get fullDetailDistance(): number {
        return this._driver.watch.detail.fullDetailDistance;
    }
    set fullDetailDistance(value: number) {
        this._driver.watch.detail.fullDetailDistance = positiveOrInfinity("fullDetailDistance", value);
    }

    /** Distance from the nearest camera beyond which the cloth pauses as if it were out of view [m], > 0. Default Infinity: never. */
    get pauseDistance(): number {
        return this._driver.watch.detail.pauseDistance;
    }
    set pauseDistance(value: number) {
        this._driver.watch.detail.pauseDistance = positiveOrInfinity("pauseDistance", value);
    }

    /**
     * Which kernels are to compute, "wasm" (default) or "scalar". Assigning it while attached rebuilds the cloth from its rest
     * shape. It says what is wanted: where WebAssembly is refused, or its memory full, a warning is logged, the scalar kernels
     * go on, and `stats.backend` says so. Those are a file of their own: until it is loaded, the cloth is not attached.
     */
    get backend(): BackendName {
        return this._driver.backend;
    }
    set backend(value: BackendName) {
        if (!backendNames.includes(value)) reject(OWNER, "backend", backendNames.map((n) => `"${n}"`).join(" or "), value);
        this._driver.backend = value;
    }

    /**
     * Speed beyond which what carries the cloth jumps instead of moving [m/s], >= 0; Infinity: never. Default 50. It must come
     * suddenly, three times as fast as in the last frame: what speeds up by and by moves. Where most of the pinned particles
     * jump in a frame, the cloth comes along as in a {@link ClothBehavior.teleport}; a collider that jumps does not sweep what lies between.
     * A frame counts for at least a fixed step, and for no more than `maxStepsPerFrame` of them.
     */
    get teleportSpeed(): number {
        return this._driver.teleportSpeed;
    }
    set teleportSpeed(value: number) {
        if (!(typeof value === "number" && value >= 0)) reject(OWNER, "teleportSpeed", "a number >= 0 (Infinity = never)", value);
        this._driver.teleportSpeed = value;
    }
}

function positiveOrInfinity(option: string, value: number): number {
    if (!(typeof value === "number" && value > 0)) reject(OWNER, option, "a number > 0 (Infinity = any)", value);
    return value;
}
