/**
 * The links of a rope, solved all at once: kernels/assembly/ropeSolve.ts. They hold their lengths whatever hangs on them, or give as the
 * material's stretch stiffness says; in either case one pass a substep is all that is needed.
 */
import { ENERGY_ALLOWANCE, LIMP_BLEND, MAX_PRESS_RATIO, MAX_PUSH_MASSES, STIFF_BLEND, WINDING_TENSION } from "../tunables";
import type { Arena } from "../../kernels/arena";
import { RopeContactSlot, RopeLayout, RopeLimit } from "../../kernels/ropeLayout";
import type { RopeArrays } from "../../kernels/ropeLayout";
import type { ContactArrays } from "../../kernels/contactLayout";
import type { KernelFunctions } from "../../kernels/kernelTable";
import type { ProxyArrays } from "../../kernels/selfCollisionLayout";
import { recordRopeSelfContacts } from "./ropeSelfContacts";
import type { SelfContactArrays } from "../../kernels/selfContactLayout";
import { roundUpToFour, ROW, rowOf } from "../../kernels/layout";
import { ArenaStruct } from "../memory/arenaArrays";
import type { RopeMaterial, RopeSettings } from "./ropeMaterial";
import type { BodyState } from "../state/state";
import type { Constraint } from "../state/constraint";

/**
 * Bending takes a zigzag of links back to 1 / (1 + κ) in a substep, κ = 16 B dt² / μ l⁴. To pull along where links led before would have it grow then: it is
 * that from κ = 2 on that more than half has to be where they lead now, and before that less.
 */
function directionBlendOf({ bendStiffness, linearDensity, length }: RopeMaterial, parts: Float32Array, substep: number): number {
    let shortest = length;
    for (let j = 0; j < parts.length; j++) shortest = Math.min(shortest, parts[j] * length);
    const kept = 1 / (1 + (16 * bendStiffness * substep * substep) / (linearDensity * shortest ** 4));
    return LIMP_BLEND * kept + STIFF_BLEND * (1 - kept);
}

export class RopeSolver extends ArenaStruct implements RopeArrays, Constraint {
    readonly name = "chain";
    readonly linkCount: number;
    readonly paddedLinks: number;
    readonly rowCount: number;
    readonly paddedCount: number;
    lengthShares!: Float32Array;
    restLengths!: Float32Array;
    previousRestLengths!: Float32Array;
    previousSquaredLengths!: Float32Array;
    compliances!: Float32Array;
    vectors!: Float32Array;
    pullDirections!: Float32Array;
    diagonal!: Float32Array;
    offDiagonal!: Float32Array;
    rhs!: Float32Array;
    tensions!: Float32Array;
    compressed!: Float32Array;
    normals!: Float32Array;
    loads!: Float32Array;
    weights!: Float32Array;
    limits!: Float32Array;
    contacts!: Uint32Array;
    /** Inverse mass of the lightest particle [1/kg]. */
    private _maxInverseMass = 0;

    /**
     * @param parts what of the rope's length each link is at rest, shape [linkCount]
     * @throws RangeError when there is no memory left
     */
    constructor(arena: Arena, state: BodyState, parts: Float32Array) {
        super(RopeLayout);
        this.linkCount = parts.length;
        this.paddedLinks = roundUpToFour(this.linkCount);
        this.rowCount = this.paddedLinks + 4;
        this.paddedCount = state.paddedCount;
        this._allocate(arena);
        this.lengthShares.set(parts);
    }

    get count(): number {
        return this.linkCount;
    }

    /** Saves its state of the last substep as numbers, for {@link restoreState}: its length, whether loads are known, and those. */
    saveState(): readonly number[] {
        const { limits, contacts, loads, linkCount } = this;
        return [limits[RopeLimit.length], contacts[RopeContactSlot.hasLoads], ...loads.subarray(1, linkCount + 1)];
    }

