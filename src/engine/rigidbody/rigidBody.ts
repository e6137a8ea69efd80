import { DRIFT_RECOVERY_TIME, MAX_HULL_CORNERS, MAX_PULLED_MASS_RATIO } from "../tunables";
import type { Arena } from "../../kernels/arena";
import type { Kernels } from "../../kernels/kernelTable";
import { rigidKernels } from "../../kernels/modules/rigid.generated";
import { ROW } from "../../kernels/layout";
import { RigidBodyPose } from "../../kernels/rigidBodyLayout";
import { addRigidVelocity, setRigidVelocity } from "./rigidMotion";
import { Body } from "../bodies/body";
import { RecordedSubstep } from "../bodies/recordedSubstep";
import { defaultGroups } from "../state/colliderSettings";
import type { Groups } from "../state/colliderSettings";
import { SharedSubsteps } from "./sharedSubsteps";
import { RigidConstraint } from "./rigidConstraint";
import { ContactSolver } from "./contactSolver";
import type { SolverBody } from "./solverBody";
import type { DynamicCarrier } from "../attachments/dynamicCarrier";
import type { PinSet } from "../attachments/pinSet";
import type { BodyState } from "../state/state";
import { bodyHullOf, isConvex } from "./bodyHull";
import type { BodyHull } from "./bodyHull";
import { rotateAbout, rigidTransformOf } from "../math/affine";
import type { Affine } from "../math/affine";
import { massOf } from "./rigidBodyMaterial";
import type { RigidBodySettings } from "./rigidBodyMaterial";
import { SolidData } from "../../kernels/contactLayout";
import type { ContactArrays, FaceContactArrays } from "../../kernels/contactLayout";
import { recordHullContacts, recordPointContacts, recordTriangleContacts } from "./contactSink";
import type { ContactSink } from "./contactSink";
import { detectBoxPoints } from "./boxPoints";
import type { HullBody } from "./boxPoints";
import type { Collider } from "../collision/shapes/collider";
import type { ContactResolver } from "../collision/response/contactResolver";

/** Contact solver's registry that numbers colliders. */
interface ColliderContactSink extends ContactSink {
    /** Begins with the colliders of a body. */
    startColliders(): void;
    /** The number of a collider in this substep. */
    registerCollider(data: Float32Array): number;
}

/** Contacts of a rigid body. They are collected once a substep; the contact solver resolves those of all bodies together. */
export class RigidBodyContacts implements ContactResolver {
    private _substep = -1;
    private _isRecorded = false;

    constructor(
        private readonly _sink: ColliderContactSink,
        private readonly _solverBody: { readonly index: number },
        private readonly _body: HullBody,
    ) {}

    begin(): void {
        this._isRecorded = this._substep === this._sink.substep;
        this._substep = this._sink.substep;
        this._sink.startColliders();
    }

    resolveRigid({ core, data }: Collider): boolean | null {
        const { corners } = this._body;
        // Boxes have rims.
        if (!corners || !core || !(core[SolidData.coreMargin] > 0)) return null;
        if (this._isRecorded) return false;
        if (!detectBoxPoints(this._body, data)) return null;
        return recordHullContacts(this._sink, this._solverBody.index, this._sink.registerCollider(data), corners);
    }

    resolve(data: Float32Array, contacts: ContactArrays): void {
        if (!this._isRecorded) recordPointContacts(this._sink, this._solverBody.index, this._sink.registerCollider(data), contacts);
    }

    resolveFaceContacts(data: Float32Array, triangles: FaceContactArrays): void {
        if (!this._isRecorded)
            recordTriangleContacts(this._sink, this._solverBody.index, this._sink.registerCollider(data), triangles);
    }
}

/** Share of the mass that all points have together: it only marks them as free. */
const POINT_MASS_SHARE = 1e-6;

/** Within a call. */
const [place, push, kick] = [new Float64Array(3), new Float64Array(3), new Float64Array(9)];
const ZERO_MOMENT = new Float64Array(3);

/** Its sticks are solved in JavaScript: there are no calls of kernels to record. */
class NeverRecorded extends RecordedSubstep {
    override begin(): void {}
}

/** Rigid body at run time: four particles that define its motion, then its points for collisions and pins. */
export class RigidBody extends Body {
    readonly rigidConstraint: RigidConstraint;
    /** Requested steps; all bodies of the contact solver take the finest. */
    readonly requestedSteps: RigidBodySettings;
    /** Convex hull for collisions with other bodies, along its principal axes from its centre. */
    readonly hull: BodyHull;
    /** Particles that are the hull's corners, where the hull is all of it, and of few corners; else null. */
    readonly corners: Uint32Array | null;
    private readonly _sharedSubsteps: SharedSubsteps;
    private readonly _contactSolver: ContactSolver;
    private readonly _solverBody: SolverBody;
    /** Dynamic nodes of its pins. */
    private readonly _pulledCarriers = new Map<PinSet, DynamicCarrier>();
    private _arePinsStale = false;
    /** Length of its steps when it was last asked [s]. */
    private _lastTimeStep = NaN;
    override readonly recordedSubstep = new NeverRecorded();

