/** Meshes that bones carry. What these find of a substep, mesh.ts then meets as any mesh. */
import { ContactRecord, SolidData } from "../contactLayout";
import type { ContactArrays } from "../contactLayout";
import { rowAt } from "../layout";
import type { ParticleArrays } from "../layout";
import { countIn, firstIn, MeshData, MeshNode, MeshTriangle, SkinMeasure, SkinPlace, SkinStep } from "../meshLayout";
import type { MeshArrays, SkinArrays, SkinMeshArrays } from "../meshLayout";
import { writeTriangle } from "../meshTriangle";

/** Share of the distance kept within which a plane stands for the mesh, however the mesh moves; as in mesh.ts. */
const SLACK = 0.2;
/** Triangles may come nearer to a place that one of them carries by so many times their motion. */
const TOWARDS = 2;

/** A nearest triangle is looked for a little farther than it can be, as a share of the distance kept. */
const MARGIN = 0.05;

const cornersOf = new Float32Array(9);

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
                const m = rowAt(bones[k]) + c;
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

/** Within a step vertices go in straight lines. */
export function stepSkin(mesh: SkinMeshArrays): void {
    const { skin, step, from, to, data } = mesh;
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
}

/** Writes the triangles and the tree's boxes as they are in this substep. */
function poseTree({ corners, vertices, triangles, nodes, nodeFloats: f, nodeCount, triangleCount }: SkinMeshArrays): void {
    for (let i = 0; i < triangleCount; i++) {
        for (let k = 0; k < 3; k++) {
            const o = rowAt(corners[3 * i + k]);
            for (let c = 0; c < 3; c++) cornersOf[3 * k + c] = vertices[o + c];
        }
        writeTriangle(cornersOf, triangles, i * MeshTriangle.count);
    }
    // The nodes below one come after it.
    for (let i = nodeCount - 1; i >= 0; i--) {
        const node = i * MeshNode.count;
        const first = firstIn(nodes[node + MeshNode.triangles]);
        const last = first + countIn(nodes[node + MeshNode.triangles]);
        for (let c = 0; c < 3; c++) {
            const low = node + MeshNode.minimum + c;
            const high = node + MeshNode.maximum + c;
            f[low] = Infinity;
            f[high] = -Infinity;
            for (let k = 3 * first; k < 3 * last; k++) {
                const x = vertices[rowAt(corners[k]) + c];
                f[low] = Math.min(f[low], x);
                f[high] = Math.max(f[high], x);
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
    poseTree(mesh);
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
    const { data, triangles: t } = mesh;
    const o = (data[s + SkinPlace.triangle] - 1) * MeshTriangle.count;
    const p = s + SkinPlace.point;
    const d = s + SkinPlace.direction;
    let squared = 0;
    for (let k = 0, c = 0; c < 3; c++, k += 4) {
        const b = t[o + MeshTriangle.ab + c];
        const e = t[o + MeshTriangle.ac + c];
        const n = t[o + MeshTriangle.normal + c];
        const x = t[o + c] + data[p] * b + data[p + 4] * e + data[p + 8] * n;
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
    const { data, triangles: t } = mesh;
    data[s + SkinPlace.triangle] = 0;
    if (triangle < 0) return;
    const o = triangle * MeshTriangle.count;
    if (!(t[o + MeshTriangle.dualB] === t[o + MeshTriangle.dualB])) return;
    data[s + SkinPlace.triangle] = triangle + 1;
    const slots = [o + MeshTriangle.dualB, o + MeshTriangle.dualC, o + MeshTriangle.normal];
    for (let k = 0; k < 3; k++) {
        let point = 0;
        let direction = 0;
        for (let c = 0; c < 3; c++) {
            point += t[slots[k] + c] * (data[s + 4 * c] - t[o + c]);
            direction += t[slots[k] + c] * data[s + SkinPlace.normal + 4 * c];
        }
        data[s + SkinPlace.point + 4 * k] = point;
        data[s + SkinPlace.direction + 4 * k] = direction;
    }
}

/** The triangle that carries the place at slot s is no farther from q than this: so a search looks no farther, up to a radius. */
export function boundBySkin(mesh: MeshArrays, s: number, qx: number, qy: number, qz: number, radius: number): number {
    const { data, triangles: t } = mesh;
    if (!(data[s + SkinPlace.triangle] > 0)) return radius;
    const o = (data[s + SkinPlace.triangle] - 1) * MeshTriangle.count;
    const b = o + MeshTriangle.dualB;
    const c = o + MeshTriangle.dualC;
    const ax = qx - t[o];
    const ay = qy - t[o + 1];
    const az = qz - t[o + 2];
    // Some point of the triangle, the nearest one where q is over it. Shares that are no numbers are none.
    let v = ax * t[b] + ay * t[b + 1] + az * t[b + 2];
    let w = ax * t[c] + ay * t[c + 1] + az * t[c + 2];
    v = v > 0 ? v : 0;
    w = w > 0 ? w : 0;
    const sum = Math.max(1, v + w);
    let squared = 0;
    for (let k = 0; k < 3; k++) {
        const a = k === 0 ? ax : k === 1 ? ay : az;
        squared += (a - (v / sum) * t[o + MeshTriangle.ab + k] - (w / sum) * t[o + MeshTriangle.ac + k]) ** 2;
    }
    return Math.min(radius, Math.sqrt(squared) + MARGIN * data[MeshData.kept]);
}

/** Moves where particles in contact were a substep ago along with what they touch, so that what they do against it is seen. */
export function shiftBySkin({ previous }: ParticleArrays, { data, step }: SkinMeshArrays, contacts: ContactArrays): void {
    const { records, recordFloats } = contacts;
    const sign = step[SkinStep.sign];
    const m = SolidData.toFrame;
    for (let k = 0; k < contacts.recordCount[0]; k++) {
        const record = k * ContactRecord.count;
        const row = rowAt(records[record + ContactRecord.row]);
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
