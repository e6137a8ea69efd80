/**
 * The skin as a target of particles: places and normals posed by bones, and what holds free particles to them.
 *
 *     p = Σ w x M,  n = Σ w n M                     linear blend skinning, once a frame
 *
 *          ○ x          C = |x - p| - D <= 0        max distance D
 *     ──●──┬──── p      C = R - |x - c| <= 0        backstop: the sphere of radius R about c = p - n (b + R)
 *       │ b
 *     ╭─┴─────╮ R       (as in Unity, NvCloth and Jolt)
 *
 * Neither adds speed: what a correction would add to the velocity relative to the skin is taken out of the previous position.
 */
import { ParticleArrays, SkinLimit, SkinTargetArrays, SkinTargetNumber, ROW, rowOffset } from "./layout.generated";
import { splat0, splat1, splat2, square, sum3, xyz0 } from "./simd";

/** Poses places and normals for a new frame. The last ones become the start of the frame's motion. */
export function poseSkinTarget(skin: SkinTargetArrays): void {
    const bytes = rowOffset(skin.particleCount);
    const influenceCount = skin.influenceCount;
    const matrices = skin.matrices;
    const hasNormals = load<f32>(skin.numbers, SkinTargetNumber.hasNormals) != 0;
    memory.copy(skin.from, skin.to, bytes);
    if (hasNormals) memory.copy(skin.normalsFrom, skin.normalsTo, bytes);
    let farthest: f32 = 0;
    let bone = skin.bones;
    let weight = skin.weights;
    for (let o: usize = 0; o < bytes; o += ROW) {
        // The blended matrix, row by row.
        let m0 = f32x4.splat(0);
        let m1 = m0;
        let m2 = m0;
        let m3 = m0;
        for (let k: u32 = 0; k < influenceCount; k++, bone += 4, weight += 4) {
            const w = v128.load32_splat(weight);
            const m = matrices + load<u32>(bone);
            m0 = f32x4.add(m0, f32x4.mul(w, v128.load(m, 0)));
            m1 = f32x4.add(m1, f32x4.mul(w, v128.load(m, 16)));
            m2 = f32x4.add(m2, f32x4.mul(w, v128.load(m, 32)));
            m3 = f32x4.add(m3, f32x4.mul(w, v128.load(m, 48)));
        }
        const rest = v128.load(skin.rest + o);
        const now = xyz0(f32x4.add(linear(rest, m0, m1, m2), m3));
        v128.store(skin.to + o, now);
        farthest = max(farthest, sum3(square(f32x4.sub(now, v128.load(skin.from + o)))));
        if (hasNormals) v128.store(skin.normalsTo + o, xyz0(linear(v128.load(skin.restNormals + o), m0, m1, m2)));
    }
    store<f32>(skin.numbers, <f32>Math.sqrt(farthest), SkinTargetNumber.motion);
}

// @ts-ignore: decorator
@inline
function linear(v: v128, m0: v128, m1: v128, m2: v128): v128 {
    return f32x4.add(f32x4.add(f32x4.mul(splat0(v), m0), f32x4.mul(splat1(v), m1)), f32x4.mul(splat2(v), m2));
}

/** Begins a step: within it, places and normals go in straight lines. */
export function stepSkinTarget(skin: SkinTargetArrays): void {
    advance(skin, skin.from, skin.to, skin.stepFrom, skin.stepTo);
    if (load<f32>(skin.numbers, SkinTargetNumber.hasNormals) != 0)
        advance(skin, skin.normalsFrom, skin.normalsTo, skin.stepNormalsFrom, skin.stepNormalsTo);
}

// @ts-ignore: decorator
@inline
function advance(skin: SkinTargetArrays, from: usize, to: usize, stepFrom: usize, stepTo: usize): void {
    const bytes = rowOffset(skin.particleCount);
    const fraction = v128.load32_splat(skin.numbers, SkinTargetNumber.fraction);
    memory.copy(stepFrom, stepTo, bytes);
    for (let o: usize = 0; o < bytes; o += ROW) v128.store(stepTo + o, between(v128.load(from + o), v128.load(to + o), fraction));
}

// @ts-ignore: decorator
@inline
function between(a: v128, b: v128, share: v128): v128 {
    return f32x4.add(a, f32x4.mul(f32x4.sub(b, a), share));
}

// @ts-ignore: decorator
@inline
function isFree(particles: ParticleArrays, o: usize): bool {
    return load<f32>(particles.inverseMasses + (o >> 2)) != 0;
}

