/**
 * One kernel, whose state is in globals of this file, so longer than 400 lines; its colliders are beside it.
 *
 * Bone chains: each joint's tail is a particle at a fixed distance from the joint's head, pulled towards the pose (the spring bones of
 * VRMC_springBone 1.0). Parents are placed before their children:
 *
 *     next = tail + keep (tail - last) + pull axis + push (gravity + wind),   |next - head| = length,   out of the colliders
 *
 *     head ●━━━━━━━● tail            the joint turns by the shortest rotation from its axis to next - head
 *           ╲  axis
 *            ○ pose
 *
 * A frame is whole steps, whose states are kept, and the time after the last one, which is drawn and computed anew in the next frame: what
 * is drawn is of the frame's end, and does not depend on where steps fall. In doubles, without SIMD: joints depend on their parents.
 */
import {
    BoneChainArrays,
    BoneCollider,
    BoneFrame,
    BoneMap,
    JointFrame,
    JointIndex,
    JointPose,
    JointRate,
    JointState,
} from "./layout.generated";
import { collideEdge, collideTail, tailX, tailY, tailZ, setTail } from "./boneColliders";
import { BONE_LINK_PASSES } from "./tunables.generated";

const IS_ROOT: u32 = 0x80000000;
const NONE: u32 = 0xffffffff;
/** Cosine of half a turn, nearly: the axis of the shortest rotation is then any across. */
const OPPOSITE: f64 = -0.999999;

// @ts-ignore: decorator
@inline
function at(record: usize, slot: usize): f64 {
    return load<f64>(record + 2 * slot);
}

// @ts-ignore: decorator
@inline
function put(record: usize, slot: usize, value: f64): void {
    store<f64>(record + 2 * slot, value);
}

/** Places and turns of the poses on the way through the frame. */
let share: f64 = 1;
/** True in a step whose result is the new state; false after the last step. */
let isKept = false;

export function stepBoneChains(first: BoneChainArrays): void {
    let address = changetype<usize>(first);
    while (address !== 0) {
        const rig = changetype<BoneChainArrays>(address);
        stepRig(rig);
        address = rig.next;
    }
}

function stepRig(rig: BoneChainArrays): void {
    const steps = rig.stepCount;
    for (let s: u32 = 0; s < steps; s++) {
        share = at(rig.frame, BoneFrame.firstShare) + <f64>s * at(rig.frame, BoneFrame.stepShare);
        isKept = true;
        advance(rig, s);
    }
    share = 1;
    if (rig.isExact && steps > 0) return;
    isKept = false;
    advance(rig, steps);
}

function advance(rig: BoneChainArrays, step: u32): void {
    mixMaps(rig);
    mixColliders(rig);
    if (rig.anchorCount > 0) carry(rig, step);
    for (let l: u32 = 0; l < rig.levelCount; l++) {
        const level = rig.levels + ((<usize>l) << 4);
        const start = load<u32>(level);
        const end = load<u32>(level, 4);
        const firstLink = load<u32>(level, 8);
        const linkEnd = load<u32>(level, 12);
        if (firstLink === linkEnd) {
            for (let j = start; j < end; j++) {
                predict(rig, j);
                finish(rig, j);
            }
            continue;
        }
        for (let j = start; j < end; j++) predict(rig, j);
        for (let pass: u32 = 0; pass < BONE_LINK_PASSES; pass++) {
            for (let k = firstLink; k < linkEnd; k++) projectLink(rig, k);
            for (let j = start; j < end; j++) constrain(rig, j);
        }
        for (let j = start; j < end; j++) finish(rig, j);
    }
}

/** Roots on their way: rows between those before and after, as long as they are. */
function mixMaps(rig: BoneChainArrays): void {
    for (let r: usize = 0; r < rig.rootCount; r++) {
        const o = r * (2 * BoneMap.count);
        const to = rig.roots + o;
        const from = rig.previousRoots + o;
        const now = rig.currentRoots + o;
        for (let c: usize = 0; c < 24; c += 8) {
            const place: usize = 2 * BoneMap.translation + c;
            const a = load<f64>(from + place);
            store<f64>(now + place, a + (load<f64>(to + place) - a) * share);
            const ax = load<f64>(from + 3 * c);
            const ay = load<f64>(from + 3 * c, 8);
            const az = load<f64>(from + 3 * c, 16);
            const bx = load<f64>(to + 3 * c);
            const by = load<f64>(to + 3 * c, 8);
            const bz = load<f64>(to + 3 * c, 16);
            let x = ax + (bx - ax) * share;
            let y = ay + (by - ay) * share;
            let z = az + (bz - az) * share;
            const squared = x * x + y * y + z * z;
            const before = sqrt(ax * ax + ay * ay + az * az);
            const length = before + (sqrt(bx * bx + by * by + bz * bz) - before) * share;
            // Turned by half a turn in a frame, the way is unknown.
            const isKnown = squared > 1e-6 * length * length;
            const scale = isKnown ? length / sqrt(squared) : 1;
            x = isKnown ? x * scale : bx;
            y = isKnown ? y * scale : by;
            z = isKnown ? z * scale : bz;
            store<f64>(now + 3 * c, x);
            store<f64>(now + 3 * c, y, 8);
            store<f64>(now + 3 * c, z, 16);
        }
    }
}

