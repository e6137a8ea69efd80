/** Arrays for the kernels, filled with seeded random data, in an arena. */
import { BlockLayout } from "../../../src/kernels/arena";
import type { Arena } from "../../../src/kernels/arena";
import type { Kernels } from "../../../src/engine/index";
import { ContactLayout, STATIC_PRIORITY, SupportRecord } from "../../../src/kernels/contactLayout";
import {
    AirLayout,
    Frame,
    blockCountOf,
    paddedCountOf,
    ParticleLayout,
    ROW,
    rowOffset,
    LineStencilLayout,
    LineStencilRecord,
    StencilLayout,
    StencilRecord,
    DistanceLayout,
    DistanceRecord,
    LimitLayout,
    LimitRecord,
    SurfaceLayout,
    TetherLayout,
} from "../../../src/kernels/layout";
import type { ContactArrays } from "../../../src/kernels/contactLayout";
import type {
    AirArrays,
    LineStencilArrays,
    ParticleArrays,
    StencilArrays,
    DistanceArrays,
    LimitArrays,
    Struct,
    StructDeclaration,
    SurfaceArrays,
    TetherArrays,
} from "../../../src/kernels/layout";
import { layoutStruct, writeDescriptor } from "../../../src/kernels/structSchema";
import { seededRandom } from "../../random";

/**
 * Bending stencils of random particles that move by what pulls them together, in a colour of groups of four.
 * @param size of a record, which tells of which kind they are
 */
function randomStencils(
    records: Uint32Array,
    floats: Float32Array,
    size: number,
    particles: ParticleArrays,
    random: () => number,
): void {
    const points = size === StencilRecord.count ? 4 : 3;
    const { particleCount, inverseMasses } = particles;
    for (let r = 0; r < records.length; r += size) {
        const group = (r / size) % 4;
        // Those of a group share no particle; e may be b.
        const chosen = Array.from({ length: points }, (_, k) => (group * points + k + 16 * ((r / size) >> 2)) % particleCount);
        if (points === 4 && group === 1) chosen[3] = chosen[1];
        if (group === 3 && r > records.length / 2) chosen.fill(particleCount);
        chosen.forEach((p, k) => (records[r + k] = rowOffset(p)));
        const slots = points === 4 ? StencilRecord : LineStencilRecord;
        for (let k = 0; k < points - 1; k++) floats[r + slots.weights + k] = 1 + random();
        if (points === 4) floats[r + StencilRecord.curvature] = random();
        chosen.forEach(
            (p, k) => (floats[r + slots.moves + k] = (k === 1 ? 0.1 : -0.1) * random() * (inverseMasses[p] > 0 ? 1 : 0)),
        );
    }
}

/** Stencils of three particles; a multiple of four. */
export function randomLineStencils(arena: Arena, particles: ParticleArrays, count: number, seed: number): LineStencilArrays {
    const stencils = allocateStruct(arena, LineStencilLayout, { recordCount: count });
    randomStencils(stencils.records, stencils.recordFloats, LineStencilRecord.count, particles, seededRandom(seed));
    return stencils;
}

/** Stencils of four. */
export function randomPlaneStencils(arena: Arena, particles: ParticleArrays, count: number, seed: number): StencilArrays {
    const stencils = allocateStruct(arena, StencilLayout, { recordCount: count });
    randomStencils(stencils.records, stencils.recordFloats, StencilRecord.count, particles, seededRandom(seed));
    return stencils;
}

/** One block of an arena; `cut` assigns the views and is called again whenever the arena moves. */
export function allocate<T>(arena: Arena, target: T, cut: (target: T, layout: BlockLayout) => void): T {
    const layout = new BlockLayout();
    cut(target, layout);
    arena.allocate(layout.byteLength, { relocate: (buffer, offset) => cut(target, new BlockLayout(buffer, offset)) });
    return target;
}

/** A struct of the given numbers and flags. */
export function allocateStruct<D extends StructDeclaration>(arena: Arena, declaration: D, numbers: object): Struct<D> {
    const struct = allocate(arena, { ...numbers }, (target, layout) => layoutStruct(declaration, target, layout));
    writeDescriptor(declaration, struct);
    return struct as Struct<D>;
}

/** Room for the contacts of some particles. */
export function contactsOf(arena: Arena, { paddedCount }: ParticleArrays): ContactArrays {
    return allocateStruct(arena, ContactLayout, { capacity: paddedCount / 4 });
}

/**
 * Finds and answers the contacts with a collider.
 * @param between what happens between the two, as notes of supports
 */
