import { Contact, SolidData, TriangleProgress, TriangleRecord } from "../../kernels/contactLayout";
import { ROW, rowOf, rowOffset } from "../../kernels/layout";
import type { ParticleArrays } from "../../kernels/layout";
import { MeshData, MeshTriangle } from "../../kernels/meshLayout";
import type { MeshArrays } from "../../kernels/meshLayout";
import { measureCylinder, measureHull } from "./measures";
import { findLinkAtMesh, findNeighbours, hasLinkCrossed, linkRoom } from "./linkMeshes";
import { findLinkAtSolid, link, LINK_TOUCHES, LinkTouch, touches } from "./linkSolids";
import type { Measure } from "./measures";
import { noteCorners } from "./cornerRecords";
import type { Collider } from "./collider";
import type { LinkFinder } from "./contacts";
import type { MeshSolid } from "./meshSolid";
import type { TriangleContacts } from "./triangles";

/** Distance functions of convex solids, by {@link Collider.linkShape}. */
const measures: Readonly<Record<"hull" | "cylinder", Measure>> = { hull: measureHull, cylinder: measureCylinder };

/** What is known of links at a mesh: where each was last on its own side of all triangles, in the mesh's frame. */
interface Memory {
    /** Both ends, x y z each [m]; a first one that is no number: nothing is known. Shape [linkCount, 6]. */
    readonly places: Float64Array;
    /** Where both ends were when it was last looked at, x y z each, and how far they may go until it is to be again [m]. Shape [linkCount, 7]. */
    readonly rooms: Float64Array;
    /** How often the mesh had forgotten particles when it was last looked at, what was kept from it [m], and its size. */
    forgotten: number;
    kept: number;
    readonly size: Float64Array;
    /** See findLinkAtMesh. */
    readonly neighbours: Int32Array;
    solidSide: number;
}

/**
 * Where the links of a rope, not its particles alone, touch cylinders, hulls and meshes: what is thinner than a link is long, rims, edges and corners. In
 * JavaScript for both backends, and loaded with ropes: cloth's triangles have another way (triangles.ts).
 *
 * At a mesh a link keeps a place as a particle does (kernels/wasm/assembly/mesh.ts): where it has last been on its own side. The way from there to where it is
 * now may cross no edge, however often it is drawn through.
 */
export class LinkContacts implements LinkFinder {
    private readonly _memories = new WeakMap<Collider, Memory>();
    /** The link to look at next. */
    private _next = 0;

    /** @param _linkCount links in a row, between particles in a row */
    constructor(private readonly _linkCount: number) {}

    begin(): void {
        this._next = 0;
    }

    get isLeft(): boolean {
        return this._next < this._linkCount;
    }

    find(particles: ParticleArrays, collider: Collider, found: TriangleContacts): void {
        const { linkShape, data } = collider;
        const isMesh = linkShape === "mesh";
        const memory = isMesh ? this._memoryOf(collider as MeshSolid) : null;
        const { positions: x, previous: p, inverseMasses: w } = particles;
        let count = 0;
        let j = this._next;
        for (; j < this._linkCount && count + LINK_TOUCHES <= found.capacity; j++) {
            const a = rowOf(j);
            if (!(w[j] + w[j + 1] > 0) || !isNear(data, x, p, a)) {
                if (memory) memory.places[6 * j] = NaN;
                continue;
            }
            const isNew = !memory || isNaN(memory.places[6 * j]);
            for (let end = 0; end < 2; end++) {
                map(data, SolidData.toFrame, x, a + ROW * end, 6 + 3 * end);
                if (isNew) map(data, SolidData.toFrameBefore, p, a + ROW * end, 3 * end);
            }
            let touchCount;
            if (linkShape === "mesh") {
                if (!isNew && hasRoom(memory!, j)) {
                    for (let c = 0; c < 6; c++) memory!.places[6 * j + c] = link[6 + c];
                    continue;
                }
                if (!isNew) for (let c = 0; c < 6; c++) link[c] = memory!.places[6 * j + c];
                touchCount = findLinkAtMesh((collider as MeshSolid).mesh, memory!.neighbours, memory!.solidSide);
            } else touchCount = findLinkAtSolid(data, measures[linkShape!]);
            for (let k = 0; k < touchCount; k++) write(data, found, count++, j, k * LinkTouch.count);
            if (memory) takePlace(collider as MeshSolid, memory, j, touchCount);
        }
        this._next = j;
        found.progress[TriangleProgress.recordCount] = count;
        noteCorners(found, count);
    }

    /** What is known at a mesh: nothing where that has forgotten particles, too. */
    private _memoryOf(collider: MeshSolid): Memory {
        let memory = this._memories.get(collider);
        if (!memory) {
            const places = new Float64Array(6 * this._linkCount);
            const rooms = new Float64Array(7 * this._linkCount);
            const neighbours = neighboursOf(collider);
            memory = { places, rooms, forgotten: -1, kept: 0, size: new Float64Array(9), neighbours, solidSide: 0 };
            this._memories.set(collider, memory);
        }
        const kept = collider.data[MeshData.kept];
        if (memory.forgotten !== collider.forgotten) memory.places.fill(NaN);
        const isOtherSize = collider.carry(memory.places, memory.size);
        if (isOtherSize) memory.solidSide = solidSideOf(collider.mesh);
        if (isOtherSize || memory.kept !== kept) memory.rooms.fill(0);
        memory.forgotten = collider.forgotten;
        memory.kept = kept;
        return memory;
    }
}

