import { CrowdNumber, MemberNumber } from "../crowdLayout";
import { ROW } from "../layout";
import type { ParticleArrays } from "../layout";
import { WebBox, WebFace, WebTriangle } from "../touchLayout";
import type { WebArrays } from "../touchLayout";

/**
 * Takes a web's triangles to where their particles are in the crowd's points, and the boxes over them: those reach as far as the triangles
 * come in the present substep, but for what all of the crowd do, and no farther than they are large.
 */
export function refitWeb(particles: ParticleArrays, web: WebArrays): void {
    const { triangleCount, leafCount, boxCount, boxes } = web;
    const leaves = (boxCount - leafCount) * WebBox.count;
    for (let t = 0; t < leafCount; t++) {
        const box = leaves + t * WebBox.count;
        for (let c = 0; c < 3; c++) {
            boxes[box + WebBox.minimum + c] = boxes[box + WebBox.leastNormal + c] = Infinity;
            boxes[box + WebBox.maximum + c] = boxes[box + WebBox.mostNormal + c] = -Infinity;
            boxes[box + WebBox.centre + c] = boxes[box + WebBox.restCentre + c] = 0;
        }
        if (t < triangleCount) {
            placeTriangle(web, t, box);
            widen(particles, web, t, box);
        }
    }
    for (let box = leaves - WebBox.count; box >= 0; box -= WebBox.count) {
        const left = 2 * box + WebBox.count;
        const right = left + WebBox.count;
        for (let c = 0; c < 3; c++) {
            boxes[box + WebBox.minimum + c] = Math.min(boxes[left + WebBox.minimum + c], boxes[right + WebBox.minimum + c]);
            boxes[box + WebBox.maximum + c] = Math.max(boxes[left + WebBox.maximum + c], boxes[right + WebBox.maximum + c]);
            const normal = box + WebBox.leastNormal + c;
            boxes[normal] = Math.min(boxes[left + WebBox.leastNormal + c], boxes[right + WebBox.leastNormal + c]);
            boxes[normal + 4] = Math.max(boxes[left + WebBox.mostNormal + c], boxes[right + WebBox.mostNormal + c]);
            boxes[box + WebBox.centre + c] = (boxes[left + WebBox.centre + c] + boxes[right + WebBox.centre + c]) / 2;
            boxes[box + WebBox.restCentre + c] = (boxes[left + WebBox.restCentre + c] + boxes[right + WebBox.restCentre + c]) / 2;
        }
    }
}

function placeTriangle({ triangles, faces: f, boxes, member }: WebArrays, t: number, box: number): void {
    const { points, rest } = member.crowd;
    const o = t * WebFace.count;
    const first = o + WebFace.corners;
    for (let c = 0; c < 3; c++) f[o + WebFace.centre + c] = 0;
    for (let k = 0; k < 3; k++) {
        const row = (member.first + triangles[t * WebTriangle.count + WebTriangle.corners + k]) * ROW;
        for (let c = 0; c < 3; c++) {
            const x = points[row + c];
            f[first + 4 * k + c] = x;
            f[o + WebFace.centre + c] += x;
            boxes[box + WebBox.centre + c] += x / 3;
            boxes[box + WebBox.restCentre + c] += rest[row + c] / 3;
            if (x < boxes[box + WebBox.minimum + c]) boxes[box + WebBox.minimum + c] = x;
            if (x > boxes[box + WebBox.maximum + c]) boxes[box + WebBox.maximum + c] = x;
        }
    }
    const ux = f[first + 4] - f[first];
    const uy = f[first + 5] - f[first + 1];
    const uz = f[first + 6] - f[first + 2];
    const vx = f[first + 8] - f[first];
    const vy = f[first + 9] - f[first + 1];
    const vz = f[first + 10] - f[first + 2];
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
    const scale = length > 0 ? 1 / length : 0;
    f[o] = nx * scale;
    f[o + 1] = ny * scale;
    f[o + 2] = nz * scale;
    for (let c = 0; c < 3; c++) boxes[box + WebBox.leastNormal + c] = boxes[box + WebBox.mostNormal + c] = f[o + c];
    f[o + WebFace.offset] = f[o] * f[first] + f[o + 1] * f[first + 1] + f[o + 2] * f[first + 2];
}

function widen({ positions: x }: ParticleArrays, { triangles, faces: f, boxes, member }: WebArrays, t: number, box: number): void {
    const { crowd, first, numbers } = member;
    const { points, numbers: ofCrowd } = crowd;
    const o = t * WebTriangle.count + WebTriangle.corners;
    const at = t * WebFace.count + WebFace.displacement;
    for (let c = 0; c < 3; c++) {
        let sum = 0;
        for (let k = 0; k < 3; k++) sum += x[triangles[o + k] * ROW + c] - points[(first + triangles[o + k]) * ROW + c];
        f[at + c] = sum / 3 + numbers[MemberNumber.offset + c];
    }
    let most = 0;
    for (let k = 0; k < 3; k++) {
        let squared = 0;
        for (let c = 0; c < 3; c++) {
            const displacement =
                x[triangles[o + k] * ROW + c] + numbers[MemberNumber.offset + c] - points[(first + triangles[o + k]) * ROW + c];
            squared += (displacement - f[at + c]) ** 2;
        }
        most = Math.max(most, squared);
    }
    let size = 0;
    let away = 0;
    for (let c = 0; c < 3; c++) {
        size += boxes[box + WebBox.maximum + c] - boxes[box + WebBox.minimum + c];
        away += (f[at + c] - (ofCrowd[CrowdNumber.leastDisplacement + c] + ofCrowd[CrowdNumber.mostDisplacement + c]) / 2) ** 2;
    }
    let spread = Math.min(Math.sqrt(most), size / 2);
    let margin = Math.min(Math.sqrt(away) + spread, size / 2);
    if (ofCrowd[CrowdNumber.listed] > 0) {
        // Whoever is held back must not be met by those that go on: how far each comes from what all do counts, however large.
        spread = margin = Math.sqrt(away) + Math.sqrt(most);
        for (let c = 0; c < 3; c++) f[at + c] = 0;
    }
    f[t * WebFace.count + WebFace.spread] = spread;
    for (let c = 0; c < 3; c++) {
        boxes[box + WebBox.minimum + c] -= margin;
        boxes[box + WebBox.maximum + c] += margin;
    }
}
