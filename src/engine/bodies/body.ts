/*
 * A few lines more than 400: one class, whose members are the components of a body; the stages are in world/pipeline.ts.
 */
import type { Kernels } from "../../kernels/kernelTable";
import { isFarFromOrigin, relativeToOrigin, transformPoint } from "../math/affine";
import type { Affine } from "../math/affine";
import type { BodyDefinition } from "../state/bodyDefinition";
import { RecordedSubstep } from "./recordedSubstep";
import { Clock } from "../time/clock";
import { effectiveGravity } from "../materials/fabric";
import { areEqual } from "../math/vector";
import { updateZones } from "../forces/windFields";
import type { Air } from "../forces/air";
import type { Collider } from "../collision/shapes/collider";
import type { Inertia } from "./inertia";
import { rescaleDisplacements, BodyState } from "../state/state";
import type { Slices } from "../time/slices";
import type { ContactEvents } from "../collision/response/contactEvents";
import { contactModule, createContactEvents } from "../collision/response/contacts.lazy";
import type { ContactResolver, Contacts } from "../collision/response/contactResolver";
import { addImpulse } from "../state/impulse";
import { Masses } from "../state/masses";
import type { GroupMember, SteppingGroup, CoupledGroup, StepObserver } from "../state/steppingGroup";
import type { SelfCollision } from "../collision/self/selfCollision";
import type { CollisionProxy } from "../collision/self/collisionProxy";
import type { BodySolver } from "../solvers/base/bodySolver";
import type { Constraint } from "../state/constraint";
import type { DynamicCarrier } from "../attachments/dynamicCarrier";
import type { PinSet } from "../attachments/pinSet";
import { ColliderBroadPhase } from "../collision/broadphase/colliderBroadPhase";
import type { ClothSettings, WindField } from "../state/settings";
import { ContactDamping } from "../state/contactDamping";
import { Renderer } from "./renderer";
import { Sleep } from "./sleep";
import { catchUp } from "./catchUp";
import { stageNames, Stopwatch } from "../time/stopwatch";
import { SharedTriangles } from "../memory/sharedTriangles";

let preparationCount = 0;

/** Body at run time: particles, constraints, collisions. Independent of meshes; world.ts advances it. */
export class Body {
    /** Parts of the definition that each step reads; the rest is not kept. */
    readonly definition: Pick<BodyDefinition, "applyAir" | "faceRadius" | "colliderModule" | "substepController">;
    readonly state: BodyState;
    readonly triangles: SharedTriangles;
    readonly masses: Masses;
    readonly constraints: readonly Constraint[];
    /** The constraints in the order of projection; some more than once. */
    readonly passes: readonly Constraint[];
    /** Those projected again between two passes of contact. */
    readonly passesAfterContact: readonly Constraint[];
    /** Those that hold the material's own lengths. */
    readonly lengthConstraints: readonly Constraint[];
    /** Solver that moves the particles in place of Verlet integration and the constraint passes; null: the default solver. */
    readonly solver: BodySolver | null;
    readonly colliders: Collider[] = [];
    readonly pins: PinSet[] = [];
    /** Room for contacts; null before the first collider. */
    contacts: Contacts | null = null;
    /** Its drawn state. */
    readonly renderer = new Renderer();
    readonly clock = new Clock();
    /** Box swept in the present substep, see shapes/collider.ts; time of a frame's steps by {@link Stage}. */
    readonly sweptBounds = new Float32Array(8);
    readonly stopwatch = new Stopwatch(stageNames.length);
    /** Number of its last preparation: what is recorded of the body holds for one of them. */
    revision = 0;
    /** Winds of the world that it is in, which blow on it beside its own; the world's list. */
    winds: readonly WindField[] = [];
    /** True if air acts on the body in the present step. */
    hasAir = false;
    /** True if wind blows on the body in the present step. */
    hasWind = false;
    /** The air about it; null before the first wind. */
    air: Air | null = null;
    /** Damping and resting contacts of the body. */
    readonly contactDamping = new ContactDamping();
    readonly sleep = new Sleep();
    /** Contact events of the particles in each step; null: no listener. */
    contactEvents: ContactEvents | null = null;
    /** Colliders that the body may touch in the present step. */
    readonly broadPhase = new ColliderBroadPhase<Collider>();
    /** Recorded command list of a substep; replayed while the substep needs kernels only. */
    readonly recordedSubstep = new RecordedSubstep();
    /** The bodies that it keeps off, itself among them, and what it is there; null: none. */
    selfCollision: SelfCollision | null = null;
    collisionProxy: CollisionProxy | null = null;
    /** Island of bodies coupled to this one, which take their substeps together; null: the body is stepped alone. */
    couplingIsland: CoupledGroup | null = null;
    get steppingGroup(): SteppingGroup | null {
        return this.couplingIsland ?? this.selfCollision;
    }
    /** Entry of this body in its coupling island. */
    get groupMember(): GroupMember | null {
        return this.collisionProxy;
    }
    /** True until the body has taken the present step of the world. */
    hasPendingStep = false;
    /** Hears of its steps. */
    observer: StepObserver | null = null;
    /** Motion relative to an anchor; null: the world. */
    inertia: Inertia | null = null;
    /** Upper bound of the particles' motion, summed over steps [m]; the reader resets it. */
    accumulatedMotion = 0;
    /** Bytes of the arena held by this body. */
    get byteLength(): number {
        let sum = this.state.byteLength + this.triangles.byteLength;
        for (const c of this.constraints) sum += c.byteLength;
        return sum + (this.air?.byteLength ?? 0) + (this.contacts?.byteLength ?? 0) + this.renderer.byteLength;
    }
    private _needsPrepare = true;
    private readonly _gravity = new Float64Array(3);
    /** Substep to which displacements refer [s]; 0: unknown. */
    substep = 0;
    private _failure: { error: unknown } | null = null;
    /** Largest motion of a particle in a substep of this frame [m]; Infinity: any. */
    speedLimit = Infinity;