    /**
     * @param rest simulation space [m], shape [n, 3]: the four particles as massProperties.ts has them, then points
     * @param touchingCount how many of the points meet colliders, the first of them; at least one
     * @param triangles of points, shape [m, 3]: what keeps off colliders between them; may be empty
     * @param origin world position of simulation space's origin [m]; kept
     * @param solver the bodies that it may touch
     * @throws RangeError when there is no memory left
     */
    constructor(
        kernels: Kernels,
        rest: Float32Array,
        touchingCount: number,
        triangles: Uint32Array,
        settings: RigidBodySettings,
        origin: Float64Array = new Float64Array(3),
        solver: ContactSolver = new ContactSolver(),
        readonly groups: Groups = defaultGroups(),
    ) {
        const particleCount = rest.length / 3;
        const end = 4 + touchingCount;
        const point = POINT_MASS_SHARE / touchingCount;
        let sticks!: RigidConstraint;
        const plan = {
            particleCount,
            shares: Float32Array.from({ length: particleCount }, (_, i) =>
                i < 4 ? (1 - POINT_MASS_SHARE) / 4 : i < end ? point : 0,
            ),
            density: () => massOf(settings.body),
            triangles,
            constraints: {
                sixSticks: (arena: Arena, state: BodyState) =>
                    (sticks = new RigidConstraint(arena, state, rest, () => this._solverBody.supportedLoad, solver.solveQueue)),
            },
            passes: ["sixSticks"],
            passesAfterContact: [],
            lengthConstraints: [],
        };
        const sharedSubsteps = new SharedSubsteps(settings, solver);
        super(kernels.add(rigidKernels), plan, rest, sharedSubsteps, origin);
        this._sharedSubsteps = sharedSubsteps;
        this.requestedSteps = settings;
        this.rigidConstraint = sticks;
        const points = Array.from({ length: touchingCount }, (_, i) => sticks.locals.subarray(ROW * (4 + i), ROW * (4 + i) + 3));
        const places = points.flatMap((point) => Array.from(point));
        this.hull = bodyHullOf(places);
        const { corners } = this.hull;
        const isSimple = triangles.length > 0 && corners.length <= MAX_HULL_CORNERS && isConvex(this.hull, places, triangles, 4);
        this.corners = isSimple ? corners.map((point) => 4 + point) : null;
        this._contactSolver = solver;
        this._solverBody = solver.add(this);
    }

    override invalidate(): void {
        super.invalidate();
        // It may be what is asked of it that has changed.
        this._contactSolver.invalidateFinestSteps();
    }

    override beginFrame(): void {
        const { clock, _sharedSubsteps: settings } = this;
        settings.update();
        const { fixedTimeStep: step } = settings;
        if (this._lastTimeStep > 0 && this._lastTimeStep !== step) clock.rescale(step / this._lastTimeStep);
        this._lastTimeStep = step;
        this._solverBody.alignClock();
        super.beginFrame();
        this._solverBody.isPresent = true;
    }

    override skipFrame(): void {
        super.skipFrame();
        this._solverBody.isPresent = false;
    }

    override endFrame(): void {
        this._solverBody.isPresent = false;
        super.endFrame();
    }

    /** Its principal axes, unit vectors, shape [3, 4], and others of RigidBodyPose; of the last substep. */
    get pose(): Float32Array {
        return this.rigidConstraint.pose;
    }

    /** Mass [kg]. */
    get mass(): number {
        return massOf((this.settings as RigidBodySettings).body);
    }

    /** Moments of inertia about its principal axes, per unit of mass [m²]. */
    get moments(): number[] {
        const { radii } = RigidBodyPose;
        const [x, y, z] = Array.from(this.pose.subarray(radii, radii + 3), (radius) => radius * radius);
        return [y + z, z + x, x + y];
    }

    override prepare(): void {
        if (this._arePinsStale) this.rigidConstraint.setPinConstraints(this.pins);
        this._arePinsStale = false;
        super.prepare();
    }

    override addPins(pins: PinSet): void {
        this._arePinsStale = true;
        super.addPins(pins);
    }

    override removePins(pins: PinSet): void {
        this._arePinsStale = true;
        super.removePins(pins);
        if (this._pulledCarriers.delete(pins)) this._updatePulledCarriers(null);
    }

