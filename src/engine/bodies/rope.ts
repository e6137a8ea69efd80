import { MIN_ROPE_MASS_SHARE } from "../tunables";
import type { Arena } from "../../kernels/arena";
import type { Kernels } from "../../kernels/kernelTable";
import { rowOf } from "../../kernels/layout";
import { ropeKernels } from "../../kernels/modules/rope.generated";
import { Body } from "./body";
import type { BodyDefinition, SubstepControlInput } from "../state/bodyDefinition";
import { deterministicExp } from "../state/contactDamping";
import type { Collider } from "../collision/shapes/collider";
import { ropeSegmentModule } from "../rope/ropeSegments.lazy";
import { RopeSolver, RopeGrowth, UncoupledRopePass } from "../rope/ropeSolver";
import { RopeBending } from "../rope/ropeBending";
import { RopeSubstepControl } from "../rope/ropeSubstepControl";
import { Twist } from "../rope/twist";
import { applyLineDrag } from "../forces/lineDrag";
import type { RopeMaterial, RopeSettings } from "../rope/ropeMaterial";
import type { BodyState } from "../state/state";

/**
 * The plan of one rope: particles in a row, bound link by link. Its links are triangles without an area, by which edges keep off colliders.
 * @param parts what of its length each link is at rest, shape [particleCount - 1], sum 1
 * @param finer how many times more substeps it takes than were asked for
 */
function ropeDefinition(parts: Float32Array, finer: RopeSubstepControl, twist: Twist): BodyDefinition {
    const particleCount = parts.length + 1;
    const shares = new Float32Array(particleCount);
    const triangles = new Uint32Array(3 * parts.length);
    for (let j = 0; j < parts.length; j++) triangles.set([j, j + 1, j + 1], 3 * j);
    let chain: RopeSolver;
    return {
        particleCount,
        shares,
        density: (settings) => distributeMass(parts, (settings as RopeSettings).rope, shares),
        triangles,
        constraints: {
            bend: (arena: Arena, state: BodyState) => new RopeBending(arena, state, parts),
            chain: (arena: Arena, state: BodyState) => (chain = new RopeSolver(arena, state, parts)),
            twist: () => twist,
            growth: () => new RopeGrowth(chain),
            untied: () => new UncoupledRopePass(chain, finer.settings),
        },
        passes: ["growth", "twist", "bend", "untied"],
        passesAfterContact: ["chain"],
        lengthConstraints: ["chain"],
        applyAir: (state, air, { fabric }) =>
            applyLineDrag(state, air, chain.restLengths, 2 * fabric.thickness * fabric.arealDensity),
        colliderModule: ropeSegmentModule,
        substepController: {
            update(body) {
                twist.beginStep();
                exemptLoadsFromDamping(body, finer.settings.rope);
                chain.frameSteps = body.clock.stepsOf(body.settings);
                finer.update(body, chain);
            },
            saveState: (body) => [twist.angle, ...finer.saveState(body, chain), ...chain.saveState()],
            restoreState(numbers) {
                if (!numbers) return;
                [twist.angle] = numbers;
                finer.restoreState(numbers.slice(1, 5));
                chain.restoreState(numbers.slice(5));
            },
        },
    };
}

/** Writes what of the mass each particle has. @returns the mass [kg] */
function distributeMass(
    parts: Float32Array,
    { length, linearDensity, startMass, endMass }: RopeMaterial,
    shares: Float32Array,
): number {
    const load = startMass + endMass;
    const own = Math.max(length * linearDensity, MIN_ROPE_MASS_SHARE * load);
    const mass = own + load;
    const last = shares.length - 1;
    for (let i = 0; i <= last; i++) {
        const half = ((i > 0 ? parts[i - 1] : 0) + (i < last ? parts[i] : 0)) / 2;
        shares[i] = (own * half + (i === 0 ? startMass : 0) + (i === last ? endMass : 0)) / mass;
    }
    return mass;
}

/**
 * Speeds up the loads on a rope's ends, across it, by what damping takes from them in the coming step: damping is the rope's, not its loads'.
 * Along it they stretch it, and are damped. A rope without pins is damped as a whole.
 */
function exemptLoadsFromDamping({ state, settings, pins }: SubstepControlInput, { startMass, endMass }: RopeMaterial): void {
    if (pins.length === 0) return;
    const taken = settings.fabric.damping * settings.fixedTimeStep;
    const last = state.particleCount - 1;
    exemptLoad(state, 0, 1, startMass, taken);
    exemptLoad(state, last, last - 1, endMass, taken);
}

/** @param load of the particle's mass [kg]; `taken` the exponent of damping in a step */
function exemptLoad(state: BodyState, particle: number, neighbour: number, load: number, taken: number): void {
    const { positions: x, previous: p, residuals: r, inverseMasses } = state;
    const share = Math.min(1, load * inverseMasses[particle]);
    if (share === 0) return;
    const o = rowOf(particle);
    const link = rowOf(neighbour) - o;
    let squared = 0;
    let along = 0;
    for (let c = o; c < o + 3; c++) {
        const d = x[c + link] - x[c];
        squared += d * d;
        along += d * (x[c] - p[c] + r[c]);
    }
    if (squared === 0) return;
    const gain = 1 / deterministicExp(taken * share) - 1;
    for (let c = o; c < o + 3; c++) {
        const moved = x[c] - p[c] + r[c];
        state.setDisplacement(c, moved + gain * (moved - (along / squared) * (x[c + link] - x[c])));
    }
}

/** The length of a line through points [m]. @param points shape [n, 3] */
export function polylineLength(points: ArrayLike<number>): number {
    let length = 0;
    for (let o = 3; o < points.length; o += 3) length += segmentLength(points, o);
    return length;
}

function segmentLength(points: ArrayLike<number>, o: number): number {
    return Math.hypot(points[o] - points[o - 3], points[o + 1] - points[o - 2], points[o + 2] - points[o - 1]);
}

/** A running rope. */
export class Rope extends Body {
    constructor(
        kernels: Kernels,
        plan: BodyDefinition,
        points: Float32Array,
        settings: RopeSettings,
        origin: Float64Array,
        /** Between its ends, where {@link TwistPins} hold them. */
        readonly twist: Twist,
    ) {
        super(kernels, plan, points, settings, origin);
    }

    override addCollider(collider: Collider): void {
        super.addCollider(collider);
        this.contacts!.segments ??= new ropeSegmentModule.module.RopeSegmentContacts(this.state.particleCount - 1);
    }
}

/**
 * A running rope along a line of points, which keep their shares of its length.
 * @param points simulation space [m], shape [n, 3], n >= 2, no two in a row at one place
 * @param origin world position of simulation space's origin [m]; kept
 * @throws RangeError when there is no memory left
 */
export function createRope(
    kernels: Kernels,
    points: Float32Array,
    settings: RopeSettings,
    origin: Float64Array = new Float64Array(3),
): Rope {
    const length = polylineLength(points);
    const parts = Float32Array.from({ length: points.length / 3 - 1 }, (_, j) => segmentLength(points, 3 * j + 3) / length);
    const finer = new RopeSubstepControl(settings);
    const twist = new Twist(parts);
    return new Rope(kernels.add(ropeKernels), ropeDefinition(parts, finer, twist), points, finer.settings, origin, twist);
}
