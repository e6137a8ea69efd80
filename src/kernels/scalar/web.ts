import { ROW } from "../layout";
import { WebBox, WebFace, WebTriangle } from "../touchLayout";
import type { WebArrays } from "../touchLayout";

/** Takes a web's triangles to where their particles are in the crowd's points, and the boxes over them. */
export function refitWeb(web: WebArrays): void {
    const { triangleCount, leafCount, boxCount, boxes } = web;
    const leaves = (boxCount - leafCount) * WebBox.count;
    for (let t = 0; t < leafCount; t++) {
        const box = leaves + t * WebBox.count;
        for (let c = 0; c < 3; c++) {
            boxes[box + WebBox.minimum + c] = Infinity;
            boxes[box + WebBox.maximum + c] = -Infinity;
        }
        if (t < triangleCount) placeTriangle(web, t, box);
    }
    for (let box = leaves - WebBox.count; box >= 0; box -= WebBox.count) {
        const left = 2 * box + WebBox.count;
        const right = left + WebBox.count;
        for (let c = 0; c < 3; c++) {
            boxes[box + WebBox.minimum + c] = Math.min(boxes[left + WebBox.minimum + c], boxes[right + WebBox.minimum + c]);
            boxes[box + WebBox.maximum + c] = Math.max(boxes[left + WebBox.maximum + c], boxes[right + WebBox.maximum + c]);
        }
    }
}

function placeTriangle({ triangles, faces: f, boxes, member }: WebArrays, t: number, box: number): void {
    const { points, rest } = member.crowd;
    const o = t * WebFace.count;
    const first = o + WebFace.corners;
    for (let c = 0; c < 3; c++) f[o + WebFace.centre + c] = f[o + WebFace.restCentre + c] = 0;
    for (let k = 0; k < 3; k++) {
        const row = (member.first + triangles[t * WebTriangle.count + WebTriangle.corners + k]) * ROW;
        for (let c = 0; c < 3; c++) {
            const x = points[row + c];
            f[first + 4 * k + c] = x;
            f[o + WebFace.centre + c] += x;
            f[o + WebFace.restCentre + c] += rest[row + c];
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
    f[o + WebFace.offset] = f[o] * f[first] + f[o + 1] * f[first + 1] + f[o + 2] * f[first + 2];
}
