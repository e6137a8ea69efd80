/** Records of contacts of triangles. */
import { rowOffset, FaceContactRecord } from "./layout.generated";

/** Writes a contact of a triangle; returns the address of the next one. See FaceContactRecord. */
// @ts-ignore: decorator
@inline
export function writeTriangle(
    record: usize, triangle: usize, offset: f32, nx: f32, ny: f32, nz: f32, a: f32, b: f32, c: f32,
): usize {
    store<u32>(record, <u32>rowOffset(load<u32>(triangle, 0)), FaceContactRecord.rows);
    store<u32>(record, <u32>rowOffset(load<u32>(triangle, 4)), FaceContactRecord.rows + 4);
    store<u32>(record, <u32>rowOffset(load<u32>(triangle, 8)), FaceContactRecord.rows + 8);
    store<f32>(record, offset, FaceContactRecord.offset);
    v128.store(record, f32x4(nx, ny, nz, 0), FaceContactRecord.normal);
    v128.store(record, f32x4(a, b, c, 0), FaceContactRecord.shares);
    return record + FaceContactRecord.count;
}
