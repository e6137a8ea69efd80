/** Triangles against solids that have a core: depths known beforehand, and candidates. */
import { describe, expect, test } from "@jest/globals";
import {
    Contact,
    SolidData,
    TRIANGLE_GROUP,
    TriangleGroup,
    FaceContactLayout,
    FaceContactCounter,
    FaceContactRecord,
} from "../../../src/kernels/contactLayout";
import type { FaceContactArrays } from "../../../src/kernels/contactLayout";
import { rowOffset } from "../../../src/kernels/layout";
import type { ParticleArrays } from "../../../src/kernels/layout";
import type { Kernels } from "../../../src/engine/index";
import { layoutStruct, writeDescriptor } from "../../../src/kernels/structSchema";
import { complete, createBodyKernels } from "./allKernels";
import { seededRandom } from "../../random";
import { allocate, contactsOf, randomParticles } from "./arrays";

const KERNELS = complete(createBodyKernels());
// Memory that is there already does not move.
KERNELS.arena.allocate(32_000_000, { relocate: () => {} }).release();

const PARTICLES = 150;
const TRIANGLES = 190;
const KEPT = 0.02;

interface Core {
    readonly half: readonly [number, number, number];
    readonly rim?: number;
    /** Radius of the ball in the middle, and its slope along y. */
    readonly radius?: readonly [number, number];
    readonly scale?: readonly [number, number, number];
    /** True distance; of an ellipsoid, whether it is inside. */
    readonly distance: (x: number, y: number, z: number) => number;
}

const CORES: Record<string, Core> = {
    ball: { half: [0, 0, 0], radius: [0.4, 0], distance: (x, y, z) => Math.hypot(x, y, z) - 0.4 },
    capsule: {
        half: [0, 0.5, 0],
        radius: [0.2, 0],
        distance: (x, y, z) => Math.hypot(x, y - Math.max(-0.5, Math.min(0.5, y)), z) - 0.2,
    },
    "tapered capsule": {
        half: [0, 0.5, 0],
        radius: [0.2, -0.2],
        distance: (x, y, z) => {
            let least = Infinity;
            for (let s = -0.5; s <= 0.5; s += 0.01) least = Math.min(least, Math.hypot(x, y - s, z) - 0.2 + 0.2 * s);
            return least;
        },
    },
    ellipsoid: {
        half: [0, 0, 0],
        radius: [1, 0],
        scale: [1 / 0.5, 1 / 0.2, 1 / 0.3],
        distance: (x, y, z) => (Math.hypot(x / 0.5, y / 0.2, z / 0.3) - 1) * 0.2,
    },
};

function setUp(kernels: Kernels, seed: number): { particles: ParticleArrays; found: FaceContactArrays } {
    const particles = randomParticles(kernels.arena, PARTICLES, seed);
    const numbers = {
        triangleCount: TRIANGLES,
        groupCount: Math.ceil(TRIANGLES / TRIANGLE_GROUP),
        capacity: 16,
        paddedCount: particles.paddedCount,
        contacts: contactsOf(kernels.arena, particles),
    };
    const found = allocate(kernels.arena, numbers, (target, layout) =>
        layoutStruct(FaceContactLayout, target, layout),
    ) as unknown as FaceContactArrays;
    writeDescriptor(FaceContactLayout, found);
    const random = seededRandom(seed + 1);
    for (let t = 0; t < TRIANGLES; t++) {
        const group = Math.floor(t / TRIANGLE_GROUP) * TriangleGroup.count;
        // All of the particles, and edges that may be long.
        found.groups[group + TriangleGroup.lastBlock] = particles.blockCount - 1;
        found.groupFloats[group + TriangleGroup.longestEdge] = 9;
        const a = Math.floor(random() * PARTICLES);
        found.triangles.set(
            [a, (a + 1 + Math.floor(random() * 9)) % PARTICLES, (a + 20 + Math.floor(random() * 9)) % PARTICLES],
            3 * t,
        );
    }
    return { particles, found };
}

