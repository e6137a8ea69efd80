/** Meshes that bones carry. What these find of a substep, mesh.ts then meets as any mesh. */
import { ContactRecord, SolidData } from "../contactLayout";
import type { ContactArrays } from "../contactLayout";
import type { ParticleArrays } from "../layout";
import { MeshData, MeshNode, MeshTriangle, SkinMeasure, SkinPlace, SkinStep } from "../meshLayout";
import type { MeshArrays, SkinArrays, SkinMeshArrays } from "../meshLayout";
import { writeTriangle } from "../meshTriangle";

/** Share of the distance kept within which a plane stands for the mesh, however the mesh moves; as in mesh.ts. */
const SLACK = 0.2;
/** Triangles may come nearer to a place that one of them carries by so many times their motion. */
const TOWARDS = 2;

/** A triangle as it is in this substep, see MeshTriangle. */
export const posed = new Float32Array(MeshTriangle.count);
const cornersOf = new Float32Array(9);

/** Takes the triangle of this number as it is in this substep. */
export function poseTriangle({ corners, vertices }: MeshArrays, triangle: number): void {
    for (let k = 0; k < 3; k++) {
        const o = corners[3 * triangle + k] >>> 2;
        for (let c = 0; c < 3; c++) cornersOf[3 * k + c] = vertices[o + c];
    }
    writeTriangle(cornersOf, posed, 0);
}

/** x' = Σ w x M: linear blend skinning, weights as they are. Where the vertices were is what they come from. */
export function poseSkin(skin: SkinArrays): void {
    const { vertexCount, influenceCount, rest, bones, weights, matrices, posed: now, posedBefore, measure } = skin;
    posedBefore.set(now);
    for (let c = 0; c < 3; c++) {
        measure[SkinMeasure.minimum + c] = Infinity;
        measure[SkinMeasure.maximum + c] = -Infinity;
    }
    let farthest = 0;
    for (let i = 0, o = 0; i < vertexCount; i++, o += 4) {
        let squared = 0;
        for (let c = 0; c < 3; c++) {
            let x = 0;
            for (let k = i * influenceCount; k < (i + 1) * influenceCount; k++) {
                const m = (bones[k] >>> 2) + c;
                x +=
                    weights[k] *
                    (rest[o] * matrices[m] + rest[o + 1] * matrices[m + 4] + rest[o + 2] * matrices[m + 8] + matrices[m + 12]);
            }
            now[o + c] = x;
            const low = SkinMeasure.minimum + c;
            const high = SkinMeasure.maximum + c;
            measure[low] = Math.min(measure[low], now[o + c], posedBefore[o + c]);
            measure[high] = Math.max(measure[high], now[o + c], posedBefore[o + c]);
            squared += (now[o + c] - posedBefore[o + c]) ** 2;
        }
        farthest = Math.max(farthest, squared);
    }
    measure[SkinMeasure.motion] = Math.sqrt(farthest);
}

/** Within a step vertices go in straight lines; the tree's boxes hold all of them. */
export function stepSkin(mesh: SkinMeshArrays): void {
    const { skin, step, from, to, data, corners, nodes, nodeFloats: f } = mesh;
    let farthest = 0;
    for (let i = 0, o = 0; i < mesh.vertexCount; i++, o += 4) {
        let squared = 0;
        for (let c = o; c < o + 3; c++) {
            to[c] = skin.posedBefore[c] + (skin.posed[c] - skin.posedBefore[c]) * step[SkinStep.fraction];
            squared += (to[c] - from[c]) ** 2;
        }
        farthest = Math.max(farthest, squared);
    }
    data[MeshData.motion] = Math.sqrt(farthest) * step[SkinStep.substepShare];
    // The nodes below one come after it.
    for (let i = mesh.nodeCount - 1; i >= 0; i--) {
        const node = i * MeshNode.count;
        const first = nodes[node + MeshNode.triangles] >>> 3;
        const last = first + (nodes[node + MeshNode.triangles] & 7);
        for (let c = 0; c < 3; c++) {
            const low = node + MeshNode.minimum + c;
            const high = node + MeshNode.maximum + c;
            f[low] = Infinity;
            f[high] = -Infinity;
            for (let k = 3 * first; k < 3 * last; k++) {
                const o = (corners[k] >>> 2) + c;
                f[low] = Math.min(f[low], from[o], to[o]);
                f[high] = Math.max(f[high], from[o], to[o]);
            }
            for (let child = i + 1; first === last && child < nodes[node + MeshNode.next];) {
                f[low] = Math.min(f[low], f[child * MeshNode.count + MeshNode.minimum + c]);
                f[high] = Math.max(f[high], f[child * MeshNode.count + MeshNode.maximum + c]);
                child = nodes[child * MeshNode.count + MeshNode.next];
            }
        }
    }
}

