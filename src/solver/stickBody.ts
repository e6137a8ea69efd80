import type { Arena } from "../kernels/arena";
import type { Kernels } from "../kernels/kernels";
import { ROW } from "../kernels/layout";
import { StickBodyPose } from "../kernels/stickBodyLayout";
import { Body } from "./body";
import { Calm } from "./calm";
import type { Collider } from "./colliders/collider";
import { defaultGroups } from "./colliders/groups";
import type { Groups } from "./colliders/groups";
import { StickBodyContacts } from "./colliders/stickBodyContacts";
import { SixSticks } from "./methods/xpbd/sixSticks";
import { Pile } from "./pile";
import type { PileMember } from "./pileMember";
import type { PinSet } from "./pins";
import type { BodyState } from "./state";
import { bodyHullOf } from "./surface/bodyHull";
import type { BodyHull } from "./surface/bodyHull";
import { massOf } from "./stickBodyMaterial";
import type { StickBodySettings } from "./stickBodyMaterial";

/** What of the mass the points have together: they only have to count as free. */
const POINTS_SHARE = 1e-6;

/** Its sticks are solved in JavaScript: there are no calls of kernels to record. */
class NoCalm extends Calm {
    override begin(): void {}
}

/** A running rigid body: four particles that carry it, then points of it, by which it meets colliders and pins hold it. */
export class StickBody extends Body {
    readonly sticks: SixSticks;
    /** By which other bodies meet it, along its principal axes from its centre. */
    readonly hull: BodyHull;
    private readonly _pile: Pile;
    private readonly _piled: PileMember;
    private _areHeldStale = false;
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
            constraints: { sixSticks: (arena: Arena, state: BodyState) => (sticks = new SixSticks(arena, state, rest)) },
            passes: ["sixSticks"],
            passesAfterContact: [],
            lengths: [],
        };
        super(kernels, plan, rest, settings, origin);
        this.sticks = sticks;
        const points = Array.from({ length: touchingCount }, (_, i) => sticks.locals.subarray(ROW * (4 + i), ROW * (4 + i) + 3));
        this.hull = bodyHullOf(points.flatMap((point) => Array.from(point)));
        this._pile = pile;
        this._piled = pile.add(this);
    }

    /** Its principal axes, unit vectors, shape [3, 4], and others of StickBodyPose; of the last substep. */
    get pose(): Float32Array {
        return this.sticks.pose;
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
    }

    /** It is drawn where it is: nothing in its picture gives way to what moves. */
    override addCollider(collider: Collider): void {
        collider.ghost?.release();
        collider.ghost = null;
        super.addCollider(collider);
    }

    override place(positions: Float32Array): void {
        super.place(positions);
        this._pile.forget();
    }

    override release(): void {
        super.release();
        // One half built is in none.
        (this._pile as Pile | undefined)?.remove(this._piled);
    }

    override get company(): Pile {
        return this._pile;
    }

    override get companion(): PileMember {
        return this._piled;
    }

    protected override _makeContacts(): StickBodyContacts {
        return new StickBodyContacts(this.kernels.arena, this.state, this.triangles, this._pile, this._piled);
    }

    /** Adds an impulse at a point of the body [N s], whatever the radius. */
    override applyImpulse(x: number, y: number, z: number, jx: number, jy: number, jz: number): void {
        this.prepare();
        this.wake();
        const { positions, residuals } = this.state;
        const { pose } = this;
        const substep = this.settings.fixedTimeStep / this.settings.substepCount;
        const centre = [0, 1, 2].map((c) => (positions[c] + positions[4 + c] + positions[8 + c] + positions[12 + c]) / 4);
        // Axes as the particles have them now: the pose may be that of another place.
        const axes = [0, 1, 2].map((axis) =>
            centre.map((_, c) => {
                const pair = positions[c] + positions[4 * axis + 4 + c];
                return (2 * pair - 4 * centre[c]) / (4 * pose[StickBodyPose.radii + axis]);
            }),
        );
        const arm = [x - centre[0], y - centre[1], z - centre[2]];
        const moment = cross(arm, [jx, jy, jz]);
        const turn = [0, 0, 0];
        axes.forEach((axis, k) => {
            const rate = pose[StickBodyPose.inverseInertia + k] * (axis[0] * moment[0] + axis[1] * moment[1] + axis[2] * moment[2]);
            for (let c = 0; c < 3; c++) turn[c] += rate * axis[c];
        });
        for (let i = 0; i < 4; i++) {
            const swing = cross(
                turn,
                centre.map((m, c) => positions[4 * i + c] - m),
            );
            [jx, jy, jz].forEach((j, c) => (residuals[4 * i + c] += substep * (pose[StickBodyPose.inverseMass] * j + swing[c])));
        }
    }
}

function cross(a: readonly number[], b: readonly number[]): number[] {
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}
