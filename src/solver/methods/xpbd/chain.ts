/**
 * The links of a rope, solved all at once: kernels/scalar/chain.ts. They hold their lengths whatever hangs on them, or give as the
 * material's stretch stiffness says; in either case one pass a substep is all that is needed.
 */
import type { Arena } from "../../../kernels/arena";
import { ChainContact, ChainLayout, ChainLimit } from "../../../kernels/chainLayout";
import type { ChainArrays } from "../../../kernels/chainLayout";
import type { ContactArrays } from "../../../kernels/contactLayout";
import type { KernelFunctions } from "../../../kernels/kernels";
import { roundUpToFour, rowOf } from "../../../kernels/layout";
import { ArenaStruct } from "../../arenaArrays";
import type { RopeSettings } from "../../ropeMaterial";
import type { BodyState } from "../../state";
import type { Constraint } from "./constraint";

/** What is in contact is pressed no deeper in a pass than this share of a link. */
const DEEPEST = 0.5;

/** Links push by so many times the mass of the lightest particle, at most: beyond about one, what is pushed would fly off across. */
const PUSH = 0.1;

export class Chain extends ArenaStruct implements ChainArrays, Constraint {
    readonly name = "chain";
    readonly linkCount: number;
    readonly paddedLinks: number;
    readonly rowCount: number;
    readonly paddedCount: number;
    parts!: Float32Array;
    restLengths!: Float32Array;
    restBefore!: Float32Array;
    squaresBefore!: Float32Array;
    compliances!: Float32Array;
    vectors!: Float32Array;
    pulls!: Float32Array;
    own!: Float32Array;
    after!: Float32Array;
    excess!: Float32Array;
    tensions!: Float32Array;
    normals!: Float32Array;
    loads!: Float32Array;
    weights!: Float32Array;
    limits!: Float32Array;
    contacts!: Uint32Array;
    /** Inverse mass of the lightest particle [1/kg]. */
    private _lightest = 0;

    /**
     * @param parts what of the rope's length each link is at rest, shape [linkCount]
     * @throws RangeError when there is no memory left
     */
    constructor(arena: Arena, state: BodyState, parts: Float32Array) {
        super(ChainLayout);
        this.linkCount = parts.length;
        this.paddedLinks = roundUpToFour(this.linkCount);
        this.rowCount = this.paddedLinks + 4;
        this.paddedCount = state.paddedCount;
        this._allocate(arena);
        this.parts.set(parts);
    }

    get count(): number {
        return this.linkCount;
    }

    /** Where the length is another than before, it changes in the substeps of the next step. */
    prepare({ inverseMasses }: BodyState, { rope, substepCount }: RopeSettings, substep: number): void {
        const { limits, contacts } = this;
        const isNew = limits[ChainLimit.length] === 0;
        const compliance = 1 / (rope.stretchStiffness * substep * substep);
        const change = isNew ? 0 : Math.fround(rope.length) - limits[ChainLimit.length];
        if (isNew) {
            limits[ChainLimit.length] = rope.length;
            for (let j = 0; j < this.linkCount; j++) this.restLengths[j] = this.parts[j] * rope.length;
        }
        limits[ChainLimit.growth] = change / substepCount;
        limits[ChainLimit.compliance] = compliance;
        contacts[ChainContact.growing] = substepCount + 1;
        limits[ChainLimit.depth] = (DEEPEST * rope.length) / this.linkCount;
        let lightest = 0;
        for (let i = 0; i <= this.linkCount; i++) lightest = Math.max(lightest, inverseMasses[i]);
        limits[ChainLimit.tension] = lightest > 0 ? -PUSH / lightest : 0;
        this._lightest = lightest;
    }

    /** What pulls hardest: T dt² / m l, by which tension T moves the lightest particle across a link in a substep, over the link's length l. */
    get pull(): number {
        const { tensions, linkCount } = this;
        let most = 0;
        for (let j = 0; j < linkCount; j++) if (tensions[j] > most) most = tensions[j];
        return most * this._lightest;
    }

    /** The same of a tension [N] in substeps of a length [s]. */
    pullOf(tension: number, substep: number): number {
        return ((tension * substep * substep * this.linkCount) / this.limits[ChainLimit.length]) * this._lightest;
    }

    project(kernels: KernelFunctions, state: BodyState): void {
        kernels.projectChain(state, this);
    }

    noteContacts(kernels: KernelFunctions, contacts: ContactArrays): void {
        kernels.noteChainContacts(contacts, this);
    }

    measureStretch({ positions: x }: BodyState, result: Float64Array): void {
        for (let j = 0; j < this.linkCount; j++) {
            const a = rowOf(j);
            const length = Math.hypot(x[a + 4] - x[a], x[a + 5] - x[a + 1], x[a + 6] - x[a + 2]);
            const stretch = Math.max(0, length / this.restLengths[j] - 1);
            result[0] += stretch;
            result[1] = Math.max(result[1], stretch);
        }
    }
}

/** Has a chain grow, ahead of its passes. */
export class ChainGrowth implements Constraint {
    readonly name = "growth";
    readonly count = 0;
    readonly byteLength = 0;

    constructor(private readonly _chain: Chain) {}

    prepare(): void {}

    project(kernels: KernelFunctions): void {
        kernels.growChain(this._chain);
    }

    measureStretch(): void {}

    release(): void {}
}