function coreData(kernels: Kernels, { half, rim = 0, radius = [0, 0], scale = [1, 1, 1] }: Core): Float32Array {
    const { data } = allocate(kernels.arena, { data: new Float32Array() as Float32Array }, (target, layout) => {
        target.data = layout.float32(SolidData.dimensions);
    });
    data[Contact.friction] = 0.4;
    data[Contact.thickness] = 2 * KEPT;
    data[SolidData.keptDistance] = KEPT;
    for (let c = 0; c < 3; c++) data[SolidData.toFrame + 5 * c] = 1;
    data.set([0.1, -0.05, 0.02], SolidData.toFrame + 12);
    data.set(half, SolidData.core);
    data[SolidData.coreMargin] = data[SolidData.deepCoreMargin] = rim;
    data[SolidData.coreTolerance] = 1e-6;
    data.set(radius, SolidData.radius);
    const sin = -radius[1];
    data[SolidData.normalSlope] = sin / Math.sqrt(1 - sin * sin);
    data.set(scale, SolidData.scale);
    return data;
}

/** All candidates' records, answered or not. */
function findAll(kernels: Kernels, particles: ParticleArrays, core: Float32Array, found: FaceContactArrays): Float32Array[] {
    const all: Float32Array[] = [];
    found.progress[FaceContactCounter.next] = 0;
    found.progress[FaceContactCounter.end] = found.progress[FaceContactCounter.candidateCount];
    while (found.progress[FaceContactCounter.next] < found.progress[FaceContactCounter.end]) {
        kernels.detectFaceContacts(particles, core, found);
        for (let k = 0; k < found.progress[FaceContactCounter.recordCount]; k++) {
            const record = found.recordFloats.slice(k * FaceContactRecord.count, (k + 1) * FaceContactRecord.count);
            for (let i = 0; i < 3; i++) record[i] = found.records[k * FaceContactRecord.count + i];
            all.push(record);
        }
    }
    return all;
}

function allCandidates(kernels: Kernels, particles: ParticleArrays, core: Float32Array, found: FaceContactArrays, least = 0): void {
    found.bounds.set([-9, -9, -9, least, 9, 9, 9, 0, 9, 9, 9, 9]);
    found.progress.fill(0);
    kernels.measureBounds(particles);
    kernels.collectFaceCandidates(particles, core, found);
}

