/*
 * One class, whose frame is one order of reads and writes, so longer than 400 lines; poses, links, colliders and anchors are beside it.
 */
import type { Bone } from "@babylonjs/core/Bones/bone";
import type { Skeleton } from "@babylonjs/core/Bones/skeleton";
import type { AbstractMesh } from "@babylonjs/core/Meshes/abstractMesh";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import {
    AnchorSteps,
    BoneFrame,
    BoneMap,
    BoneRig,
    JointFrame,
    JointPose,
    JointRate,
    JumpDetector,
    RigidPath,
    SUDDEN_TURN,
    getBareKernels,
    identity,
    invert,
    isFiniteAffine,
    multiply,
    reject,
    addWindAt,
    canCollide,
    defaultGroups,
    windFieldOf,
} from "../../engine/index";
import type { BoneRigShape, JointPhysics, WorldCollider } from "../../engine/index";
import { InertiaBinding } from "../behaviors/inertiaBinding";
import type { InertiaOptions } from "../behaviors/inertiaBinding";
import type { CopiedHierarchy } from "../mesh/copiedHierarchy";
import { worldMatrixOf } from "../support/carriers";
import { DEFAULT_TELEPORT_SPEED } from "../scene/teleport";
import { BoneChainScene } from "./boneChainScene";
import type { SceneChains } from "./boneChainScene";
import { BoneCollider } from "./boneColliders";
import { ChainVisibility } from "./chainVisibility";
import { OWNER, gravityAlong, valueAlong } from "./boneChainOptions";
import type { AlongChain, BoneChain, BoneJointOptions, BoneLinks, BoneMode } from "./boneChainOptions";
import { BoneHierarchy, findJoints, isBone, parentOf } from "./chainJoints";
import type { FoundJoint } from "./chainJoints";
import { JointNodes } from "./jointNodes";
import { chainLevels, chainLinks } from "./chainLinks";

/** Settings that are read in every frame. */
export interface BoneChainSettings extends Required<BoneJointOptions> {
    chains: readonly BoneChain[];
    links: BoneLinks;
    wind: object | null;
    windDrag: number;
    inertia: InertiaOptions | null;
    blend: number;
    target: "animation" | "rest";
    mode: BoneMode;
    enabled: boolean;
    alwaysUpdate: boolean;
    pauseDistance: number;
    /** World scale for which lengths, radii and gravity are meant; null: that at the begin. */
    unitScale: number | null;
}

/** Root of chains: the parent of their first joints. */
interface ChainRoot {
    readonly parent: Bone | TransformNode | null;
    readonly world: Float64Array;
    readonly previous: Float64Array;
    readonly joints: number[];
}

/** Within a call. */
const [back, whole, motion] = [identity(), identity(), identity()];
const path = new RigidPath();
const place = new Float64Array(3);
const velocity = new Float64Array(3);
const ball = new Float64Array(4);
const groups = defaultGroups();
const map = new Float64Array(BoneMap.count);

/** Bone chains on a node: finds the joints, reads their poses, and writes what the rig has made of them. */
export class BoneChainRuntime implements SceneChains {
    private readonly _scene: BoneChainScene;
    private readonly _joints: readonly FoundJoint[];
    private readonly _nodes: JointNodes;
    private readonly _roots: readonly ChainRoot[];
    private readonly _rig: BoneRig;
    private readonly _physics: JointPhysics[];
    private readonly _anchors: { readonly node: TransformNode; readonly steps: AnchorSteps }[] = [];
    private readonly _jumps = new JumpDetector();
    private readonly _limit = { distance: 0, elapsed: 1, seconds: 1 };
    private readonly _clock = { worldTime: 0 };
    /** Skeletons of joints without nodes, whose matrices must be computed before they are read. */
    private readonly _skeletons: readonly Skeleton[];
    private readonly _wearer: TransformNode;
    private readonly _visibility: ChainVisibility;
    /** Colliders of the behavior, then those of the scene. */
    private readonly _colliders: readonly BoneCollider[];
    private readonly _ownCount: number;
    /** Distance from the first root that the chains may reach, at scale 1 [m]. */
    private _reach = 0;
    private _startScale = 1;
    private _scale = 1;
    private _isPlaced = false;
    private _isTeleporting = false;
    private _arePhysicsStale = true;
    private _isRunning = false;
    /** Scale that the physics are of, and whether there was wind. */
    private _physicsScale = NaN;
    private _wasWindy = false;

