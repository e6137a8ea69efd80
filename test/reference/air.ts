import { ROW, rowAt, rowOf, Uniform } from "../../src/kernels/layout";
import type { AirArrays, ParticleArrays } from "../../src/kernels/layout";

/** Share of the chord by which the centre of pressure is ahead of the middle of a plate, edge-on (Avanzini 1804, Joëssel 1870). */
const LEAD = 0.3;
/** Load falls evenly along a chord of length 1 from 1 + b/2 to 1 - b/2 when its centre is b/12 ahead of the middle. */
const SLOPE_OF_LEAD = 12;
/** Air may turn a speed relative to it around, but not increase it: a sheet in still air never gains energy. */
const MOST = 2;
/** Least share of the wind that meets a folded face. */
const LEAST_SHELTERED = 0.1;
/** The load nowhere airMotion against the wind: from twice the mean at the leading edge to none at the trailing one. */
const STEEPEST = 2;
/** Memory of the air's way past a particle [s]. */
const PATH_TIME = 1;
/** 8 KC^-⅓ over 1.2 is about 6.3 KC^-¼ for Keulegan–Carpenter numbers of 0.2 to 20; none counts for less than 0.1. */
const OSCILLATION_DRAG = 6.3;
const LEAST_KC = 0.1;
/** Width of a sheet over the fourth root of the largest square of twice a face's area: a face is about a quarter as wide. */
const WIDTH = 2.83;

/**
 * Aerodynamic forces on a sheet in one fixed step, particle by particle: the quadratic law of a plate of area A,
 *
 *     F = ½ ρ A |r| (drag (r·n) n + skinFriction r_t),    r = air - v, the wind relative to the particle; r_t = r - (r·n) n
 *
 * whose normal part is lift too where the sheet is oblique. Faces and places are those of the middle of the step, from predictMidstep: the air
 * would lag behind a flag, and drive it. n is that of a wide polygon about the particle (engine/forces/air.ts), ½ ((2 - 0)×(3 - 1)
 * + (4 - 0)×(5 - 3)): flow that stays attached passes over shorter waves without a force in phase with their slope (thin aerofoils in potential
 * flow; Argentina & Mahadevan 2005, "Fluid-flow-induced flutter of a flag"), so that along a flag it drags by a coefficient of 0.1 (Munson,
 * Fundamentals of Fluid Mechanics, table 9.3: 0.12), across it by `drag`. A sheet of areal density σ has A / m = 1/σ at every particle.
 *
 *      ∿∿∿∿∿ ⟶ n        In folds it is sheltered: a face that shows the share s of the largest area that it has had meets air of a speed of s
 *      └─ s ─┘          over that area, s³ in all, but a tenth at least: through wind, a furled flag rises. So flags furl in light wind, and bunched curtains hang still.
 *
 *     ↔ ┃ ↔        Air that moves to and fro, as past what swings in still air, meets the vortices of the last swing: a plate's drag is then 8 KC^-⅓
 *                  (Keulegan & Carpenter 1958; Graham 1980), 3 to 10 times that in a steady flow, where KC = 2π amplitude / width. The way X of the
 *                  air past the particle and its length P fade within a second; (1 - X²/P²)², 1 where the air turns back, 0 in a steady flow, tells
 *                  how far that drag counts, with KC = 2 P / width, and folds then show s, since no wake shelters them.
 *
 *     ─→ ↑↑↑↗       The load is greater towards the leading edge: a plate's centre of pressure is 0.3 (1 - sin α) of its chord
 *     r  ┃┃┃┃│      ahead of its middle (Joëssel), where sin α = |r·n| / |r|. The load is 1 + b ξ with b = 3.6 (1 - sin α), 2 at
 *       ━━━━━━━     most, and ξ in [-½, ½] upwind along the box of its piece. That rights, rocks and flutters a falling sheet.
 *
 * With λ = rate · |r| · s³ · load (· swinging), a speed across the sheet falls by λ / (1 + λ) in a step, exactly as v' = -k v² / σ has it. The other forces'
 * change of velocity in this step is estimated by that of the last one, G = v - (the velocity after the air's impulse):
 *
 *     Δv = λ / (1 + λ) (r - G)·n n,  between nothing and 2 r·n n
 *
 * is then exact for a sheet that falls at its terminal speed (G = g Δt) and for one held against the wind (G = -Δv, up to λ = 2): no step,
 * no substeps and no mesh changes it. Every substep gets its share. In still air no particle ever gains speed by it.
 */