/**
 * A place that is near a triangle is carried by it, with the plane that stands for the mesh there. What is left of the ball in which
 * that one does, the triangles' motion eats up: another part of the mesh may come.
 */
export function carrySkin(mesh: SkinMeshArrays): void {
    const { data, from, to, vertices, step } = mesh;
    const share = step[SkinStep.share];
    for (let o = 0; o < vertices.length; o++) vertices[o] = from[o] + (to[o] - from[o]) * share;
    const motion = data[MeshData.motion];
    const kept = data[MeshData.kept];
    for (let place = MeshData.places; place < mesh.slotCount; place += SkinPlace.count) {
        for (let s = place; s < place + 4; s++) {
            for (let c = 0; c < 12; c += 4) data[s + SkinPlace.carried + c] = 0;
            if (data[s + SkinPlace.radius] === 0) continue;
            const ball = data[s + SkinPlace.radius] > 0 ? Math.sqrt(data[s + SkinPlace.radius]) : 0;
            let left = ball - motion;
            if (data[s + SkinPlace.triangle] > 0) {
                const above = heightOf(data, s);
                carryPlace(mesh, s);
                data[s + SkinPlace.offset] = 0;
                data[s + SkinPlace.offset] = heightOf(data, s) - above;
                left = ball > 0 ? Math.max(ball - TOWARDS * motion, Math.min(SLACK * kept, above)) : 0;
            }
            data[s + SkinPlace.radius] = left > 0 ? left * left : -1;
        }
    }
}

/** How high the place at slot s is over its plane [m]. */
function heightOf(data: Float32Array, s: number): number {
    let height = -data[s + SkinPlace.offset];
    for (let c = 0; c < 12; c += 4) height += data[s + c] * data[s + SkinPlace.normal + c];
    return height;
}

function carryPlace(mesh: SkinMeshArrays, s: number): void {
    const { data } = mesh;
    poseTriangle(mesh, data[s + SkinPlace.triangle] - 1);
    const p = s + SkinPlace.point;
    const d = s + SkinPlace.direction;
    let squared = 0;
    for (let k = 0, c = 0; c < 3; c++, k += 4) {
        const b = posed[MeshTriangle.ab + c];
        const e = posed[MeshTriangle.ac + c];
        const n = posed[MeshTriangle.normal + c];
        const x = posed[c] + data[p] * b + data[p + 4] * e + data[p + 8] * n;
        data[s + SkinPlace.carried + k] = x - data[s + k];
        data[s + k] = x;
        data[s + SkinPlace.normal + k] = data[d] * b + data[d + 4] * e + data[d + 8] * n;
        squared += data[s + SkinPlace.normal + k] ** 2;
    }
    const inverse = squared > 0 ? 1 / Math.sqrt(squared) : 0;
    for (let k = 0; k < 12; k += 4) data[s + SkinPlace.normal + k] *= inverse;
}

/** Has a triangle carry the place and the normal at slot s from now on; one without an area does not. @param triangle < 0: none */
export function anchor(mesh: MeshArrays, s: number, triangle: number): void {
    const { data } = mesh;
    data[s + SkinPlace.triangle] = 0;
    if (triangle < 0) return;
    poseTriangle(mesh, triangle);
    if (!(posed[MeshTriangle.dualB] === posed[MeshTriangle.dualB])) return;
    data[s + SkinPlace.triangle] = triangle + 1;
    const slots = [MeshTriangle.dualB, MeshTriangle.dualC, MeshTriangle.normal];
    for (let k = 0; k < 3; k++) {
        let point = 0;
        let direction = 0;
        for (let c = 0; c < 3; c++) {
            point += posed[slots[k] + c] * (data[s + 4 * c] - posed[c]);
            direction += posed[slots[k] + c] * data[s + SkinPlace.normal + 4 * c];
        }
        data[s + SkinPlace.point + 4 * k] = point;
        data[s + SkinPlace.direction + 4 * k] = direction;
    }
}

/** Moves where particles in contact were a substep ago along with what they touch, so that what they do against it is seen. */
export function shiftBySkin({ previous }: ParticleArrays, { data, step }: SkinMeshArrays, contacts: ContactArrays): void {
    const { records, recordFloats } = contacts;
    const sign = step[SkinStep.sign];
    const m = SolidData.toFrame;
    for (let k = 0; k < contacts.recordCount[0]; k++) {
        const record = k * ContactRecord.count;
        const row = records[record + ContactRecord.row] >>> 2;
        const place = MeshData.places + (row / 16) * SkinPlace.count + SkinPlace.carried;
        for (let lane = 0; lane < 4; lane++) {
            if (recordFloats[record + ContactRecord.depths + lane] === 0) continue;
            const s = place + lane;
            for (let c = 0; c < 3; c++) {
                const t = m + 4 * c;
                previous[row + 4 * lane + c] += sign * (data[t] * data[s] + data[t + 1] * data[s + 4] + data[t + 2] * data[s + 8]);
            }
        }
    }
}
