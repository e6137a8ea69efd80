/** Triangle positions and their bounding boxes. */
import { cross, hoist, square, sum3, xyz0 } from "./simd";
import { SelfCollisionParameter, ProxyParameter, ParticleArrays, ROW, BvhArrays, BvhBox, BvhFace, BvhTriangle, rowOffset } from "./layout.generated";

/**
 * Updates a BVH's triangles from the particles' snapshot, and refits the boxes. The boxes enclose the triangles' motion in the
 * present substep, less the motion common to all bodies, and extend no farther than the triangles are large.
 */
export function refitBvh(particles: ParticleArrays, bvh: BvhArrays): void {
    const numbers = bvh.proxy.shared.numbers;
    const displacements = f32x4.add(v128.load(numbers, SelfCollisionParameter.minDisplacement), v128.load(numbers, SelfCollisionParameter.maxDisplacement));
    const drift = hoist(f32x4.mul(displacements, f32x4.splat(0.5)), 0);
    const offset = hoist(v128.load(bvh.proxy.numbers, ProxyParameter.offset), 1);
    const leaves = <usize>(bvh.boxCount - bvh.leafCount) * BvhBox.count;
    for (let t: u32 = 0; t < bvh.leafCount; t++) {
        const box = bvh.boxes + leaves + <usize>t * BvhBox.count;
        if (t < bvh.triangleCount) {
            writeFace(bvh, t, box);
            growBox(particles, bvh, t, box, offset, drift);
        } else {
            v128.store(box, f32x4.splat(Infinity), BvhBox.minimum);
            v128.store(box, f32x4.splat(-Infinity), BvhBox.maximum);
            v128.store(box, f32x4.splat(Infinity), BvhBox.minNormal);
            v128.store(box, f32x4.splat(-Infinity), BvhBox.maxNormal);
            v128.store(box, f32x4.splat(0), BvhBox.centre);
            v128.store(box, f32x4.splat(0), BvhBox.restCentre);
        }
    }
    for (let o = leaves; o > 0; ) {
        o -= BvhBox.count;
        const box = bvh.boxes + o;
        const left = bvh.boxes + 2 * o + BvhBox.count;
        const right = left + BvhBox.count;
        v128.store(box, f32x4.pmin(v128.load(left, BvhBox.minimum), v128.load(right, BvhBox.minimum)), BvhBox.minimum);
        v128.store(box, f32x4.pmax(v128.load(left, BvhBox.maximum), v128.load(right, BvhBox.maximum)), BvhBox.maximum);
        v128.store(box, f32x4.pmin(v128.load(left, BvhBox.minNormal), v128.load(right, BvhBox.minNormal)), BvhBox.minNormal);
        v128.store(box, f32x4.pmax(v128.load(left, BvhBox.maxNormal), v128.load(right, BvhBox.maxNormal)), BvhBox.maxNormal);
        const centre = f32x4.add(v128.load(left, BvhBox.centre), v128.load(right, BvhBox.centre));
        v128.store(box, f32x4.mul(centre, f32x4.splat(0.5)), BvhBox.centre);
        const rest = f32x4.add(v128.load(left, BvhBox.restCentre), v128.load(right, BvhBox.restCentre));
        v128.store(box, f32x4.mul(rest, f32x4.splat(0.5)), BvhBox.restCentre);
    }
}

// @ts-ignore: decorator
@inline
function dot(a: v128, b: v128): f32 {
    const p = f32x4.mul(a, b);
    return f32x4.extract_lane(p, 0) + f32x4.extract_lane(p, 1) + f32x4.extract_lane(p, 2);
}

