import { Contact, SolidData, FaceContactCounter, FaceContactRecord } from "../../kernels/contactLayout";
import { ROW, rowOf, rowOffset } from "../../kernels/layout";
import type { ParticleArrays } from "../../kernels/layout";
import { MeshData, MeshTriangle } from "../../kernels/meshLayout";
import type { MeshArrays } from "../../kernels/meshLayout";
import { measureCylinder, measureHull } from "../collision/shapes/distanceFunctions";
import { detectSegmentMeshContacts, findNeighbours, hasSegmentCrossed, segmentClearance } from "./segmentMeshContacts";
import { detectSegmentSolidContact, segment, MAX_SEGMENT_CONTACTS, SegmentContact, segmentContacts } from "./segmentSolidContacts";
import type { DistanceFunction } from "../collision/shapes/distanceFunctions";
import { recordCorners } from "../collision/response/contactMath";
import type { Collider } from "../collision/shapes/collider";
import type { SegmentDetector } from "../collision/response/contactResolver";
import type { MeshColliderBase } from "../collision/shapes/meshColliderBase";
import type { FaceContacts } from "../collision/response/faceContacts";

/** Distance functions of convex solids, by {@link Collider.segmentShape}. */
const distanceFunctions: Readonly<Record<"hull" | "cylinder", DistanceFunction>> = { hull: measureHull, cylinder: measureCylinder };

/** Memory of segments at a mesh: the last position of each on its own side of all triangles, in the mesh's frame. */
interface SegmentMemory {
    /** Both ends, x y z each [m]; a first one that is no number: nothing is known. Shape [linkCount, 6]. */
    readonly safePositions: Float64Array;
    /** Ends of each segment when it was last tested, x y z each, and how far they may move until it is to be tested again [m]. Shape [linkCount, 7]. */
    readonly clearances: Float64Array;
    /** Forget count of the mesh, its margin [m] and its size at the last test. */
    forgetCount: number;
    keptDistance: number;
    readonly size: Float64Array;
    /** See findLinkAtMesh. */
    readonly neighbours: Int32Array;
    solidSide: number;
}

/**
 * Contact of a rope's segments, not its particles alone, with cylinders, hulls and meshes: solids thinner than a segment is long, rims, edges and corners.
 * Loaded with ropes: cloth's triangles have another way (triangles.ts).
 *
 * At a mesh a segment keeps a position as a particle does (kernels/assembly/mesh.ts): the last one on its own side. The path from there to its present position
 * may cross no edge, however often it is drawn through.
 */
export class RopeSegmentContacts implements SegmentDetector {
    private readonly _memories = new WeakMap<Collider, SegmentMemory>();
    /** The link to look at next. */
    private _next = 0;

    /** @param _segmentCount links in a row, between particles in a row */
    constructor(private readonly _segmentCount: number) {}

    begin(): void {
        this._next = 0;
    }

    get hasMore(): boolean {
        return this._next < this._segmentCount;
    }

