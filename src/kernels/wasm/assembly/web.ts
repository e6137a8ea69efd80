/** Where triangles are, and boxes over them. */
import { cross, hoist, square, sum3, xyz0 } from "./lanes";
import { CrowdNumber, MemberNumber, ParticleArrays, ROW, WebArrays, WebBox, WebFace, WebTriangle, rowOffset } from "./layout.generated";

/**
 * Takes a web's triangles to where their particles are in the crowd's points, and the boxes over them: those reach as far as the triangles
 * come in the present substep, but for what all of the crowd do, and no farther than they are large.
 */
export function refitWeb(particles: ParticleArrays, web: WebArrays): void {
    const numbers = web.member.crowd.numbers;
    const displacements = f32x4.add(v128.load(numbers, CrowdNumber.leastDisplacement), v128.load(numbers, CrowdNumber.mostDisplacement));
    const drift = hoist(f32x4.mul(displacements, f32x4.splat(0.5)), 0);
    const offset = hoist(v128.load(web.member.numbers, MemberNumber.offset), 1);
    const leaves = <usize>(web.boxCount - web.leafCount) * WebBox.count;
    for (let t: u32 = 0; t < web.leafCount; t++) {
        const box = web.boxes + leaves + <usize>t * WebBox.count;
        if (t < web.triangleCount) {
            placeTriangle(web, t, box);
            widen(particles, web, t, box, offset, drift);
        } else {
            v128.store(box, f32x4.splat(Infinity), WebBox.minimum);
            v128.store(box, f32x4.splat(-Infinity), WebBox.maximum);
            v128.store(box, f32x4.splat(Infinity), WebBox.leastNormal);
            v128.store(box, f32x4.splat(-Infinity), WebBox.mostNormal);
            v128.store(box, f32x4.splat(0), WebBox.centre);
            v128.store(box, f32x4.splat(0), WebBox.restCentre);
        }
    }
    for (let o = leaves; o > 0; ) {
        o -= WebBox.count;
        const box = web.boxes + o;
        const left = web.boxes + 2 * o + WebBox.count;
        const right = left + WebBox.count;
        v128.store(box, f32x4.pmin(v128.load(left, WebBox.minimum), v128.load(right, WebBox.minimum)), WebBox.minimum);
        v128.store(box, f32x4.pmax(v128.load(left, WebBox.maximum), v128.load(right, WebBox.maximum)), WebBox.maximum);
        v128.store(box, f32x4.pmin(v128.load(left, WebBox.leastNormal), v128.load(right, WebBox.leastNormal)), WebBox.leastNormal);
        v128.store(box, f32x4.pmax(v128.load(left, WebBox.mostNormal), v128.load(right, WebBox.mostNormal)), WebBox.mostNormal);
        const centre = f32x4.add(v128.load(left, WebBox.centre), v128.load(right, WebBox.centre));
        v128.store(box, f32x4.mul(centre, f32x4.splat(0.5)), WebBox.centre);
        const rest = f32x4.add(v128.load(left, WebBox.restCentre), v128.load(right, WebBox.restCentre));
        v128.store(box, f32x4.mul(rest, f32x4.splat(0.5)), WebBox.restCentre);
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
    const sum = f32x4.add(f32x4.add(xa, xb), xc);
    v128.store(face, sum, WebFace.centre);
    v128.store(box, f32x4.mul(sum, f32x4.splat(<f32>1 / 3)), WebBox.centre);
    const rest = f32x4.add(f32x4.add(v128.load(crowd.rest + a), v128.load(crowd.rest + b)), v128.load(crowd.rest + c));
    v128.store(box, f32x4.mul(rest, f32x4.splat(<f32>1 / 3)), WebBox.restCentre);
    v128.store(box, f32x4.pmin(f32x4.pmin(xa, xb), xc), WebBox.minimum);
    v128.store(box, f32x4.pmax(f32x4.pmax(xa, xb), xc), WebBox.maximum);
    const n = cross(f32x4.sub(xb, xa), f32x4.sub(xc, xa));
    const length = sqrt<f32>(dot(n, n));
    const unit = f32x4.mul(n, f32x4.splat(length > 0 ? 1 / length : 0));
    v128.store(face, f32x4.replace_lane(unit, 3, dot(unit, xa)), WebFace.normal);
    v128.store(box, unit, WebBox.leastNormal);
    v128.store(box, unit, WebBox.mostNormal);
}

// @ts-ignore: decorator
@inline
function wayOf(particles: ParticleArrays, web: WebArrays, particle: u32, offset: v128): v128 {
    const point = v128.load(web.member.crowd.points + rowOffset(web.member.first + particle));
    return f32x4.sub(f32x4.add(v128.load(particles.positions + rowOffset(particle)), offset), point);
}

function widen(particles: ParticleArrays, web: WebArrays, t: u32, box: usize, offset: v128, drift: v128): void {
    const triangle = web.triangles + <usize>t * WebTriangle.count;
    const a = wayOf(particles, web, load<u32>(triangle), offset);
    const b = wayOf(particles, web, load<u32>(triangle, 4), offset);
    const c = wayOf(particles, web, load<u32>(triangle, 8), offset);
    let mean = f32x4.mul(f32x4.add(f32x4.add(a, b), c), f32x4.splat(<f32>1 / 3));
    const most = max(max(sum3(square(f32x4.sub(a, mean))), sum3(square(f32x4.sub(b, mean)))), sum3(square(f32x4.sub(c, mean))));
    const minimum = v128.load(box, WebBox.minimum);
    const maximum = v128.load(box, WebBox.maximum);
    const size = sum3(f32x4.sub(maximum, minimum)) / 2;
    const away = sqrt<f32>(sum3(square(f32x4.sub(mean, drift))));
    let spread = min(sqrt<f32>(most), size);
    let margin = min(away + spread, size);
    if (load<f32>(web.member.crowd.numbers, CrowdNumber.listed) > 0) {
        spread = margin = away + sqrt<f32>(most);
        mean = f32x4.splat(0);
    }
    v128.store(web.faces + <usize>t * WebFace.count, f32x4.replace_lane(mean, 3, spread), WebFace.displacement);
    v128.store(box, f32x4.sub(minimum, f32x4.splat(margin)), WebBox.minimum);
    v128.store(box, f32x4.add(maximum, f32x4.splat(margin)), WebBox.maximum);
}
