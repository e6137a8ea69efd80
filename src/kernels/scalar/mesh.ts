import { Contact, SolidData } from "../contactLayout";
import { countIn, firstIn, MeshData, MeshNode, MeshPlace, MeshTriangle, SkinPlace } from "../meshLayout";
import { BLOCK, groupOf, laneOf } from "../layout";
import type { ContactArrays } from "../contactLayout";
import type { MeshArrays } from "../meshLayout";
import type { ParticleArrays } from "../layout";
import { endContacts, mayTouchBlock } from "./contacts";
import { anchor, boundBySkin } from "./skin";
import { addTurned, mapped } from "./solids";

/** Share of the distance kept within which the plane of the nearest triangle stands for the mesh. */
const SLACK = 0.2;
/** Nearer to a triangle than this share of the distance kept, a particle's side is not told by where it is. */
const CLOSE = 0.05;
/** A path meets a triangle so far beyond its edges, as a share of it, that none leads between two. */
const SEAM = 1e-4;
/** Direction of the way out of a closed mesh: along no axis. */
const WAY_X = 0.137;
const WAY_Y = 0.953;
const WAY_Z = 0.271;

/** What {@link search} has found, by these slots. */
const found = new Float64Array(14);
/** When the path first crosses a triangle, 0..1, else 2; that triangle's plane, the normal towards the path's start. */
const TIME = 0;
const CROSSED = 1;
/** How often the path goes in more than out. */
const WINDING = 5;
/** Distance of the nearest triangle from the path's end, if it is less than the radius; from its nearest point to the end. */
const DISTANCE = 6;
const AWAY = 7;
/** Normal of the nearest triangle, towards the path's start, and its number. */
const NORMAL = 10;
const NEAREST = 13;

/**
 * Contacts with a triangle mesh. Its plane nearest to a particle holds it, as long as the particle is near the place from which
 * that was told; then it is told anew, from the path that leads from that place to the particle:
 *
 *     place ●         crossed a triangle: that holds it, and the place stays, however often it is pressed through
 *            ╲ ↑ n    else: it is on its own side, where it is becomes the place, the nearest triangle its plane
 *     ━━━━━━━━●━━━━
 *              ● q
 *
 * Where one side alone is solid, a path that comes from the other passes.
 * The place is of the mesh's frame and moves along. Unknown at first, it is where the particle was a substep ago; in a closed mesh that
 * is inside, and the way out leads to the nearest triangle.
 */
export function findMeshContacts(particles: ParticleArrays, mesh: MeshArrays, contacts: ContactArrays): void {
    const { positions: x, inverseMasses: w, particleCount } = particles;
    const { data } = mesh;
    const kept = data[MeshData.kept];
    const near = data[Contact.near];
    const m = SolidData.toFrame;
    const slots = mesh.vertexCount > 0 ? SkinPlace.count : MeshPlace.count;
    let count = 0;
    for (let i = 0, o = 0; i < particleCount; i++, o += 4) {
        const s = MeshData.places + groupOf(i) * slots + laneOf(i);
        if (!(w[i] > 0) || !mayTouchBlock(particles, Math.floor(i / BLOCK), data)) {
            data[s + MeshPlace.radius] = 0;
            continue;
        }
        const [qx, qy, qz] = mapped(data, m, x, o);
        const dx = qx - data[s];
        const dy = qy - data[s + 4];
        const dz = qz - data[s + 8];
        if (!(dx * dx + dy * dy + dz * dz < data[s + MeshPlace.radius])) renew(particles, mesh, o, s, qx, qy, qz);
        const nx = data[s + MeshPlace.normal];
        const ny = data[s + MeshPlace.normal + 4];
        const nz = data[s + MeshPlace.normal + 8];
        const depth = kept - (nx * qx + ny * qy + nz * qz - data[s + MeshPlace.offset]);
        if (!(depth > -near)) continue;
        count = addTurned(contacts, count, i, depth, data, nx, ny, nz);
    }
    endContacts(contacts, count);
}

