import {
    BallJoint,
    HingeJoint,
    boolean,
    finite,
    finiteVector,
    identity,
    invert,
    knownOptions,
    multiply,
    positive,
    reject,
} from "../../engine/index";
import type { Affine, ContactSolver, Joint, RigidBody, SolverBody, VectorLike } from "../../engine/index";
import { runtimeOf } from "../behaviors/bodyRuntime";
import { jointsOf, runningBodyOf } from "./jointRegistry";
import type { RigidBodyBehavior } from "./rigidBodyBehavior";
import type { RigidBodyBinding } from "./rigidBodyBinding";

/** Options of all joints. */
export interface RigidBodyJointOptions {
    /** World position [m]. */
    point: VectorLike;
    /** Force in a substep above which it breaks [N], > 0. Default: it never breaks. */
    breakForce?: number;
    /** True if its two bodies collide with each other. Default false. */
    collide?: boolean;
}

/** Options of {@link RigidBodyHinge}. */
export interface RigidBodyHingeOptions extends RigidBodyJointOptions {
    /** World direction of the hinge axis; any length but 0. */
    axis: VectorLike;
    /** Limits of the first body's rotation relative to the second, from the current one [rad]: -π <= min <= 0 <= max <= π. Default: unlimited. */
    limits?: { readonly min: number; readonly max: number };
}

/** Options of {@link RigidBodyBallJoint}. */
export interface RigidBodyBallJointOptions extends RigidBodyJointOptions {
    /** World direction of the first body's long axis, to which {@link swing} and {@link twist} refer; any length but 0. Default: up. */
    axis?: VectorLike;
    /** Largest swing from the current direction [rad], 0 to π. Default: unlimited. */
    swing?: number;
    /** Largest twist about the axis, either way [rad], 0 to π. Default: unlimited. */
    twist?: number;
}

const NAMES = ["point", "axis", "breakForce", "collide"];
/** Largest coordinate [m]: doubles still resolve millimetres there. */
const MAX_COORDINATE = 1e12;
const DEFAULT_AXIS = { x: 0, y: 1, z: 0 };

/** One of the bodies of a joint. */
interface Side {
    readonly behavior: RigidBodyBehavior;
    solverBody: SolverBody;
    /** From mesh-local space to its principal axes. */
    toFrame: Affine;
}

/** A joint of two rigid bodies: a {@link RigidBodyHinge} or a {@link RigidBodyBallJoint}. */
export abstract class RigidBodyJoint {
    private readonly _sides: Side[] = [];

    /** @internal */
    protected constructor(
        private readonly _owner: string,
        private readonly _joint: Joint,
        private readonly _contactSolver: ContactSolver,
        behaviors: readonly (RigidBodyBehavior | null)[],
        { breakForce }: RigidBodyJointOptions,
    ) {
        if (breakForce !== undefined) this.breakForce = breakForce;
        for (const behavior of behaviors) {
            if (!behavior) continue;
            const { binding } = runtimeOf(behavior)!.instance!;
            const solverBody = runningBodyOf(behavior)!.groupMember;
            this._sides.push({ behavior, solverBody, toFrame: (binding as RigidBodyBinding).toFrame });
            jointsOf(behavior).add(this);
        }
        _contactSolver.addJoint(_joint);
    }

    /** @internal Keeps its anchors on the meshes when a body is rebuilt. */
    rebind(behavior: object, { groupMember: solverBody }: RigidBody, toFrame: Affine): void {
        const side = this._sides.find((own) => own.behavior === behavior)!;
        const [toMesh, map] = [identity(), identity()];
        invert(side.toFrame, toMesh);
        multiply(toMesh, toFrame, map);
        this._joint.replaceBody(side.solverBody, solverBody, map);
        Object.assign(side, { solverBody, toFrame });
        if (!this.isBroken) this._contactSolver.addJoint(this._joint);
    }

    /** @internal Of two bodies both may say so: only what is fixed in the world follows. */
    shiftOrigin(by: readonly number[]): void {
        if (this._sides.length === 1) this._joint.shiftAnchor(by);
    }

    /** Force in a substep above which it breaks [N], > 0; Infinity: it never breaks. */
    get breakForce(): number {
        return this._joint.breakForce;
    }
    set breakForce(value: number) {
        this._joint.breakForce = value === Infinity ? value : positive(this._owner, "breakForce", value);
    }

    /** Magnitude of its force in the last substep [N]. */
    get force(): number {
        return this._joint.force;
    }

    /** True if it has broken, was disposed, or the behavior of one of its bodies was removed. */
    get isBroken(): boolean {
        return this._joint.isBroken;
    }

    /** Removes it. */
    dispose(): void {
        this._contactSolver.removeJoint(this._joint);
        for (const { behavior } of this._sides) jointsOf(behavior).delete(this);
    }
}

/**
 * A hinge: two rigid bodies turn about a common axis, as a door does. They share two points (Jakobsen 2001, §6).
 *
 *     const hinge = new RigidBodyHinge(door, null, { point, axis: Vector3.Up(), limits: { min: 0, max: 1.5 } });
 *
 * Both behaviors must be on their meshes, in one scene; `null` for the second is the world. The current pose is angle 0.
 */
export class RigidBodyHinge extends RigidBodyJoint {
    private readonly _hinge: HingeJoint;