describe("triangles", () => {
    const kernels = KERNELS;
    test("candidates are the triangles in the box, of long edges", () => {
        const { particles, found } = setUp(kernels, 3);
        const { positions: x } = particles;
        const core = coreData(kernels, CORES.ball);
        const half = [0.3, 0.4, 0.35];
        const middle = core.subarray(SolidData.toFrame + 12, SolidData.toFrame + 15);
        const box = [...half.map((h, c) => middle[c] - h), ...half.map((h, c) => middle[c] + h)];
        found.bounds.set([...box.slice(0, 3), 1.2, ...box.slice(3), 0, ...half, Infinity]);
        kernels.measureBounds(particles);
        kernels.collectFaceCandidates(particles, core, found);
        const wanted: number[] = [];
        for (let t = 0; t < TRIANGLES; t++) {
            const corners = [0, 1, 2].map((k) =>
                Array.from(x.subarray(4 * found.triangles[3 * t + k], 4 * found.triangles[3 * t + k] + 3)),
            );
            const isIn = [0, 1, 2].every((c) => {
                const along = corners.map((corner) => corner[c]);
                return Math.min(...along) <= box[3 + c] && Math.max(...along) >= box[c];
            });
            const edges = corners.map((a, k) => Math.hypot(...a.map((value, c) => value - corners[(k + 1) % 3][c])));
            if (isIn && Math.max(...edges) >= Math.sqrt(1.2)) wanted.push(t);
        }
        expect(wanted.length).toBeGreaterThan(10);
        expect(wanted.length).toBeLessThan(TRIANGLES - 10);
        expect(Array.from(found.candidates.subarray(0, found.progress[FaceContactCounter.candidateCount]))).toEqual(wanted);
    });

    test.each(Object.entries(CORES))(
        "%s: the plane of a contact touches the solid, and its point is the triangle's nearest",
        (name, core) => {
            const { particles, found } = setUp(kernels, 5);
            const { positions: x } = particles;
            const data = coreData(kernels, core);
            allCandidates(kernels, particles, data, found);
            const records = findAll(kernels, particles, data, found);
            expect(records.length).toBeGreaterThan(20);
            const at = (row: number, c: number): number => x[row / 4 + c] - data[SolidData.toFrame + 12 + c];
            const seen = new Set(records.map((record) => record.subarray(0, 3).join()));
            for (let t = 0; t < TRIANGLES; t++) {
                const rows = Array.from(found.triangles.subarray(3 * t, 3 * t + 3), rowOffset);
                let least = Infinity;
                for (let i = 0; i <= 24; i++) {
                    for (let j = 0; i + j <= 24; j++) {
                        const shares = [1 - (i + j) / 24, i / 24, j / 24];
                        const [px, py, pz] = [0, 1, 2].map((c) => rows.reduce((sum, row, k) => sum + shares[k] * at(row, c), 0));
                        least = Math.min(least, core.distance(px, py, pz));
                    }
                }
                const isAtCorner = rows.some((row) => core.distance(at(row, 0), at(row, 1), at(row, 2)) < least + 0.01);
                // Deeper, it may be at the core, where no direction is better than another.
                const isKnown = !isAtCorner && least > -0.08;
                if (isKnown && name !== "tapered capsule" && least < KEPT - 0.01)
                    expect([name, t, seen.has(rows.join())]).toEqual([name, t, true]);
                if (least > KEPT + (name === "ellipsoid" ? 0.05 : 0.01))
                    expect([name, t, seen.has(rows.join())]).toEqual([name, t, false]);
                const record = records.find((one) => one.subarray(0, 3).join() === rows.join());
                if (!record || name === "ellipsoid" || !isKnown) continue;
                const [nx, ny, nz] = record.subarray(FaceContactRecord.normal);
                const shares = record.subarray(FaceContactRecord.shares);
                const height = [nx, ny, nz].reduce(
                    (sum, n, c) => sum + n * rows.reduce((s, row, k) => s + shares[k] * x[row / 4 + c], 0),
                    0,
                );
                const depth = record[FaceContactRecord.offset] - height;
                // The samples see no less than what is nearest.
                expect(KEPT - least - depth).toBeLessThan(3e-3);
                expect(KEPT - least - depth).toBeGreaterThan(-0.02);
            }
        },
    );

    test("a triangle over a box's edge, and one on its face", () => {
        const { particles, found } = setUp(kernels, 1);
        const box: Core = { half: [0.2, 0.2, 0.2], rim: 0.2, distance: () => 0 };
        const data = coreData(kernels, box);
        data.fill(0, SolidData.toFrame + 12, SolidData.toFrame + 15);
        const place = (points: readonly (readonly number[])[]): Float32Array[] => {
            points.forEach((point, i) => particles.positions.set([...point, 0], 4 * i));
            particles.inverseMasses.fill(1, 0, 3);
            found.triangles.set([0, 1, 2]);
            found.candidates[0] = 0;
            found.progress.set([0, 1, 0, 1]);
            return findAll(kernels, particles, data, found);
        };
        // From above one face to beside the next: its edge cuts the box's by 0.1 / √2.
        const [cut] = place([[0.25, 0.45, 0], [0.45, 0.25, 0], [0.45, 0.25, 0.5]]); // prettier-ignore
        const s = Math.SQRT1_2;
        [s, s, 0].forEach((n, c) => expect(cut[FaceContactRecord.normal + c]).toBeCloseTo(n, 4));
        expect(cut[FaceContactRecord.offset] - 0.7 * s).toBeCloseTo(0.05 + KEPT, 3);
        // On the face, at its thickness, and short of the edge.
        expect(place([[0.38, 0.421, 0.1], [0.39, 0.421, 0.38], [0.1, 0.421, 0]])).toEqual([]); // prettier-ignore
    });

    test("what a door's rim has cut comes out over it, and goes aside before a corner that the door squeezes", () => {
        const { particles, found } = setUp(kernels, 1);
        const data = coreData(kernels, { half: [0.49, 0.49, 0.01], rim: 0.01, distance: () => 0 });
        data.fill(0, SolidData.toFrame + 12, SolidData.toFrame + 15);
        data[Contact.id] = 7;
        particles.inverseMasses.fill(1, 0, 3);
        found.triangles.set([0, 1, 2]);
        found.candidates[0] = 0;
        const find = (points: readonly (readonly number[])[]): number[][] => {
            points.forEach((point, i) => particles.positions.set([...point, 0], 4 * i));
            found.progress.set([0, 1, 0, 1]);
            const parts = [FaceContactRecord.normal, FaceContactRecord.shares];
            return findAll(kernels, particles, data, found).flatMap((record) =>
                parts.map((at) => Array.from(record.subarray(at, at + 3))),
            );
        };
        // Behind the door, before it, and behind it: it spans z.
        const [normal, shares] = find([[0.46, 0, -0.03], [0.5, 0, 0.03], [0.46, 0.05, -0.03]]); // prettier-ignore
        expect(normal).toEqual([1, 0, 0]);
        expect(Math.max(...shares)).toBeLessThan(0.9);
        // From behind to before on all sides: each corner knows its own.
        expect(find([[-1, -1, -0.03], [1, -1, 0.03], [0, 2, 0.03]])).toEqual([]); // prettier-ignore
        // The first corner is pressed against a wall behind: only what is before the door goes aside.
        found.contacts.hasOpposing[0] = 2;
        found.contacts.opposing[0] = 7;
        found.previousSupports[8] = 1;
        expect(find([[0.46, 0, 0.01], [0.5, 0, 0.04], [0.46, 0.05, 0.01]])).toEqual([[1, 0, 0], [0, 1, 0]]); // prettier-ignore
        expect(find([[0.46, 0, 0.01], [0.5, 0, 0.01], [0.46, 0.05, 0.01]])).toEqual([]); // prettier-ignore
    });

    test("the point comes out, corners that are held stay, and so does what is squeezed", () => {
        const { particles, found } = setUp(kernels, 1);
        const core = coreData(kernels, CORES.ball);
        const place = (): void => {
            particles.positions.set([0.1, 0.33, -0.4, 0, 0.6, 0.33, 0.4, 0, -0.4, 0.33, 0.4, 0]);
            particles.previous.set(particles.positions.subarray(0, 12));
            particles.residuals.fill(0, 0, 12);
            particles.inverseMasses.fill(1, 0, 3);
            found.triangles.set([0, 1, 2]);
            found.candidates[0] = 0;
        };
        const answer = (): number[] => {
            found.progress.set([0, 1, 0, 1]);
            kernels.detectFaceContacts(particles, core, found);
            expect(found.progress[FaceContactCounter.recordCount]).toBe(1);
            const shares = found.recordFloats.slice(FaceContactRecord.shares, FaceContactRecord.shares + 3);
            kernels.resolveFaceContacts(particles, core, found);
            const heights = [1, 5, 9].map((o) => particles.positions[o]);
            return [...heights, heights.reduce((sum, y, i) => sum + shares[i] * y, 0)];
        };
        const top = -0.05 + 0.4 + KEPT;
        place();
        expect(answer()[3]).toBeCloseTo(top, 5);
        place();
        particles.inverseMasses[1] = 0;
        const [a, b, c, point] = answer();
        expect(b).toBeCloseTo(0.33, 6);
        expect(Math.min(a, c)).toBeGreaterThan(0.33);
        expect(point).toBeLessThan(top + 1e-5);
        place();
        found.contacts.supportMode[0] = 1;
        // The third corner is held from above: what is squeezed is left to its particles.
        [0, -1, 0, -0.34].forEach((value, k) => (found.contacts.supports[4 * k + 2] = value));
        const [, , held] = answer();
        expect(held).toBeCloseTo(0.33, 6);
        expect(found.contacts.recordCount[0]).toBe(1);
    });
});
