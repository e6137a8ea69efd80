/** Colliders of bones: tapered capsules, half-spaces, boxes; see BoneCollider in boneLayout.ts. */
import { BoneChainArrays, BoneCollider, JointIndex, JointRate } from "./layout.generated";

const INSIDE: f64 = 2;
const HALF_SPACE: f64 = 3;
const BOX: f64 = 4;

/** The tail that is being moved [m]. */
export let tailX: f64 = 0;
export let tailY: f64 = 0;
export let tailZ: f64 = 0;

/** By how far the tail is inside what was last measured [m], and the unit direction out. */
let depth: f64 = 0;
let outX: f64 = 0;
let outY: f64 = 0;
let outZ: f64 = 0;

export function setTail(x: f64, y: f64, z: f64): void {
    tailX = x;
    tailY = y;
    tailZ = z;
}

/** Puts the tail at its distance from the head, and out of one collider after the other. @param ax direction of a tail that is at its head */
export function collideTail(rig: BoneChainArrays, j: u32, hx: f64, hy: f64, hz: f64, length: f64, ax: f64, ay: f64, az: f64): void {
    fit(hx, hy, hz, length, ax, ay, az);
    const joint = rig.joints + ((<usize>j) << 4);
    const end = load<u32>(joint, JointIndex.colliderEnd);
    const radius = load<f64>(rig.rates + <usize>j * (2 * JointRate.count), 2 * JointRate.radius);
    for (let i = load<u32>(joint, JointIndex.firstCollider); i < end; i++) {
        const collider = rig.currentColliders + <usize>load<u32>(rig.colliderLists + ((<usize>i) << 2)) * (2 * BoneCollider.count);
        measure(collider, radius);
        if (!(depth > 0)) continue;
        if (rig.isExact) {
            tailX += depth * outX;
            tailY += depth * outY;
            tailZ += depth * outZ;
            fit(hx, hy, hz, length, ax, ay, az);
        } else swingOut(hx, hy, hz, length);
    }
}

/**
 * Swings the tail about its head until it is out of the plane of its contact, in one go: pushed and put back at its distance, a bone that points
 * straight in would stay. Whose head is too deep points straight out.
 */
function swingOut(hx: f64, hy: f64, hz: f64, length: f64): void {
    let x = tailX - hx;
    let y = tailY - hy;
    let z = tailZ - hz;
    const along = x * outX + y * outY + z * outZ;
    const wanted = min<f64>(length, along + depth);
    x -= along * outX;
    y -= along * outY;
    z -= along * outZ;
    let across = sqrt(x * x + y * y + z * z);
    if (across < 1e-6 * length) {
        const isUpright = abs(outX) < 0.6;
        x = isUpright ? 0 : -outY;
        y = isUpright ? -outZ : outX;
        z = isUpright ? outY : 0;
        across = sqrt(x * x + y * y + z * z);
    }
    const scale = sqrt(max<f64>(0, length * length - wanted * wanted)) / across;
    tailX = hx + wanted * outX + scale * x;
    tailY = hy + wanted * outY + scale * y;
    tailZ = hz + wanted * outZ + scale * z;
}

// @ts-ignore: decorator
@inline
function fit(hx: f64, hy: f64, hz: f64, length: f64, ax: f64, ay: f64, az: f64): void {
    let x = tailX - hx;
    let y = tailY - hy;
    let z = tailZ - hz;
    let squared = x * x + y * y + z * z;
    if (!(squared > 0)) {
        x = ax;
        y = ay;
        z = az;
        squared = x * x + y * y + z * z;
    }
    const scale = length / sqrt(squared);
    tailX = hx + x * scale;
    tailY = hy + y * scale;
    tailZ = hz + z * scale;
}

/** Measures {@link depth} of a ball about the tail. */
function measure(collider: usize, radius: f64): void {
    const kind = load<f64>(collider);
    depth = 0;
    if (kind === 0) return;
    let x = tailX - load<f64>(collider, 2 * BoneCollider.place);
    let y = tailY - load<f64>(collider, 2 * BoneCollider.place + 8);
    let z = tailZ - load<f64>(collider, 2 * BoneCollider.place + 16);
    const ux = load<f64>(collider, 2 * BoneCollider.axes);
    const uy = load<f64>(collider, 2 * BoneCollider.axes + 8);
    const uz = load<f64>(collider, 2 * BoneCollider.axes + 16);
    if (kind <= INSIDE) {
        const squared = ux * ux + uy * uy + uz * uz;
        const t = squared > 0 ? max<f64>(0, min<f64>(1, (x * ux + y * uy + z * uz) / squared)) : 0;
        x -= t * ux;
        y -= t * uy;
        z -= t * uz;
        const first = load<f64>(collider, 2 * BoneCollider.sizes);
        const size = first + t * (load<f64>(collider, 2 * BoneCollider.sizes + 8) - first);
        const distance = sqrt(x * x + y * y + z * z);
        if (!(distance > 0)) return;
        depth = kind === INSIDE ? distance + radius - size : size + radius - distance;
        const scale = (kind === INSIDE ? -1 : 1) / distance;
        outX = x * scale;
        outY = y * scale;
        outZ = z * scale;
    } else if (kind === HALF_SPACE) {
        depth = radius - (x * ux + y * uy + z * uz);
        outX = ux;
        outY = uy;
        outZ = uz;
    } else if (kind === BOX) measureBox(collider, x, y, z, radius);
}