    /** @throws RangeError on an unknown option, a value out of range, or a behavior that is on no mesh */
    constructor(first: RigidBodyBehavior, second: RigidBodyBehavior | null, options: RigidBodyHingeOptions) {
        const [hinge, contactSolver] = createJoint(HingeJoint, "RigidBodyHinge", [...NAMES, "limits"], first, second, options);
        const { limits } = options;
        if (limits !== undefined) checkLimits(limits);
        super("RigidBodyHinge", hinge, contactSolver, [first, second], options);
        this._hinge = hinge;
        if (!limits) return;
        hinge.minAngle = limits.min;
        hinge.maxAngle = limits.max;
    }

    /** Rotation of the first body relative to the second about the axis, since they were joined [rad]. */
    get angle(): number {
        return this._hinge.angle;
    }
}

/**
 * A ball joint with swing and twist limits, as a shoulder: two rigid bodies share a point (limits by the dot product of Jakobsen 2001, §6).
 *
 *     const shoulder = new RigidBodyBallJoint(arm, trunk, { point, axis: new Vector3(1, 0, 0), swing: 1.2, twist: 0.5 });
 *
 * Both behaviors must be on their meshes, in one scene; `null` for the second is the world. Swing and twist are measured from the current pose.
 */
export class RigidBodyBallJoint extends RigidBodyJoint {
    /** @throws RangeError on an unknown option, a value out of range, or a behavior that is on no mesh */
    constructor(first: RigidBodyBehavior, second: RigidBodyBehavior | null, options: RigidBodyBallJointOptions) {
        const [ball, contactSolver] = createJoint(
            BallJoint,
            "RigidBodyBallJoint",
            [...NAMES, "swing", "twist"],
            first,
            second,
            options,
            DEFAULT_AXIS,
        );
        const { swing = Infinity, twist = Infinity } = options;
        for (const [name, value] of Object.entries({ swing, twist })) if (value !== Infinity) checkAngle(name, value);
        super("RigidBodyBallJoint", ball, contactSolver, [first, second], options);
        ball.swing = swing;
        ball.twist = twist;
    }
}

/** A joint of two bodies in their current poses, and the contact solver that solves it. */
function createJoint<Kind extends Joint>(
    Kind: new (...joint: ConstructorParameters<typeof HingeJoint>) => Kind,
    owner: string,
    names: readonly string[],
    first: RigidBodyBehavior,
    second: RigidBodyBehavior | null,
    options: RigidBodyJointOptions & { axis?: VectorLike },
    defaultAxis?: VectorLike,
): [Kind, ContactSolver] {
    knownOptions(owner, options, names);
    const { point, axis = defaultAxis!, collide = false } = options;
    finiteVector(owner, "point", point);
    for (const c of ["x", "y", "z"] as const) finite(owner, `point.${c}`, point[c], MAX_COORDINATE);
    boolean(owner, "collide", collide);
    finiteVector(owner, "axis", axis);
    const a = solverBodyOf(owner, "first", first);
    const b = second === null ? null : solverBodyOf(owner, "second", second);
    if (a === b) reject(owner, "second", "another body than the first, or null", "the same");
    const contactSolver = contactSolverOf(first);
    if (second && contactSolverOf(second) !== contactSolver)
        reject(owner, "second", "a body of the first's scene", "one of another");
    return [new Kind(a, b, [point.x, point.y, point.z], jointAxes(owner, axis), collide), contactSolver];
}

function checkLimits(limits: { readonly min: number; readonly max: number }): void {
    const rule = "{ min, max } with -π <= min <= 0 <= max <= π: they are joined at 0";
    const { min, max } = (limits ?? {}) as Partial<typeof limits>;
    const areNumbers = typeof min === "number" && typeof max === "number";
    if (!(areNumbers && min >= -Math.PI && min <= 0 && max >= 0 && max <= Math.PI))
        reject("RigidBodyHinge", "limits", rule, limits);
}

function checkAngle(name: string, value: number): void {
    if (!(typeof value === "number" && value >= 0 && value <= Math.PI))
        reject("RigidBodyBallJoint", name, "an angle from 0 to π", value);
}

function contactSolverOf(behavior: RigidBodyBehavior): ContactSolver {
    return runningBodyOf(behavior)!.steppingGroup;
}

function solverBodyOf(owner: string, name: string, behavior: RigidBodyBehavior): SolverBody {
    const body = runningBodyOf(behavior) ?? reject(owner, name, "a RigidBodyBehavior that is on a mesh", behavior);
    runtimeOf(behavior)!.instance!.adoptNodeMove();
    return body.groupMember;
}

/** Rows of an orthonormal basis, the last along an axis. */
function jointAxes(owner: string, axis: VectorLike): number[] {
    const size = Math.hypot(axis.x, axis.y, axis.z);
    if (!(size > 0 && size < Infinity)) reject(owner, "axis", "a direction, not 0", axis);
    const z = [axis.x / size, axis.y / size, axis.z / size];
    // Perpendicular to the axis, nearest to its smallest coordinate's axis.
    const least = z.map(Math.abs).indexOf(Math.min(...z.map(Math.abs)));
    const side = [0, 1, 2].map((c) => (c === least ? 1 : 0) - z[least] * z[c]);
    const x = side.map((value) => value / Math.hypot(...side));
    const y = [0, 1, 2].map((c) => z[(c + 1) % 3] * x[(c + 2) % 3] - z[(c + 2) % 3] * x[(c + 1) % 3]);
    return [...x, ...y, ...z];
}