function writeFace(bvh: BvhArrays, t: u32, box: usize): void {
    const shared = bvh.proxy.shared;
    const first = bvh.proxy.first;
    const triangle = bvh.triangles + <usize>t * BvhTriangle.count;
    const face = bvh.faces + <usize>t * BvhFace.count;
    const a = rowOffset(first + load<u32>(triangle));
    const b = rowOffset(first + load<u32>(triangle, 4));
    const c = rowOffset(first + load<u32>(triangle, 8));
    const xa = xyz0(v128.load(shared.snapshot + a));
    const xb = xyz0(v128.load(shared.snapshot + b));
    const xc = xyz0(v128.load(shared.snapshot + c));
    v128.store(face, xa, BvhFace.corners);
    v128.store(face, xb, BvhFace.corners + ROW);
    v128.store(face, xc, BvhFace.corners + 2 * ROW);
    const sum = f32x4.add(f32x4.add(xa, xb), xc);
    v128.store(face, sum, BvhFace.centre);
    v128.store(box, f32x4.mul(sum, f32x4.splat(<f32>1 / 3)), BvhBox.centre);
    const rest = f32x4.add(f32x4.add(v128.load(shared.rest + a), v128.load(shared.rest + b)), v128.load(shared.rest + c));
    v128.store(box, f32x4.mul(rest, f32x4.splat(<f32>1 / 3)), BvhBox.restCentre);
    v128.store(box, f32x4.pmin(f32x4.pmin(xa, xb), xc), BvhBox.minimum);
    v128.store(box, f32x4.pmax(f32x4.pmax(xa, xb), xc), BvhBox.maximum);
    const n = cross(f32x4.sub(xb, xa), f32x4.sub(xc, xa));
    const length = sqrt<f32>(dot(n, n));
    const unit = f32x4.mul(n, f32x4.splat(length > 0 ? 1 / length : 0));
    v128.store(face, f32x4.replace_lane(unit, 3, dot(unit, xa)), BvhFace.normal);
    v128.store(box, unit, BvhBox.minNormal);
    v128.store(box, unit, BvhBox.maxNormal);
}

// @ts-ignore: decorator
@inline
function displacementOf(particles: ParticleArrays, bvh: BvhArrays, particle: u32, offset: v128): v128 {
    const snapshotRow = v128.load(bvh.proxy.shared.snapshot + rowOffset(bvh.proxy.first + particle));
    return f32x4.sub(f32x4.add(v128.load(particles.positions + rowOffset(particle)), offset), snapshotRow);
}

function growBox(particles: ParticleArrays, bvh: BvhArrays, t: u32, box: usize, offset: v128, drift: v128): void {
    const triangle = bvh.triangles + <usize>t * BvhTriangle.count;
    const a = displacementOf(particles, bvh, load<u32>(triangle), offset);
    const b = displacementOf(particles, bvh, load<u32>(triangle, 4), offset);
    const c = displacementOf(particles, bvh, load<u32>(triangle, 8), offset);
    let mean = f32x4.mul(f32x4.add(f32x4.add(a, b), c), f32x4.splat(<f32>1 / 3));
    const most = max(max(sum3(square(f32x4.sub(a, mean))), sum3(square(f32x4.sub(b, mean)))), sum3(square(f32x4.sub(c, mean))));
    const minimum = v128.load(box, BvhBox.minimum);
    const maximum = v128.load(box, BvhBox.maximum);
    const size = sum3(f32x4.sub(maximum, minimum)) / 2;
    const away = sqrt<f32>(sum3(square(f32x4.sub(mean, drift))));
    let spread = min(sqrt<f32>(most), size);
    let margin = min(away + spread, size);
    if (load<f32>(bvh.proxy.shared.numbers, SelfCollisionParameter.listedDistance) > 0) {
        spread = margin = away + sqrt<f32>(most);
        mean = f32x4.splat(0);
    }
    v128.store(bvh.faces + <usize>t * BvhFace.count, f32x4.replace_lane(mean, 3, spread), BvhFace.displacement);
    v128.store(box, f32x4.sub(minimum, f32x4.splat(margin)), BvhBox.minimum);
    v128.store(box, f32x4.add(maximum, f32x4.splat(margin)), BvhBox.maximum);
}
