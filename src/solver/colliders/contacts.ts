import type { Arena } from "../../kernels/arena";
import type { KernelFunctions, Kernels } from "../../kernels/kernels";
import { Contact, ContactLayout, ContactRecord, SolidData } from "../../kernels/contactLayout";
import type { ContactArrays, TriangleContactArrays } from "../../kernels/contactLayout";
import { contactKernels } from "../../kernels/modules/contact.generated";
import { rowAt, Uniform } from "../../kernels/layout";
import type { ParticleArrays, TriangleArrays } from "../../kernels/layout";
import { ArenaStruct } from "../arenaArrays";
import type { Clock } from "../time/clock";
import { Aside } from "./aside";
import type { Surrounded } from "./aside";
import { Caught } from "./caught";
import type { Collider } from "./collider";
import type { Impacts } from "./impacts";
import { StretchParts } from "./stretchParts";
import { leastEdgeOf } from "./solid";
import { longestEdge, TriangleContacts } from "./triangles";

/** Nothing shallower is deep, however thin the cloth [m]. */
const DEEP = 5e-3;
/** What closes in on a particle by more in a substep is fast [m]: 9.6 m/s at four substeps. As the two move against each other, so that little of it depends on who is at rest. */
const CLOSING = 0.04;
/**
 * Friction of what is fast is no stronger than in a blow of this speed [m/s]: where sticks and tethers pull a particle back into what it is pushed out of,
 * the depth is no force.
 */
const GRIPPED = 2;
/** Parts in which sticks are looked at. */
export const STICK_PARTS = 64;
/** While anything is squeezed, supports hold it from so much farther off [m]: sticks that lifted it off a wall by more had it out on the far side of the door. */
const HELD = 0.03;

/** What answers contacts in place of the kernels. */
export interface ContactAnswers {
    /** Begins a pass over colliders. */
    begin(): void;
    /** Answers what a collider meets of the body as a whole; whether that is anything. null: its points and triangles are to be found. */
    meet(collider: Collider): boolean | null;
    /** Answers what was found of a collider, whose data these are. */
    answer(data: Float32Array, contacts: ContactArrays): void;
    /** The same of triangles. */
    answerTriangles(data: Float32Array, triangles: TriangleContactArrays): void;
}

/** What finds contacts of the links of a rope, see links.ts. */
export interface LinkFinder {
    /** Begins with a collider. */
    begin(): void;
    /** Whether there are links yet to be asked. */
    readonly isLeft: boolean;
    /** Finds contacts of the next links, in place of triangles, until there is no room for more. */
    find(particles: ParticleArrays, collider: Collider, found: TriangleContacts): void;
}

/** Room for the contacts of one body's particles with one collider at a time. */
export class Contacts extends ArenaStruct implements ContactArrays {
    readonly capacity: number;
    recordCount!: Uint32Array;
    records!: Uint32Array;
    recordFloats!: Float32Array;
    areHeeded!: Uint32Array;
    supports!: Float32Array;
    squeezers!: Float32Array;
    newSqueezers!: Float32Array;
    areSqueezed!: Uint32Array;
    /** Triangles of the body that keep off colliders, since it has long edges; null: none yet. */
    triangles: TriangleContacts | null = null;
    /** Finds those of its links, where they are a rope's; null: triangles are no links. */
    links: LinkFinder | null = null;
    /** Limits the body's strain. */
    readonly limiter: StretchParts;
    /** Colliders of the body that are far. */
    readonly aside = new Aside();
    /** Particles that a step has left inside; null: none yet. */
    private _caught: Caught | null = null;
    /** Whether what is near is found, too. */
    isNearFound = false;
    /** Whether the supports hold nothing from before this pass. */
    areCleared = false;
    /** Whether what happens is remembered, see {@link squeezers}. */
    isRemembered = false;
    /** Where what is found is noted; null: nowhere. */
    impacts: Impacts | null = null;
    /** The first `otherCount` that are near, within their reach, and come last say what particles must not be pushed into. */
    others: readonly Collider[] = [];
    otherCount = 0;
    /** Whether any of those come last. */
    private _areAnyLast = false;

    /** How far solids and what is deep within them have closed in on each other in this pass at most [m]; 0: nothing has that is fast. */
    closing = 0;

    private readonly _arena: Arena;
    /** Longest edge of the body's triangles, squared [m²]; below 0: not measured yet. */
    private _longestEdge = -1;

    /** @param _answers what answers them; null: the kernels do @throws RangeError when there is no memory left */
    constructor(
        kernels: Kernels,
        private readonly _particles: ParticleArrays,
        private readonly _triangles: TriangleArrays,
        private readonly _answers: ContactAnswers | null,
    ) {
        super(ContactLayout);
        this.capacity = _particles.paddedCount / 4;
        this._arena = kernels.add(contactKernels).arena;
        this._allocate(this._arena);
        try {
            this.limiter = new StretchParts(kernels);
        } catch (error) {
            this.release();
            throw error;
        }
    }