export function collide(
    kernels: Kernels,
    find: Exclude<
        Extract<keyof Kernels, `detect${string}Contacts`>,
        "detectMeshContacts" | "detectFaceContacts" | "detectSelfContacts"
    >,
    particles: ParticleArrays,
    collider: Float32Array,
    between: (contacts: ContactArrays) => void = () => {},
): ContactArrays {
    const contacts = contactsOf(kernels.arena, particles);
    kernels[find](particles, collider, contacts);
    between(contacts);
    kernels.resolveContacts(particles, collider, contacts);
    return contacts;
}

const slotOf = (particle: number): number => (particle >> 2) * SupportRecord.count + (particle & 3);

/** Sets a particle's support: unit normal x y z, and the least of normal · x. */
export function setSupport(
    contacts: ContactArrays,
    particle: number,
    support: readonly number[],
    firmness = STATIC_PRIORITY,
): void {
    contacts.supportMode[0] = 1;
    [...support, firmness].forEach((value, c) => (contacts.supports[slotOf(particle) + 4 * c] = value));
}

/** A particle's support, as {@link setSupport} takes it. */
export function supportOf(contacts: ContactArrays, particle: number): number[] {
    return [0, 4, 8, 12].map((c) => contacts.supports[slotOf(particle) + c]);
}

/** Particles in a cube of side 2 with some speed; every ninth is pinned; the padding is at rest. */
export function randomParticles(arena: Arena, particleCount: number, seed: number): ParticleArrays {
    const random = seededRandom(seed);
    const paddedCount = paddedCountOf(particleCount);
    const particles = allocateStruct(arena, ParticleLayout, {
        particleCount,
        paddedCount,
        blockCount: blockCountOf(paddedCount),
    });
    const { positions, previous, residuals, stepStart, inverseMasses } = particles;
    for (let i = 0; i < particleCount; i++) {
        for (let o = i * 4; o < i * 4 + 3; o++) {
            positions[o] = random() * 2 - 1;
            previous[o] = positions[o] + (random() - 0.5) * 0.1;
            residuals[o] = (random() - 0.5) * 1e-7;
            stepStart[o] = positions[o] + (random() - 0.5) * 0.1;
        }
        inverseMasses[i] = i % 9 === 4 ? 0 : 0.5 + random();
    }
    return particles;
}

/**
 * Random sticks in colours, padded as DistanceArrays asks. Some have no rest length, some join particles at one place, some
 * have a pinned end.
 */
export function randomSticks(arena: Arena, particles: ParticleArrays, colorCount: number, seed: number): DistanceArrays {
    const random = seededRandom(seed);
    const { particleCount, inverseMasses, positions } = particles;
    const pairs: [number, number, number][] = [];
    for (let c = 0; c < colorCount; c++) {
        const order = shuffled(particleCount, random);
        for (let i = 0; i + 1 < particleCount - (c % 4); i += 2) {
            const [a, b] = [order[i], order[i + 1]];
            const kind = random();
            if (kind < 0.05) positions.copyWithin(b * 4, a * 4, a * 4 + 4);
            pairs.push([a, b, kind > 0.95 ? 0 : random()]);
        }
        const end = (pairs.length + 7) & ~3;
        while (pairs.length < end) pairs.push([particleCount, particleCount, 0]);
    }
    const constraintCount = pairs.length;
    const sticks = allocateStruct(arena, DistanceLayout, { constraintCount });
    const { records, recordFloats } = sticks;
    sticks.maxPush[0] = 0.3;
    pairs.forEach(([a, b, length], s) => {
        const record = (s >> 2) * DistanceRecord.count;
        const lane = s & 3;
        records.set([a, b].map(rowOffset), record + DistanceRecord.rows + 2 * lane);
        recordFloats[record + DistanceRecord.restLengths + lane] = length;
        const sum = inverseMasses[a] + inverseMasses[b] + random() * 0.1;
        recordFloats[record + DistanceRecord.weightsA + lane] = sum > 0 ? inverseMasses[a] / sum : 0;
        recordFloats[record + DistanceRecord.weightsB + lane] = sum > 0 ? inverseMasses[b] / sum : 0;
    });
    return sticks;
}

/** Limits between whole masses where random sticks are; none is marked. */
export function randomLimits(arena: Arena, particles: ParticleArrays, colorCount: number, seed: number): LimitArrays {
    const { constraintCount, records } = randomSticks(arena, particles, colorCount, seed);
    const limits = allocateStruct(arena, LimitLayout, { constraintCount });
    for (let r = 0; 4 * r < constraintCount; r++) {
        const record = records.subarray(r * DistanceRecord.count, r * DistanceRecord.count + LimitRecord.count);
        limits.records.set(record, r * LimitRecord.count);
        limits.records.subarray(r * LimitRecord.count, r * LimitRecord.count + 2).sort();
    }
    limits.overRelaxation[0] = 1.5;
    return limits;
}