function measureBox(collider: usize, x: f64, y: f64, z: f64, radius: f64): void {
    let squared: f64 = 0;
    let nearest: f64 = -Infinity;
    let face: usize = 0;
    let sign: f64 = 1;
    outX = outY = outZ = 0;
    for (let i: usize = 0; i < 3; i++) {
        const axis = collider + 2 * BoneCollider.axes + 24 * i;
        const along = x * load<f64>(axis) + y * load<f64>(axis, 8) + z * load<f64>(axis, 16);
        const beyond = abs(along) - load<f64>(collider + 8 * i, 2 * BoneCollider.sizes);
        const side: f64 = along < 0 ? -1 : 1;
        if (beyond > nearest) {
            nearest = beyond;
            face = axis;
            sign = side;
        }
        if (beyond > 0) {
            squared += beyond * beyond;
            outX += side * beyond * load<f64>(axis);
            outY += side * beyond * load<f64>(axis, 8);
            outZ += side * beyond * load<f64>(axis, 16);
        }
    }
    if (squared > 0) {
        const distance = sqrt(squared);
        depth = radius - distance;
        outX /= distance;
        outY /= distance;
        outZ /= distance;
    } else {
        depth = radius - nearest;
        outX = sign * load<f64>(face);
        outY = sign * load<f64>(face, 8);
        outZ = sign * load<f64>(face, 16);
    }
}

/**
 * Moves what lies between two places out of the capsules of a joint. @param a addresses of the places
 * @param moves true if the first moves, too; a bone's head does not
 */
export function collideEdge(rig: BoneChainArrays, j: u32, a: usize, b: usize, moves: boolean): void {
    const joint = rig.joints + ((<usize>j) << 4);
    const end = load<u32>(joint, JointIndex.colliderEnd);
    const radius = load<f64>(rig.rates + <usize>j * (2 * JointRate.count), 2 * JointRate.radius);
    for (let i = load<u32>(joint, JointIndex.firstCollider); i < end; i++) {
        const collider = rig.currentColliders + <usize>load<u32>(rig.colliderLists + ((<usize>i) << 2)) * (2 * BoneCollider.count);
        if (load<f64>(collider) !== 1) continue;
        const ex = load<f64>(b) - load<f64>(a);
        const ey = load<f64>(b, 8) - load<f64>(a, 8);
        const ez = load<f64>(b, 16) - load<f64>(a, 16);
        const ux = load<f64>(collider, 2 * BoneCollider.axes);
        const uy = load<f64>(collider, 2 * BoneCollider.axes + 8);
        const uz = load<f64>(collider, 2 * BoneCollider.axes + 16);
        const rx = load<f64>(a) - load<f64>(collider, 2 * BoneCollider.place);
        const ry = load<f64>(a, 8) - load<f64>(collider, 2 * BoneCollider.place + 8);
        const rz = load<f64>(a, 16) - load<f64>(collider, 2 * BoneCollider.place + 16);
        // Nearest points of two segments (Ericson, Real-Time Collision Detection, 5.1.9).
        const ee = ex * ex + ey * ey + ez * ez;
        const uu = ux * ux + uy * uy + uz * uz;
        const eu = ex * ux + ey * uy + ez * uz;
        const er = ex * rx + ey * ry + ez * rz;
        const ur = ux * rx + uy * ry + uz * rz;
        if (!(ee > 0)) continue;
        const denominator = ee * uu - eu * eu;
        let s = denominator > 1e-12 * ee * uu ? max<f64>(0, min<f64>(1, (eu * ur - er * uu) / denominator)) : 0.5;
        let t = uu > 0 ? max<f64>(0, min<f64>(1, (eu * s + ur) / uu)) : 0;
        s = max<f64>(0, min<f64>(1, (eu * t - er) / ee));
        // At its ends, the tails themselves are moved out.
        const weight = moves ? (1 - s) * (1 - s) + s * s : s * s;
        if (s <= 0 || s >= 1 || weight < 0.04) continue;
        const dx = rx + s * ex - t * ux;
        const dy = ry + s * ey - t * uy;
        const dz = rz + s * ez - t * uz;
        const first = load<f64>(collider, 2 * BoneCollider.sizes);
        const size = radius + first + t * (load<f64>(collider, 2 * BoneCollider.sizes + 8) - first);
        const squared = dx * dx + dy * dy + dz * dz;
        if (squared >= size * size || !(squared > 0)) continue;
        const distance = sqrt(squared);
        const scale = (size - distance) / (distance * weight);
        if (moves) shift(a, (1 - s) * scale, dx, dy, dz);
        shift(b, s * scale, dx, dy, dz);
    }
}

// @ts-ignore: decorator
@inline
function shift(place: usize, scale: f64, x: f64, y: f64, z: f64): void {
    store<f64>(place, load<f64>(place) + scale * x);
    store<f64>(place, load<f64>(place, 8) + scale * y, 8);
    store<f64>(place, load<f64>(place, 16) + scale * z, 16);
}