export function applyAir(particles: ParticleArrays, air: AirArrays): void {
    const { positions, previous: p, residuals: r, stepStart: x, inverseMasses: w, uniforms, paddedCount } = particles;
    const { neighbours, airMotion, predictedDisplacements, airPaths, boxes } = air;
    const dt = uniforms[Uniform.substep];
    const dragRate = uniforms[Uniform.dragRate];
    const frictionRate = uniforms[Uniform.frictionRate];
    const share = uniforms[Uniform.substepShare];
    const kept = Math.max(0, 1 - dt / share / PATH_TIME);
    boundPieces(particles, air);
    for (let i = 0, o = 0, q = 0; i < paddedCount; i++, o += 4, q += 6) {
        const a = rowAt(neighbours[q]);
        const b = rowAt(neighbours[q + 1]);
        const c = rowAt(neighbours[q + 2]);
        const d = rowAt(neighbours[q + 3]);
        const e = rowAt(neighbours[q + 4]);
        const f = rowAt(neighbours[q + 5]);
        const acx = x[c] - x[a];
        const acy = x[c + 1] - x[a + 1];
        const acz = x[c + 2] - x[a + 2];
        const bdx = x[d] - x[b];
        const bdy = x[d + 1] - x[b + 1];
        const bdz = x[d + 2] - x[b + 2];
        const aex = x[e] - x[a];
        const aey = x[e + 1] - x[a + 1];
        const aez = x[e + 2] - x[a + 2];
        const dfx = x[f] - x[d];
        const dfy = x[f + 1] - x[d + 1];
        const dfz = x[f + 2] - x[d + 2];
        const nx = acy * bdz - acz * bdy + (aey * dfz - aez * dfy);
        const ny = acz * bdx - acx * bdz + (aez * dfx - aex * dfz);
        const nz = acx * bdy - acy * bdx + (aex * dfy - aey * dfx);
        const squared = nx * nx + ny * ny + nz * nz;
        const largest = Math.max(squared, predictedDisplacements[o + 3]);
        predictedDisplacements[o + 3] = largest;
        const dx = positions[o] - p[o] + r[o];
        const dy = positions[o + 1] - p[o + 1] + r[o + 1];
        const dz = positions[o + 2] - p[o + 2] + r[o + 2];
        const rx = airMotion[o] - dx / dt;
        const ry = airMotion[o + 1] - dy / dt;
        const rz = airMotion[o + 2] - dz / dt;
        const speed = Math.sqrt(rx * rx + ry * ry + rz * rz);
        const path = 16 * (i >> 2) + (i & 3);
        [rx, ry, rz, speed].forEach((v, c) => (airPaths[path + 4 * c] = airPaths[path + 4 * c] * kept + (v * dt) / share));
        if (!(w[i] > 0 && squared > 0 && speed > 0)) {
            predictedDisplacements[o] = dx;
            predictedDisplacements[o + 1] = dy;
            predictedDisplacements[o + 2] = dz;
            airMotion.fill(0, o, o + 4);
            continue;
        }
        const across = nx * rx + ny * ry + nz * rz;
        const others =
            (nx * (dx - predictedDisplacements[o]) +
                ny * (dy - predictedDisplacements[o + 1]) +
                nz * (dz - predictedDisplacements[o + 2])) /
            dt;
        const k = across / squared;
        const tx = rx - k * nx;
        const ty = ry - k * ny;
        const tz = rz - k * nz;
        const middle = air.boxOffsets[i] / Float32Array.BYTES_PER_ELEMENT;
        const extent = middle + ROW;
        const chord = boxes[extent] * Math.abs(tx) + boxes[extent + 1] * Math.abs(ty) + boxes[extent + 2] * Math.abs(tz);
        const upwind = (boxes[middle] - x[o]) * tx + (boxes[middle + 1] - x[o + 1]) * ty + (boxes[middle + 2] - x[o + 2]) * tz;
        const xi = chord > 0 ? Math.max(-0.5, Math.min(0.5, upwind / chord)) : 0;
        const sine = Math.abs(across) / (speed * Math.sqrt(squared));
        const slope = Math.max(0, Math.min(STEEPEST, LEAD * SLOPE_OF_LEAD * (1 - sine)));
        const shown = squared / largest;
        const [X, Y, Z, P] = [0, 4, 8, 12].map((lane) => airPaths[path + lane]);
        const toAndFro = Math.max(0, 1 - (X * X + Y * Y + Z * Z) / (P * P)) ** 2;
        const period = Math.max(LEAST_KC, (2 * P) / (WIDTH * Math.sqrt(Math.sqrt(largest))));
        const swinging = 1 + Math.max(0, toAndFro * (OSCILLATION_DRAG / Math.sqrt(Math.sqrt(period)) - 1));
        const areaShare = Math.sqrt(shown) * (shown + toAndFro * (1 - shown));
        const amount = speed * (1 + airMotion[o + 3]) * Math.max(areaShare, LEAST_SHELTERED);
        const lambda = dragRate * swinging * amount * (1 + slope * xi);
        const wanted = (lambda / (1 + lambda)) * (across - others);
        const force = Math.max(Math.min(MOST * across, 0), Math.min(Math.max(MOST * across, 0), wanted)) / squared;
        const tangential = Math.min(1, frictionRate * amount);
        const jx = (force * nx + tangential * tx) * dt;
        const jy = (force * ny + tangential * ty) * dt;
        const jz = (force * nz + tangential * tz) * dt;
        airMotion[o] = jx * share;
        airMotion[o + 1] = jy * share;
        airMotion[o + 2] = jz * share;
        airMotion[o + 3] = 0;
        predictedDisplacements[o] = dx + jx;
        predictedDisplacements[o + 1] = dy + jy;
        predictedDisplacements[o + 2] = dz + jz;
    }
}

