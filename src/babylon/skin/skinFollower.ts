import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { reject, skinTargetModule } from "../../engine/index";
import type { Affine, Body, PinSet, SkinLimits, SkinTarget, SuddennessLimit } from "../../engine/index";
import type { GeometryOverride } from "../mesh/geometryOverride";
import type { MaxDistance, RestDistanceHold } from "../pins/maxDistance";
import type { PinSelection } from "../pins/pinHold";
import { STILL, SkinSource } from "./skinSource";
import type { SkinnedBinding } from "./skinSource";

/** Default radius of a backstop [m]. */
const BACKSTOP_RADIUS = 10;

/** Settings of a cloth on a skin. */
export interface SkinSettings {
    /** See {@link ClothBehavior.skin}, {@link ClothBehavior.skinStiffness} and {@link ClothBehavior.skinBlend}. */
    isFollowed: boolean;
    stiffness: number;
    blend: number;
}

/** The part of a body's instance that follows a skin. */
export interface SkinnedInstance {
    readonly mesh: Mesh;
    readonly binding: SkinnedBinding;
    readonly cloth: Body;
    readonly space: { readonly isInvertible: boolean; readonly pose: Affine };
    readonly teleports: { expectTeleport(): void };
}

/** A cloth's places on the skin of its mesh, as skeleton and morph targets pose it in each frame. */
export class SkinFollower {
    private readonly _source: SkinSource;
    private readonly _target: SkinTarget;

    /**
     * Begins with the present pose; particles that were where the mesh was posed at attach come along.
     * @throws RangeError on a mesh whose weights are wrong, or without memory
     */
    constructor(
        private readonly _instance: SkinnedInstance,
        private readonly _settings: SkinSettings,
    ) {
        const { mesh, binding, cloth } = _instance;
        this._source = new SkinSource(mesh, binding);
        this._target = new skinTargetModule.module.SkinTarget(cloth.kernels, this._source.geometry);
        cloth.addPins(this._target);
        this.beginFrame();
    }

    /** Reads the pose of this frame; one that is not finite leaves the skin where it was. Call once a frame, with the space up to date. */
    beginFrame(): void {
        const { _source: source, _target: target, _settings: settings } = this;
        target.stiffness = settings.stiffness;
        target.blend = settings.blend;
        const { rest, restNormals } = target.arrays;
        const bones = source.readBones();
        if (!bones || !this._instance.space.isInvertible) return;
        if (source.writeRest(rest, restNormals)) target.markRestChanged();
        target.setPose(bones, this._instance.space.pose);
    }

    /** Gives the mesh back to Babylon's skinning at a blend of 0, and takes it again above; call once a frame. @returns true while it is given back */
    isHandedBack(): boolean {
        const isAnimated = this._settings.blend === 0;
        const override = this._instance.binding.override!;
        if (isAnimated !== override.isHandedBack) handBack(this._instance.mesh, override, isAnimated);
        if (isAnimated) this._instance.teleports.expectTeleport();
        return isAnimated;
    }

    /** True if the skin jumps in this frame, or is posed too suddenly for what is worn to follow. Call once a frame. */
    isSudden(limit: SuddennessLimit): boolean {
        return this._target.isSudden(limit);
    }

    /** Carries every particle along with its own part of the skin; nothing gets faster by that. */
    carry(): void {
        const { cloth } = this._instance;
        this._target.carryParticles(cloth.state);
        cloth.teleport(Float64Array.from(STILL));
        cloth.accumulatedMotion = Infinity;
    }

    /** Carries particles that are at the places of the attachment to the present ones. @param places simulation space [m], shape [particleCount, 3] */
    takeOver(places: Float32Array): void {
        this._target.takeOver(this._instance.cloth.state, places);
        this._instance.cloth.accumulatedMotion = Infinity;
    }

    /** The places of all particles in this frame, simulation space [m], shape [particleCount, 3]. */
    readPlaces(): Float32Array {
        const places = new Float32Array(3 * this._instance.binding.particleCount);
        this._target.readPlaces(places);
        return places;
    }

    /** Pins particles to their places. */
    createPins(particles: Uint32Array): PinSet {
        return new skinTargetModule.module.SkinPins(particles, this._target);
    }

    /**
     * Holds particles near their places.
     * @param read numbers of an option by vertices
     * @throws RangeError where a backstop has no normals
     */
    createLimits(
        { particles, vertices }: PinSelection,
        { maxDistance, backstop }: RestDistanceHold,
        read: (option: string, value: MaxDistance) => (vertex: number) => number,
    ): PinSet {
        const { mesh } = this._instance;
        if (backstop && !mesh.isVerticesDataPresent("normal"))
            reject("ClothBehavior", "backstop", "null on a mesh without normals", mesh.name);
        const ofParticles = (option: string, value: MaxDistance): Float32Array => {
            const numbers = new Float32Array(particles.length);
            const at = read(option, value);
            particles.forEach((particle, k) => (numbers[particle] = at(vertices[k])));
            return numbers;
        };
        const limits: SkinLimits = {
            maxDistances: ofParticles("maxDistance", maxDistance),
            backstopDistances: ofParticles("backstop.distance", backstop?.distance ?? 0),
            backstopRadii: ofParticles("backstop.radius", backstop ? (backstop.radius ?? BACKSTOP_RADIUS) : 0),
        };
        return new skinTargetModule.module.SkinLimitPins(this._target, limits);
    }
}

/** Has Babylon skin a mesh's authored geometry, or draws the cloth's again. */
function handBack(mesh: Mesh, override: GeometryOverride, isHandedBack: boolean): void {
    const { own, pose } = override;
    const authored = override.authoredGeometry();
    if (mesh.geometry === (isHandedBack ? own : authored)) {
        override.show(isHandedBack ? authored : own);
        if (isHandedBack) pose?.restoreOn(mesh);
        else pose?.pause();
    }
    override.isHandedBack = isHandedBack;
}