/** Two rounds of tethers to the pinned particles, about half of them taut. */
export function randomTethers(arena: Arena, particles: ParticleArrays, seed: number): TetherArrays {
    const random = seededRandom(seed);
    const { particleCount, inverseMasses } = particles;
    const pinned = Array.from(inverseMasses.subarray(0, particleCount).keys()).filter((i) => inverseMasses[i] === 0);
    const all: [number, number, number][] = [];
    for (let round = 0; round < 2; round++) {
        for (let i = 0; i < particleCount; i++) {
            if (inverseMasses[i] > 0) all.push([i, pinned[Math.floor(random() * pinned.length)], random() * 2]);
        }
        while (all.length % 4 !== 0) all.push([particleCount, particleCount, 0]);
    }
    const tetherCount = all.length;
    const tethers = allocateStruct(arena, TetherLayout, { tetherCount });
    all.forEach(([particle, anchor, length], t) => {
        tethers.particles[t] = particle;
        tethers.anchors[t] = anchor;
        tethers.maxLengths[t] = length;
    });
    return tethers;
}

/** Air with random faces, one in ten without area, at rest relative to nothing. @param pieceCount pieces, of which the particles are in turn */
export function randomAir(arena: Arena, particles: ParticleArrays, seed: number, pieceCount = 1): AirArrays {
    const random = seededRandom(seed);
    const { particleCount, paddedCount } = particles;
    const air = allocateStruct(arena, AirLayout, { paddedCount, pieceCount });
    // The arena may have moved.
    const { positions } = particles;
    // x, y, z, length of four particles each: no way is longer than its path.
    for (let i = 0; i < 4 * paddedCount; i++) air.airPaths[i] = i % 16 < 12 ? random() - 0.5 : 0.9 + random();
    for (let i = 0; i < particleCount; i++) {
        const corners = random() > 0.1 ? shuffled(particleCount, random).slice(0, 6) : [i];
        air.boxOffsets[i] = (i % pieceCount) * 2 * ROW * Float32Array.BYTES_PER_ELEMENT;
        for (let c = 0; c < 6; c++) air.neighbours[6 * i + c] = rowOffset(corners[Math.min(c, corners.length - 1)]);
        for (let c = 0; c < 3; c++) {
            air.airMotion[4 * i + c] = random() - 0.5;
            air.predictedDisplacements[4 * i + c] = positions[4 * i + c] - particles.previous[4 * i + c] + (random() - 0.5) * 1e-3;
        }
    }
    return air;
}

/** A surface of random triangles over the particles; the last point is in none, some vertices share a point. */
export function randomSurface(
    arena: Arena,
    particles: ParticleArrays,
    pointCount: number,
    vertexCount: number,
    seed: number,
): SurfaceArrays {
    const random = seededRandom(seed);
    const surfaceTriangleCount = pointCount * 2 + (seed & 1);
    const pick = (count: number): number => Math.floor(random() * count);
    const surface = allocateStruct(arena, SurfaceLayout, {
        pointCount,
        vertexCount,
        surfaceTriangleCount,
        hasNormals: true,
        hasTangents: true,
        isMirrored: pointCount % 2 === 1,
    });
    for (let i = 0; i < pointCount; i++) surface.particleOfPoint[i] = pick(particles.particleCount);
    for (let i = 0; i < surfaceTriangleCount * 3; i++) surface.surfaceTriangles[i] = pick(Math.max(1, pointCount - 1));
    for (let v = 0; v < vertexCount; v++) {
        surface.pointOfVertex[v] = pick(pointCount);
        surface.tangentTriangles[v] = pick(surfaceTriangleCount);
        surface.tangentWeights[2 * v] = random() * 2 - 1;
        surface.tangentWeights[2 * v + 1] = random() * 2 - 1;
        surface.vertexTangents.set([7, 8, 9, v % 2 ? -1 : 1], 4 * v);
    }
    for (let i = 0; i < 12; i++) surface.frame[Math.floor(i / 3) * 4 + (i % 3)] = random() * 2 - 1;
    surface.frame[15] = 1;
    surface.frame[Frame.alpha] = 0.3;
    return surface;
}

/** 0 .. count-1 in random order. */
export function shuffled(count: number, random: () => number): number[] {
    const order = Array.from({ length: count }, (_, i) => i);
    for (let i = count - 1; i > 0; i--) {
        const j = Math.floor(random() * (i + 1));
        [order[i], order[j]] = [order[j], order[i]];
    }
    return order;
}

/** Particles of a bumpy sheet, some at one place. */
export function randomPositions(count: number, seed: number): Float32Array {
    const random = seededRandom(seed);
    return Float32Array.from({ length: count * 3 }, (_, i) => (i % 30 < 3 ? 0 : random() * (i % 3 === 2 ? 0.1 : 1)));
}