/** Whether a link, which is where {@link link} says, has not gone as far since it was looked at as it may. */
function hasRoom({ rooms }: Memory, j: number): boolean {
    const o = 7 * j;
    const squared = rooms[o + 6] * rooms[o + 6];
    for (let end = 0; end < 6; end += 3) {
        const x = link[6 + end] - rooms[o + end];
        const y = link[7 + end] - rooms[o + end + 1];
        const z = link[8 + end] - rooms[o + end + 2];
        if (!(x * x + y * y + z * z < squared)) return false;
    }
    return true;
}

/**
 * Takes the place of a link that was just looked at: where it is, or, if it has crossed an edge on its way, where it is once it is out; if it would cross
 * one on its way there, too, its place stays as it was.
 */
function takePlace(
    { mesh, isRigid }: MeshSolid,
    { places, rooms, neighbours, solidSide }: Memory,
    j: number,
    touchCount: number,
): void {
    for (let c = 0; c < 6; c++) rooms[7 * j + c] = link[6 + c];
    rooms[7 * j + 6] = isRigid ? Math.max(0, linkRoom()) : 0;
    if (hasLinkCrossed()) {
        for (let k = 0, o = 0; k < touchCount; k++, o += LinkTouch.count) {
            let depth = touches[o + LinkTouch.depth];
            for (let c = 0; c < 3; c++) depth -= shift[c] * touches[o + LinkTouch.normal + c];
            for (let c = 0; c < 3; c++) shift[c] += Math.max(0, depth) * touches[o + LinkTouch.normal + c];
        }
        for (let c = 0; c < 6; c++) link[6 + c] += shift[c % 3];
        shift.fill(0);
        findLinkAtMesh(mesh, neighbours, solidSide);
    }
    const from = hasLinkCrossed() ? 0 : 6;
    for (let c = 0; c < 6; c++) places[6 * j + c] = link[from + c];
}

/** How far a link is to go out [m], zeros between the calls. */
const shift = new Float64Array(3);

/** Whether a link, or its way, may touch the box of a collider. */
function isNear(data: Float32Array, x: Float32Array, p: Float32Array, a: number): boolean {
    for (let c = 0; c < 3; c++) {
        const o = a + c;
        if (Math.min(x[o], x[o + ROW], p[o], p[o + ROW]) > data[Contact.maximum + c]) return false;
        if (Math.max(x[o], x[o + ROW], p[o], p[o + ROW]) < data[Contact.minimum + c]) return false;
    }
    return true;
}

/** Writes the point at slot o, in the frame at slot m, to {@link link}. */
function map(data: Float32Array, m: number, points: Float32Array, o: number, to: number): void {
    const x = points[o] - data[m + 12];
    const y = points[o + 1] - data[m + 13];
    const z = points[o + 2] - data[m + 14];
    for (let c = 0; c < 3; c++) link[to + c] = x * data[m + c] + y * data[m + 4 + c] + z * data[m + 8 + c];
}

/** Writes a touch of a link as a record of a triangle without an area. */
function write(data: Float32Array, { records, recordFloats: f }: TriangleContacts, record: number, j: number, touch: number): void {
    const m = SolidData.toFrame;
    const o = record * TriangleRecord.count;
    const share = touches[touch + LinkTouch.share];
    const n = touch + LinkTouch.normal;
    let offset = touches[touch + LinkTouch.depth];
    for (let c = 0; c < 3; c++) {
        const normal = data[m + 4 * c] * touches[n] + data[m + 4 * c + 1] * touches[n + 1] + data[m + 4 * c + 2] * touches[n + 2];
        offset += normal * data[m + 12 + c] + touches[n + c] * (link[6 + c] + share * (link[9 + c] - link[6 + c]));
        f[o + TriangleRecord.normal + c] = normal;
        records[o + c] = rowOffset(j + (c > 0 ? 1 : 0));
    }
    f[o + TriangleRecord.normal + 3] = f[o + TriangleRecord.shares + 2] = f[o + TriangleRecord.shares + 3] = 0;
    f[o + TriangleRecord.shares] = 1 - share;
    f[o + TriangleRecord.shares + 1] = share;
    f[o + TriangleRecord.offset] = offset;
}

const knownNeighbours = new WeakMap<object, Int32Array>();

/** Found once for all that are of one form, whatever their size. */
function neighboursOf({ form, mesh }: MeshSolid): Int32Array {
    let neighbours = knownNeighbours.get(form);
    if (!neighbours) knownNeighbours.set(form, (neighbours = findNeighbours(mesh)));
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
