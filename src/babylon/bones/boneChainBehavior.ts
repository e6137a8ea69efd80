import type { Behavior } from "@babylonjs/core/Behaviors/behavior";
import type { Observer } from "@babylonjs/core/Misc/observable";
import type { Node } from "@babylonjs/core/node";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import type { BoneRig, VectorLike, WorldCollider } from "../../engine/index";
import { boolean, isSupported, knownOptions, nonNegative, positive, reject, share, windFieldOf } from "../../engine/index";
import { InertiaBinding } from "../behaviors/inertiaBinding";
import type { InertiaOptions } from "../behaviors/inertiaBinding";
import type { ColliderEntry, ColliderSource, Collider } from "../colliders/colliderOptions";
import { fileChains } from "../files/format/fileFormat";
import { reportUnsupported } from "../support/logger";
import type { Wind } from "../wind/wind";
import { BoneCollider } from "./boneColliders";
import { JOINT_DEFAULTS, OPTION_NAMES, OWNER, checkChains, checkJointOption, oneOf } from "./boneChainOptions";
import type { AlongChain, BoneChain, BoneChainOptions, BoneLinks, BoneMode, JOINT_NAMES } from "./boneChainOptions";
import { BoneChainRuntime } from "./boneChainRuntime";
import type { BoneChainSettings } from "./boneChainRuntime";
import { copyOptions } from "./boneChainCopies";
import { CopiedHierarchy } from "../mesh/copiedHierarchy";

/**
 * Bone chains: hair, tails, ears, ribbons, skirts of bones. Add it to a mesh with a skeleton, or to any node above the bones:
 *
 *     root.addBehavior(new BoneChainBehavior({ chains: [{ root: "Hair_01" }, { root: "Tail" }], colliders: Colliders.fromSkeleton(body) }));
 *
 * Each joint's tail is a particle at a fixed distance from the joint: bones never stretch. A spring turns the joint towards the pose that animations give it in the same
 * frame, so clips, blending and additive layers keep working; what is simulated is written before cloth of that frame is stepped, and put back before the next animation.
 * The file's own spring bones of a VRM come with `import "babylon-cloth/vrm"`. Lengths and gravity grow with the node's scale from what it was at the begin.
 */
export class BoneChainBehavior implements Behavior<TransformNode> {
    /** Name under which `node.getBehaviorByName` finds the chains. */
    readonly name = "BoneChains";
    attachedNode: TransformNode | null = null;
    private readonly _settings: BoneChainSettings;
    private readonly _colliders: BoneCollider[] = [];
    private _runtime: BoneChainRuntime | null = null;
    private _cloneObserver: Observer<Node> | null = null;

    /** @throws RangeError on an unknown option or a value out of range */
    constructor(options: BoneChainOptions) {
        knownOptions(OWNER, options, OPTION_NAMES);
        this._settings = {
            ...JOINT_DEFAULTS,
            chains: checkChains(options.chains),
            links: "none",
            wind: null,
            windDrag: 0.5,
            inertia: null,
            blend: 1,
            target: "animation",
            mode: "stable",
            enabled: true,
            alwaysUpdate: false,
            pauseDistance: Infinity,
            unitScale: null,
        };
        for (const [name, value] of Object.entries(options)) {
            if (name !== "chains" && name !== "colliders" && value !== undefined) (this as Record<string, unknown>)[name] = value;
        }
        for (const collider of options.colliders ?? []) this.addCollider(collider);
    }

    /** The chains. Assigning others builds them anew. */
    get chains(): readonly BoneChain[] {
        return this._settings.chains;
    }
    set chains(value: readonly BoneChain[]) {
        this._settings.chains = checkChains(value);
        this._rebuild();
    }

    /** See {@link BoneChainOptions.links}. */
    get links(): BoneLinks {
        return this._settings.links;
    }
    set links(value: BoneLinks) {
        this._settings.links = oneOf("links", ["none", "line", "loop"], value);
        this._rebuild();
    }

    /** See {@link BoneJointOptions.stiffness}. */
    get stiffness(): AlongChain {
        return this._settings.stiffness;
    }
    set stiffness(value: AlongChain) {
        this._setJointOption("stiffness", value);
    }

    /** See {@link BoneJointOptions.damping}. */
    get damping(): AlongChain {
        return this._settings.damping;
    }
    set damping(value: AlongChain) {
        this._setJointOption("damping", value);
    }

