import { ContactRecord, FaceContactRecord } from "../../../kernels/contactLayout";
import type { FaceContactArrays } from "../../../kernels/contactLayout";
import { RESTING_FALLS } from "../../tunables";
import { BLOCK, ROW, Uniform } from "../../../kernels/layout";
import type { ParticleArrays } from "../../../kernels/layout";

/** Separation speed after a contact with approach velocity `speed`, along the normal [m per substep]. */
export function restitutedSpeed(uniforms: Float32Array, speed: number, restitution: number): number {
    if (speed >= 0) return speed;
    const g = Uniform.gravity;
    const fall = Math.abs(uniforms[g]) + Math.abs(uniforms[g + 1]) + Math.abs(uniforms[g + 2]);
    return speed < -RESTING_FALLS * fall ? -restitution * speed : 0;
}

/** Expands the blocks' bounds by the positions of the first `count` particles. */
export function expandBlockBounds({ positions: x, blockBounds }: ParticleArrays, count: number): void {
    for (let first = 0, box = 0; first < count; first += BLOCK, box += 8) {
        const end = ROW * Math.min(count, first + BLOCK);
        for (let c = 0; c < 3; c++) {
            let least = blockBounds[box + c];
            let largest = blockBounds[box + 4 + c];
            for (let o = ROW * first + c; o < end; o += ROW) {
                if (x[o] < least) least = x[o];
                if (x[o] > largest) largest = x[o];
            }
            blockBounds[box + c] = least;
            blockBounds[box + 4 + c] = largest;
        }
    }
}

/** Writes contact records of depth 0 for the corners of face contacts, so that their supports are detected. */
export function recordCorners({ records, contacts }: FaceContactArrays, count: number): void {
    if (contacts.supportMode[0] === 0) return;
    const { records: rows, recordFloats, recordCount } = contacts;
    let rowCount = 0;
    for (let k = 0; k < count; k++) {
        for (let corner = 0; corner < 3; corner++) {
            const row = records[k * FaceContactRecord.count + corner] & ~63;
            let i = 0;
            while (i < rowCount && rows[i * ContactRecord.count] !== row) i++;
            if (i < rowCount) continue;
            rows[i * ContactRecord.count] = row;
            recordFloats.fill(0, i * ContactRecord.count + ContactRecord.depths, i * ContactRecord.count + ContactRecord.normals);
            rowCount++;
        }
    }
    recordCount[0] = rowCount;
}