    /** @throws RangeError on names that are not there, chains without bones, or joints in two chains */
    constructor(
        readonly node: TransformNode,
        private readonly _settings: BoneChainSettings,
        own: readonly BoneCollider[],
        /** Motion that is to go on, see {@link saveMotion}. */
        private _motion: Float64Array | null,
        /** Called where the runtime is to be made anew. */
        private readonly _onStale: () => void,
    ) {
        const hierarchy = new BoneHierarchy(node);
        const joints = (this._joints = findJoints(hierarchy, _settings.chains));
        // Linked chains are solved depth by depth.
        if (_settings.links !== "none") joints.sort((a, b) => a.depth - b.depth);
        this._nodes = new JointNodes(joints, hierarchy);
        const indexOf = new Map(joints.map(({ target }, j) => [target, j]));
        const roots = new Map<Bone | TransformNode | null, ChainRoot & { index: number }>();
        const parents = joints.map(({ target }, j) => {
            const parent = parentOf(target);
            const index = parent && indexOf.get(parent);
            if (typeof index === "number") return { parent: index, isRoot: false };
            let root = roots.get(parent);
            if (!root) {
                root = { parent, index: roots.size, world: identity(), previous: identity(), joints: [] };
                roots.set(parent, root);
            }
            root.joints.push(j);
            return { parent: root.index, isRoot: true };
        });
        parents.forEach(({ parent, isRoot }, j) => {
            if (isRoot) return;
            if (parent > j) reject(OWNER, "links", '"none" where a chain begins below another', _settings.links);
            const own = [...roots.values()].find((root) => root.joints.includes(parent));
            own?.joints.push(j);
        });
        this._roots = [...roots.values()];
        this._skeletons = [...new Set(joints.flatMap(({ target }) => (isBone(target) ? [target.getSkeleton()] : [])))];
        this._wearer = wearerOf(node, this._skeletons[0]) ?? node;
        this._scene = BoneChainScene.of(node.getScene());
        const { loop } = this._scene;
        this._ownCount = own.length;
        this._colliders = [...own, ...this._sceneWide()];
        this._visibility = new ChainVisibility(node, this._wearer, loop.visibility);
        this._physics = joints.map(() => ({ stiffness: 0, damping: 0, radius: 0, limitAngle: Math.PI, length: 0 }));
        this._readRoots();
        this._startScale = _settings.unitScale ?? this._measureScale();
        const anchorOf = this._makeAnchors();
        const firstShape: number[] = [];
        let colliderCount = 0;
        for (const collider of this._colliders) {
            firstShape.push(colliderCount);
            colliderCount += collider.count;
        }
        const rootWorlds = parents.map(({ parent, isRoot }) => (isRoot ? this._roots[parent].world : identity()));
        const links = chainLinks(joints, _settings.links, this._nodes.restTails(rootWorlds));
        const shape: BoneRigShape = {
            joints: parents.map(({ parent, isRoot }, j) => ({
                parent,
                isRoot,
                anchor: anchorOf[j],
                colliders: this._colliders.flatMap((collider, i) => {
                    const { colliders } = joints[j].chain;
                    const meets = !colliders || i >= own.length || colliders.includes(collider.source);
                    return meets ? Array.from({ length: collider.count }, (_, k) => firstShape[i] + k) : [];
                }),
            })),
            rootCount: this._roots.length,
            anchorCount: this._anchors.length,
            colliderCount,
            links: links.map(({ a, b, length }) => ({ a, b, length })),
            levels: chainLevels(joints, links),
            isExact: _settings.mode === "exact",
        };
        this._rig = new BoneRig(getBareKernels(), shape, this._physics);
        for (const collider of this._colliders) collider.start(loop.colliders);
        this._scene.add(this);
    }

    get jointCount(): number {
        return this._joints.filter(({ isPassive }) => !isPassive).length;
    }

    /** Places all tails in the pose, at rest, by the next frame. */
    reset(): void {
        this._isPlaced = false;
    }

    /** Has the motion of the next frame carry the chains along. */
    teleport(): void {
        this._isTeleporting = true;
    }

    /** Reads the joints' properties again. */
    updatePhysics(): void {
        this._arePhysicsStale = true;
    }

    refresh(): void {
        const { _colliders: colliders } = this;
        const others = this._sceneWide();
        const known = colliders.slice(this._ownCount);
        const isSame = known.length === others.length && others.every(({ binding }, i) => known[i].binding === binding);
        if (!isSame || colliders.some(({ isStale }) => isStale)) this._onStale();
    }