    detect(particles: ParticleArrays, collider: Collider, found: FaceContacts): void {
        const { segmentShape: linkShape, data } = collider;
        const isMesh = linkShape === "mesh";
        const memory = isMesh ? this._memoryOf(collider as MeshColliderBase) : null;
        const { positions: x, previous: p, inverseMasses: w } = particles;
        let count = 0;
        let j = this._next;
        for (; j < this._segmentCount && count + MAX_SEGMENT_CONTACTS <= found.capacity; j++) {
            const a = rowOf(j);
            if (!(w[j] + w[j + 1] > 0) || !isNear(data, x, p, a)) {
                if (memory) memory.safePositions[6 * j] = NaN;
                continue;
            }
            const isNew = !memory || isNaN(memory.safePositions[6 * j]);
            for (let end = 0; end < 2; end++) {
                writeInFrame(data, SolidData.toFrame, x, a + ROW * end, 6 + 3 * end);
                if (isNew) writeInFrame(data, SolidData.toFrameBefore, p, a + ROW * end, 3 * end);
            }
            let touchCount;
            if (linkShape === "mesh") {
                if (!isNew && isWithinClearance(memory!, j)) {
                    for (let c = 0; c < 6; c++) memory!.safePositions[6 * j + c] = segment[6 + c];
                    continue;
                }
                if (!isNew) for (let c = 0; c < 6; c++) segment[c] = memory!.safePositions[6 * j + c];
                touchCount = detectSegmentMeshContacts((collider as MeshColliderBase).mesh, memory!.neighbours, memory!.solidSide);
            } else touchCount = detectSegmentSolidContact(data, distanceFunctions[linkShape!]);
            for (let k = 0; k < touchCount; k++) writeContact(data, found, count++, j, k * SegmentContact.count);
            if (memory) updateSafePosition(collider as MeshColliderBase, memory, j, touchCount);
        }
        this._next = j;
        found.progress[FaceContactCounter.recordCount] = count;
        recordCorners(found, count);
    }

    /** Memory at a mesh; empty if the mesh has forgotten particles, too. */
    private _memoryOf(collider: MeshColliderBase): SegmentMemory {
        let memory = this._memories.get(collider);
        if (!memory) {
            const places = new Float64Array(6 * this._segmentCount);
            const rooms = new Float64Array(7 * this._segmentCount);
            const neighbours = neighboursOf(collider);
            memory = {
                safePositions: places,
                clearances: rooms,
                forgetCount: -1,
                keptDistance: 0,
                size: new Float64Array(9),
                neighbours,
                solidSide: 0,
            };
            this._memories.set(collider, memory);
        }
        const kept = collider.data[MeshData.keptDistance];
        if (memory.forgetCount !== collider.forgetCount) memory.safePositions.fill(NaN);
        const isOtherSize = collider.scalePoints(memory.safePositions, memory.size);
        if (isOtherSize) memory.solidSide = solidSideOf(collider.mesh);
        if (isOtherSize || memory.keptDistance !== kept) memory.clearances.fill(0);
        memory.forgetCount = collider.forgetCount;
        memory.keptDistance = kept;
        return memory;
    }
}

/** True if a segment, given in {@link segment}, has moved by less than its clearance since it was tested. */
function isWithinClearance({ clearances: rooms }: SegmentMemory, j: number): boolean {
    const o = 7 * j;
    const squared = rooms[o + 6] * rooms[o + 6];
    for (let end = 0; end < 6; end += 3) {
        const x = segment[6 + end] - rooms[o + end];
        const y = segment[7 + end] - rooms[o + end + 1];
        const z = segment[8 + end] - rooms[o + end + 2];
        if (!(x * x + y * y + z * z < squared)) return false;
    }
    return true;
}

/**
 * Takes the place of a link that was just looked at: where it is, or, if it has crossed an edge on its way, where it is once it is out; if it would cross
 * one on its way there, too, its place stays as it was.
 */
function updateSafePosition(
    { mesh, isRigid }: MeshColliderBase,
    { safePositions: places, clearances: rooms, neighbours, solidSide }: SegmentMemory,
    j: number,
    touchCount: number,
): void {
    for (let c = 0; c < 6; c++) rooms[7 * j + c] = segment[6 + c];
    rooms[7 * j + 6] = isRigid ? Math.max(0, segmentClearance()) : 0;
    if (hasSegmentCrossed()) {
        for (let k = 0, o = 0; k < touchCount; k++, o += SegmentContact.count) {
            let depth = segmentContacts[o + SegmentContact.depth];
            for (let c = 0; c < 3; c++) depth -= shift[c] * segmentContacts[o + SegmentContact.normal + c];
            for (let c = 0; c < 3; c++) shift[c] += Math.max(0, depth) * segmentContacts[o + SegmentContact.normal + c];
        }
        for (let c = 0; c < 6; c++) segment[6 + c] += shift[c % 3];
        shift.fill(0);
        detectSegmentMeshContacts(mesh, neighbours, solidSide);
    }
    const from = hasSegmentCrossed() ? 0 : 6;
    for (let c = 0; c < 6; c++) places[6 * j + c] = segment[from + c];
}

