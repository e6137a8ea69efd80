import type { Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { Node } from "@babylonjs/core/node";
import type { Affine, VectorLike } from "../../engine/index";
import { worldMatrixOf } from "../support/carriers";
import { impulseBodyOf } from "./physicsBodies";
import type { ImpulseBody } from "./physicsBodies";

/** PhysicsMotionType.DYNAMIC: bodies that impulses move. Others have masses, too. */
const DYNAMIC = 2;
/** The mass of a body that no pins hang on is read again after so many frames: asking an engine costs memory. */
const MASS_REFRESH_FRAMES = 32;

/** An impulse: x y z [N s], its moment about a place x y z [N m s], and that place x y z [m]. */
export type Impulse = Float64Array;

/** Makes room for one. */
export function createImpulse(): Impulse {
    return new Float64Array(9);
}

/** A body as what takes the impulses of cloths: added up over a frame and given once, since engines swallow what is tiny. */
export class ImpulseAccumulator {
    /** Mass of the body [kg]; 0: nothing moves it, or it is gone. */
    mass = 0;
    /** Mean square of its radii of gyration [m²]. */
    gyration = 1;
    /** About its principal axes, per unit of mass [m²], and these axes in the space of its node, unit rows, shape [3, 3]. */
    readonly moments = new Float32Array(3);
    private readonly _axes = new Float32Array(9);
    /** Pin sets that asked for it in this frame, and in the last. */
    private _pinCount = 0;
    private _lastPinCount = 0;
    /** The largest of their levers, of this frame and the last; of this one. */
    readonly levers = new Float64Array(3);
    private readonly _frameLevers = new Float64Array(3);
    /** True if an impulse waits to be applied. */
    isPending = false;
    private _mass = 0;
    private _isDynamic = false;
    private _frame = -1;
    private _massFrame = -Infinity;
    private readonly _impulse: Vector3;
    private readonly _moment: Vector3;
    private readonly _point: Vector3;

    constructor(
        private readonly _body: ImpulseBody,
        /** Thin instance; without it, an impulse would be given to every one. */
        private readonly _instance: number | undefined,
    ) {
        // Engines take vectors of their own Babylon's.
        const { position } = _body.transformNode;
        [this._impulse, this._moment, this._point] = [position.clone(), position.clone(), position.clone()];
    }

    /**
     * Tells where the body's principal axes are in the world, unit rows, and its centre [m]; of a body that steps as cloth does, where its last step has left it.
     * @param lead a map of the world, from where its node is to there
     * @returns whether there is such a map
     */
    readFrame(lead: Affine, frame: Affine): boolean {
        const { _body: body, _axes: axes } = this;
        if (body.readStepMotion?.(lead, frame)) return true;
        const world = worldMatrixOf(body.transformNode);
        frame.set(world);
        for (let r = 0; r < 12; r += 4) {
            const length = Math.hypot(world[r], world[r + 1], world[r + 2]) || 1;
            for (let c = r; c < r + 3; c++) lead[c] = world[c] / length;
        }
        for (let o = 0; o < 9; o += 3) {
            for (let c = 0; c < 3; c++) {
                frame[(4 * o) / 3 + c] = axes[o] * lead[c] + axes[o + 1] * lead[4 + c] + axes[o + 2] * lead[8 + c];
            }
        }
        return false;
    }

    /** Counts a set of pins that hangs on it in this frame. @param levers see DynamicCarrier @returns how many there are */
    registerPins(levers: Float64Array): number {
        for (let k = 0; k < 3; k++) {
            this._frameLevers[k] = Math.max(this._frameLevers[k], levers[k]);
            this.levers[k] = Math.max(this.levers[k], levers[k]);
        }
        return Math.max(++this._pinCount, this._lastPinCount);
    }

    /** Moves a body that {@link readFrame} leads. @param drift by what: x y z [m], turn about its centre x y z [rad] */
    translate(drift: ArrayLike<number>): void {
        this._body.translate?.(drift);
    }

    /** Takes in what the body is in this frame. @param isPulled whether pins hang on it, which throw what weighs less than they know */
    beginFrame(frame: number, isPulled: boolean): void {
        const { _body: body, _instance: instance } = this;
        if (frame !== this._frame) {
            this._frame = frame;
            this._lastPinCount = this._pinCount;
            this._pinCount = 0;
            this.levers.set(this._frameLevers);
            this._frameLevers.fill(0);
            this._isDynamic = !body.isDisposed && !(instance! >= body.numInstances) && body.getMotionType(instance) === DYNAMIC;
            this.mass = this._isDynamic ? this._mass : 0;
        }
        if (!this._isDynamic || frame < this._massFrame + (isPulled || body.readStepMotion ? 1 : MASS_REFRESH_FRAMES)) return;
        this._massFrame = frame;
        const { mass, inertia, inertiaOrientation } = body.getMassProperties(instance);
        this.mass = this._mass = mass ?? 0;
        // Told per unit of mass.
        this.gyration = inertia ? (inertia.x + inertia.y + inertia.z) / 3 : Infinity;
        inertia?.toArray(this.moments);
        const { _point: axis } = this;
        for (let k = 0; k < 9; k += 3) {
            axis.set(k === 0 ? 1 : 0, k === 3 ? 1 : 0, k === 6 ? 1 : 0);
            if (inertiaOrientation) axis.applyRotationQuaternionInPlace(inertiaOrientation);
            axis.toArray(this._axes, k);
        }
    }

    /**
     * Adds an impulse to those of this frame.
     * @param origin what the impulse's place is relative to, in the world [m]
     * @param share of the impulse that the body gets
     */
    add(impulse: Impulse, origin: ArrayLike<number>, share: number): void {
        const { _impulse: sum, _moment: moment, _point: place } = this;
        const x = impulse[6] + origin[0],
            y = impulse[7] + origin[1],
            z = impulse[8] + origin[2];
        if (!this.isPending) {
            this.isPending = true;
            place.set(x, y, z);
            sum.set(0, 0, 0);
            moment.set(0, 0, 0);
        }
        const jx = impulse[0] * share,
            jy = impulse[1] * share,
            jz = impulse[2] * share;
        sum.set(sum.x + jx, sum.y + jy, sum.z + jz);
        const ax = x - place.x,
            ay = y - place.y,
            az = z - place.z;
        moment.set(
            moment.x + impulse[3] * share + ay * jz - az * jy,
            moment.y + impulse[4] * share + az * jx - ax * jz,
            moment.z + impulse[5] * share + ax * jy - ay * jx,
        );
    }

    /** Gives the body what has been added up. */
    apply(): void {
        const { _body: body, _impulse: impulse, _moment: moment, _point: place, _instance: instance } = this;
        this.isPending = false;
        if (body.isDisposed || !isFinite(impulse) || !isFinite(moment)) return;
        body.applyImpulse(impulse, place, instance);
        body.applyAngularImpulse(moment, instance);
    }
}

function isFinite({ x, y, z }: VectorLike): boolean {
    return Number.isFinite(x + y + z);
}

/** The impulses that the cloths of a scene give to its physics bodies. */
export class SceneImpulses {
    private readonly _accumulators = new WeakMap<ImpulseBody, ImpulseAccumulator[]>();
    private readonly _pending: ImpulseAccumulator[] = [];
    private _pendingCount = 0;

    /**
     * Accumulator of a node's impulses in this frame; null if it takes none.
     * @param instance which of its thin instances
     * @param isPulled see ImpulseTaker.begin
     */
    accumulatorOf(node: Node, instance: number | undefined, frame: number, isPulled: boolean): ImpulseAccumulator | null {
        const body = impulseBodyOf(node);
        if (!body) return null;
        let accumulators = this._accumulators.get(body);
        if (!accumulators) this._accumulators.set(body, (accumulators = []));
        // A body alone has no number.
        const own = body.numInstances > 0 ? (instance ?? 0) : undefined;
        const accumulator = (accumulators[own ?? 0] ??= new ImpulseAccumulator(body, own));
        accumulator.beginFrame(frame, isPulled);
        return accumulator.mass > 0 ? accumulator : null;
    }

    /** Adds an impulse to an accumulator; see {@link ImpulseAccumulator.add}. */
    add(accumulator: ImpulseAccumulator, impulse: Impulse, origin: ArrayLike<number>, share: number): void {
        let isAny = false;
        for (let i = 0; i < 6; i++) isAny ||= impulse[i] !== 0;
        if (!isAny) return;
        if (!accumulator.isPending) this._pending[this._pendingCount++] = accumulator;
        accumulator.add(impulse, origin, share);
    }

    /** Gives what has been added since the last time. */
    apply(): void {
        for (let i = 0; i < this._pendingCount; i++) this._pending[i].apply();
        this._pendingCount = 0;
    }
}