    /** Goes on from what another one knew, of as many links, or, with others, from its length. */
    restoreState([length, hasLoads, ...known]: readonly number[]): void {
        const { limits, contacts, loads, linkCount, restLengths, previousRestLengths, lengthShares: parts } = this;
        limits[RopeLimit.length] = length;
        for (let j = 0; j < linkCount; j++) previousRestLengths[j] = restLengths[j] = parts[j] * limits[RopeLimit.length];
        if (known.length !== linkCount) return;
        contacts[RopeContactSlot.hasLoads] = hasLoads;
        loads.set(known, 1);
    }

    /** Steps in which a length that is told in a frame changes, at least one. */
    frameSteps = 1;

    /**
     * A length that differs from the last changes over the frame: within the substeps of one of several steps, a load on the rope would be jerked in every
     * frame.
     */
    prepare(
        { inverseMasses, hasDynamicCarrier: hasDynamicCarrier }: BodyState,
        { rope, substepCount, gravity }: RopeSettings,
        substep: number,
    ): void {
        const { limits, contacts } = this;
        const isNew = limits[RopeLimit.length] === 0;
        const compliance = 1 / (rope.stretchStiffness * substep * substep);
        limits[RopeLimit.targetLength] = rope.length;
        const change = isNew ? 0 : limits[RopeLimit.targetLength] - limits[RopeLimit.length];
        if (isNew) {
            limits[RopeLimit.length] = rope.length;
            for (let j = 0; j < this.linkCount; j++) this.restLengths[j] = this.lengthShares[j] * rope.length;
        }
        const substeps = Math.max(1, Math.round(this.frameSteps * substepCount));
        limits[RopeLimit.growth] = change / substeps;
        limits[RopeLimit.compliance] = compliance;
        limits[RopeLimit.directionBlend] = directionBlendOf(rope, this.lengthShares.subarray(0, this.linkCount), substep);
        contacts[RopeContactSlot.growthSubsteps] = substeps + 1;
        contacts[RopeContactSlot.hasDynamicCarrier] = Number(hasDynamicCarrier);
        limits[RopeLimit.maxDepth] = (MAX_PRESS_RATIO * rope.length) / this.linkCount;
        let lightest = 0;
        let mass = 0;
        for (let i = 0; i <= this.linkCount; i++) {
            lightest = Math.max(lightest, inverseMasses[i]);
            if (inverseMasses[i] > 0) mass += 1 / inverseMasses[i];
        }
        limits[RopeLimit.mass] = mass;
        limits[RopeLimit.energyAllowance] =
            (mass / 2) * (ENERGY_ALLOWANCE * Math.hypot(gravity[0], gravity[1], gravity[2]) * substep * substep) ** 2;
        limits[RopeLimit.minTension] = lightest > 0 ? -MAX_PUSH_MASSES / lightest : 0;
        limits[RopeLimit.windingTension] = lightest > 0 ? WINDING_TENSION / lightest : 0;
        this._maxInverseMass = lightest;
    }

    /** Largest tension ratio: T dt² / m l, by which tension T moves the lightest particle across a segment in a substep, over the segment's length l. */
    get tensionRatio(): number {
        const hardest = this.limits[RopeLimit.maxTension];
        return hardest > 0 ? hardest * this._maxInverseMass : 0;
    }

    /** Ratio of a tension [N] in substeps of a length [s]. */
    tensionRatioOf(tension: number, substep: number): number {
        return ((tension * substep * substep * this.linkCount) / this.limits[RopeLimit.length]) * this._maxInverseMass;
    }

    project(kernels: KernelFunctions, state: BodyState): void {
        kernels.projectRope(state, this);
    }

    recordContacts(kernels: KernelFunctions, contacts: ContactArrays): void {
        kernels.recordRopeContacts(contacts, this);
    }

    recordSelfContacts(contacts: SelfContactArrays, proxy: ProxyArrays): void {
        recordRopeSelfContacts(contacts, proxy, this);
    }