/** Tells anew what is known of the particle at slot o, which is at q in the frame, at slot s. */
function renew(particles: ParticleArrays, mesh: MeshArrays, o: number, s: number, qx: number, qy: number, qz: number): void {
    const { data } = mesh;
    const kept = data[MeshData.kept];
    const size = data[MeshData.size];
    let cx = data[s];
    let cy = data[s + 4];
    let cz = data[s + 8];
    let isInside = false;
    const isNew = data[s + MeshPlace.radius] === 0;
    if (isNew) {
        [cx, cy, cz] = mapped(data, SolidData.toFrameBefore, particles.previous, o);
        if (data[MeshData.isClosed] > 0) {
            search(mesh, cx, cy, cz, cx + WAY_X * size, cy + WAY_Y * size, cz + WAY_Z * size, 0);
            isInside = found[WINDING] !== 0;
        }
        if (isInside) [cx, cy, cz] = [qx, qy, qz];
    }
    const moved = Math.sqrt((qx - cx) * (qx - cx) + (qy - cy) * (qy - cy) + (qz - cz) * (qz - cz));
    const radius = isInside ? size : 2 * (kept + moved + data[MeshData.motion]);
    search(mesh, cx, cy, cz, qx, qy, qz, mesh.vertexCount > 0 ? boundBySkin(mesh, s, qx, qy, qz, radius) : radius);
    const distance = found[DISTANCE];
    const nearest = distance < radius ? found[NEAREST] : -1;
    let n = NORMAL;
    let sign = 1;
    // No ball.
    let ball = -1;
    let offset = NaN;
    if (isInside || (found[TIME] > 1 && distance > CLOSE * kept)) {
        n = AWAY;
        sign = (isInside ? -1 : 1) / Math.max(distance, 1e-20);
    }
    if (!isInside && found[TIME] <= 1) {
        n = CROSSED;
        offset = found[CROSSED + 3];
    } else if (distance === radius) {
        offset = -2 * kept;
        sign = 0;
    }
    let nx = sign * found[n];
    let ny = sign * found[n + 1];
    let nz = sign * found[n + 2];
    const px = qx - found[AWAY];
    const py = qy - found[AWAY + 1];
    const pz = qz - found[AWAY + 2];
    if (!(offset === offset)) offset = nx * px + ny * py + nz * pz;
    if (isInside) {
        cx = px + nx * kept;
        cy = py + ny * kept;
        cz = pz + nz * kept;
    } else if (n === AWAY) {
        cx = qx;
        cy = qy;
        cz = qz;
        ball = Math.max(distance - kept, Math.min(SLACK * kept, distance));
        ball *= ball;
    }
    if (n === CROSSED) {
        const above = nx * cx + ny * cy + nz * cz - offset;
        const below = nx * qx + ny * qy + nz * qz - offset;
        const depth = kept - below;
        search(mesh, cx, cy, cz, qx + nx * depth, qy + ny * depth, qz + nz * depth, 0);
        if (found[TIME] <= 1) {
            // On the way out there is another triangle: back to the path.
            const t = share((above - Math.min(kept, above)) / Math.max(1e-20, above - below));
            const tx = cx + (qx - cx) * t;
            const ty = cy + (qy - cy) * t;
            const tz = cz + (qz - cz) * t;
            const length = Math.max(1e-20, moved);
            nx = (cx - qx) / length;
            ny = (cy - qy) / length;
            nz = (cz - qz) / length;
            offset = nx * tx + ny * ty + nz * tz - kept;
        }
    }
    data[s] = cx;
    data[s + 4] = cy;
    data[s + 8] = cz;
    data[s + MeshPlace.radius] = ball;
    data[s + MeshPlace.normal] = nx;
    data[s + MeshPlace.normal + 4] = ny;
    data[s + MeshPlace.normal + 8] = nz;
    data[s + MeshPlace.offset] = offset;
    if (mesh.vertexCount === 0) return;
    // What has been crossed holds a place where it is.
    if (n !== CROSSED) anchor(mesh, s, nearest);
    else if (isNew) anchor(mesh, s, -1);
}

