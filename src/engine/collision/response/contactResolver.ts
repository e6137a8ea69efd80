import { DEEP_DEPTH, FAST_CLOSING, MAX_FRICTION_SPEED, SUPPORT_MARGIN } from "../../tunables";
import type { Arena } from "../../../kernels/arena";
import type { KernelFunctions, Kernels } from "../../../kernels/kernelTable";
import { Contact, ContactLayout, ContactRecord, SolidData } from "../../../kernels/contactLayout";
import type { ContactArrays, FaceContactArrays } from "../../../kernels/contactLayout";
import { contactKernels } from "../../../kernels/modules/contact.generated";
import { rowAt, Uniform } from "../../../kernels/layout";
import type { ParticleArrays, TriangleArrays } from "../../../kernels/layout";
import { ArenaStruct } from "../../memory/arenaArrays";
import type { ClothSettings } from "../../state/settings";
import type { Clock } from "../../time/clock";
import type { Collider } from "../shapes/collider";
import type { ContactEvents } from "./contactEvents";
import { minEdgeOf } from "../shapes/solid";
import { StartDepths, warningOf } from "../shapes/startDepths";
import { longestEdge, FaceContacts } from "./faceContacts";

/** Body members that contacts read. */
interface ContactHost {
    readonly colliders: readonly Collider[];
    readonly clock: Clock;
    readonly settings: ClothSettings;
}

/** Resolves contacts in place of the kernels. */
export interface ContactResolver {
    /** Begins a pass over colliders. */
    begin(): void;
    /** Answers what a collider meets of the body as a whole; whether that is anything. null: its points and triangles are to be found. */
    resolveRigid(collider: Collider): boolean | null;
    /** Answers what was found of a collider, whose data these are. */
    resolve(data: Float32Array, contacts: ContactArrays): void;
    /** Resolves contacts of triangles. */
    resolveFaceContacts(data: Float32Array, triangles: FaceContactArrays): void;
}

/** Detects contacts of a rope's segments, see rope/ropeSegmentContacts.ts. */
export interface SegmentDetector {
    /** Begins with a collider. */
    begin(): void;
    /** True while segments are left to test. */
    readonly hasMore: boolean;
    /** Finds contacts of the next links, in place of triangles, until there is no room for more. */
    detect(particles: ParticleArrays, collider: Collider, found: FaceContacts): void;
}

/** Room for the contacts of one body's particles with one collider at a time. */
export class Contacts extends ArenaStruct implements ContactArrays {
    readonly capacity: number;
    recordCount!: Uint32Array;
    records!: Uint32Array;
    recordFloats!: Float32Array;
    supportMode!: Uint32Array;
    supports!: Float32Array;
    opposing!: Float32Array;
    newOpposing!: Float32Array;
    hasOpposing!: Uint32Array;
    /** Triangles of the body that keep off colliders, since it has long edges; null: none yet. */
    faces: FaceContacts | null = null;
    /** Finds those of its links, where they are a rope's; null: triangles are no links. */
    segments: SegmentDetector | null = null;
    /** True if near particles are detected as well as those inside. */
    detectsNear = false;
    /** True if the supports hold nothing of earlier passes. */
    areSupportsCleared = false;
    /** True if this pass records opposing contacts, see {@link opposing}. */
    recordsOpposing = false;
    /** Recorder of contact events; null: none. */
    events: ContactEvents | null = null;
    /** The first `otherCount` that are near, within their reach, and come last say what particles must not be pushed into. */
    others: readonly Collider[] = [];
    otherCount = 0;
    /** True if any of the others is one-sided. */
    private _hasOneSided = false;

    /** Largest distance by which a fast solid and a particle deep within it have closed in on each other in this pass [m]; 0: no fast contact. */
    closingDistance = 0;

    private readonly _arena: Arena;
    /** True if the body has moved before, as one from a file has. */
    hasMoved = false;
    /** Pinned particles that began inside colliders, with their depths [m]. */
    readonly pinsInside = new Map<number, number>();
    /** Warning of them; null: none. */
    warning: string | null = null;
    /** Longest edge of the body's triangles, squared [m²]; below 0: not measured yet. */
    private _longestEdge = -1;

    /** @param _resolver what answers them; null: the kernels do @throws RangeError when there is no memory left */
    constructor(
        kernels: Kernels,
        private readonly _particles: ParticleArrays,
        private readonly _triangles: TriangleArrays,
        private readonly _resolver: ContactResolver | null,
    ) {
        super(ContactLayout);
        this.capacity = _particles.paddedCount / 4;
        this._arena = kernels.add(contactKernels).arena;
        this._allocate(this._arena);
    }

    /** True if edges of triangles are longer than `least` (squared, [m²]), so that corner contacts do not suffice; allocates face contacts. */
    needsFaces(least: number): boolean {
        if (this._longestEdge < 0) this._longestEdge = longestEdge(this._triangles, this._particles);
        if (this._longestEdge < least) return false;
        this.faces ??= new FaceContacts(this._arena, this._triangles, this, this._particles);
        return true;
    }

