/** Aerodynamic forces on a sheet. Processes four particles at once, as columns. */
import { cross, dotColumns, joinHigh, joinLow, xyz0, zipHigh, zipLow } from "./simd";
import { AirArrays, ParticleArrays, Uniform, rowOffset } from "./layout.generated";

const LEAD_LIMIT: f32 = 3.6;
const MAX_SLOPE: f32 = 2;
const MAX_DISPLACEMENT: f32 = 2;
/** Least share of the wind that meets a folded face. */
const LEAST_SHELTERED: f32 = 0.1;

/** Memory of the air's way past a particle [s]: longer than a swing of a flag, shorter than a gust. */
const PATH_TIME: f32 = 1;
/** Drag of a plate in oscillation over that in a steady flow, times the fourth root of the Keulegan–Carpenter number. */
const OSCILLATION_DRAG: f32 = 6.3;
const LEAST_KC: f32 = 0.1;
/** Width of a sheet over the fourth root of the largest square of twice a face's area. */
const WIDTH: f32 = 2.83;
/** Least square of a path [m²]. */
const SHORTEST_PATH: f32 = 1e-20;

/** Normal of a particle's face, of any length: (2 - 0)×(3 - 1) + (4 - 0)×(5 - 3). */
// @ts-ignore: decorator
@inline
function faceNormal(x: usize, neighbours: usize): v128 {
    const a = v128.load(x + load<u32>(neighbours, 0));
    const b = v128.load(x + load<u32>(neighbours, 4));
    const c = v128.load(x + load<u32>(neighbours, 8));
    const d = v128.load(x + load<u32>(neighbours, 12));
    const e = v128.load(x + load<u32>(neighbours, 16));
    const f = v128.load(x + load<u32>(neighbours, 20));
    return f32x4.add(cross(f32x4.sub(c, a), f32x4.sub(d, b)), cross(f32x4.sub(e, a), f32x4.sub(f, d)));
}

/** Displacement of a particle in the last substep. */
// @ts-ignore: decorator
@inline
function displacement(x: usize, previous: usize, residuals: usize, i: u32): v128 {
    return f32x4.add(f32x4.sub(v128.load(x + rowOffset(i)), v128.load(previous + rowOffset(i))), v128.load(residuals + rowOffset(i)));
}

/**
 * Writes the displacement that the air adds in each substep, and the velocity after its impulse at the end of the step.
 * @param added fourth lane: largest area of the face, which is kept beside the velocity
 */
// @ts-ignore: decorator
@inline
function writeAirMotion(pushes: usize, attempts: usize, i: u32, own: v128, added: v128, share: v128): void {
    v128.store(pushes + rowOffset(i), xyz0(f32x4.mul(added, share)));
    v128.store(attempts + rowOffset(i), f32x4.add(own, added));
}

/** Writes the boxes of the pieces where the particles are in the middle of the step. */
function boundPieces(particles: ParticleArrays, air: AirArrays): void {
    const boxes = air.boxes;
    if (air.pieceCount === 1) {
        v128.store(boxes, v128.load(particles.uniforms, Uniform.middle));
        v128.store(boxes, v128.load(particles.uniforms, Uniform.extent), 16);
        return;
    }
    const end = boxes + 32 * <usize>air.pieceCount;
    for (let box = boxes; box < end; box += 32) {
        v128.store(box, f32x4.splat(Infinity));
        v128.store(box, f32x4.splat(-Infinity), 16);
    }
    let place = particles.stepStart;
    let offset = air.boxOffsets;
    for (const last = place + rowOffset(particles.particleCount); place < last; place += 16, offset += 4) {
        const box = boxes + load<u32>(offset);
        v128.store(box, f32x4.pmin(v128.load(box), v128.load(place)));
        v128.store(box, f32x4.pmax(v128.load(box, 16), v128.load(place)), 16);
    }
    for (let box = boxes; box < end; box += 32) {
        const low = v128.load(box);
        const high = v128.load(box, 16);
        v128.store(box, xyz0(f32x4.mul(f32x4.add(low, high), f32x4.splat(0.5))));
        v128.store(box, xyz0(f32x4.sub(high, low)), 16);
    }
}