    /** Motion of the tails, for a runtime of the same joints; null: there is none yet. */
    saveMotion(): Float64Array | null {
        return this._isPlaced ? this._rig.states.slice() : null;
    }

    /** Parts that a viewer draws. */
    view(): { rig: BoneRig; colliders: WorldCollider[] } {
        return { rig: this._rig, colliders: this._colliders.flatMap((collider) => collider.worlds) };
    }

    dispose(): void {
        this.putBack();
        this._scene.remove(this);
        for (const collider of this._colliders) collider.stop(this._scene.loop.colliders);
        this._rig.release();
    }

    putBack(): void {
        this._nodes.putBack();
    }

    beginFrame(seconds: number): BoneRig | null {
        const { _settings: settings, _rig: rig, node } = this;
        this._isRunning = settings.enabled && settings.blend > 0 && node.isEnabled();
        if (!this._isRunning) {
            this._isPlaced = false;
            return null;
        }
        const time = seconds > 0 && seconds < Infinity ? seconds : 0;
        this._readCentre();
        ball[3] = this._reach * this._scale;
        if (!this._visibility.update(ball, settings)) {
            this._isPlaced = this._isRunning = false;
            return null;
        }
        rig.beginFrame(time);
        this._nodes.read(rig.poses, this._isRest);
        this._readRoots();
        const scaleBefore = this._scale;
        // The rounding of matrices is no change of size.
        const scale = this._measureScale() / this._startScale;
        if (Math.abs(scale / scaleBefore - 1) > 1e-5) this._scale = scale;
        rig.frame[BoneFrame.linkScale] = this._scale;
        if (this._isPlaced && this._scale !== scaleBefore) this._growBy(this._scale / scaleBefore);
        const { colliders } = this._scene.loop;
        let first = 0;
        for (let i = 0; i < this._colliders.length; i++) {
            this._colliders[i].write(rig, first, colliders.frame);
            first += this._colliders[i].count;
        }
        this._writePhysics();
        if (!this._isPlaced) {
            this._isPlaced = true;
            this._isTeleporting = false;
            for (let r = 0; r < this._roots.length; r++) this._roots[r].previous.set(this._roots[r].world);
            for (const { steps } of this._anchors) steps.reset();
            rig.settle();
            this._measureReach();
            if (this._motion?.length === rig.states.length) rig.states.set(this._motion);
            this._motion = null;
        } else this._carryJumps(time);
        for (let a = 0; a < this._anchors.length; a++) {
            const { node: anchor, steps } = this._anchors[a];
            if (!anchor.isDisposed()) steps.write(rig, worldMatrixOf(anchor), time);
        }
        return rig;
    }

    endFrame(): void {
        this._nodes.write(this._rig.bends, this._isRest, this._settings.blend * this._visibility.nearness);
    }

    /** True if the chains return to the pose of the file. */
    private get _isRest(): boolean {
        return this._settings.target === "rest" || this._settings.mode === "exact";
    }

    private _readRoots(): void {
        for (let k = 0; k < this._skeletons.length; k++) this._skeletons[k].prepare(true);
        for (let r = 0; r < this._roots.length; r++) {
            const { parent, world } = this._roots[r];
            if (!parent) continue;
            if (!isBone(parent)) copyFinite(worldMatrixOf(parent), world);
            else {
                whole.set(parent.getAbsoluteMatrix().m);
                back.set(worldMatrixOf(this._wearer));
                multiply(whole, back, motion);
                copyFinite(motion, world);
            }
            // Before the first frame there is no rig.
            if (!this._rig) continue;
            for (let row = 0; row < 4; row++) {
                for (let c = 0; c < 3; c++) this._rig.roots[r * BoneMap.count + 3 * row + c] = world[4 * row + c];
            }
        }
        if (this._rig && this._roots.length > 0 && !this._roots[0].parent)
            this._rig.roots.set([1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0], 0);
    }

    /** Colliders of the whole scene that chains meet, but for those that a joint carries. The specification knows none. */
    private _sceneWide(): BoneCollider[] {
        if (this._settings.mode === "exact") return [];
        return this._scene.loop.colliders.sceneWide.flatMap((binding) => {
            const node = binding.source as Partial<TransformNode>;
            const isOwn = this._joints.some(
                ({ target }) => node === target || node.isDescendantOf?.(target as unknown as TransformNode),
            );
            const collider = isOwn || !canCollide(binding.settings, groups) ? null : BoneCollider.of(binding);
            return collider ? [collider] : [];
        });
    }