/** Writes the middle and the extent of each connected piece. */
function boundPieces({ stepStart: x, particleCount }: ParticleArrays, { boxes, boxOffsets, pieceCount }: AirArrays): void {
    const low = new Float32Array(3 * pieceCount).fill(Infinity);
    const high = low.map(() => -Infinity);
    for (let i = 0; i < particleCount; i++) {
        for (let c = 0; c < 3; c++) {
            const q = (3 * boxOffsets[i]) / (2 * ROW * Float32Array.BYTES_PER_ELEMENT) + c;
            low[q] = Math.min(low[q], x[rowOf(i) + c]);
            high[q] = Math.max(high[q], x[rowOf(i) + c]);
        }
    }
    for (let q = 0; q < low.length; q++) {
        const slot = 2 * ROW * Math.floor(q / 3) + (q % 3);
        boxes[slot] = (low[q] + high[q]) / 2;
        boxes[slot + ROW] = high[q] - low[q];
    }
}

/** See Kernels.addAirDisplacements. */
export function addAirDisplacements(particles: ParticleArrays, air: AirArrays): void {
    const { residuals: r, particleCount } = particles;
    const { airMotion } = air;
    for (let o = 0, end = rowOf(particleCount); o < end; o++) r[o] += airMotion[o];
}

/** See Kernels.predictMidstep. */
export function predictMidstep(particles: ParticleArrays): void {
    const { positions: x, previous: p, stepStart: ahead, uniforms, particleCount } = particles;
    const half = 0.5 / uniforms[Uniform.substepShare];
    for (let c = 0; c < 3; c++) {
        let low = Infinity;
        let high = -Infinity;
        for (let o = c, end = rowOf(particleCount); o < end; o += ROW) {
            ahead[o] = x[o] + (x[o] - p[o]) * half;
            if (ahead[o] < low) low = ahead[o];
            if (ahead[o] > high) high = ahead[o];
        }
        uniforms[Uniform.middle + c] = (low + high) * 0.5;
        uniforms[Uniform.extent + c] = high - low;
    }
}
