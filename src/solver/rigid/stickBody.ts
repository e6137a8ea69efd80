import type { Arena } from "../../kernels/arena";
import type { Kernels } from "../../kernels/kernels";
import { rigidKernels } from "../../kernels/modules/rigid.generated";
import { ROW } from "../../kernels/layout";
import { StickBodyPose } from "../../kernels/stickBodyLayout";
import { kickStickBody, moveStickBody } from "./stickBodyMotion";
import { Body } from "../body";
import { Calm } from "../motion/calm";
import type { Collider } from "../colliders/collider";
import { defaultGroups } from "../colliders/groups";
import type { Groups } from "../colliders/groups";
import { StickBodyContacts } from "../colliders/stickBodyContacts";
import { SharedSteps } from "../time/finest";
import { SixSticks } from "../methods/xpbd/sixSticks";
import { Pile } from "./pile";
import type { PileMember } from "./pileMember";
import type { PinDrift } from "../pins/pinDrift";
import type { PinSet } from "../pins/pins";
import type { BodyState } from "../state";
import { bodyHullOf, isConvex } from "../surface/bodyHull";
import type { BodyHull } from "../surface/bodyHull";
import { turnAbout } from "../math/affine";
import type { Affine } from "../math/affine";
import { rigidPart } from "../math/rigidPart";
import { massOf } from "../materials/stickBodyMaterial";
import type { StickBodySettings } from "../materials/stickBodyMaterial";

/** What of the mass the points have together: they only have to count as free. */
const POINTS_SHARE = 1e-6;

/** What its pins pull makes up for a frame's drift in so long at least [s]: two frames of a sixtieth. */
const LOAN = 1 / 30;

/** It pulls nothing that it outweighs by more. */
const MOST_PULLED = 10;

/** What has more is met by its points. */
const MOST_CORNERS = 64;

/** Within a call. */
const [place, push, kick] = [new Float64Array(3), new Float64Array(3), new Float64Array(9)];
const NO_MOMENT = new Float64Array(3);

/** Its sticks are solved in JavaScript: there are no calls of kernels to record. */
class NoCalm extends Calm {
    override begin(): void {}
}

/** A running rigid body: four particles that carry it, then points of it, by which it meets colliders and pins hold it. */
export class StickBody extends Body {
    readonly sticks: SixSticks;
    /** What was asked for, of which all of its pile take the finest steps. */
    readonly asked: StickBodySettings;
    /** By which other bodies meet it, along its principal axes from its centre. */
    readonly hull: BodyHull;
    /** Particles that are the hull's corners, where the hull is all of it, and of few corners; else null. */
    readonly corners: Uint32Array | null;
    private readonly _pile: Pile;
    private readonly _piled: PileMember;
    /** What carries its pins and could be pulled. */
    private readonly _asked = new Map<PinSet, PinDrift>();
    private _areHeldStale = false;
    /** Length of its steps when it was last asked [s]. */
    private _step = NaN;
    override readonly calm = new NoCalm();

    /**
     * @param rest simulation space [m], shape [n, 3]: the four particles as massProperties.ts has them, then points
     * @param touchingCount how many of the points meet colliders, the first of them; at least one
     * @param triangles of points, shape [m, 3]: what keeps off colliders between them; may be empty
     * @param origin world position of simulation space's origin [m]; kept
     * @param pile the bodies that it may touch
     * @throws RangeError when there is no memory left
     */
    constructor(
        kernels: Kernels,
        rest: Float32Array,
        touchingCount: number,
        triangles: Uint32Array,
        settings: StickBodySettings,
        origin: Float64Array = new Float64Array(3),
        pile: Pile = new Pile(),
        readonly groups: Groups = defaultGroups(),
    ) {
        const particleCount = rest.length / 3;
        const end = 4 + touchingCount;
        const point = POINTS_SHARE / touchingCount;
        let sticks!: SixSticks;
        const plan = {
            particleCount,
            shares: Float32Array.from({ length: particleCount }, (_, i) => (i < 4 ? (1 - POINTS_SHARE) / 4 : i < end ? point : 0)),
            density: () => massOf(settings.body),
            triangles,
            constraints: {
                sixSticks: (arena: Arena, state: BodyState) =>
                    (sticks = new SixSticks(arena, state, rest, () => this._piled.burden, pile.pairing)),
            },
            passes: ["sixSticks"],
            passesAfterContact: [],
            lengths: [],
        };
        super(kernels.add(rigidKernels), plan, rest, new SharedSteps(settings, pile), origin);
        this.asked = settings;
        this.sticks = sticks;
        const points = Array.from({ length: touchingCount }, (_, i) => sticks.locals.subarray(ROW * (4 + i), ROW * (4 + i) + 3));
        const places = points.flatMap((point) => Array.from(point));
        this.hull = bodyHullOf(places);
        const { corners } = this.hull;
        const isSimple = triangles.length > 0 && corners.length <= MOST_CORNERS && isConvex(this.hull, places, triangles, 4);
        this.corners = isSimple ? corners.map((point) => 4 + point) : null;
        this._pile = pile;
        this._piled = pile.add(this);
    }

    override invalidate(): void {
        super.invalidate();
        // It may be what is asked of it that has changed.
        this._pile.forgetFinest();
    }