/** Finds what the path from c to q crosses, and what is nearest to q within a radius. */
function search(mesh: MeshArrays, cx: number, cy: number, cz: number, qx: number, qy: number, qz: number, radius: number): void {
    const { nodes, nodeFloats: f, triangles: t } = mesh;
    const front = mesh.data[MeshData.front];
    const dx = qx - cx;
    const dy = qy - cy;
    const dz = qz - cz;
    found.fill(0);
    found[TIME] = 2;
    let best = radius;
    for (let node = 0; node < mesh.nodeCount;) {
        const o = node * MeshNode.count;
        const low = o + MeshNode.minimum;
        const high = o + MeshNode.maximum;
        const isNear =
            Math.min(cx, qx) - best <= f[high] &&
            Math.max(cx, qx) + best >= f[low] &&
            Math.min(cy, qy) - best <= f[high + 1] &&
            Math.max(cy, qy) + best >= f[low + 1] &&
            Math.min(cz, qz) - best <= f[high + 2] &&
            Math.max(cz, qz) + best >= f[low + 2];
        node = isNear ? node + 1 : nodes[o + MeshNode.next];
        if (!isNear) continue;
        const range = nodes[o + MeshNode.triangles];
        for (let i = firstIn(range), end = i + countIn(range); i < end; i++) {
            const s = i * MeshTriangle.count;
            const n = s + MeshTriangle.normal;
            const b = s + MeshTriangle.dualB;
            const c = s + MeshTriangle.dualC;
            const ax = qx - t[s];
            const ay = qy - t[s + 1];
            const az = qz - t[s + 2];
            const height = ax * t[n] + ay * t[n + 1] + az * t[n + 2];
            const before = height - (dx * t[n] + dy * t[n + 1] + dz * t[n + 2]);
            const side = before > 0 ? 1 : -1;
            if (front === -side) continue;
            if (before > 0 !== height > 0) {
                // Back from the end of the path.
                const back = height / (height - before);
                const x = ax - dx * back;
                const y = ay - dy * back;
                const z = az - dz * back;
                const v = x * t[b] + y * t[b + 1] + z * t[b + 2];
                const w = x * t[c] + y * t[c + 1] + z * t[c + 2];
                if (v >= 0 && w >= 0 && v + w <= 1) found[WINDING] += side;
                if (1 - back < found[TIME] && v >= -SEAM && w >= -SEAM && v + w <= 1 + SEAM) {
                    found[TIME] = 1 - back;
                    for (let k = 0; k < 4; k++) found[CROSSED + k] = side * t[n + k];
                }
            }
            if (!(Math.abs(height) < best)) continue;
            let v = ax * t[b] + ay * t[b + 1] + az * t[b + 2];
            let w = ax * t[c] + ay * t[c + 1] + az * t[c + 2];
            if (v >= 0 && w >= 0 && v + w <= 1) {
                best = Math.abs(height);
                found[NEAREST] = i;
                for (let k = 0; k < 3; k++) found[AWAY + k] = height * t[n + k];
                for (let k = 0; k < 3; k++) found[NORMAL + k] = side * t[n + k];
                continue;
            }
            const u = s + MeshTriangle.ab;
            const e = s + MeshTriangle.ac;
            for (let edge = 0; edge < 3; edge++) {
                if (edge === 0) {
                    v = share((ax * t[u] + ay * t[u + 1] + az * t[u + 2]) * t[s + MeshTriangle.inverseAB]);
                    w = 0;
                } else if (edge === 1) {
                    v = 0;
                    w = share((ax * t[e] + ay * t[e + 1] + az * t[e + 2]) * t[s + MeshTriangle.inverseAC]);
                } else {
                    const bx = t[e] - t[u];
                    const by = t[e + 1] - t[u + 1];
                    const bz = t[e + 2] - t[u + 2];
                    const along = (ax - t[u]) * bx + (ay - t[u + 1]) * by + (az - t[u + 2]) * bz;
                    w = share(along * t[s + MeshTriangle.inverseBC]);
                    v = 1 - w;
                }
                const x = ax - v * t[u] - w * t[e];
                const y = ay - v * t[u + 1] - w * t[e + 1];
                const z = az - v * t[u + 2] - w * t[e + 2];
                const distance = Math.sqrt(x * x + y * y + z * z);
                if (!(distance < best)) continue;
                best = distance;
                found[NEAREST] = i;
                found[AWAY] = x;
                found[AWAY + 1] = y;
                found[AWAY + 2] = z;
                for (let k = 0; k < 3; k++) found[NORMAL + k] = side * t[n + k];
            }
        }
    }
    found[DISTANCE] = best;
}

function share(x: number): number {
    return x < 0 ? 0 : x > 1 ? 1 : x;
}