    /** Whether there are triangles with edges so long (squared, [m²]) that their corners alone do not keep them off; makes room for them. */
    hasEdges(least: number): boolean {
        if (this._longestEdge < 0) this._longestEdge = longestEdge(this._triangles, this._particles);
        if (this._longestEdge < least) return false;
        this.triangles ??= new TriangleContacts(this._arena, this._triangles, this, this._particles);
        return true;
    }

    /** Frees what the first `count` of these colliders have caught, if they may have. See {@link Caught}; room is made where it is first needed. */
    freeCaught(kernels: Kernels, colliders: readonly Collider[], count: number): void {
        if (!mayCatch(colliders, count, this.isNearFound)) return;
        this._caught ??= new Caught(this._particles, this);
        this._caught.free(kernels, colliders, count);
    }

    /** Of sticks in so many parts, 1 where one was drawn together when they were last looked at, see giveWay.ts. */
    readonly strained = new Uint8Array(STICK_PARTS);

    /** Forgets who squeezes what. */
    forget(): void {
        this.areSqueezed[0] = 0;
        this.squeezers.fill(0);
        this.newSqueezers.fill(0);
        this.strained.fill(0);
    }

    /** Whether the last pass has squeezed anything. */
    get hasSqueezed(): boolean {
        return this.areSqueezed[0] > 1;
    }

    /** Begins a frame of a body, whose colliders have been told where they are. */
    beginFrame(body: Surrounded & { readonly clock: Clock }): void {
        this.aside.beginFrame(body);
        const { colliders, clock, settings } = body;
        for (let i = 0; i < colliders.length; i++) colliders[i].taker?.beginFrame(clock, settings.substepCount);
    }

    /** Begins a step in which these colliders may be met. */
    beginStep(colliders: readonly Collider[]): void {
        this.aside.beginStep();
        this.triangles?.beginStep(colliders);
    }

    override get byteLength(): number {
        return super.byteLength + this.limiter.byteLength + (this.triangles?.byteLength ?? 0);
    }

    override release(): void {
        super.release();
        this.limiter?.release();
        this.aside.release();
        this.triangles?.release();
        this.triangles = null;
    }

    /**
     * Begins a pass over colliders.
     * @param others among them those that particles may be pushed into, the first `count`
     * @param solidCount of those near that may be pressed against each other
     * @param impacts where what is found is noted
     * @param isRemembered whether who squeezes what is noted for the next pass
     */
    begin(
        others: readonly Collider[],
        count: number,
        solidCount: number,
        impacts: Impacts | null = null,
        isRemembered = false,
    ): void {
        this.others = others;
        this.otherCount = count;
        this._areAnyLast = false;
        for (let i = 0; i < count; i++) this._areAnyLast ||= others[i].isLast;
        this.impacts = impacts;
        this.isNearFound = solidCount > 1;
        this.isRemembered = isRemembered;
        if (isRemembered && this.areSqueezed[0] > 0) {
            this.areSqueezed[0]--;
            this.squeezers.set(this.newSqueezers);
            this.newSqueezers.fill(0);
            this.triangles?.heldBy.set(this.supports);
        }
        this.areCleared = false;
        this.closing = 0;
        this._answers?.begin();
    }

    /** Whether what is found is noted, once a substep, to be answered with others'. */
    get areNoted(): boolean {
        return this._answers !== null;
    }

    /** Whether there may be any that say what particles must not be pushed into, and these count now. */
    get areSupportsAsked(): boolean {
        return this._areAnyLast && this.areHeeded[0] > 0;
    }

    /** Answers what a collider meets of the body as a whole, see {@link ContactAnswers.meet}. */
    meet(kernels: Kernels, particles: ParticleArrays, collider: Collider): boolean | null {
        const isMet = this._answers?.meet(collider) ?? null;
        if (isMet && this.impacts) {
            collider.find(kernels, particles, this);
            this.impacts.note(collider, particles, this);
        }
        return isMet;
    }

    /** Answers what was found of a collider, whose data these are. */
    answer(kernels: Kernels, particles: ParticleArrays, data: Float32Array): void {
        if (this._answers) this._answers.answer(data, this);
        else kernels.answerContacts(particles, data, this);
    }

    /** The same of triangles. */
    answerTriangles(kernels: Kernels, particles: ParticleArrays, data: Float32Array, triangles: TriangleContacts): void {
        if (this._answers) this._answers.answerTriangles(data, triangles);
        else kernels.answerTriangles(particles, data, triangles);
    }

    /** Notes how far a collider has closed in on what is deep within it, and limits its friction where that is fast. */
    noteFast({ data }: Collider, particles: ParticleArrays): void {
        const { recordFloats } = this;
        const deep = Math.max(DEEP, data[Contact.thickness]);
        const end = this.recordCount[0] * ContactRecord.count;
        let most = 0;
        for (let record = 0; record < end; record += ContactRecord.count) {
            for (let lane = record; lane < record + 4; lane++) {
                if (!(recordFloats[lane + ContactRecord.depths] > deep)) continue;
                const o = rowAt(this.records[record + ContactRecord.row]) + 4 * (lane - record);
                most = Math.max(most, closingOf(data, recordFloats, lane + ContactRecord.normals, particles, o));
            }
        }
        if (most < CLOSING) return;
        data[Contact.grip] = GRIPPED * particles.uniforms[Uniform.substep];
        this.closing = Math.max(this.closing, most);
    }
}

