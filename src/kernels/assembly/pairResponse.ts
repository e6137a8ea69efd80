/** Contact response of particle pairs. */
import { hoist, xyz0 } from "./simd";
import { SelfCollisionArrays, SelfCollisionParameter, SelfCollisionCounter, ProxyArrays, ProxyParameter, PairRecord, ParticleArrays, ROW, rowOffset } from "./layout.generated";
import { float, word } from "./memory";

const KEPT_SHARE: f32 = 0.75;
const PUSH_SHARE: f32 = 0.2;
const RIM_SHARE: f32 = 0.5;
const PASSED_SHARE: f32 = 0.25;
const SUPPORTED_FALL: f32 = 4;
const SUPPORT_STIFFNESS: f32 = 0.9;
const COINCIDENT: f32 = 1e-16;

export function gatherActive(particles: ParticleArrays, proxy: ProxyArrays): void {
    const shared = proxy.shared;
    const range = shared.activeRanges + (<usize>proxy.index << 3);
    const first = proxy.first;
    const numbers = proxy.numbers;
    const offset = hoist(v128.load(numbers, ProxyParameter.offset), 0);
    const timeRatio = hoist(v128.load32_splat(numbers, ProxyParameter.timeRatio), 1);
    const mobility = load<f32>(numbers, ProxyParameter.mobility);
    for (let k = load<u32>(range), end = load<u32>(range, 4); k < end; k++) {
        const particle = word(shared.activeParticles, k) - first;
        const row = rowOffset(particle);
        const x = v128.load(particles.positions + row);
        const displacement = f32x4.add(f32x4.sub(x, v128.load(particles.previous + row)), v128.load(particles.residuals + row));
        const weight = float(particles.inverseMasses, particle) * mobility;
        v128.store(shared.activePositions + rowOffset(k), f32x4.replace_lane(f32x4.add(x, offset), 3, weight));
        v128.store(shared.velocities + rowOffset(k), f32x4.mul(displacement, timeRatio));
    }
}

export function scatterActive(particles: ParticleArrays, proxy: ProxyArrays): void {
    const shared = proxy.shared;
    const range = shared.activeRanges + (<usize>proxy.index << 3);
    const first = proxy.first;
    const numbers = proxy.numbers;
    const offset = hoist(v128.load(numbers, ProxyParameter.offset), 0);
    const timeRatio = hoist(v128.load32_splat(numbers, ProxyParameter.timeRatio), 0);
    const changesVelocity = load<f32>(numbers, ProxyParameter.changesVelocity) > 0;
    for (let k = load<u32>(range), end = load<u32>(range, 4); k < end; k++) {
        const place = v128.load(shared.activePositions + rowOffset(k));
        if (!(f32x4.extract_lane(place, 3) > 0)) continue;
        const row = rowOffset(word(shared.activeParticles, k) - first);
        const before = v128.load(particles.positions + row);
        const previous = v128.load(particles.previous + row);
        const displacement = changesVelocity
            ? f32x4.div(v128.load(shared.velocities + rowOffset(k)), timeRatio)
            : f32x4.add(f32x4.sub(before, previous), v128.load(particles.residuals + row));
        const x = xyz0(f32x4.sub(place, offset));
        v128.store(particles.positions + row, x);
        v128.store(particles.residuals + row, f32x4.sub(displacement, f32x4.sub(x, previous)));
    }
}

// @ts-ignore: decorator
@inline
function dot(a: v128, b: v128): f32 {
    const p = f32x4.mul(a, b);
    return f32x4.extract_lane(p, 0) + f32x4.extract_lane(p, 1) + f32x4.extract_lane(p, 2);
}