    /** Clears the opposing contacts. */
    forgetOpposing(): void {
        this.hasOpposing[0] = 0;
        this.opposing.fill(0);
        this.newOpposing.fill(0);
    }

    /** True if the last pass has squeezed a particle between two colliders. */
    get hasSqueezed(): boolean {
        return this.hasOpposing[0] > 1;
    }

    /** Begins a frame of a body, whose colliders have been told where they are. */
    beginFrame({ colliders, clock, settings }: ContactHost): void {
        this.hasMoved = clock.time > 0;
        for (let i = 0; i < colliders.length; i++) colliders[i].dynamicBody?.beginFrame(clock, settings.substepCount);
    }

    /** Begins a step in which these colliders may be met. A number as an argument would be boxed. */
    beginStep(colliders: readonly Collider[], settings: { readonly fixedTimeStep: number }): void {
        if (this.pinsInside.size > 0) {
            this.warning = warningOf(this.pinsInside);
            // A map makes a new table when it is cleared.
            this.pinsInside.clear();
        }
        for (let i = 0; i < colliders.length; i++) {
            const { startDepths } = colliders[i];
            if (startDepths && !startDepths.recover(settings)) colliders[i].startDepths = null;
        }
        this.faces?.beginStep(colliders);
    }

    override get byteLength(): number {
        return super.byteLength + (this.faces?.byteLength ?? 0);
    }

    override release(): void {
        super.release();
        this.faces?.release();
        this.faces = null;
    }

    /**
     * Begins a pass over colliders.
     * @param others colliders that particles may be pushed into, the first `count`
     * @param solidCount number of near ones that may be pressed against each other
     * @param events recorder of contact events; null: none
     * @param recordsOpposing true if opposing contacts are recorded for the next pass
     */
    begin(
        others: readonly Collider[],
        count: number,
        solidCount: number,
        events: ContactEvents | null = null,
        recordsOpposing = false,
    ): void {
        this.others = others;
        this.otherCount = count;
        this._hasOneSided = false;
        for (let i = 0; i < count; i++) this._hasOneSided ||= others[i].isOneSided;
        this.events = events;
        this.detectsNear = solidCount > 1;
        this.recordsOpposing = recordsOpposing;
        if (recordsOpposing && this.hasOpposing[0] > 0) {
            this.hasOpposing[0]--;
            this.opposing.set(this.newOpposing);
            this.newOpposing.fill(0);
            this.faces?.previousSupports.set(this.supports);
        }
        this.areSupportsCleared = false;
        this.closingDistance = 0;
        this._resolver?.begin();
    }

    /** True if contacts are collected once a substep and resolved together with other bodies'. */
    get areDeferred(): boolean {
        return this._resolver !== null;
    }

    /** True if a one-sided collider can support particles in the present pass. */
    get areSupportsNeeded(): boolean {
        return this._hasOneSided && this.supportMode[0] > 0;
    }

    /** Answers what a collider meets of the body as a whole, see {@link ContactResolver.resolveRigid}. */
    resolveRigid(kernels: Kernels, particles: ParticleArrays, collider: Collider): boolean | null {
        const isMet = this._resolver?.resolveRigid(collider) ?? null;
        if (isMet && this.events) {
            collider.detect(kernels, particles, this);
            this.events.record(collider, particles, this);
        }
        return isMet;
    }

    /** Answers what was found of a collider, whose data these are. */
    resolve(kernels: Kernels, particles: ParticleArrays, data: Float32Array): void {
        if (this._resolver) this._resolver.resolve(data, this);
        else kernels.resolveContacts(particles, data, this);
    }

    /** Resolves contacts of triangles. */
    resolveFaceContacts(kernels: Kernels, particles: ParticleArrays, data: Float32Array, triangles: FaceContacts): void {
        if (this._resolver) this._resolver.resolveFaceContacts(data, triangles);
        else kernels.resolveFaceContacts(particles, data, triangles);
    }

    /** Notes how far a collider has closed in on what is deep within it, and limits its friction where that is fast. */
    limitFastFriction({ data }: Collider, particles: ParticleArrays): void {
        const { recordFloats } = this;
        const deep = Math.max(DEEP_DEPTH, data[Contact.thickness]);
        const end = this.recordCount[0] * ContactRecord.count;
        let most = 0;
        for (let record = 0; record < end; record += ContactRecord.count) {
            for (let lane = record; lane < record + 4; lane++) {
                if (!(recordFloats[lane + ContactRecord.depths] > deep)) continue;
                const o = rowAt(this.records[record + ContactRecord.row]) + 4 * (lane - record);
                most = Math.max(most, closingOf(data, recordFloats, lane + ContactRecord.normals, particles, o));
            }
        }
        if (most < FAST_CLOSING) return;
        data[Contact.maxFrictionDepth] = MAX_FRICTION_SPEED * particles.uniforms[Uniform.substep];
        this.closingDistance = Math.max(this.closingDistance, most);
    }
}

/** Distance by which a collider and the particle at slot o have closed in on each other in this substep, along the normal in column n [m]. */
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

