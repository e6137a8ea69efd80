/** Where triangles are, and boxes over them; specification: scalar/web.ts. */
import { cross, xyz0 } from "./lanes";
import { ROW, WebArrays, WebBox, WebFace, WebTriangle, rowOffset } from "./layout.generated";

export function refitWeb(web: WebArrays): void {
    const leaves = <usize>(web.boxCount - web.leafCount) * WebBox.count;
    for (let t: u32 = 0; t < web.leafCount; t++) {
        const box = web.boxes + leaves + <usize>t * WebBox.count;
        if (t < web.triangleCount) placeTriangle(web, t, box);
        else {
            v128.store(box, f32x4.splat(Infinity), WebBox.minimum);
            v128.store(box, f32x4.splat(-Infinity), WebBox.maximum);
        }
    }
    for (let o = leaves; o > 0; ) {
        o -= WebBox.count;
        const box = web.boxes + o;
        const left = web.boxes + 2 * o + WebBox.count;
        const right = left + WebBox.count;
        v128.store(box, f32x4.pmin(v128.load(left, WebBox.minimum), v128.load(right, WebBox.minimum)), WebBox.minimum);
        v128.store(box, f32x4.pmax(v128.load(left, WebBox.maximum), v128.load(right, WebBox.maximum)), WebBox.maximum);
    }
}

// @ts-ignore: decorator
@inline
function dot(a: v128, b: v128): f32 {
    const p = f32x4.mul(a, b);
    return f32x4.extract_lane(p, 0) + f32x4.extract_lane(p, 1) + f32x4.extract_lane(p, 2);
}

function placeTriangle(web: WebArrays, t: u32, box: usize): void {
    const crowd = web.member.crowd;
    const first = web.member.first;
    const triangle = web.triangles + <usize>t * WebTriangle.count;
    const face = web.faces + <usize>t * WebFace.count;
    const a = rowOffset(first + load<u32>(triangle));
    const b = rowOffset(first + load<u32>(triangle, 4));
    const c = rowOffset(first + load<u32>(triangle, 8));
    const xa = xyz0(v128.load(crowd.points + a));
    const xb = xyz0(v128.load(crowd.points + b));
    const xc = xyz0(v128.load(crowd.points + c));
    v128.store(face, xa, WebFace.corners);
    v128.store(face, xb, WebFace.corners + ROW);
    v128.store(face, xc, WebFace.corners + 2 * ROW);
    v128.store(face, f32x4.add(f32x4.add(xa, xb), xc), WebFace.centre);
    const rest = f32x4.add(f32x4.add(v128.load(crowd.rest + a), v128.load(crowd.rest + b)), v128.load(crowd.rest + c));
    v128.store(face, rest, WebFace.restCentre);
    v128.store(box, f32x4.pmin(f32x4.pmin(xa, xb), xc), WebBox.minimum);
    v128.store(box, f32x4.pmax(f32x4.pmax(xa, xb), xc), WebBox.maximum);
    const n = cross(f32x4.sub(xb, xa), f32x4.sub(xc, xa));
    const length = sqrt<f32>(dot(n, n));
    const unit = f32x4.mul(n, f32x4.splat(length > 0 ? 1 / length : 0));
    v128.store(face, f32x4.replace_lane(unit, 3, dot(unit, xa)), WebFace.normal);
}