export function resolvePairs(shared: SelfCollisionArrays): void {
    let pair = shared.pairs;
    const activePositions = shared.activePositions;
    const velocities = shared.velocities;
    const gravity = hoist(xyz0(v128.load(shared.numbers, SelfCollisionParameter.gravity)), 0);
    const fall = dot(gravity, gravity);
    const usualPush = PUSH_SHARE * load<f32>(shared.numbers, SelfCollisionParameter.pushShare);
    let contacts: u32 = 0;
    const end = pair + <usize>load<u32>(shared.progress, SelfCollisionCounter.pairCount) * PairRecord.count;
    for (; pair < end; pair += PairRecord.count) {
        const a = load<u32>(pair, PairRecord.a);
        const b = load<u32>(pair, PairRecord.b);
        const distance = load<f32>(pair, PairRecord.distance);
        const xa = v128.load(activePositions + a);
        const xb = v128.load(activePositions + b);
        const d = xyz0(f32x4.sub(xa, xb));
        const squared = dot(d, d);
        let n = xyz0(v128.load(pair, PairRecord.normal));
        let height = dot(d, n);
        let aim = distance;
        let pushed = usualPush;
        let isTooFast = false;
        if (v128.any_true(f32x4.ne(n, f32x4.splat(0)))) {
            const squaredReach = load<f32>(pair, PairRecord.squaredReach);
            const rimDistance = squaredReach - (squared - height * height);
            if (!(height < distance && rimDistance >= 0)) continue;
            if (rimDistance < RIM_SHARE * squaredReach) pushed *= rimDistance / (RIM_SHARE * squaredReach);
        } else {
            const line = f32x4.sub(d, f32x4.sub(v128.load(velocities + a), v128.load(velocities + b)));
            const before = dot(line, line);
            isTooFast = dot(d, line) < KEPT_SHARE * before && before > COINCIDENT;
            if (!isTooFast && !(squared < distance * distance)) continue;
            const length = sqrt<f32>(isTooFast ? before : squared);
            n = length * length > COINCIDENT ? f32x4.div(isTooFast ? line : d, f32x4.splat(length)) : f32x4(0, 1, 0, 0);
            height = dot(d, n);
            if (isTooFast) aim = KEPT_SHARE * length;
        }
        contacts++;
        let weightA = f32x4.extract_lane(xa, 3);
        let weightB = f32x4.extract_lane(xb, 3);
        const below = dot(n, gravity);
        if (below !== 0 && abs<f32>(dot(v128.load(velocities + (below > 0 ? a : b)), gravity)) < SUPPORTED_FALL * fall) {
            const yieldShare = <f32>1 - (SUPPORT_STIFFNESS * below * below) / fall;
            if (below > 0) weightA *= yieldShare;
            else weightB *= yieldShare;
        }
        const sum = weightA + weightB;
        if (!(sum > 0)) continue;
        const shareA = f32x4.splat(weightA / sum);
        const shareB = f32x4.splat(-weightB / sum);
        const u = f32x4.sub(v128.load(velocities + a), v128.load(velocities + b));
        const normal = dot(u, n);
        if (!(height - normal >= -PASSED_SHARE * distance)) continue;
        const closing = max<f32>(0, -normal);
        let depth = aim - height;
        if (depth > closing) depth = closing + pushed * (depth - closing);
        const stop = isTooFast ? max<f32>(0, depth) : closing;
        const slide = f32x4.sub(u, f32x4.mul(n, f32x4.splat(normal)));
        const slideLength = sqrt<f32>(dot(slide, slide));
        const maxFriction = load<f32>(pair, PairRecord.friction) * max<f32>(0, depth);
        const back = f32x4.mul(slide, f32x4.splat(slideLength > maxFriction ? -maxFriction / slideLength : -1));
        movePair(activePositions, a, b, f32x4.add(back, f32x4.mul(n, f32x4.splat(depth))), shareA, shareB);
        movePair(velocities, a, b, f32x4.add(back, f32x4.mul(n, f32x4.splat(stop))), shareA, shareB);
    }
    store<u32>(shared.progress, contacts, SelfCollisionCounter.contactCount);
}

// @ts-ignore: decorator
@inline
function movePair(rows: usize, a: usize, b: usize, by: v128, shareA: v128, shareB: v128): void {
    v128.store(rows + a, f32x4.add(v128.load(rows + a), f32x4.mul(by, shareA)));
    v128.store(rows + b, f32x4.add(v128.load(rows + b), f32x4.mul(by, shareB)));
}