    /**
     * @param restPositions simulation space [m], shape [particleCount, 3]
     * @param origin world position of simulation space's origin [m]; kept, {@link rebase} moves it
     * @throws RangeError when there is no memory left
     */
    constructor(
        readonly kernels: Kernels,
        plan: BodyDefinition,
        restPositions: Float32Array,
        readonly settings: ClothSettings,
        readonly origin: Float64Array,
    ) {
        const constraints = new Map<string, Constraint>();
        this.definition = {
            applyAir: plan.applyAir,
            faceRadius: plan.faceRadius,
            colliderModule: plan.colliderModule,
            substepController: plan.substepController,
        };
        try {
            this.state = new BodyState(kernels.arena, plan.particleCount);
            this.triangles = (plan.sharedTriangles ?? new SharedTriangles(kernels.arena, plan.triangles)).retain(this);
            for (const [name, make] of Object.entries(plan.constraints))
                constraints.set(name, make(kernels.arena, this.state, this.triangles));
        } catch (error) {
            this.constraints = [...constraints.values()];
            this.release();
            throw error;
        }
        this.constraints = [...constraints.values()];
        this.passes = plan.passes.map((name) => constraints.get(name)!);
        this.passesAfterContact = plan.passesAfterContact.map((name) => constraints.get(name)!);
        this.lengthConstraints = plan.lengthConstraints.map((name) => constraints.get(name)!);
        this.solver = (constraints.get(plan.solver!) as BodySolver | undefined) ?? null;
        this.masses = new Masses(this.state, plan);
        this.state.resetTo(restPositions);
    }

    /** To be called after a change of fabric, substeps, time step or pins: derived numbers are renewed before the next step. */
    invalidate(): void {
        this._needsPrepare = true;
        this.wake();
    }

    /** Adds a collider; it is released with the body. @throws RangeError when there is no memory left; the collider is then not added */
    addCollider(collider: Collider): void {
        const { Contacts, RenderContacts } = contactModule.module;
        this.contacts ??= new Contacts(this.kernels, this.state, this.triangles, this._createContactResponse());
        if (collider.renderCopy) this.renderer.contacts ??= new RenderContacts(this.kernels.arena, this.state);
        this.colliders.push(collider);
        this.wake();
    }

    /** Resolver of the body's contacts; null: the kernels resolve them. */
    protected _createContactResponse(): ContactResolver | null {
        return null;
    }

    /** Removes a collider; it is the caller's again. */
    removeCollider(collider: Collider): void {
        const index = this.colliders.indexOf(collider);
        if (index >= 0) this.colliders.splice(index, 1);
        this.broadPhase.clear();
        this.wake();
    }