    /** Place about which the chains are, to {@link ball}. */
    private _readCentre(): void {
        const { parent } = this._roots[0];
        const world = worldMatrixOf(parent && !isBone(parent) ? parent : this.node);
        for (let c = 0; c < 3; c++) ball[c] = world[12 + c];
    }

    private _measureReach(): void {
        const { _rig: rig } = this;
        this._readCentre();
        this._reach = 0;
        for (let j = 0; j < rig.jointCount; j++) {
            const o = j * JointFrame.count + JointFrame.tail;
            const { frames } = rig;
            const far = Math.hypot(frames[o] - ball[0], frames[o + 1] - ball[1], frames[o + 2] - ball[2]);
            this._reach = Math.max(this._reach, far / this._scale);
        }
    }

    /** Velocity of the air about the first root [m/s], to {@link velocity}: of the chains' own wind and the scene's. */
    private _readWind(): boolean {
        const { _settings: settings } = this;
        const { clock } = this._scene.loop;
        const own = settings.wind && windFieldOf(settings.wind);
        velocity.fill(0);
        if (!own && clock.winds.length === 0) return false;
        this._clock.worldTime = clock.time;
        for (let c = 0; c < 3; c++) place[c] = this._roots[0].world[12 + c];
        if (own) addWindAt(own, this._clock, place, velocity);
        for (let i = 0; i < clock.winds.length; i++)
            if (clock.winds[i] !== own) addWindAt(clock.winds[i], this._clock, place, velocity);
        const speed = Math.sqrt(velocity[0] * velocity[0] + velocity[1] * velocity[1] + velocity[2] * velocity[2]);
        for (let c = 0; c < 3; c++) velocity[c] *= settings.windDrag * speed;
        return true;
    }

    /** Mean scale of the first root. */
    private _measureScale(): number {
        const m = this._roots[0].world;
        const volume =
            m[0] * (m[5] * m[10] - m[6] * m[9]) - m[1] * (m[4] * m[10] - m[6] * m[8]) + m[2] * (m[4] * m[9] - m[5] * m[8]);
        return Math.cbrt(Math.abs(volume)) || 1;
    }

    /** Carries the chains of roots along that jump: by a distance or an angle that no motion has, all of a sudden. */
    private _carryJumps(seconds: number): void {
        const { _rig: rig, _limit: limit, _jumps: jumps } = this;
        const elapsed = Math.max(seconds, 1e-6);
        const least = Math.max(seconds, 1 / 60);
        let isCarried = this._isTeleporting || rig.isLate;
        limit.distance = DEFAULT_TELEPORT_SPEED * least;
        limit.elapsed = elapsed;
        limit.seconds = least;
        for (let r = 0; r < this._roots.length; r++) {
            const { world, previous } = this._roots[r];
            if (r === 0) {
                for (let c = 0; c < 3; c++) jumps.way[c] = world[12 + c] - previous[12 + c];
                isCarried = jumps.isJump(limit) || isCarried;
            }
            if (!invert(previous, back)) {
                previous.set(world);
                continue;
            }
            multiply(back, world, motion);
            const cosine = isCarried ? 1 : cosineOfTurn(previous, world);
            if (isCarried || cosine < Math.cos(Math.min(Math.PI, SUDDEN_TURN * least + 0.5))) {
                for (let c = 0; c < 3; c++) place[c] = previous[12 + c];
                path.set(motion, place);
                path.write(1, whole);
                for (let row = 0; row < 4; row++) for (let c = 0; c < 3; c++) map[3 * row + c] = whole[4 * row + c];
                const { joints } = this._roots[r];
                for (let k = 0; k < joints.length; k++) rig.carryJoint(joints[k], map);
                if (!isCarried) {
                    const o = r * BoneMap.count;
                    for (let k = 0; k < BoneMap.count; k++) rig.previousRoots[o + k] = rig.roots[o + k];
                }
            }
            previous.set(world);
        }
        if (!isCarried) return;
        rig.skipMotion();
        for (const { steps } of this._anchors) steps.reset();
        this._isTeleporting = false;
    }

