/** What keeps the particles of pairs apart. */
import { hoist, xyz0 } from "./lanes";
import { CrowdArrays, CrowdNumber, CrowdProgress, MemberArrays, MemberNumber, PairRecord, ParticleArrays, ROW, rowOffset } from "./layout.generated";
import { float, word } from "./words";

const KEPT: f32 = 0.75;
const PUSHED: f32 = 0.2;
const RIM: f32 = 0.5;
const LOST: f32 = 0.25;
const HELD: f32 = 4;
const FIRMNESS: f32 = 0.9;
const COINCIDENT: f32 = 1e-16;

export function takePlaces(particles: ParticleArrays, member: MemberArrays): void {
    const crowd = member.crowd;
    const range = crowd.placeRanges + (<usize>member.index << 3);
    const first = member.first;
    const numbers = member.numbers;
    const offset = hoist(v128.load(numbers, MemberNumber.offset), 0);
    const pace = hoist(v128.load32_splat(numbers, MemberNumber.pace), 1);
    const mobility = load<f32>(numbers, MemberNumber.mobility);
    for (let k = load<u32>(range), end = load<u32>(range, 4); k < end; k++) {
        const particle = word(crowd.placed, k) - first;
        const row = rowOffset(particle);
        const x = v128.load(particles.positions + row);
        const displacement = f32x4.add(f32x4.sub(x, v128.load(particles.previous + row)), v128.load(particles.residuals + row));
        const weight = float(particles.inverseMasses, particle) * mobility;
        v128.store(crowd.places + rowOffset(k), f32x4.replace_lane(f32x4.add(x, offset), 3, weight));
        v128.store(crowd.velocities + rowOffset(k), f32x4.mul(displacement, pace));
    }
}

export function givePlaces(particles: ParticleArrays, member: MemberArrays): void {
    const crowd = member.crowd;
    const range = crowd.placeRanges + (<usize>member.index << 3);
    const first = member.first;
    const numbers = member.numbers;
    const offset = hoist(v128.load(numbers, MemberNumber.offset), 0);
    const pace = hoist(v128.load32_splat(numbers, MemberNumber.pace), 0);
    const isPushed = load<f32>(numbers, MemberNumber.isPushed) > 0;
    for (let k = load<u32>(range), end = load<u32>(range, 4); k < end; k++) {
        const place = v128.load(crowd.places + rowOffset(k));
        if (!(f32x4.extract_lane(place, 3) > 0)) continue;
        const row = rowOffset(word(crowd.placed, k) - first);
        const before = v128.load(particles.positions + row);
        const previous = v128.load(particles.previous + row);
        const displacement = isPushed
            ? f32x4.div(v128.load(crowd.velocities + rowOffset(k)), pace)
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

export function separatePairs(crowd: CrowdArrays): void {
    let pair = crowd.pairs;
    const places = crowd.places;
    const velocities = crowd.velocities;
    const gravity = hoist(xyz0(v128.load(crowd.numbers, CrowdNumber.gravity)), 0);
    const fall = dot(gravity, gravity);
    const usual = PUSHED * load<f32>(crowd.numbers, CrowdNumber.pushShare);
    let contacts: u32 = 0;
    const end = pair + <usize>load<u32>(crowd.progress, CrowdProgress.pairCount) * PairRecord.count;
    for (; pair < end; pair += PairRecord.count) {
        const a = load<u32>(pair, PairRecord.a);
        const b = load<u32>(pair, PairRecord.b);
        const distance = load<f32>(pair, PairRecord.distance);
        const xa = v128.load(places + a);
        const xb = v128.load(places + b);
        const d = xyz0(f32x4.sub(xa, xb));
        const squared = dot(d, d);
        let n = xyz0(v128.load(pair, PairRecord.normal));
        let height = dot(d, n);
        let aim = distance;
        let pushed = usual;
        let isTooFast = false;
        if (v128.any_true(f32x4.ne(n, f32x4.splat(0)))) {
            const reach = load<f32>(pair, PairRecord.reach);
            const room = reach - (squared - height * height);
            if (!(height < distance && room >= 0)) continue;
            if (room < RIM * reach) pushed *= room / (RIM * reach);
        } else {
            const line = f32x4.sub(d, f32x4.sub(v128.load(velocities + a), v128.load(velocities + b)));
            const before = dot(line, line);
            isTooFast = dot(d, line) < KEPT * before && before > COINCIDENT;
            if (!isTooFast && !(squared < distance * distance)) continue;
            const length = sqrt<f32>(isTooFast ? before : squared);
            n = length * length > COINCIDENT ? f32x4.div(isTooFast ? line : d, f32x4.splat(length)) : f32x4(0, 1, 0, 0);
            height = dot(d, n);
            if (isTooFast) aim = KEPT * length;
        }
        contacts++;
        let weightA = f32x4.extract_lane(xa, 3);
        let weightB = f32x4.extract_lane(xb, 3);
        const below = dot(n, gravity);
        if (below !== 0 && abs<f32>(dot(v128.load(velocities + (below > 0 ? a : b)), gravity)) < HELD * fall) {
            const give = <f32>1 - (FIRMNESS * below * below) / fall;
            if (below > 0) weightA *= give;
            else weightB *= give;
        }
        const sum = weightA + weightB;
        if (!(sum > 0)) continue;
        const shareA = f32x4.splat(weightA / sum);
        const shareB = f32x4.splat(-weightB / sum);
        const u = f32x4.sub(v128.load(velocities + a), v128.load(velocities + b));
        const normal = dot(u, n);
        if (!(height - normal >= -LOST * distance)) continue;
        const closing = max<f32>(0, -normal);
        let depth = aim - height;
        if (depth > closing) depth = closing + pushed * (depth - closing);
        const stop = isTooFast ? max<f32>(0, depth) : closing;
        const slide = f32x4.sub(u, f32x4.mul(n, f32x4.splat(normal)));
        const slid = sqrt<f32>(dot(slide, slide));
        const most = load<f32>(pair, PairRecord.friction) * max<f32>(0, depth);
        const back = f32x4.mul(slide, f32x4.splat(slid > most ? -most / slid : -1));
        move(places, a, b, f32x4.add(back, f32x4.mul(n, f32x4.splat(depth))), shareA, shareB);
        move(velocities, a, b, f32x4.add(back, f32x4.mul(n, f32x4.splat(stop))), shareA, shareB);
    }
    store<u32>(crowd.progress, contacts, CrowdProgress.contactCount);
}

// @ts-ignore: decorator
@inline
function move(rows: usize, a: usize, b: usize, by: v128, shareA: v128, shareB: v128): void {
    v128.store(rows + a, f32x4.add(v128.load(rows + a), f32x4.mul(by, shareA)));
    v128.store(rows + b, f32x4.add(v128.load(rows + b), f32x4.mul(by, shareB)));
}