    /** See {@link BoneJointOptions.radius}. */
    get radius(): AlongChain {
        return this._settings.radius;
    }
    set radius(value: AlongChain) {
        this._setJointOption("radius", value);
    }

    /** See {@link BoneJointOptions.limitAngle}. */
    get limitAngle(): AlongChain {
        return this._settings.limitAngle;
    }
    set limitAngle(value: AlongChain) {
        this._setJointOption("limitAngle", value);
    }

    /** See {@link BoneJointOptions.gravity}. Assign it anew after a change in place. */
    get gravity(): VectorLike | readonly VectorLike[] {
        return this._settings.gravity;
    }
    set gravity(value: VectorLike | readonly VectorLike[]) {
        this._setJointOption("gravity", value);
    }

    /** Wind that blows on the tails, beside those of the scene; null: none. One with a zone is as strong as at the first root. */
    get wind(): Wind | null {
        return this._settings.wind as Wind | null;
    }
    set wind(value: Wind | null) {
        if (value !== null && !windFieldOf(value)) reject(OWNER, "wind", "a Wind or null", value);
        this._settings.wind = value;
    }

    /** See {@link BoneChainOptions.windDrag}. */
    get windDrag(): number {
        return this._settings.windDrag;
    }
    set windDrag(value: number) {
        this._settings.windDrag = nonNegative(OWNER, "windDrag", value);
    }

    /** See {@link BoneChainOptions.inertia}. */
    get inertia(): InertiaOptions | null {
        return this._settings.inertia;
    }
    set inertia(value: InertiaOptions | null) {
        this._settings.inertia = value && new InertiaBinding(OWNER, value).options;
        this._rebuild();
    }

    /** Share of the simulated pose, 0 (as animated; nothing is simulated) to 1. */
    get blend(): number {
        return this._settings.blend;
    }
    set blend(value: number) {
        this._settings.blend = share(OWNER, "blend", value);
    }

    /** See {@link BoneChainOptions.target}. */
    get target(): "animation" | "rest" {
        return this._settings.target;
    }
    set target(value: "animation" | "rest") {
        this._settings.target = oneOf("target", ["animation", "rest"], value);
    }

    /** See {@link BoneChainOptions.mode}. */
    get mode(): BoneMode {
        return this._settings.mode;
    }
    set mode(value: BoneMode) {
        this._settings.mode = oneOf("mode", ["stable", "exact"], value);
        this._rebuild();
    }

    /** False: the bones are as animated; true again: chains start from there. */
    get enabled(): boolean {
        return this._settings.enabled;
    }
    set enabled(value: boolean) {
        this._settings.enabled = boolean(OWNER, "enabled", value);
    }

    /** True if the chains move while no one sees them. Out of view, the bones are as animated, after ten frames. Default false. */
    get alwaysUpdate(): boolean {
        return this._settings.alwaysUpdate;
    }
    set alwaysUpdate(value: boolean) {
        this._settings.alwaysUpdate = boolean(OWNER, "alwaysUpdate", value);
    }

    /** Distance from the nearest camera beyond which the bones are as animated [m], > 0. The chains fade out over the fifth before. Default Infinity. */
    get pauseDistance(): number {
        return this._settings.pauseDistance;
    }
    set pauseDistance(value: number) {
        if (value !== Infinity) positive(OWNER, "pauseDistance", value);
        this._settings.pauseDistance = value;
    }

    /** Number of joints that are simulated; 0 while it is not attached. */
    get jointCount(): number {
        return this._runtime?.jointCount ?? 0;
    }

    /** Colliders of the chains. */
    get colliders(): readonly Collider[] {
        return this._colliders.map(({ binding }) => binding);
    }

    /**
     * Adds what the chains keep out of (`inside: true`: within): spheres, capsules, boxes, planes, and the shapes of `Colliders.fromSkeleton`. Friction, restitution and
     * groups have no effect. @throws RangeError on a source or option that cannot be used
     */
    addCollider(source: ColliderSource | ColliderEntry): Collider {
        const collider = BoneCollider.from(source);
        this._colliders.push(collider);
        this._renew();
        return collider.binding;
    }

    /** Removes a collider. No effect if it is not one of these. */
    removeCollider(collider: Collider): void {
        const index = this._colliders.findIndex(({ binding }) => binding === collider);
        if (index < 0) return;
        // Stopped with the collider.
        const motion = this._stop();
        this._colliders.splice(index, 1);
        this._start(motion);
    }

