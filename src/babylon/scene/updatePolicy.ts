import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import type { PinBinding } from "../pins/pinBinding";
import type { Visibility } from "./visibility";
import type { Body, ClothSettings } from "../../engine/index";

/** Hysteresis: a cloth nearer by less than this share keeps its level, so that motion to and fro does not switch it all the time. */
export const HYSTERESIS = 0.1;
/** Share of the pause distance over which cloth on a skin fades to it. */
export const FADE = 0.2;

/**
 * Level of detail by distance: beyond {@link fullDetailDistance} in half as many substeps, and at each doubling of that in half as many again, down to one;
 * from the next doubling on in steps twice as long. Beyond {@link pauseDistance} the cloth does not move.
 */
export class LevelOfDetail {
    /** As the user has set them. */
    substepCount: number;
    fixedTimeStep: number;
    /** Distances from the nearest camera [m]. */
    fullDetailDistance = Infinity;
    pauseDistance = Infinity;
    /** True if it was beyond {@link pauseDistance} at the last update. */
    isTooFar = false;
    /** Share of the simulation in cloth on a skin: falls to 0 over the fifth before where a pause may begin. */
    nearness = 1;
    /** Number of halvings of the work. */
    private _level = 0;

    constructor(private readonly _settings: ClothSettings) {
        this.substepCount = _settings.substepCount;
        this.fixedTimeStep = _settings.fixedTimeStep;
    }

    /** True if distance matters. */
    get isActive(): boolean {
        return this.fullDetailDistance < Infinity || this.pauseDistance < Infinity || this._level > 0 || this.isTooFar;
    }

    /** Takes up what the user has set. @param cloth that runs with the settings */
    apply(cloth: Body | undefined): void {
        const { _settings: settings, substepCount: finest } = this;
        const halvings = 2 ** this._level;
        settings.substepCount = Math.max(1, Math.round(finest / halvings)) * (cloth?.collisionProxy?.substepFactor ?? 1);
        settings.fixedTimeStep = this.fixedTimeStep * (halvings > finest ? 2 : 1);
        cloth?.invalidate();
    }

    /** Takes up how far away the cloth is. @param distance [m], in a list: as an argument it would be boxed */
    update(distance: ArrayLike<number>, cloth: Body): void {
        const d = distance[0];
        this.nearness = Math.min(1, Math.max(0, (1 - HYSTERESIS - d / this.pauseDistance) / FADE));
        this.isTooFar = d > this.pauseDistance * (this.isTooFar ? 1 - HYSTERESIS : 1);
        const level = Math.max(this._levelAt(d), Math.min(this._level, this._levelAt(d / (1 - HYSTERESIS))));
        if (level === this._level) return;
        this._level = level;
        const before = this._settings.fixedTimeStep;
        this.apply(cloth);
        cloth.clock.rescale(this._settings.fixedTimeStep / before);
    }

    private _levelAt(d: number): number {
        if (!(d > this.fullDetailDistance)) return 0;
        const coarsest = Math.floor(Math.log2(this.substepCount)) + 1;
        return Math.min(coarsest, Math.floor(Math.log2(d / this.fullDetailDistance)) + 1);
    }
}

/**
 * So many frames in a row no one sees what then pauses. A scene that is rendered for one camera after another within a frame of the
 * engine tells of as many frames.
 */
export const UNSEEN_FRAMES = 10;
/** Cloth moves on before it comes into view: so many times as large as its bounds is what must be out of view. */
export const BOUNDS_SCALE = 2;

/** Within a call: x y z and radius [m]; a distance [m]. */
const sphere = new Float64Array(4);
const distance = new Float64Array(1);

/** Pins and colliders of a cloth, as visibility reads them. */
export interface PinnedBody {
    readonly pins: readonly PinBinding[];
    readonly collideWithPhysics: boolean;
}

/** Tells whether a cloth must move in a frame: whether it is seen, or may be soon, and is not too far away; and how finely. */
export class UpdatePolicy {
    /** See {@link ClothBehavior.alwaysUpdate}. */
    alwaysUpdate = false;
    readonly lod: LevelOfDetail;
    /** For how many frames no one has seen it; counted up to {@link UNSEEN_FRAMES}. */
    private _unseenFrames = 0;
    /** Of each pin, how far from its carrier anything of the paused cloth is [m]; 0 where it has none of its own. */
    private readonly _pinReaches: number[] = [];