export function applyAir(particles: ParticleArrays, air: AirArrays): void {
    boundPieces(particles, air);
    const uniforms = particles.uniforms;
    const boxes = air.boxes;
    let offsets = air.boxOffsets;
    const ahead = particles.stepStart;
    const zero = f32x4.splat(0);
    const one = f32x4.splat(1);
    const half = f32x4.splat(0.5);
    const substep = v128.load32_splat(uniforms, Uniform.substep);
    const inverseStep = f32x4.splat(1 / load<f32>(uniforms, Uniform.substep));
    const dragRate = v128.load32_splat(uniforms, Uniform.dragRate);
    const frictionRate = v128.load32_splat(uniforms, Uniform.frictionRate);
    const share = v128.load32_splat(uniforms, Uniform.substepShare);
    let previous = particles.previous;
    let residuals = particles.residuals;
    let inverseMasses = particles.inverseMasses;
    let neighbours = air.neighbours;
    const step = f32x4.div(substep, share);
    const kept = f32x4.pmax(zero, f32x4.sub(one, f32x4.mul(step, f32x4.splat(1 / PATH_TIME))));
    let pushes = air.airMotion;
    let attempts = air.predictedDisplacements;
    let paths = air.airPaths;
    let x = particles.positions;
    const end = ahead + rowOffset(particles.paddedCount);
    for (let place = ahead; place < end; place += 64) {
        const isFree = f32x4.gt(v128.load(inverseMasses), zero);

        const n0 = faceNormal(ahead, neighbours);
        const n1 = faceNormal(ahead, neighbours + 24);
        const n2 = faceNormal(ahead, neighbours + 48);
        const n3 = faceNormal(ahead, neighbours + 72);
        const nxy01 = zipLow(n0, n1);
        const nxy23 = zipLow(n2, n3);
        const nx = joinLow(nxy01, nxy23);
        const ny = joinHigh(nxy01, nxy23);
        const nz = joinLow(zipHigh(n0, n1), zipHigh(n2, n3));
        const squared = dotColumns(nx, ny, nz, nx, ny, nz);

        // Wind relative to the particles.
        const d0 = displacement(x, previous, residuals, 0);
        const d1 = displacement(x, previous, residuals, 1);
        const d2 = displacement(x, previous, residuals, 2);
        const d3 = displacement(x, previous, residuals, 3);
        const r0 = f32x4.sub(v128.load(pushes, 0), f32x4.mul(d0, inverseStep));
        const r1 = f32x4.sub(v128.load(pushes, 16), f32x4.mul(d1, inverseStep));
        const r2 = f32x4.sub(v128.load(pushes, 32), f32x4.mul(d2, inverseStep));
        const r3 = f32x4.sub(v128.load(pushes, 48), f32x4.mul(d3, inverseStep));
        const rxy01 = zipLow(r0, r1);
        const rxy23 = zipLow(r2, r3);
        const rzw01 = zipHigh(r0, r1);
        const rzw23 = zipHigh(r2, r3);
        const rx = joinLow(rxy01, rxy23);
        const ry = joinHigh(rxy01, rxy23);
        const rz = joinLow(rzw01, rzw23);
        const density = f32x4.add(one, joinHigh(rzw01, rzw23));
        const speedSquared = dotColumns(rx, ry, rz, rx, ry, rz);
        const isBlown = v128.and(isFree, v128.and(f32x4.gt(squared, zero), f32x4.gt(speedSquared, zero)));
        const across = dotColumns(nx, ny, nz, rx, ry, rz);

        // Displacement by all other forces in the last substep, along the face normal.
        const a0 = v128.load(attempts, 0);
        const a1 = v128.load(attempts, 16);
        const a2 = v128.load(attempts, 32);
        const a3 = v128.load(attempts, 48);
        const g0 = f32x4.mul(f32x4.sub(d0, a0), n0);
        const g1 = f32x4.mul(f32x4.sub(d1, a1), n1);
        const g2 = f32x4.mul(f32x4.sub(d2, a2), n2);
        const g3 = f32x4.mul(f32x4.sub(d3, a3), n3);
        const gxy01 = zipLow(g0, g1);
        const gxy23 = zipLow(g2, g3);
        const gz = joinLow(zipHigh(g0, g1), zipHigh(g2, g3));
        const others = f32x4.mul(f32x4.add(f32x4.add(joinLow(gxy01, gxy23), joinHigh(gxy01, gxy23)), gz), inverseStep);

        const inverseSquared = v128.bitselect(f32x4.div(one, squared), zero, isBlown);
        const k = f32x4.mul(across, inverseSquared);
        const tx = f32x4.sub(rx, f32x4.mul(k, nx));
        const ty = f32x4.sub(ry, f32x4.mul(k, ny));
        const tz = f32x4.sub(rz, f32x4.mul(k, nz));

        // Upwind position in the piece's box.
        const b0 = boxes + load<u32>(offsets, 0);
        const b1 = boxes + load<u32>(offsets, 4);
        const b2 = boxes + load<u32>(offsets, 8);
        const b3 = boxes + load<u32>(offsets, 12);
        const x0 = f32x4.sub(v128.load(b0), v128.load(place, 0));
        const x1 = f32x4.sub(v128.load(b1), v128.load(place, 16));
        const x2 = f32x4.sub(v128.load(b2), v128.load(place, 32));
        const x3 = f32x4.sub(v128.load(b3), v128.load(place, 48));
        const xy01 = zipLow(x0, x1);
        const xy23 = zipLow(x2, x3);
        const upwind = dotColumns(
            joinLow(xy01, xy23), joinHigh(xy01, xy23), joinLow(zipHigh(x0, x1), zipHigh(x2, x3)),
            tx, ty, tz,
        );
        const e0 = v128.load(b0, 16);
        const e1 = v128.load(b1, 16);
        const e2 = v128.load(b2, 16);
        const e3 = v128.load(b3, 16);
        const exy01 = zipLow(e0, e1);
        const exy23 = zipLow(e2, e3);
        const chord = dotColumns(
            joinLow(exy01, exy23), joinHigh(exy01, exy23), joinLow(zipHigh(e0, e1), zipHigh(e2, e3)),
            f32x4.abs(tx), f32x4.abs(ty), f32x4.abs(tz),
        );
        const within = f32x4.pmax(f32x4.neg(half), f32x4.pmin(half, f32x4.div(upwind, chord)));
        const xi = v128.and(within, f32x4.gt(chord, zero));

        const largest = f32x4.pmax(squared, joinHigh(zipHigh(a0, a1), zipHigh(a2, a3)));
        const shown = f32x4.div(squared, largest);

        const speed = f32x4.sqrt(speedSquared);
        const sine = f32x4.div(f32x4.abs(across), f32x4.mul(speed, f32x4.sqrt(squared)));
        const slope = f32x4.pmax(
            zero,
            f32x4.pmin(f32x4.splat(MAX_SLOPE), f32x4.mul(f32x4.splat(LEAD_LIMIT), f32x4.sub(one, sine))),
        );
        // Air that moves to and fro past the particle.
        const wayX = f32x4.add(f32x4.mul(v128.load(paths, 0), kept), f32x4.mul(rx, step));
        const wayY = f32x4.add(f32x4.mul(v128.load(paths, 16), kept), f32x4.mul(ry, step));
        const wayZ = f32x4.add(f32x4.mul(v128.load(paths, 32), kept), f32x4.mul(rz, step));
        const path = f32x4.add(f32x4.mul(v128.load(paths, 48), kept), f32x4.mul(speed, step));
        v128.store(paths, wayX, 0);
        v128.store(paths, wayY, 16);
        v128.store(paths, wayZ, 32);
        v128.store(paths, path, 48);
        const squaredPath = f32x4.pmax(f32x4.mul(path, path), f32x4.splat(SHORTEST_PATH));
        const turned = f32x4.pmax(zero, f32x4.sub(one, f32x4.div(dotColumns(wayX, wayY, wayZ, wayX, wayY, wayZ), squaredPath)));
        const toAndFro = f32x4.mul(turned, turned);
        const width = f32x4.mul(f32x4.splat(WIDTH), f32x4.sqrt(f32x4.sqrt(largest)));
        const period = f32x4.pmax(f32x4.splat(LEAST_KC), f32x4.div(f32x4.add(path, path), width));
        const more = f32x4.sub(f32x4.div(f32x4.splat(OSCILLATION_DRAG), f32x4.sqrt(f32x4.sqrt(period))), one);
        const swinging = f32x4.add(one, f32x4.pmax(zero, f32x4.mul(toAndFro, more)));

        const areaShare = f32x4.mul(f32x4.sqrt(shown), f32x4.add(shown, f32x4.mul(toAndFro, f32x4.sub(one, shown))));
        const shelter = f32x4.pmax(areaShare, f32x4.splat(LEAST_SHELTERED));
        const amount = f32x4.mul(f32x4.mul(speed, density), shelter);
        const lambda = f32x4.mul(f32x4.mul(f32x4.mul(dragRate, swinging), amount), f32x4.add(one, f32x4.mul(slope, xi)));
        const wanted = f32x4.mul(f32x4.div(lambda, f32x4.add(one, lambda)), f32x4.sub(across, others));
        const most = f32x4.mul(f32x4.splat(MAX_DISPLACEMENT), across);
        const limited = f32x4.pmax(f32x4.pmin(most, zero), f32x4.pmin(f32x4.pmax(most, zero), wanted));
        const normal = v128.and(f32x4.mul(f32x4.mul(limited, inverseSquared), substep), isBlown);
        const friction = f32x4.mul(f32x4.pmin(one, f32x4.mul(frictionRate, amount)), substep);
        const tangential = v128.and(friction, isBlown);

        const jx = f32x4.add(f32x4.mul(normal, nx), f32x4.mul(tangential, tx));
        const jy = f32x4.add(f32x4.mul(normal, ny), f32x4.mul(tangential, ty));
        const jz = f32x4.add(f32x4.mul(normal, nz), f32x4.mul(tangential, tz));
        const jxy01 = zipLow(jx, jy);
        const jxy23 = zipHigh(jx, jy);
        const jz01 = zipLow(jz, largest);
        const jz23 = zipHigh(jz, largest);
        writeAirMotion(pushes, attempts, 0, d0, joinLow(jxy01, jz01), share);
        writeAirMotion(pushes, attempts, 1, d1, joinHigh(jxy01, jz01), share);
        writeAirMotion(pushes, attempts, 2, d2, joinLow(jxy23, jz23), share);
        writeAirMotion(pushes, attempts, 3, d3, joinHigh(jxy23, jz23), share);

        x += 64;
        previous += 64;
        residuals += 64;
        inverseMasses += 16;
        neighbours += 96;
        offsets += 16;
        pushes += 64;
        attempts += 64;
        paths += 64;
    }
}