/** Listener of contacts, see Constraint.recordContacts. */
interface ContactListener {
    recordContacts?(kernels: KernelFunctions, contacts: ContactArrays): void;
}
const NO_LISTENERS: readonly ContactListener[] = [];

/**
 * Keeps particles outside a collider: its shape detects contacts, other colliders give supports that the particles must not be pushed into, and the
 * kernels resolve them. Colliders resolved earlier in the pass support, too: they have priority (see `hasPriorityOver` in collider.ts).
 * @returns true if there are contacts
 */
export function resolveParticles(
    kernels: Kernels,
    particles: ParticleArrays,
    contacts: Contacts,
    collider: Collider,
    listeners: readonly ContactListener[] = NO_LISTENERS,
): boolean {
    const { data } = collider;
    data[Contact.supportDistance] = contacts.detectsNear
        ? Math.max(0, data[Contact.thickness]) + (contacts.hasOpposing[0] > 0 ? SUPPORT_MARGIN : 0)
        : 0;
    collider.detect(kernels, particles, contacts);
    keepStartDepths(kernels, particles, contacts, collider);
    if (contacts.recordCount[0] === 0) return false;
    data[Contact.maxFrictionDepth] = 0;
    // Dynamic bodies expect one response to each contact; rectangles hold each particle on its own side.
    if (collider.fastMotion > 0 && !collider.isOneSided && data[Contact.dynamicMass] === 0)
        contacts.limitFastFriction(collider, particles);
    enableSupports(contacts, collider);
    recordSupports(kernels, particles, contacts, collider);
    collider.shiftParticles(kernels, particles, contacts, 1);
    contacts.events?.record(collider, particles, contacts);
    contacts.resolve(kernels, particles, data);
    for (let i = 0; i < listeners.length; i++) listeners[i].recordContacts?.(kernels, contacts);
    collider.shiftParticles(kernels, particles, contacts, -1);
    return true;
}

/** Lets particles keep the depths that they began with. Bodies that take impulses push at once; rectangles hold each particle on its own side. */
function keepStartDepths(kernels: Kernels, particles: ParticleArrays, contacts: Contacts, collider: Collider): void {
    if (recordsStart(collider)) StartDepths.record(kernels, contacts, collider, particles);
    collider.startDepths?.apply(contacts, isCopy(collider));
}

/** True if overlaps with a collider are initial. */
function recordsStart(collider: Collider): boolean {
    return collider.isStarting && !isCopy(collider) && !collider.isOneSided && !collider.dynamicBody;
}

/** True of a collider of the drawn state. */
function isCopy({ renderCopy }: Collider): boolean {
    return renderCopy === null;
}

/** Keeps triangles, or the segments of a rope, outside a collider where corner contacts do not suffice. Returns true if there are contacts. */
export function resolveFaces(kernels: Kernels, particles: ParticleArrays, contacts: Contacts, collider: Collider): boolean {
    // A dynamic body is weighed against its particle contacts: face contacts would push it twice.
    if (!collider.core || collider.data[Contact.dynamicMass] > 0) return false;
    const links = collider.segmentShape ? contacts.segments : null;
    if (!contacts.needsFaces(links ? minEdgeOf(collider.data) : collider.core[SolidData.minEdge])) return false;
    // Room may just have been made for them, which moves the memory: what was read before is none.
    const { core } = collider;
    const triangles = contacts.faces!;
    if (!links && !triangles.collectCandidates(kernels, particles, collider)) return false;
    enableSupports(contacts, collider);
    const finder = links ?? triangles;
    finder.begin(collider);
    const isStart = recordsStart(collider);
    let isMet = false;
    while (finder.hasMore) {
        if (links) links.detect(particles, collider, triangles);
        else kernels.detectFaceContacts(particles, core, triangles);
        if (isStart) StartDepths.recordFaces(collider, particles, triangles);
        collider.startDepths?.removeCutFaces(triangles);
        if (triangles.contactCount === 0) continue;
        isMet = true;
        recordSupports(kernels, particles, contacts, collider);
        contacts.events?.recordFaces(collider, particles, triangles);
        contacts.resolveFaceContacts(kernels, particles, collider.data, triangles);
    }
    return isMet;
}

/** Sets if supports count for contacts with a collider. */
function enableSupports(contacts: Contacts, collider: Collider): void {
    const isHeld = contacts.otherCount > 1 && !collider.isOneSided;
    contacts.supportMode[0] = isHeld ? (contacts.recordsOpposing ? 2 : 1) : 0;
    if (!isHeld || contacts.areSupportsCleared) return;
    contacts.areSupportsCleared = true;
    contacts.supports.fill(0);
}

function recordSupports(kernels: Kernels, particles: ParticleArrays, contacts: Contacts, collider: Collider): void {
    const { others, otherCount } = contacts;
    if (!contacts.areSupportsNeeded) return;
    for (let i = 0; i < otherCount; i++) {
        const other = others[i];
        if (!other.isOneSided || !other.isNear || (collider.box && !other.mayTouch(collider.box))) continue;
        other.recordSupport(kernels, particles, contacts);
    }
}