function mixColliders(rig: BoneChainArrays): void {
    for (let i: usize = 0; i < rig.colliderCount; i++) {
        const o = i * (2 * BoneCollider.count);
        const to = rig.colliders + o;
        const from = rig.previousColliders + o;
        const now = rig.currentColliders + o;
        store<f64>(now, load<f64>(to));
        for (let c: usize = 8; c < 2 * BoneCollider.count; c += 8) {
            const a = load<f64>(from + c);
            store<f64>(now + c, a + (load<f64>(to + c) - a) * share);
        }
    }
}

/** Carries tails along with their anchors through what they do not feel. */
function carry(rig: BoneChainArrays, step: u32): void {
    for (let j: usize = 0; j < rig.jointCount; j++) {
        const anchor = load<u32>(rig.joints + ((4 * j + JointIndex.anchor / 4) << 2));
        if (anchor === NONE) continue;
        const map = rig.anchorMaps + <usize>(anchor * rig.mapCount + step) * (2 * BoneMap.count);
        const state = rig.states + j * (2 * JointState.count);
        turn(map, state + 2 * JointState.displacement);
        turn(map, state + 2 * JointState.tail);
        for (let c: usize = 0; c < 24; c += 8) {
            const place = state + 2 * JointState.tail + c;
            store<f64>(place, load<f64>(place) + load<f64>(map + 2 * BoneMap.translation + c));
        }
    }
}

/** A vector under the linear part of a map, in place. */
function turn(map: usize, vector: usize): void {
    const x = load<f64>(vector);
    const y = load<f64>(vector, 8);
    const z = load<f64>(vector, 16);
    store<f64>(vector, x * load<f64>(map) + y * load<f64>(map, 24) + z * load<f64>(map, 48));
    store<f64>(vector, x * load<f64>(map, 8) + y * load<f64>(map, 32) + z * load<f64>(map, 56), 8);
    store<f64>(vector, x * load<f64>(map, 16) + y * load<f64>(map, 40) + z * load<f64>(map, 64), 16);
}

/** A slot of a pose on its way. */
// @ts-ignore: decorator
@inline
function mixed(from: usize, to: usize, slot: usize): f64 {
    const a = at(from, slot);
    return a + (at(to, slot) - a) * share;
}