/** Pulls free particles towards their places, by a share of the distance. */
export function pullToSkin(particles: ParticleArrays, skin: SkinTargetArrays): void {
    const bytes = rowOffset(skin.particleCount);
    const share = v128.load32_splat(skin.numbers, SkinTargetNumber.share);
    const pull = v128.load32_splat(skin.numbers, SkinTargetNumber.pull);
    for (let o: usize = 0; o < bytes; o += ROW) {
        if (!isFree(particles, o)) continue;
        const place = between(v128.load(skin.stepFrom + o), v128.load(skin.stepTo + o), share);
        v128.store(particles.positions + o, between(v128.load(particles.positions + o), place, pull));
    }
}

/** Keeps free particles out of their backstops, and then within their distances from the skin. */
export function limitToSkin(particles: ParticleArrays, skin: SkinTargetArrays): void {
    const bytes = rowOffset(skin.particleCount);
    const share = v128.load32_splat(skin.numbers, SkinTargetNumber.share);
    const substepShare = v128.load32_splat(skin.numbers, SkinTargetNumber.substepShare);
    const hasNormals = load<f32>(skin.numbers, SkinTargetNumber.hasNormals) != 0;
    for (let o: usize = 0; o < bytes; o += ROW) {
        if (!isFree(particles, o)) continue;
        const limit = skin.limits + o;
        const start = v128.load(skin.stepFrom + o);
        const way = f32x4.sub(v128.load(skin.stepTo + o), start);
        const place = f32x4.add(start, f32x4.mul(way, share));
        const motion = f32x4.mul(way, substepShare);
        const radius = load<f32>(limit, SkinLimit.backstopRadius);
        if (hasNormals && radius > 0) keepOut(particles, skin, o, place, motion, radius, share, substepShare);
        const reach = load<f32>(limit, SkinLimit.maxDistance);
        const d = f32x4.sub(v128.load(particles.positions + o), place);
        const squared = sum3(square(d));
        if (!(squared > reach * reach)) continue;
        const distance = <f32>Math.sqrt(squared);
        const inwards = f32x4.div(d, f32x4.splat(-distance));
        correct(particles, o, inwards, distance - reach, motion);
    }
}

/** Keeps a particle out of the sphere behind its place. */
// @ts-ignore: decorator
@inline
function keepOut(
    particles: ParticleArrays, skin: SkinTargetArrays, o: usize, place: v128, motion: v128, radius: f32, share: v128, substepShare: v128,
): void {
    const startNormal = v128.load(skin.stepNormalsFrom + o);
    const turn = f32x4.sub(v128.load(skin.stepNormalsTo + o), startNormal);
    const normal = f32x4.add(startNormal, f32x4.mul(turn, share));
    const length = <f32>Math.sqrt(sum3(square(normal)));
    if (!(length > 0)) return;
    const depth = radius + load<f32>(skin.limits + o, SkinLimit.backstopDistance);
    const toCentre = f32x4.splat(-depth / length);
    const d = f32x4.sub(f32x4.sub(v128.load(particles.positions + o), place), f32x4.mul(normal, toCentre));
    const squared = sum3(square(d));
    if (!(squared < radius * radius)) return;
    const distance = <f32>Math.sqrt(squared);
    const unit = f32x4.mul(normal, f32x4.splat(1 / length));
    const outwards = distance > 0 ? f32x4.div(d, f32x4.splat(distance)) : unit;
    const centreMotion = f32x4.add(motion, f32x4.mul(f32x4.mul(turn, substepShare), toCentre));
    correct(particles, o, outwards, radius - distance, centreMotion);
}

/**
 * Moves a particle along a unit vector, of which no speed remains relative to what has moved it.
 * @param motion of that in this substep [m]
 */
// @ts-ignore: decorator
@inline
function correct(particles: ParticleArrays, o: usize, direction: v128, distance: f32, motion: v128): void {
    const previous = v128.load(particles.previous + o);
    const x = f32x4.add(v128.load(particles.positions + o), f32x4.mul(direction, f32x4.splat(distance)));
    v128.store(particles.positions + o, x);
    const gained = min(distance, sum3(f32x4.mul(f32x4.sub(f32x4.sub(x, previous), motion), direction)));
    if (gained > 0) v128.store(particles.previous + o, f32x4.add(previous, f32x4.mul(direction, f32x4.splat(gained))));
}
