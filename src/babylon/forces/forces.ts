import type { Observer } from "@babylonjs/core/Misc/observable";
import { AddedBodyForces, AddedForces, finiteVector, integer, positive, readVelocities, reject } from "../../engine/index";
import type { RigidBody, VectorLike } from "../../engine/index";
import type { BodyInstance } from "../behaviors/bodyInstance";
import type { RigidBodyBehavior } from "../rigidbody/rigidBodyBehavior";
import type { BodyBehavior } from "../behaviors/bodyBehavior";
import type { ClothBehavior } from "../behaviors/clothBehavior";
import { runtimeOf } from "../behaviors/bodyRuntime";
import type { BodyRuntime } from "../behaviors/bodyRuntime";
import type { PlantBehavior } from "../plants/plantBehavior";
import type { RopeBehavior } from "../ropes/ropeBehavior";

const OWNER = "Forces";
const NO_FORCES = new Float32Array(0);

/** Scratch: a position [m] and a force [N]. */
const localPoint = new Float64Array(3);
const forceVector = new Float64Array(3);

function copyVector({ x, y, z }: VectorLike, target: Float64Array): Float64Array {
    target[0] = x;
    target[1] = y;
    target[2] = z;
    return target;
}

/**
 * External forces on the particles of cloth, a rope or a plant, or on a rigid body, in addition to gravity, air and constraints. Forces are summed, act during
 * the next fixed step, and are then cleared. Several Forces of one body add up.
 *
 *     const lift = new Forces(cloth, (forces) => forces.addToAll(new Vector3(0, 2, 0)));        // called before each fixed step
 *     const pull = new Forces(rope);
 *     pull.add(0, new Vector3(5, 0, 0));                                                        // for one step; wakes a sleeping body
 *
 * A force added in every step is as exact as gravity: it changes the velocity by F t / m at any substep count and frame rate. Forces are constant within a step:
 * a drag force −c v on a mass m is stable for c below 2 m / `fixedTimeStep`. Pinned particles take no force. A body with an `onStep` callback does not sleep.
 */
export class Forces {
    private readonly _onStep: ((forces: Forces) => void) | null;
    private readonly _runtime: BodyRuntime;
    private readonly _observer: Observer<BodyBehavior>;
    private _attachment: BodyInstance | null = null;
    private _forces: AddedForces | AddedBodyForces | null = null;
    private _isDisposed = false;

    /**
     * @param body body that the forces act on; it need not be on a mesh yet
     * @param onStep called before each fixed step, to add to these
     * @throws RangeError on what is no such behavior or function
     */
    constructor(
        readonly body: ClothBehavior | RopeBehavior | PlantBehavior | RigidBodyBehavior,
        onStep: ((forces: Forces) => void) | null = null,
    ) {
        const runtime = typeof body === "object" && body !== null ? runtimeOf(body) : undefined;
        if (!runtime) reject(OWNER, "body", "a ClothBehavior, RopeBehavior, PlantBehavior or RigidBodyBehavior", body);
        if (onStep !== null && typeof onStep !== "function") reject(OWNER, "onStep", "a function or null", onStep);
        this._onStep = onStep;
        this._runtime = runtime;
        this._observer = (body as unknown as BodyBehavior).onBeforeStepObservable.add(() => this._beforeStep());
        this._syncAdded();
    }

    /** Number of particles; 0 while its body is on no mesh. */
    get particleCount(): number {
        return this.body.particleCount;
    }

    /**
     * Sum of the forces added for the next step, by particle, world axes [N], shape [particleCount, 3]; of a rigid body, at its four particles. May be read and
     * added to; then call {@link hear}. Do not keep the array: rebuilding the body replaces it.
     */
    get sum(): Float32Array {
        return this._syncAdded()?.forces ?? NO_FORCES;
    }

    /** Call after writing to {@link sum} outside the `onStep` callback; wakes a sleeping body. */
    hear(): void {
        this._syncAdded()?.wakeBody();
    }

    /** Adds a force at a vertex of the mesh. @param force world axes [N] @throws RangeError when there is no such vertex, or the force is not finite */
    add(vertex: number, force: VectorLike): void {
        finiteVector(OWNER, "add(force)", force);
        const added = this._syncAdded();
        if (!added) return;
        const { binding } = this._attachment!;
        integer(OWNER, "add(vertex)", 0, vertex, binding.vertexCount - 1);
        const q = 3 * binding.particleOfVertex[vertex];
        added.forces[q] += force.x;
        added.forces[q + 1] += force.y;
        added.forces[q + 2] += force.z;
        added.wakeBody();
    }