    override begin(): void {
        const { clock, settings } = this;
        const { fixedTimeStep: step } = settings;
        if (this._step > 0 && this._step !== step) clock.rescale(step / this._step);
        this._step = step;
        this._piled.keepTime();
        super.begin();
        this._piled.isPresent = true;
    }

    override skip(): void {
        super.skip();
        this._piled.isPresent = false;
    }

    override endFrame(): void {
        this._piled.isPresent = false;
        super.endFrame();
    }

    /** Its principal axes, unit vectors, shape [3, 4], and others of StickBodyPose; of the last substep. */
    get pose(): Float32Array {
        return this.sticks.pose;
    }

    /** Mass [kg]. */
    get mass(): number {
        return massOf((this.settings as StickBodySettings).body);
    }

    /** Moments of inertia about its principal axes, per unit of mass [m²]. */
    get moments(): number[] {
        const { radii } = StickBodyPose;
        const [x, y, z] = Array.from(this.pose.subarray(radii, radii + 3), (radius) => radius * radius);
        return [y + z, z + x, x + y];
    }

    override prepare(): void {
        if (this._areHeldStale) this.sticks.hold(this.pins);
        this._areHeldStale = false;
        super.prepare();
    }

    override addPins(pins: PinSet): void {
        this._areHeldStale = true;
        super.addPins(pins);
    }

    override removePins(pins: PinSet): void {
        this._areHeldStale = true;
        super.removePins(pins);
        if (this._asked.delete(pins)) this._review(null);
    }

    /**
     * Pins that hold it fast pull what carries them, where all that it hangs on takes that: neither other rigid bodies, which are for joints to hold, nor what holds
     * that leave it free to go some ways are on. Else what these do to it would be handed on, and nothing taken from them. And what is far lighter is thrown.
     */
    override setTaker(pins: PinSet, drift: PinDrift | null): void {
        if (drift) this._asked.set(pins, drift);
        else this._asked.delete(pins);
        if (drift) drift.loanSeconds = LOAN;
        this._review(pins);
    }

    /** @param anew of which the mass may be another */
    private _review(anew: PinSet | null): void {
        const { _asked: asked } = this;
        let isAll = true;
        for (const [{ isFast }, { isLed, mass }] of asked) isAll &&= isFast && !isLed && MOST_PULLED * mass >= this.mass;
        for (const set of this.pins) {
            const drift = (isAll && asked.get(set)) || null;
            if (drift !== set.drift || (drift && set === anew)) super.setTaker(set, drift);
        }
    }

    /** It is drawn where it is: nothing in its picture gives way to what moves. */
    override addCollider(collider: Collider): void {
        collider.ghost?.release();
        collider.ghost = null;
        super.addCollider(collider);
    }

    /** It is rigid: of what its carrier stretches or flattens, it takes the turn. */
    override teleport(motion: Affine): void {
        const { state, origin } = this;
        for (let c = 0; c < 3; c++) {
            place[c] = origin[c];
            for (let i = 0; i < 16; i += 4) place[c] += state.positions[i + c] / 4;
        }
        super.teleport(rigidPart(motion, place));
    }

    override place(positions: Float32Array): void {
        super.place(positions);
        // Of contacts that it had elsewhere.
        this.sticks.memory.fill(0);
        this._pile.forget();
    }

    override release(): void {
        // One half built is in none.
        (this._pile as Pile | undefined)?.remove(this._piled);
        super.release();
    }

    override get company(): Pile {
        return this._pile;
    }

    override get companion(): PileMember {
        return this._piled;
    }

    protected override _makeAnswers(): StickBodyContacts {
        return new StickBodyContacts(this._pile, this._piled, this);
    }

    /** Adds an impulse at a point of the body [N s], whatever the radius. */
    override applyImpulse(x: number, y: number, z: number, jx: number, jy: number, jz: number): void {
        place[0] = x;
        place[1] = y;
        place[2] = z;
        push[0] = jx;
        push[1] = jy;
        push[2] = jz;
        this.kick(place, push, NO_MOMENT);
    }

    /**
     * Changes how it moves.
     * @param at where the impulse acts, simulation space, x y z [m]
     * @param impulse x y z [N s]
     * @param moment beside that of the impulse, x y z [N m s]
     */
    kick(at: ArrayLike<number>, impulse: ArrayLike<number>, moment: ArrayLike<number>): void {
        this._begin(at, impulse, moment);
        kickStickBody(this.sticks, kick);
    }

    /** Puts it elsewhere, as it moves. @param drift by what: x y z [m], turn about its centre x y z [rad] */
    shift(drift: ArrayLike<number>): void {
        const { positions: x, previous: p, particleCount } = this.state;
        for (let c = 0; c < 3; c++) place[c] = (x[c] + x[4 + c] + x[8 + c] + x[12 + c]) / 4;
        for (let o = 0; o < ROW * particleCount; o += ROW) {
            for (let c = 0; c < 3; c++) push[c] = x[o + c];
            turnAbout(push, 0, place, drift);
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
    move(at: ArrayLike<number>, velocity: ArrayLike<number>, rate: ArrayLike<number>): void {
        this._begin(at, velocity, rate);
        moveStickBody(this.sticks, kick);
    }

    /** Writes what kernels change its motion by, in substeps, and has it take part. */
    private _begin(at: ArrayLike<number>, along: ArrayLike<number>, about: ArrayLike<number>): void {
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