/** Places a joint in its pose under its parent, and predicts its tail. */
function predict(rig: BoneChainArrays, j: u32): void {
    const o = <usize>j * (2 * JointPose.count);
    const from = rig.previousPoses + o;
    const to = rig.poses + o;
    const frame = rig.frames + <usize>j * (2 * JointFrame.count);
    const parent = load<u32>(rig.joints + ((<usize>j) << 4));
    const isRoot = (parent & IS_ROOT) !== 0;
    const index = <usize>(parent & ~IS_ROOT);
    const map = isRoot ? rig.currentRoots + index * (2 * BoneMap.count) : rig.frames + index * (2 * JointFrame.count);
    const origin = map + (isRoot ? 2 * BoneMap.translation : 2 * JointFrame.head);
    const m0 = load<f64>(map);
    const m1 = load<f64>(map, 8);
    const m2 = load<f64>(map, 16);
    const m3 = load<f64>(map, 24);
    const m4 = load<f64>(map, 32);
    const m5 = load<f64>(map, 40);
    const m6 = load<f64>(map, 48);
    const m7 = load<f64>(map, 56);
    const m8 = load<f64>(map, 64);
    const px = mixed(from, to, JointPose.translation);
    const py = mixed(from, to, JointPose.translation + 4);
    const pz = mixed(from, to, JointPose.translation + 8);
    const hx = px * m0 + py * m3 + pz * m6 + load<f64>(origin);
    const hy = px * m1 + py * m4 + pz * m7 + load<f64>(origin, 8);
    const hz = px * m2 + py * m5 + pz * m8 + load<f64>(origin, 16);
    put(frame, JointFrame.head, hx);
    put(frame, JointFrame.head + 4, hy);
    put(frame, JointFrame.head + 8, hz);
    // The shorter way from quaternion to quaternion.
    let qx = at(from, JointPose.rotation);
    let qy = at(from, JointPose.rotation + 4);
    let qz = at(from, JointPose.rotation + 8);
    let qw = at(from, JointPose.rotation + 12);
    const tx = at(to, JointPose.rotation);
    const ty = at(to, JointPose.rotation + 4);
    const tz = at(to, JointPose.rotation + 8);
    const tw = at(to, JointPose.rotation + 12);
    const rest = qx * tx + qy * ty + qz * tz + qw * tw < 0 ? share - 1 : 1 - share;
    qx = rest * qx + share * tx;
    qy = rest * qy + share * ty;
    qz = rest * qz + share * tz;
    qw = rest * qw + share * tw;
    const double = 2 / (qx * qx + qy * qy + qz * qz + qw * qw);
    const xx = double * qx * qx;
    const yy = double * qy * qy;
    const zz = double * qz * qz;
    const xy = double * qx * qy;
    const yz = double * qy * qz;
    const zx = double * qz * qx;
    const xw = double * qx * qw;
    const yw = double * qy * qw;
    const zw = double * qz * qw;
    posedRow(frame, 0, 1 - yy - zz, xy + zw, zx - yw, m0, m1, m2, m3, m4, m5, m6, m7, m8);
    posedRow(frame, 24, xy - zw, 1 - xx - zz, yz + xw, m0, m1, m2, m3, m4, m5, m6, m7, m8);
    posedRow(frame, 48, zx + yw, yz - xw, 1 - xx - yy, m0, m1, m2, m3, m4, m5, m6, m7, m8);
    const vx = mixed(from, to, JointPose.tail);
    const vy = mixed(from, to, JointPose.tail + 4);
    const vz = mixed(from, to, JointPose.tail + 8);
    const p = frame + 2 * JointFrame.posed;
    const ax = vx * load<f64>(p) + vy * load<f64>(p, 24) + vz * load<f64>(p, 48);
    const ay = vx * load<f64>(p, 8) + vy * load<f64>(p, 32) + vz * load<f64>(p, 56);
    const az = vx * load<f64>(p, 16) + vy * load<f64>(p, 40) + vz * load<f64>(p, 64);
    const length = sqrt(ax * ax + ay * ay + az * az);
    put(frame, JointFrame.length, length);
    if (!(length > 0)) return;
    const rates = rig.rates + <usize>j * (2 * JointRate.count);
    const state = rig.states + <usize>j * (2 * JointState.count);
    const keep = isKept ? at(rates, JointRate.keep) : at(rates, JointRate.lateKeep);
    const push = isKept ? at(rates, JointRate.push) : at(rates, JointRate.latePush);
    let pull = isKept ? at(rates, JointRate.pull) : at(rates, JointRate.latePull);
    // The axis is as long as the bone.
    if (rig.isExact) pull /= length;
    setTail(
        at(state, JointState.tail) +
            keep * at(state, JointState.displacement) +
            pull * ax +
            push * at(rates, JointRate.acceleration),
        at(state, JointState.tail + 4) +
            keep * at(state, JointState.displacement + 4) +
            pull * ay +
            push * at(rates, JointRate.acceleration + 4),
        at(state, JointState.tail + 8) +
            keep * at(state, JointState.displacement + 8) +
            pull * az +
            push * at(rates, JointRate.acceleration + 8),
    );
    collideTail(rig, j, hx, hy, hz, length, ax, ay, az);
    storeTail(frame);
}

/** A row of the pose under the parent's map. */
// @ts-ignore: decorator
@inline
function posedRow(frame: usize, o: usize, x: f64, y: f64, z: f64, m0: f64, m1: f64, m2: f64, m3: f64, m4: f64, m5: f64, m6: f64, m7: f64, m8: f64): void {
    const row = frame + 2 * JointFrame.posed + o;
    store<f64>(row, x * m0 + y * m3 + z * m6);
    store<f64>(row, x * m1 + y * m4 + z * m7, 8);
    store<f64>(row, x * m2 + y * m5 + z * m8, 16);
}

// @ts-ignore: decorator
@inline
function storeTail(frame: usize): void {
    put(frame, JointFrame.tail, tailX);
    put(frame, JointFrame.tail + 4, tailY);
    put(frame, JointFrame.tail + 8, tailZ);
}