    /** Adds a force, distributed to all particles by mass; on a rigid body, at its centre. @param force world axes [N] @throws RangeError when it is not finite */
    addToAll(force: VectorLike): void {
        finiteVector(OWNER, "addToAll(force)", force);
        const added = this._syncAdded();
        if (!added) return;
        copyVector(force, forceVector);
        if (added instanceof AddedForces) added.distribute(forceVector);
        else for (let q = 0; q < 12; q++) added.forces[q] += forceVector[q % 3] / 4;
        added.wakeBody();
    }

    /**
     * Adds a force around a point with a smooth falloff, as `applyImpulse` does; on a rigid body, at the point.
     * @param point world space [m] @param force world axes [N] @param radius [m], > 0. Default 0.5
     * @throws RangeError on what is not finite
     */
    addAt(point: VectorLike, force: VectorLike, radius = 0.5): void {
        finiteVector(OWNER, "addAt(point)", point);
        finiteVector(OWNER, "addAt(force)", force);
        positive(OWNER, "addAt(radius)", radius);
        const added = this._syncAdded();
        if (!added) return;
        const { origin } = this._attachment!.cloth;
        copyVector(point, localPoint);
        for (let c = 0; c < 3; c++) localPoint[c] -= origin[c];
        if (added instanceof AddedForces) added.distributeAround(localPoint, copyVector(force, forceVector), radius);
        else added.addAt(localPoint, copyVector(force, forceVector));
        added.wakeBody();
    }

    /** Adds a moment to a rigid body. @param moment world axes [N m] @throws RangeError on another body, or what is not finite */
    addMoment(moment: VectorLike): void {
        finiteVector(OWNER, "addMoment(moment)", moment);
        const added = this._syncAdded();
        if (added instanceof AddedForces) reject(OWNER, "addMoment", "asked of a RigidBodyBehavior", this.body);
        if (!added) return;
        copyVector(moment, forceVector);
        for (let c = 0; c < 3; c++) added.moment[c] += forceVector[c];
        added.wakeBody();
    }

    /**
     * Velocities of the particles in the last substep, world axes [m/s], for drag and friction.
     * @param target shape [particleCount, 3]; made when left out
     * @throws RangeError when the target is too short
     */
    readVelocities(target = new Float32Array(3 * this.particleCount)): Float32Array {
        const length = 3 * this.particleCount;
        if (!(target instanceof Float32Array && target.length >= length))
            reject(OWNER, "readVelocities(target)", `a Float32Array of ${length} numbers or more`, target);
        const cloth = this._runtime.instance?.cloth;
        if (cloth) readVelocities(cloth, target);
        return target;
    }

    /** Mass of a particle [kg]; 0 while its body is on no mesh. Not meaningful for a rigid body. */
    massOf(particle: number): number {
        const cloth = this._runtime.instance?.cloth;
        if (!cloth) return 0;
        cloth.prepare();
        return cloth.masses.massOf(integer(OWNER, "massOf(particle)", 0, particle, this.particleCount - 1));
    }

    /** Ends them, and discards forces added for the next step. */
    dispose(): void {
        this._isDisposed = true;
        this._removeAdded();
        this._observer.remove(true);
    }

    /** Before a step. */
    private _beforeStep(): void {
        const added = this._syncAdded();
        if (!added) return;
        if (this._onStep) {
            this._onStep(this);
            added.hasForces = true;
        }
        if (added instanceof AddedBodyForces) added.apply();
    }

    /** Force accumulator of the current body; null while the behavior is on no mesh. */
    private _syncAdded(): AddedForces | AddedBodyForces | null {
        const { instance } = this._runtime;
        if (instance === this._attachment || this._isDisposed) return this._forces;
        this._removeAdded();
        this._attachment = instance;
        if (!instance) return null;
        const { cloth } = instance;
        if (this.body.name === "RigidBody") return (this._forces = new AddedBodyForces(cloth as RigidBody));
        cloth.prepare();
        const added = (this._forces = AddedForces.forBody(cloth));
        added.addSource(this._onStep !== null);
        return added;
    }

    private _removeAdded(): void {
        const { _forces: added } = this;
        this._forces = this._attachment = null;
        if (added instanceof AddedForces) added.removeSource(this._onStep !== null);
    }
}