    /** Adds pinned particles that follow a frame; they stop being free at once. */
    addPins(pins: PinSet): void {
        this.pins.splice(pins.isProcessedFirst ? 0 : this.pins.length, 0, pins);
        this._refreshPins();
    }

    /** Frees the particles of `pins`, unless another set holds them too. */
    removePins(pins: PinSet): void {
        const index = this.pins.indexOf(pins);
        if (index >= 0) this.pins.splice(index, 1);
        this._refreshPins();
    }

    /** Says what takes what a set of pins is pulled by; null: nothing. Told anew where its mass has changed. */
    setDynamicCarrier(pins: PinSet, drift: DynamicCarrier | null): void {
        pins.dynamicCarrier = drift;
        this._refreshPins();
    }

    /** Particles that several sets hold may change hands. */
    private _refreshPins(): void {
        for (const pins of this.pins) pins.markUnsettled();
        this.masses.invalidate();
        this.invalidate();
    }

    /** Puts every particle at rest. @param positions simulation space [m], shape [particleCount, 3] */
    resetTo(positions: Float32Array): void {
        this.clock.reset();
        this.state.resetTo(positions);
        this.contactDamping.isTouched = false;
        this.inertia?.reset();
        this.air?.forget();
        this.solver?.reset();
        if (this.contacts) contactModule.module.resetColliders(this.colliders, this.contacts);
        for (const pins of this.pins) pins.restart();
        this.wake();
    }

    /**
     * Begins the frame that the clock has been told (`frameSeconds`, `frameEnd`): tells the fixed steps that it holds, which the world
     * then takes. Asleep and undisturbed, none.
     */
    beginFrame(): void {
        const { clock, settings } = this;
        clock.beginFrame(settings);
        this.contacts?.beginFrame(this);
        for (let i = 0; i < this.pins.length; i++) this.pins[i].dynamicCarrier?.beginFrame(clock, settings);
        this.stopwatch.beginFrame();
        updateZones(settings.wind, this.winds);
        if (!this.sleep.staysAsleep(this)) return;
        if (this.inertia?.isMoving) this.sleep.ride(this);
        this.skipFrame();
    }

    /** Lets the steps of the frame that has begun pass without being taken; colliders go on. */
    skipFrame(): void {
        const { clock, settings, colliders } = this;
        for (let i = 0; i < colliders.length; i++) colliders[i].skipFrame(clock, settings);
        clock.skip(settings);
    }

    /** True if the node of any pin, or the anchor, has moved since the last frame. */
    get hasMovingCarrier(): boolean {
        const { pins } = this;
        for (let i = 0; i < pins.length; i++) if (pins[i].isMoving) return true;
        return this.inertia?.isMoving ?? false;
    }

    /** Comes to rest at the end of a step, if it has been still for long enough. */
    updateSleep(): void {
        this.sleep.update(this);
    }

    /** Ends a frame. @throws what {@link fail} was told */
    endFrame(): void {
        if (this.clock.steps > 0) this.speedLimit = Infinity;
        this.stopwatch.endFrame();
        const failure = this._failure;
        this._failure = null;
        if (failure) throw failure.error;
    }

    /** Ends the frame's steps, since one of them has failed. */
    fail(error: unknown): void {
        this._failure ??= { error };
        this.clock.stop();
    }

    /** True while the body sleeps: it is not computed until something disturbs it. */
    get isAsleep(): boolean {
        return this.sleep.isAsleep;
    }

    /** Has its impacts noted from now on, or no more. */
    recordContactEvents(areAsked: boolean): void {
        if (areAsked !== (this.contactEvents !== null))
            this.contactEvents = areAsked ? createContactEvents(this.state.particleCount) : null;
    }

    /** Ends its sleep, or its falling asleep. */
    wake(): void {
        this.hasAir = false;
        this.sleep.wake();
    }

    /** Renews what is derived from fabric, substep, pins and gravity, as far as those have changed. */
    prepare(): void {
        if (!this._beginPrepare()) return;
        for (const constraint of this.constraints) constraint.prepare(this.state, this.settings, this.substep);
    }

    /** {@link prepare} in slices. */
    *prepareSlices(): Slices<void> {
        if (!this._beginPrepare()) return;
        for (const constraint of this.constraints) {
            yield;
            if (constraint.prepareSlices) yield* constraint.prepareSlices(this.state, this.settings, this.substep);
            else constraint.prepare(this.state, this.settings, this.substep);
        }
    }