    /** Places all chains in the pose, at rest, by the next frame. */
    reset(): void {
        this._runtime?.reset();
    }

    /** Has the motion of the next frame carry the chains along, unfelt. Jumps faster than 50 m/s are told without it. */
    teleport(): void {
        this._runtime?.teleport();
    }

    /** @internal */
    init(): void {}

    /** @internal */
    attach(node: TransformNode): void {
        this.attachedNode = node;
        if (!isSupported()) {
            reportUnsupported(OWNER);
            return;
        }
        this._start();
        // Babylon copies the rest of a hierarchy after its root.
        this._cloneObserver = node.onClonedObservable.add((clone) => {
            const observer = node.getScene().onBeforeAnimationsObservable.add(() => {
                node.getScene().onBeforeAnimationsObservable.remove(observer);
                if (!node.isDisposed() && !clone.isDisposed()) this._copyTo(clone as TransformNode);
            });
        });
    }

    /** @internal */
    detach(): void {
        this._stop();
        if (this._cloneObserver) this.attachedNode?.onClonedObservable.remove(this._cloneObserver);
        this._cloneObserver = null;
        this.attachedNode = null;
    }

    /**
     * Chains of the same settings for a copy of the attached node, with the copies of its bones and colliders, where those were copied. Clones of meshes get theirs by
     * themselves, by the next frame; clones of other nodes do not.
     * @throws Error while it is not attached
     */
    copyFor(clone: TransformNode): BoneChainBehavior {
        const node = this.attachedNode;
        if (!node) throw new Error(`${OWNER}: copyFor needs chains that are attached`);
        const { options, colliders, unitScale } = this._read();
        const hierarchy = new CopiedHierarchy(node, clone);
        this._runtime?.poseCopy(hierarchy);
        const entries = colliders.map(({ source, options: own }) => ({ ...own, source }));
        const copy = new BoneChainBehavior(copyOptions({ ...options, colliders: entries }, node, hierarchy));
        copy._settings.unitScale = unitScale;
        return copy;
    }

    /** @internal All settings. */
    _read(): {
        options: BoneChainOptions;
        colliders: { source: ColliderSource; options: Record<string, unknown> }[];
        unitScale: number | null;
    } {
        const { unitScale, ...options } = this._settings;
        const colliders = this._colliders.map(({ binding, isInside }) => ({
            source: binding.source,
            options: { ...binding.options, inside: isInside },
        }));
        return { options: options as BoneChainOptions, colliders, unitScale };
    }

    /** @internal What a viewer draws; null while it is not attached. */
    _view(): { rig: BoneRig; colliders: WorldCollider[] } | null {
        return this._runtime?.view() ?? null;
    }

    /** @internal Gives the bones the pose of the animation, until the next frame. */
    _putBack(): void {
        this._runtime?.putBack();
    }

    /** @internal World scale for which lengths, radii and gravity are meant; null: that at the begin. */
    _setUnitScale(value: number): void {
        this._settings.unitScale = value;
    }

    private _copyTo(clone: TransformNode): void {
        if (!clone.getBehaviorByName(this.name)) clone.addBehavior(this.copyFor(clone));
    }

    private _setJointOption(name: (typeof JOINT_NAMES)[number], value: unknown): void {
        checkJointOption(name, name, value);
        (this._settings as unknown as Record<string, unknown>)[name] = value;
        this._runtime?.updatePhysics();
    }

    private _rebuild(): void {
        if (!this._runtime) return;
        this._stop();
        this._start();
    }

    /** As {@link _rebuild}, with colliders that have changed: the chains go on in their motion. */
    private _renew(): void {
        if (!this._runtime) return;
        const motion = this._stop();
        this._colliders.forEach((collider, i) => (this._colliders[i] = collider.renewed()));
        this._start(motion);
    }

    private _start(motion: Float64Array | null = null): void {
        const node = this.attachedNode;
        if (node && !node.isDisposed() && isSupported())
            this._runtime = new BoneChainRuntime(node, this._settings, this._colliders, motion, () => this._renew());
    }

    /** @returns the motion of the chains */
    private _stop(): Float64Array | null {
        const motion = this._runtime?.saveMotion() ?? null;
        this._runtime?.dispose();
        this._runtime = null;
        return motion;
    }
}

fileChains.make = (options, unitScale) => {
    const chains = new BoneChainBehavior(options as BoneChainOptions);
    if (unitScale !== null) chains._setUnitScale(unitScale);
    return chains;
};