/** Gives two tails their distance at rest, and moves what ties them out of the colliders. */
function projectLink(rig: BoneChainArrays, k: u32): void {
    const pair = rig.links + ((<usize>k) << 3);
    const i = load<u32>(pair);
    const j = load<u32>(pair, 4);
    const a = rig.frames + <usize>i * (2 * JointFrame.count);
    const b = rig.frames + <usize>j * (2 * JointFrame.count);
    let dx = at(b, JointFrame.tail) - at(a, JointFrame.tail);
    let dy = at(b, JointFrame.tail + 4) - at(a, JointFrame.tail + 4);
    let dz = at(b, JointFrame.tail + 8) - at(a, JointFrame.tail + 8);
    const distance = sqrt(dx * dx + dy * dy + dz * dz);
    if (distance > 0) {
        const length = load<f64>(rig.linkLengths + ((<usize>k) << 3)) * at(rig.frame, BoneFrame.linkScale);
        const half = (0.5 * (distance - length)) / distance;
        dx *= half;
        dy *= half;
        dz *= half;
        put(a, JointFrame.tail, at(a, JointFrame.tail) + dx);
        put(a, JointFrame.tail + 4, at(a, JointFrame.tail + 4) + dy);
        put(a, JointFrame.tail + 8, at(a, JointFrame.tail + 8) + dz);
        put(b, JointFrame.tail, at(b, JointFrame.tail) - dx);
        put(b, JointFrame.tail + 4, at(b, JointFrame.tail + 4) - dy);
        put(b, JointFrame.tail + 8, at(b, JointFrame.tail + 8) - dz);
    }
    collideEdge(rig, i, a + 2 * JointFrame.tail, b + 2 * JointFrame.tail, true);
}

/** Puts a tail back at its distance, and bone and tail out of the colliders. */
function constrain(rig: BoneChainArrays, j: u32): void {
    const frame = rig.frames + <usize>j * (2 * JointFrame.count);
    const length = at(frame, JointFrame.length);
    if (!(length > 0)) return;
    collideEdge(rig, j, frame + 2 * JointFrame.head, frame + 2 * JointFrame.tail, false);
    setTail(at(frame, JointFrame.tail), at(frame, JointFrame.tail + 4), at(frame, JointFrame.tail + 8));
    const hx = at(frame, JointFrame.head);
    const hy = at(frame, JointFrame.head + 4);
    const hz = at(frame, JointFrame.head + 8);
    collideTail(rig, j, hx, hy, hz, length, at(frame, JointFrame.tail) - hx, at(frame, JointFrame.tail + 4) - hy, at(frame, JointFrame.tail + 8) - hz);
    storeTail(frame);
}