    /**
     * Pins that hold it fast pull what carries them, where all that it hangs on takes that: neither other rigid bodies, which are for joints to hold, nor what holds
     * that leave it free to go some ways are on. Else what these do to it would be handed on, and nothing taken from them. And what is far lighter is thrown.
     */
    override setDynamicCarrier(pins: PinSet, drift: DynamicCarrier | null): void {
        if (drift) this._pulledCarriers.set(pins, drift);
        else this._pulledCarriers.delete(pins);
        if (drift) drift.recoveryTime = DRIFT_RECOVERY_TIME;
        this._updatePulledCarriers(pins);
    }

    /** @param anew of which the mass may be another */
    private _updatePulledCarriers(anew: PinSet | null): void {
        const { _pulledCarriers: asked } = this;
        let isAll = true;
        for (const [{ isFixed: isFast }, { isSteppedWithCloth: isLed, mass }] of asked)
            isAll &&= isFast && !isLed && MAX_PULLED_MASS_RATIO * mass >= this.mass;
        for (const set of this.pins) {
            const drift = (isAll && asked.get(set)) || null;
            if (drift !== set.dynamicCarrier || (drift && set === anew)) super.setDynamicCarrier(set, drift);
        }
    }

    /** It is drawn at its pose: render contacts do not move it. */
    override addCollider(collider: Collider): void {
        collider.renderCopy?.release();
        collider.renderCopy = null;
        super.addCollider(collider);
    }

    /** It is rigid: of what its carrier stretches or flattens, it takes the turn. */
    override teleport(motion: Affine): void {
        const { state, origin } = this;
        for (let c = 0; c < 3; c++) {
            place[c] = origin[c];
            for (let i = 0; i < 16; i += 4) place[c] += state.positions[i + c] / 4;
        }
        super.teleport(rigidTransformOf(motion, place));
    }

    override resetTo(positions: Float32Array): void {
        super.resetTo(positions);
        // Of contacts that it had elsewhere.
        this.rigidConstraint.memory.fill(0);
        this._contactSolver.resetContacts();
    }

    override release(): void {
        // One half built is in none.
        (this._contactSolver as ContactSolver | undefined)?.remove(this._solverBody);
        super.release();
    }

    override get steppingGroup(): ContactSolver {
        return this._contactSolver;
    }

    override get groupMember(): SolverBody {
        return this._solverBody;
    }

    protected override _createContactResponse(): RigidBodyContacts {
        return new RigidBodyContacts(this._contactSolver, this._solverBody, this);
    }

    /** Adds an impulse at a point of the body [N s], whatever the radius. */
    override applyImpulse(x: number, y: number, z: number, jx: number, jy: number, jz: number): void {
        place[0] = x;
        place[1] = y;
        place[2] = z;
        push[0] = jx;
        push[1] = jy;
        push[2] = jz;
        this.addVelocity(place, push, ZERO_MOMENT);
    }

    /**
     * Changes how it moves.
     * @param at where the impulse acts, simulation space, x y z [m]
     * @param impulse x y z [N s]
     * @param moment beside that of the impulse, x y z [N m s]
     */
    addVelocity(at: ArrayLike<number>, impulse: ArrayLike<number>, moment: ArrayLike<number>): void {
        this._activate(at, impulse, moment);
        addRigidVelocity(this.rigidConstraint, kick);
    }

    /** Puts it elsewhere, as it moves. @param drift by what: x y z [m], turn about its centre x y z [rad] */
    translate(drift: ArrayLike<number>): void {
        const { positions: x, previous: p, particleCount } = this.state;
        for (let c = 0; c < 3; c++) place[c] = (x[c] + x[4 + c] + x[8 + c] + x[12 + c]) / 4;
        for (let o = 0; o < ROW * particleCount; o += ROW) {
            for (let c = 0; c < 3; c++) push[c] = x[o + c];
            rotateAbout(push, 0, place, drift);
            for (let c = 0; c < 3; c++) {
                p[o + c] += push[c] - x[o + c];
                x[o + c] = push[c];
            }
        }
    }

    /**
     * Sets how it moves.
     * @param at a place, simulation space, x y z [m]
     * @param velocity of the body there, x y z [m/s]
     * @param rate at which it turns, x y z [rad/s]
     */
    setVelocity(at: ArrayLike<number>, velocity: ArrayLike<number>, rate: ArrayLike<number>): void {
        this._activate(at, velocity, rate);
        setRigidVelocity(this.rigidConstraint, kick);
    }

    /** Writes what kernels change its motion by, in substeps, and has it take part. */
    private _activate(at: ArrayLike<number>, along: ArrayLike<number>, about: ArrayLike<number>): void {
        this.prepare();
        this.wake();
        const substep = this.settings.fixedTimeStep / this.settings.substepCount;
        for (let c = 0; c < 3; c++) {
            kick[c] = at[c];
            kick[3 + c] = along[c] * substep;
            kick[6 + c] = about[c] * substep;
        }
    }
}