    /**
     * Of an end of a chain that does not stretch: how much longer the way to the nearest particle that stands still is than the links that it has. It
     * leads straight to what is touched, links bend on it; from there on the links tell it.
     */
    addViolation({ positions: x, previous: p, inverseMasses }: BodyState, particle: number, sum: Float64Array): void {
        const { linkCount, restLengths, limits, contacts } = this;
        if (limits[RopeLimit.compliance] > 0 || (particle > 0 && particle < linkCount)) return;
        const side = particle === 0 ? 1 : -1;
        let [anchor, via] = [particle, -1];
        let [excess, share] = [0, 0];
        do {
            const before = anchor;
            anchor += side;
            const link = Math.min(before, anchor);
            excess -= restLengths[link];
            share += this.lengthShares[link];
            if (via >= 0) excess += lengthBetween(x, rowOf(before), rowOf(anchor));
            else if (this._isInContact(anchor)) via = anchor;
        } while (inverseMasses[anchor] > 0 && anchor > 0 && anchor < linkCount);
        if (inverseMasses[anchor] > 0) return;
        const o = rowOf(particle);
        const v = rowOf(via >= 0 ? via : anchor);
        const a = rowOf(anchor);
        const last = via >= 0 && via !== anchor ? rowOf(anchor - side) : o;
        const length = lengthBetween(x, o, v);
        const lastLength = lengthBetween(x, last, a);
        excess += length;
        if (!(excess > 0 && length > 0 && lastLength > 0)) return;
        // What the anchor draws out of the chain in a substep, and what that loses.
        let drawn = contacts[RopeContactSlot.growthSubsteps] > 1 ? -limits[RopeLimit.growth] * share : 0;
        for (let c = 0; c < 3; c++) drawn += ((x[a + c] - p[a + c]) * (x[a + c] - x[last + c])) / lastLength;
        for (let c = 0; c < 3; c++) {
            const along = (x[v + c] - x[o + c]) / length;
            sum[c] += excess * along;
            sum[4 + c] += excess * drawn * along;
        }
        sum[3] += excess;
        if (excess > sum[7]) sum[7] = excess;
    }

    /** True if a particle was in contact in this substep. */
    private _isInContact(particle: number): boolean {
        const { contacts, normals } = this;
        const o = rowOf(particle);
        return contacts[RopeContactSlot.count] > 0 && (normals[o] !== 0 || normals[o + 1] !== 0 || normals[o + 2] !== 0);
    }

    measureStretch({ positions: x }: BodyState, result: Float64Array): void {
        for (let j = 0; j < this.linkCount; j++) {
            const a = rowOf(j);
            const stretch = Math.max(0, lengthBetween(x, a, a + ROW) / this.restLengths[j] - 1);
            result[0] += stretch;
            result[1] = Math.max(result[1], stretch);
        }
    }
}

/** Between the rows at two slots [m]. */
function lengthBetween(x: Float32Array, a: number, b: number): number {
    return Math.hypot(x[b] - x[a], x[b + 1] - x[a + 1], x[b + 2] - x[a + 2]);
}

/** A pass over a rope beside its own. */
abstract class RopePass implements Constraint {
    abstract readonly name: string;
    readonly count = 0;
    readonly byteLength = 0;

    constructor(protected readonly _rope: RopeSolver) {}

    prepare(): void {}

    abstract project(kernels: KernelFunctions, state: BodyState): void;

    measureStretch(): void {}

    release(): void {}
}

/** Has a chain grow, ahead of its passes. */
export class RopeGrowth extends RopePass {
    readonly name = "growth";

    override project(kernels: KernelFunctions): void {
        kernels.growRope(this._rope);
    }
}

/** The pass of a chain that is tied to no cloth: one that is waits for that, see couplings/couplingIsland.ts. */
export class UncoupledRopePass extends RopePass {
    readonly name = "untied";

    constructor(
        chain: RopeSolver,
        private readonly _settings: RopeSettings,
    ) {
        super(chain);
    }

    override project(kernels: KernelFunctions, state: BodyState): void {
        if (!this._settings.leader) this._rope.project(kernels, state);
    }
}
