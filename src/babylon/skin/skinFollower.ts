import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import type { Node } from "@babylonjs/core/node";
import type { Affine, Body, JumpDetector, PinSet, SkinLimits, SkinParts, SkinTarget, SuddennessLimit } from "../../engine/index";
import type { MaxDistance, RestDistanceHold } from "../pins/maxDistance";
import type { PinBinding } from "../pins/pinBinding";
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
    readonly lod: { readonly nearness: number };
}

/** The part of a body's instance that follows a skin. */
export interface SkinnedInstance {
    readonly mesh: Mesh;
    readonly binding: SkinnedBinding;
    readonly cloth: Body;
    readonly restPositions: Float32Array;
    readonly space: { readonly isInvertible: boolean; readonly pose: Affine; update(): boolean };
    readonly teleports: { expectTeleport(): void; cancelExpected(): void };
    skin: SkinFollower | null;
    addPin(pin: PinBinding, vertices?: readonly number[]): void;
    pinnedVertices(pin: PinBinding, edit: null): readonly number[] | undefined;
}

/** Parts of a skin that can be seen. */
export interface SkinView extends Pick<SkinTarget["arrays"], "to" | "normalsTo"> {
    readonly limits: Float32Array | null;
    /** Slots of the limits of a particle, and their number. */
    readonly slots: SkinParts["SkinLimit"];
}

/** A cloth's places on the skin of its mesh, as skeleton and morph targets pose it in each frame. */
export class SkinFollower {
    private readonly _source: SkinSource;
    private readonly _target: SkinTarget;

    /**
     * Begins with the present pose; particles that were where the mesh was posed at attach come along.
     * @param _parts the engine's, as a module of its own: the engine as a whole would come along in one file with the app
     * @throws RangeError on a mesh whose weights are wrong, or without memory
     */
    constructor(
        private readonly _instance: SkinnedInstance,
        private readonly _settings: SkinSettings,
        private readonly _parts: SkinParts,
        private readonly _jumps: JumpDetector,
    ) {
        const { mesh, binding, cloth } = _instance;
        this._source = new SkinSource(mesh, binding, _parts.reject);
        this._target = new _parts.SkinTarget(cloth.kernels, this._source.geometry);
        cloth.addPins(this._target);
        this.beginFrame();
    }

    /** The nearest common ancestor of the mesh and the nodes of its bones, or the mesh: never a bone, whose clips would move it. */
    get root(): TransformNode {
        const { mesh } = this._instance;
        const nodes = (mesh.skeleton?.bones ?? []).map((bone) => bone.getTransformNode());
        let root: Node | null = mesh;
        for (const node of nodes) while (root && node && node !== root && !node.isDescendantOf(root)) root = root.parent;
        return root && root.getClassName() !== "Bone" ? (root as TransformNode) : mesh;
    }

    /** Reads the pose of this frame; one that is not finite leaves the skin where it was. Call once a frame, with the space up to date. */
    beginFrame(): void {
        const { _source: source, _target: target, _settings: settings } = this;
        target.stiffness = settings.stiffness;
        target.blend = settings.blend * settings.lod.nearness;
        const { rest, restNormals } = target.arrays;
        const bones = source.readBones();
        if (!bones || !this._instance.space.isInvertible) return;
        if (source.writeRest(rest, restNormals)) target.markRestChanged();
        target.setPose(bones, this._instance.space.pose);
    }

    /** Gives the mesh back to Babylon's skinning at a blend of 0, and takes it again above; call once a frame. @returns true while it is given back */
    isHandedBack(): boolean {
        const isAnimated = this._settings.blend * this._settings.lod.nearness === 0;
        this.handBack(isAnimated);
        if (isAnimated) this._instance.teleports.expectTeleport();
        return isAnimated;
    }

    /** Has Babylon skin the mesh's authored geometry, or draws the cloth's again. Idempotent. */
    handBack(isHandedBack: boolean): void {
        const { all } = this._instance.binding.override!;
        if (isHandedBack === all[0].isHandedBack) return;
        for (const override of all) {
            const { mesh, own, pose } = override;
            const authored = override.authoredGeometry();
            if (mesh.geometry === (isHandedBack ? own : authored)) {
                override.show(isHandedBack ? authored : own);
                if (isHandedBack) pose?.restoreOn(mesh);
                else pose?.pause();
            }
            override.isHandedBack = isHandedBack;
        }
    }

    /** True if the skin jumps in this frame, or is posed too suddenly for what is worn to follow. Call once a frame. */
    isSudden(limit: SuddennessLimit): boolean {
        const { _jumps: jumps } = this;
        this._target.readWay(jumps.way);
        return jumps.isJump(limit) || jumps.isSudden(this._parts.SUDDEN_SPEED_SHARE * limit.speedLimit);
    }

    /** Carries every particle along with its own part of the skin; nothing gets faster by that. */
    carry(): void {
        const { cloth, space, teleports } = this._instance;
        teleports.cancelExpected();
        this._target.carryParticles(cloth.state);
        cloth.teleport(Float64Array.from(STILL));
        cloth.accumulatedMotion = Infinity;
        space.update();
    }

    /** Has a cloth that is attached already follow it from now on: particles come along from their places at the attachment to the present ones. */
    takeOver(pins: readonly PinBinding[]): void {
        const { _instance: instance } = this;
        instance.skin = null;
        this._target.takeOver(instance.cloth.state, instance.restPositions);
        instance.skin = this;
        instance.cloth.accumulatedMotion = Infinity;
        for (const pin of pins) {
            pin.detach();
            instance.addPin(pin, instance.pinnedVertices(pin, null));
        }
    }

    /** The places of all particles in this frame, simulation space [m], shape [particleCount, 3]. */
    readPlaces(): Float32Array {
        const places = new Float32Array(3 * this._instance.binding.particleCount);
        this._target.readPlaces(places);
        return places;
    }

    /** Places, normals and limits of all particles, simulation space; null in place of limits without {@link createLimits}. */
    get view(): SkinView {
        const { to, normalsTo, limits } = this._target.arrays;
        const hasLimits = this._instance.cloth.pins.some(({ limitedParticles }) => limitedParticles);
        return { to, normalsTo, limits: hasLimits ? limits : null, slots: this._parts.SkinLimit };
    }

    /** Has normals posed from now on, for who draws them. */
    poseNormals(): void {
        if (this._target.arrays.numbers[this._parts.SkinTargetNumber.hasNormals] === 0) this._target.poseNormals();
    }

    /** Pins particles to their places. */
    createPins(particles: Uint32Array): PinSet {
        return new this._parts.SkinPins(particles, this._target);
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
            this._parts.reject("ClothBehavior", "backstop", "null on a mesh without normals", mesh.name);
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
        return new this._parts.SkinLimitPins(this._target, limits);
    }
}
