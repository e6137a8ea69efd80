/** Records of contacts of triangles. */
import { ContactRecord, FaceContactRecord } from "../../../kernels/contactLayout";
import type { FaceContactArrays } from "../../../kernels/contactLayout";

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