/** Turns the joint towards its tail, within its limit; the tail is then where the joint has it. */
function finish(rig: BoneChainArrays, j: u32): void {
    const frame = rig.frames + <usize>j * (2 * JointFrame.count);
    const pose = rig.poses + <usize>j * (2 * JointPose.count);
    const from = rig.previousPoses + <usize>j * (2 * JointPose.count);
    const bend = rig.bends + ((<usize>j) << 5);
    const p = frame + 2 * JointFrame.posed;
    const m0 = load<f64>(p);
    const m1 = load<f64>(p, 8);
    const m2 = load<f64>(p, 16);
    const m3 = load<f64>(p, 24);
    const m4 = load<f64>(p, 32);
    const m5 = load<f64>(p, 40);
    const m6 = load<f64>(p, 48);
    const m7 = load<f64>(p, 56);
    const m8 = load<f64>(p, 64);
    let x: f64 = 0;
    let y: f64 = 0;
    let z: f64 = 0;
    let w: f64 = 1;
    const c0 = m4 * m8 - m5 * m7;
    const c3 = m5 * m6 - m3 * m8;
    const c6 = m3 * m7 - m4 * m6;
    const determinant = m0 * c0 + m1 * c3 + m2 * c6;
    const hasTail = at(frame, JointFrame.length) > 0;
    if (hasTail && abs(determinant) > 1e-30) {
        // Against the pose, the direction that matters is that of the inverse: its sign comes from the determinant, its length does not count.
        const s: f64 = determinant > 0 ? 1 : -1;
        const dx = s * (at(frame, JointFrame.tail) - at(frame, JointFrame.head));
        const dy = s * (at(frame, JointFrame.tail + 4) - at(frame, JointFrame.head + 4));
        const dz = s * (at(frame, JointFrame.tail + 8) - at(frame, JointFrame.head + 8));
        let lx = dx * c0 + dy * c3 + dz * c6;
        let ly = dx * (m2 * m7 - m1 * m8) + dy * (m0 * m8 - m2 * m6) + dz * (m1 * m6 - m0 * m7);
        let lz = dx * (m1 * m5 - m2 * m4) + dy * (m2 * m3 - m0 * m5) + dz * (m0 * m4 - m1 * m3);
        let vx = mixed(from, pose, JointPose.tail);
        let vy = mixed(from, pose, JointPose.tail + 4);
        let vz = mixed(from, pose, JointPose.tail + 8);
        const reach = sqrt(vx * vx + vy * vy + vz * vz);
        const own = sqrt(lx * lx + ly * ly + lz * lz);
        vx /= reach;
        vy /= reach;
        vz /= reach;
        lx = own > 0 ? lx / own : vx;
        ly = own > 0 ? ly / own : vy;
        lz = own > 0 ? lz / own : vz;
        let cosine = vx * lx + vy * ly + vz * lz;
        const limit = at(rig.rates + <usize>j * (2 * JointRate.count), JointRate.limitCosine);
        if (cosine < limit) {
            // Onto the cone about the pose, by the part across it.
            let ux = lx - cosine * vx;
            let uy = ly - cosine * vy;
            let uz = lz - cosine * vz;
            const across = sqrt(ux * ux + uy * uy + uz * uz);
            if (across > 1e-9) {
                const sine = sqrt(max<f64>(0, 1 - limit * limit)) / across;
                lx = limit * vx + sine * ux;
                ly = limit * vy + sine * uy;
                lz = limit * vz + sine * uz;
                cosine = limit;
            }
        }
        if (cosine > OPPOSITE) {
            x = vy * lz - vz * ly;
            y = vz * lx - vx * lz;
            z = vx * ly - vy * lx;
            w = 1 + cosine;
        } else if (abs(vx) > abs(vz)) {
            x = -vy;
            y = vx;
            w = 0;
        } else {
            y = -vz;
            z = vy;
            w = 0;
        }
        const scale = 1 / sqrt(x * x + y * y + z * z + w * w);
        x *= scale;
        y *= scale;
        z *= scale;
        w *= scale;
        lx *= reach;
        ly *= reach;
        lz *= reach;
        setTail(
            at(frame, JointFrame.head) + lx * m0 + ly * m3 + lz * m6,
            at(frame, JointFrame.head + 4) + lx * m1 + ly * m4 + lz * m7,
            at(frame, JointFrame.head + 8) + lx * m2 + ly * m5 + lz * m8,
        );
        storeTail(frame);
        if (isKept) {
            const state = rig.states + <usize>j * (2 * JointState.count);
            put(state, JointState.displacement, tailX - at(state, JointState.tail));
            put(state, JointState.displacement + 4, tailY - at(state, JointState.tail + 4));
            put(state, JointState.displacement + 8, tailZ - at(state, JointState.tail + 8));
            put(state, JointState.tail, tailX);
            put(state, JointState.tail + 4, tailY);
            put(state, JointState.tail + 8, tailZ);
        }
    }
    store<f64>(bend, x);
    store<f64>(bend, y, 8);
    store<f64>(bend, z, 16);
    store<f64>(bend, w, 24);
    const sx = mixed(from, pose, JointPose.scaling);
    const sy = mixed(from, pose, JointPose.scaling + 4);
    const sz = mixed(from, pose, JointPose.scaling + 8);
    linearRow(frame, 0, sx * (1 - 2 * (y * y + z * z)), sx * 2 * (x * y + z * w), sx * 2 * (z * x - y * w), m0, m1, m2, m3, m4, m5, m6, m7, m8);
    linearRow(frame, 24, sy * 2 * (x * y - z * w), sy * (1 - 2 * (x * x + z * z)), sy * 2 * (y * z + x * w), m0, m1, m2, m3, m4, m5, m6, m7, m8);
    linearRow(frame, 48, sz * 2 * (z * x + y * w), sz * 2 * (y * z - x * w), sz * (1 - 2 * (x * x + y * y)), m0, m1, m2, m3, m4, m5, m6, m7, m8);
}

// @ts-ignore: decorator
@inline
function linearRow(frame: usize, o: usize, x: f64, y: f64, z: f64, m0: f64, m1: f64, m2: f64, m3: f64, m4: f64, m5: f64, m6: f64, m7: f64, m8: f64): void {
    const row = frame + 2 * JointFrame.linear + o;
    store<f64>(row, x * m0 + y * m3 + z * m6);
    store<f64>(row, x * m1 + y * m4 + z * m7, 8);
    store<f64>(row, x * m2 + y * m5 + z * m8, 16);
}