/** Correction of a segment [m], zeros between the calls. */
const shift = new Float64Array(3);

/** True if a segment, or its path, may touch the box of a collider. */
function isNear(data: Float32Array, x: Float32Array, p: Float32Array, a: number): boolean {
    for (let c = 0; c < 3; c++) {
        const o = a + c;
        if (Math.min(x[o], x[o + ROW], p[o], p[o + ROW]) > data[Contact.maximum + c]) return false;
        if (Math.max(x[o], x[o + ROW], p[o], p[o + ROW]) < data[Contact.minimum + c]) return false;
    }
    return true;
}

/** Writes the point at slot o, in the frame at slot m, to {@link segment}. */
function writeInFrame(data: Float32Array, m: number, points: Float32Array, o: number, to: number): void {
    const x = points[o] - data[m + 12];
    const y = points[o + 1] - data[m + 13];
    const z = points[o + 2] - data[m + 14];
    for (let c = 0; c < 3; c++) segment[to + c] = x * data[m + c] + y * data[m + 4 + c] + z * data[m + 8 + c];
}

/** Writes a touch of a link as a record of a triangle without an area. */
function writeContact(
    data: Float32Array,
    { records, recordFloats: f }: FaceContacts,
    record: number,
    j: number,
    touch: number,
): void {
    const m = SolidData.toFrame;
    const o = record * FaceContactRecord.count;
    const share = segmentContacts[touch + SegmentContact.share];
    const n = touch + SegmentContact.normal;
    let offset = segmentContacts[touch + SegmentContact.depth];
    for (let c = 0; c < 3; c++) {
        const normal =
            data[m + 4 * c] * segmentContacts[n] +
            data[m + 4 * c + 1] * segmentContacts[n + 1] +
            data[m + 4 * c + 2] * segmentContacts[n + 2];
        offset += normal * data[m + 12 + c] + segmentContacts[n + c] * (segment[6 + c] + share * (segment[9 + c] - segment[6 + c]));
        f[o + FaceContactRecord.normal + c] = normal;
        records[o + c] = rowOffset(j + (c > 0 ? 1 : 0));
    }
    f[o + FaceContactRecord.normal + 3] = f[o + FaceContactRecord.shares + 2] = f[o + FaceContactRecord.shares + 3] = 0;
    f[o + FaceContactRecord.shares] = 1 - share;
    f[o + FaceContactRecord.shares + 1] = share;
    f[o + FaceContactRecord.offset] = offset;
}

const neighboursByGeometry = new WeakMap<object, Int32Array>();

/** Found once for all that are of one form, whatever their size. */
function neighboursOf({ geometry: form, mesh }: MeshColliderBase): Int32Array {
    let neighbours = neighboursByGeometry.get(form);
    if (!neighbours) neighboursByGeometry.set(form, (neighbours = findNeighbours(mesh)));
    return neighbours;
}

/** The side that is out, see findLinkAtMesh: of a closed mesh, the one away from its volume. */
function solidSideOf({ data, triangles: t, triangleCount }: MeshArrays): number {
    if (!(data[MeshData.isClosed] > 0)) return data[MeshData.front];
    let volume = 0;
    for (let i = 0, o = 0; i < triangleCount; i++, o += MeshTriangle.count) {
        const u = o + MeshTriangle.ab;
        const v = o + MeshTriangle.ac;
        for (let c = 0; c < 3; c++) {
            const d = (c + 1) % 3;
            const e = (c + 2) % 3;
            volume += t[o + c] * (t[u + d] * t[v + e] - t[u + e] * t[v + d]);
        }
    }
    return volume < 0 ? -1 : 1;
}
