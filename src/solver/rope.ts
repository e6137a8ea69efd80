import type { Arena } from "../kernels/arena";
import type { Kernels } from "../kernels/kernels";
import { chainKernels } from "../kernels/modules/chain.generated";
import { Body } from "./body";
import type { BodyPlan } from "./bodyPlan";
import type { Collider } from "./colliders/collider";
import { linksPart } from "./colliders/linksPart";
import { Chain, ChainGrowth, UntiedChain } from "./methods/xpbd/chain";
import { ChainBend } from "./methods/xpbd/chainBend";
import { Finer } from "./time/finer";
import { Twist } from "./methods/xpbd/twist";
import { pushLine } from "./forces/lineAir";
import type { RopeMaterial, RopeSettings } from "./materials/ropeMaterial";
import type { BodyState } from "./state";

/**
 * The plan of one rope: particles in a row, bound link by link. Its links are triangles without an area, by which edges keep off colliders.
 * @param parts what of its length each link is at rest, shape [particleCount - 1], sum 1
 * @param finer how many times more substeps it takes than were asked for
 */
function ropePlan(parts: Float32Array, finer: Finer, twist: Twist): BodyPlan {
    const particleCount = parts.length + 1;
    const shares = new Float32Array(particleCount);
    const triangles = new Uint32Array(3 * parts.length);
    for (let j = 0; j < parts.length; j++) triangles.set([j, j + 1, j + 1], 3 * j);
    let chain: Chain;
    return {
        particleCount,
        shares,
        density: (settings) => weigh(parts, (settings as RopeSettings).rope, shares),
        triangles,
        constraints: {
            bend: (arena: Arena, state: BodyState) => new ChainBend(arena, state, parts),
            chain: (arena: Arena, state: BodyState) => (chain = new Chain(arena, state, parts)),
            twist: () => twist,
            growth: () => new ChainGrowth(chain),
            untied: () => new UntiedChain(chain, finer.settings),
        },
        passes: ["growth", "twist", "bend", "untied"],
        passesAfterContact: ["chain"],
        lengths: ["chain"],
        answerAir: (state, air, { fabric }) => pushLine(state, air, chain.restLengths, 2 * fabric.thickness * fabric.arealDensity),
        meetingPart: linksPart,
        refiner: {
            follow(body) {
                twist.begin();
                chain.frameSteps = body.clock.stepsOf(body.settings);
                finer.follow(body, chain);
            },
            copy: (body) => [twist.angle, ...finer.copy(body, chain), ...chain.copy()],
            take(numbers) {
                if (!numbers) return;
                [twist.angle] = numbers;
                finer.take(numbers.slice(1, 5));
                chain.take(numbers.slice(5));
            },
        },
    };
}

/** A rope weighs no less than this share of what hangs on it: what is lighter swings faster across than any substep can follow, and bears nothing then. */
const LIGHTEST = 0.01;

/** Writes what of the mass each particle has. @returns the mass [kg] */
function weigh(parts: Float32Array, { length, linearDensity, startMass, endMass }: RopeMaterial, shares: Float32Array): number {
    const load = startMass + endMass;
    const own = Math.max(length * linearDensity, LIGHTEST * load);
    const mass = own + load;
    const last = shares.length - 1;
    for (let i = 0; i <= last; i++) {
        const half = ((i > 0 ? parts[i - 1] : 0) + (i < last ? parts[i] : 0)) / 2;
        shares[i] = (own * half + (i === 0 ? startMass : 0) + (i === last ? endMass : 0)) / mass;
    }
    return mass;
}

/** The length of a line through points [m]. @param points shape [n, 3] */
export function lengthOf(points: ArrayLike<number>): number {
    let length = 0;
    for (let o = 3; o < points.length; o += 3) length += linkLength(points, o);
    return length;
}

function linkLength(points: ArrayLike<number>, o: number): number {
    return Math.hypot(points[o] - points[o - 3], points[o + 1] - points[o - 2], points[o + 2] - points[o - 1]);
}

/** A running rope. */
export class Rope extends Body {
    constructor(
        kernels: Kernels,
        plan: BodyPlan,
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
        this.contacts!.links ??= new linksPart.content.LinkContacts(this.state.particleCount - 1);
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
    const length = lengthOf(points);
    const parts = Float32Array.from({ length: points.length / 3 - 1 }, (_, j) => linkLength(points, 3 * j + 3) / length);
    const finer = new Finer(settings);
    const twist = new Twist(parts);
    return new Rope(kernels.add(chainKernels), ropePlan(parts, finer, twist), points, finer.settings, origin, twist);
}