    /** Scales chains about their roots: a change of size is no motion. */
    private _growBy(ratio: number): void {
        const { _rig: rig, _roots: roots } = this;
        for (let r = 0; r < roots.length; r++) {
            const { previous, joints } = roots[r];
            map.fill(0);
            for (let c = 0; c < 3; c++) {
                map[4 * c] = ratio;
                map[BoneMap.translation + c] = previous[12 + c] * (1 - ratio);
            }
            for (let k = 0; k < joints.length; k++) rig.carryJoint(joints[k], map);
            for (let k = 0; k < BoneMap.translation; k++) rig.previousRoots[r * BoneMap.count + k] *= ratio;
        }
    }

    /** Gives joints of a copy the pose that others have set: copied is the simulated one. */
    poseCopy(hierarchy: CopiedHierarchy): void {
        this._nodes.poseCopy(hierarchy);
    }

    /** Writes what the joints' properties are now. */
    private _writePhysics(): void {
        const { _settings: settings, _joints: joints, _rig: rig } = this;
        const { rates } = rig;
        const isWindy = this._readWind();
        const isStale = this._arePhysicsStale || !this._isPlaced || this._scale !== this._physicsScale;
        if (isStale) {
            this._physicsScale = this._scale;
            this._arePhysicsStale = false;
            const startScale = this._startScale;
            joints.forEach(({ chain, depth, place: along }, j) => {
                const physics = this._physics[j];
                const at = (name: "stiffness" | "damping" | "radius" | "limitAngle"): number =>
                    valueAlong(name, (chain[name] ?? settings[name]) as AlongChain, Math.floor(depth), along);
                physics.stiffness = at("stiffness");
                physics.damping = at("damping");
                physics.limitAngle = at("limitAngle");
                physics.radius = at("radius") * this._scale;
                const o = j * JointPose.count + JointPose.tail;
                physics.length = startScale * Math.hypot(rig.poses[o], rig.poses[o + 1], rig.poses[o + 2]);
            });
            rig.updatePhysics();
        }
        rig.writeRates();
        if (!isStale && !isWindy && !this._wasWindy) return;
        this._wasWindy = isWindy;
        for (let j = 0; j < joints.length; j++) {
            const gravity = gravityAlong(joints[j].chain.gravity ?? settings.gravity, Math.floor(joints[j].depth));
            const o = j * JointRate.count + JointRate.acceleration;
            rates[o] = (gravity.x + (isWindy ? velocity[0] : 0)) * this._scale;
            rates[o + 1] = (gravity.y + (isWindy ? velocity[1] : 0)) * this._scale;
            rates[o + 2] = (gravity.z + (isWindy ? velocity[2] : 0)) * this._scale;
        }
    }

    /** Anchors of the chains, each once. @returns the index of each joint's */
    private _makeAnchors(): number[] {
        const { _settings: settings, _anchors: anchors, node } = this;
        const indexOf = new Map<InertiaOptions, number>();
        return this._joints.map(({ chain }) => {
            const options = chain.inertia === undefined ? settings.inertia : chain.inertia;
            if (!options) return -1;
            let index = indexOf.get(options);
            if (index === undefined) {
                const { options: feeling } = new InertiaBinding(OWNER, options);
                index = anchors.length;
                anchors.push({ node: feeling.anchor ?? node, steps: new AnchorSteps(feeling, index) });
                indexOf.set(options, index);
            }
            return index;
        });
    }
}

function copyFinite(from: ArrayLike<number>, to: Float64Array): void {
    if (isFiniteAffine(from)) to.set(from);
}

/** Mean cosine of the angles between rows of two matrices, as that of a turn. */
function cosineOfTurn(a: ArrayLike<number>, b: ArrayLike<number>): number {
    let trace = 0;
    for (let o = 0; o < 12; o += 4) {
        const dot = a[o] * b[o] + a[o + 1] * b[o + 1] + a[o + 2] * b[o + 2];
        const squares =
            (a[o] * a[o] + a[o + 1] * a[o + 1] + a[o + 2] * a[o + 2]) * (b[o] * b[o] + b[o + 1] * b[o + 1] + b[o + 2] * b[o + 2]);
        trace += dot / Math.sqrt(squares);
    }
    return (trace - 1) / 2;
}

/** Mesh that wears a skeleton without nodes. */
function wearerOf(node: TransformNode, skeleton: Skeleton | undefined): TransformNode | null {
    if (!skeleton) return null;
    if ((node as AbstractMesh).skeleton === skeleton) return node;
    return node.getScene().meshes.find((mesh) => mesh.skeleton === skeleton) ?? null;
}