export function addAirDisplacements(particles: ParticleArrays, air: AirArrays): void {
    let residuals = particles.residuals;
    let pushes = air.airMotion;
    const end = residuals + rowOffset(particles.paddedCount);
    for (; residuals < end; residuals += 32, pushes += 32) {
        v128.store(residuals, f32x4.add(v128.load(residuals, 0), v128.load(pushes, 0)), 0);
        v128.store(residuals, f32x4.add(v128.load(residuals, 16), v128.load(pushes, 16)), 16);
    }
}

export function predictMidstep(particles: ParticleArrays): void {
    const uniforms = particles.uniforms;
    const half = f32x4.splat(0.5 / load<f32>(uniforms, Uniform.substepShare));
    let x = particles.positions;
    let previous = particles.previous;
    let ahead = particles.stepStart;
    let low = f32x4.splat(Infinity);
    let high = f32x4.splat(-Infinity);
    const end = x + rowOffset(particles.particleCount);
    for (; x < end; x += 16, previous += 16, ahead += 16) {
        const position = v128.load(x);
        const next = f32x4.add(position, f32x4.mul(f32x4.sub(position, v128.load(previous)), half));
        v128.store(ahead, next);
        low = f32x4.pmin(low, next);
        high = f32x4.pmax(high, next);
    }
    v128.store(uniforms, xyz0(f32x4.mul(f32x4.add(low, high), f32x4.splat(0.5))), Uniform.middle);
    v128.store(uniforms, xyz0(f32x4.sub(high, low)), Uniform.extent);
}