    /** @returns true if constraints are to be prepared */
    private _beginPrepare(): boolean {
        const { gravity } = this.settings;
        if (!areEqual(gravity, this._gravity)) {
            this._needsPrepare ||= effectiveGravity(gravity) !== effectiveGravity(this._gravity);
            this._gravity.set(gravity);
        }
        const { state, settings, substep: before } = this;
        const substep = settings.fixedTimeStep / settings.substepCount;
        if (!this._needsPrepare && substep === before) return false;
        this._needsPrepare = false;
        this.revision = ++preparationCount;
        if (before > 0 && before !== substep) rescaleDisplacements(state, this.colliders, substep / before);
        this.substep = substep;
        this.masses.update(settings, this.pins);
        return true;
    }

    /**
     * Adds an impulse [N s], spread over the particles within `radius` [m] of a point with a smooth falloff.
     * @param x point in simulation space [m]; `j` impulse [N s]
     */
    applyImpulse(x: number, y: number, z: number, jx: number, jy: number, jz: number, radius: number): void {
        this.prepare();
        this.wake();
        addImpulse(this.state, this.masses, { point: [x, y, z], impulse: [jx, jy, jz], radius }, this.substep);
    }

    /** Kinetic energy [J]. */
    get kineticEnergy(): number {
        return this.substep > 0 ? this.masses.kineticEnergy(this.substep) : 0;
    }

    /** Writes where the particles are now in the world [m], shape [particleCount, 3]. */
    readPositions(target: Float32Array): void {
        this.renderer.readPositions(this, target);
    }

    /** Moves the origin of simulation space along when the particles are far from it. */
    rebaseIfFar(): void {
        const x = this.state.positions;
        if (isFarFromOrigin(x)) this.rebase(Math.round(x[0]), Math.round(x[1]), Math.round(x[2]));
    }

    /**
     * A teleport: carries the particles along by an affine map of the world. They keep their motion, turned with the map; pins
     * are where their carriers are, colliders where they are, without motion.
     */
    teleport(motion: Affine): void {
        const { origin, state } = this;
        catchUp(this);
        const m = relativeToOrigin(motion, origin);
        // Straight to the new origin: 32-bit positions cannot go by the old one.
        const corner = new Float64Array(3);
        transformPoint(m, state.positions, 0, corner, 0);
        const shift = isFarFromOrigin(corner) ? corner.map(Math.round) : corner.fill(0);
        for (let c = 0; c < 3; c++) m[12 + c] -= shift[c];
        for (let c = 0; c < 3; c++) origin[c] += shift[c];
        this.wake();
        state.transform(m);
        this.inertia?.teleport();
        this._moveOrigin(shift[0], shift[1], shift[2]);
        for (const pins of this.pins) pins.teleport();
        // They may be drawn before the next step.
        for (const pins of this.pins) pins.placeNow(state);
        for (const collider of this.colliders) collider.teleportWithBody();
    }

    /** Ends a step: in a late frame, what was pushed out of colliders is slowed down. */
    endStep(): void {
        this.clock.time += this.settings.fixedTimeStep;
        this.inertia?.endStep(this);
        if (this.speedLimit < Infinity) this.state.limitDisplacements(this.speedLimit);
    }

    /** Moves the origin of simulation space by (dx, dy, dz) [m]. Pins' and colliders' new poses are the caller's. */
    rebase(dx: number, dy: number, dz: number): void {
        [dx, dy, dz].forEach((shift, c) => (this.origin[c] += shift));
        if (this.inertia?.isMoving) this.sleep.rebase(dx, dy, dz);
        else this.wake();
        this.state.rebase(dx, dy, dz);
        this._moveOrigin(dx, dy, dz);
    }

    private _moveOrigin(dx: number, dy: number, dz: number): void {
        for (const pins of this.pins) pins.rebase(dx, dy, dz);
        for (const collider of this.colliders) collider.rebase(dx, dy, dz);
    }

    /** Frees all memory, that of the colliders included; also of a body half built. Idempotent. */
    release(): void {
        (this.triangles as SharedTriangles | undefined)?.releaseFrom(this);
        const { state, constraints, colliders, pins, air, contacts, renderer } = this;
        for (const owned of [state, ...constraints, ...colliders, ...pins, air, contacts, renderer]) owned?.release();
        this.recordedSubstep.release();
        this.broadPhase.clear();
        this.colliders.length = this.pins.length = 0;
    }
}