    constructor(settings: ClothSettings) {
        this.lod = new LevelOfDetail(settings);
    }

    /** True if it moves in this frame. */
    shouldUpdate(
        { mesh, cloth }: { readonly mesh: Mesh; readonly cloth: Body },
        { pins, collideWithPhysics }: PinnedBody,
        visibility: Visibility,
    ): boolean {
        const { lod } = this;
        if (lod.isActive) {
            readBoundingSphere(mesh);
            visibility.measureDistance(sphere, distance);
            distance[0] -= sphere[3];
            lod.update(distance, cloth);
        }
        const isSeen = this.alwaysUpdate || collideWithPhysics || affectsOtherBodies(cloth);
        if (isSeen || (!lod.isTooFar && this._isVisible(mesh, pins, visibility))) this._unseenFrames = 0;
        else if (this._unseenFrames < UNSEEN_FRAMES && ++this._unseenFrames === UNSEEN_FRAMES) this._measurePinReaches(mesh, pins);
        return this._unseenFrames < UNSEEN_FRAMES;
    }

    private _isVisible(mesh: Mesh, pins: readonly PinBinding[], visibility: Visibility): boolean {
        // Without asking Babylon for bounds, which it may have to find.
        if (visibility.isEverythingVisible) return true;
        readBoundingSphere(mesh);
        if (visibility.isVisible(mesh, sphere)) return true;
        const { instances, geometry } = mesh;
        for (let i = 0; i < instances.length; i++) {
            readBoundingSphere(instances[i]);
            if (visibility.isVisible(mesh, sphere)) return true;
        }
        const sharers = geometry ? geometry.meshes : [];
        for (let i = 0; i < sharers.length; i++) {
            if (sharers[i] === mesh) continue;
            readBoundingSphere(sharers[i]);
            if (visibility.isVisible(sharers[i], sphere)) return true;
        }
        return this._unseenFrames === UNSEEN_FRAMES && this._isCarrierInView(mesh, pins, visibility);
    }

    /** True if the carrier of a paused cloth is at a place at which the cloth may be seen. */
    private _isCarrierInView(mesh: Mesh, pins: readonly PinBinding[], visibility: Visibility): boolean {
        if (pins.length !== this._pinReaches.length) return true;
        for (let i = 0; i < pins.length; i++) {
            if (!pins[i].readApproximatePosition(sphere)) continue;
            sphere[3] = this._pinReaches[i];
            if (visibility.isVisible(mesh, sphere)) return true;
        }
        return false;
    }

    private _measurePinReaches(mesh: Mesh, pins: readonly PinBinding[]): void {
        readBoundingSphere(mesh);
        const [x, y, z, radius] = sphere;
        this._pinReaches.length = 0;
        for (const pin of pins) {
            const isAway = pin.readApproximatePosition(sphere);
            this._pinReaches.push(isAway ? Math.hypot(sphere[0] - x, sphere[1] - y, sphere[2] - z) + radius : 0);
        }
    }
}

/** True if it moves other bodies: one takes the impulses of its contacts or pins. */
function affectsOtherBodies({ pins, colliders, groupMember: companion }: Body): boolean {
    if (companion?.isCoupled) return true;
    for (let i = 0; i < pins.length; i++) if (pins[i].carrierMass > 0) return true;
    for (let i = 0; i < colliders.length; i++) if (colliders[i].dynamicBody) return true;
    return false;
}

/** Reads where a mesh is, with room. */
function readBoundingSphere(mesh: Pick<Mesh, "computeWorldMatrix" | "getBoundingInfo">): void {
    mesh.computeWorldMatrix();
    const { centerWorld, radiusWorld } = mesh.getBoundingInfo().boundingSphere;
    sphere[0] = centerWorld.x;
    sphere[1] = centerWorld.y;
    sphere[2] = centerWorld.z;
    sphere[3] = BOUNDS_SCALE * radiusWorld;
}