/** How far a collider and the particle at slot o have moved against each other in this substep, along the normal in column n [m]. */
function closingOf(
    data: Float32Array,
    normals: Float32Array,
    n: number,
    { positions: x, previous: p, residuals: r }: ParticleArrays,
    o: number,
): number {
    let closing = 0;
    for (let c = 0; c < 3; c++) {
        const m = Contact.motion + c;
        const carried = x[o] * data[m] + x[o + 1] * data[m + 4] + x[o + 2] * data[m + 8] + data[m + 12];
        closing -= (x[o + c] - p[o + c] + r[o + c] - carried) * normals[n + 4 * c];
    }
    return closing;
}

/** What may take note of contacts, see Constraint.noteContacts. */
interface Heeding {
    noteContacts?(kernels: KernelFunctions, contacts: ContactArrays): void;
}
const NO_ONE: readonly Heeding[] = [];

/** Whether what is fast may have left particles inside of what is bent, or of one of several. */
function mayCatch(colliders: readonly Collider[], count: number, areSeveral: boolean): boolean {
    for (let i = 0; i < count; i++) {
        const { isNear, isBent, fastMotion } = colliders[i];
        if (isNear && fastMotion > 0 && (areSeveral || isBent)) return true;
    }
    return false;
}

/**
 * Keeps particles outside a collider: its shape finds the contacts, others say what the particles must not be pushed into, and the
 * kernels answer. What has been answered in the same pass holds too: it stands firmer (see `isFirmer` in collider.ts).
 * @returns whether it has found any
 */
export function collide(
    kernels: Kernels,
    particles: ParticleArrays,
    contacts: Contacts,
    collider: Collider,
    heeding: readonly Heeding[] = NO_ONE,
): boolean {
    const { data } = collider;
    data[Contact.near] = contacts.isNearFound ? Math.max(0, data[Contact.thickness]) + (contacts.areSqueezed[0] > 0 ? HELD : 0) : 0;
    collider.find(kernels, particles, contacts);
    if (contacts.recordCount[0] === 0) return false;
    data[Contact.grip] = 0;
    // What takes impulses reckons with one answer to each contact; rectangles hold each particle on its own side.
    if (collider.fastMotion > 0 && !collider.isLast && data[Contact.takerMass] === 0) contacts.noteFast(collider, particles);
    heed(contacts, collider);
    support(kernels, particles, contacts, collider);
    collider.takeAlong(kernels, particles, contacts, 1);
    contacts.impacts?.note(collider, particles, contacts);
    contacts.answer(kernels, particles, data);
    for (let i = 0; i < heeding.length; i++) heeding[i].noteContacts?.(kernels, contacts);
    collider.takeAlong(kernels, particles, contacts, -1);
    return true;
}

/** The same for the triangles that are near it in this step, or the links, where their corners alone do not suffice. */
export function collideTriangles(kernels: Kernels, particles: ParticleArrays, contacts: Contacts, collider: Collider): boolean {
    // What takes impulses is weighed against the particles that it meets: triangles would have it pushed twice.
    if (!collider.core || collider.data[Contact.takerMass] > 0) return false;
    const links = collider.linkShape ? contacts.links : null;
    if (!contacts.hasEdges(links ? leastEdgeOf(collider.data) : collider.core[SolidData.leastEdge])) return false;
    // Room may just have been made for them, which moves the memory: what was read before is none.
    const { core } = collider;
    const triangles = contacts.triangles!;
    if (!links && !triangles.seek(kernels, particles, collider)) return false;
    heed(contacts, collider);
    const finder = links ?? triangles;
    finder.begin(collider);
    let isMet = false;
    while (finder.isLeft) {
        if (links) links.find(particles, collider, triangles);
        else kernels.findTriangleContacts(particles, core, triangles);
        if (triangles.count === 0) continue;
        isMet = true;
        support(kernels, particles, contacts, collider);
        contacts.impacts?.noteTriangles(collider, particles, triangles);
        contacts.answerTriangles(kernels, particles, collider.data, triangles);
    }
    return isMet;
}

/** Says whether the supports count for what is pushed by a collider. */
function heed(contacts: Contacts, collider: Collider): void {
    const isHeld = contacts.otherCount > 1 && !collider.isLast;
    contacts.areHeeded[0] = isHeld ? (contacts.isRemembered ? 2 : 1) : 0;
    if (!isHeld || contacts.areCleared) return;
    contacts.areCleared = true;
    contacts.supports.fill(0);
}

function support(kernels: Kernels, particles: ParticleArrays, contacts: Contacts, collider: Collider): void {
    const { others, otherCount } = contacts;
    if (!contacts.areSupportsAsked) return;
    for (let i = 0; i < otherCount; i++) {
        const other = others[i];
        if (!other.isLast || !other.isNear || (collider.box && !other.mayTouch(collider.box))) continue;
        other.support(kernels, particles, contacts);
    }
}
