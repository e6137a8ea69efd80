/** Solids: distances known beforehand, and nothing that comes through in one substep. */
import { describe, expect, test } from "@jest/globals";
import {
    BoxData,
    CapsuleData,
    Contact,
    CylinderData,
    EllipsoidData,
    HullData,
    SolidData,
} from "../../../src/kernels/contactLayout";
import { ROW } from "../../../src/kernels/layout";
import type { ParticleArrays } from "../../../src/kernels/layout";
import type { Kernels } from "../../../src/engine/index";
import { complete, createBodyKernels } from "./allKernels";
import { seededRandom } from "../../random";
import { allocate, collide, randomParticles } from "./arrays";

const KERNELS = complete(createBodyKernels());
// Memory that is there already does not move.
KERNELS.arena.allocate(32_000_000, { relocate: () => {} }).release();

interface Shape {
    readonly find:
        "detectEllipsoidContacts" | "detectBoxContacts" | "detectCapsuleContacts" | "detectCylinderContacts" | "detectHullContacts";
    readonly slots: number;
    readonly dimensions: readonly number[];
    /** True distance in the frame. */
    readonly distance: (x: number, y: number, z: number) => number;
}

const round = (x: number, y: number, z: number): number => Math.hypot(Math.max(x, 0), Math.max(y, 0), Math.max(z, 0));
const boxDistance =
    (a: number, b: number, c: number) =>
    (x: number, y: number, z: number): number => {
        const e = [Math.abs(x) - a, Math.abs(y) - b, Math.abs(z) - c] as const;
        return round(...e) + Math.min(0, Math.max(...e));
    };
/** The hull of two spheres: the least distance over all the spheres between, which has one minimum (golden section). */
const capsuleDistance =
    (half: number, bottom: number, top: number) =>
    (x: number, y: number, z: number): number => {
        const r = Math.hypot(x, z);
        const at = (s: number): number => Math.hypot(r, y - half * (2 * s - 1)) - (bottom + (top - bottom) * s);
        let [low, high] = [0, 1];
        for (let i = 0; i < 40; i++) {
            const third = 0.382 * (high - low);
            if (at(low + third) < at(high - third)) high -= third;
            else low += third;
        }
        return at((low + high) / 2);
    };

const SHAPES: Record<string, Shape> = {
    box: { find: "detectBoxContacts", slots: BoxData.count, dimensions: [0.5, 0.2, 0.35], distance: boxDistance(0.5, 0.2, 0.35) },
    "thin box": {
        find: "detectBoxContacts",
        slots: BoxData.count,
        dimensions: [0.5, 0.5, 0.01],
        distance: boxDistance(0.5, 0.5, 0.01),
    },
    capsule: {
        find: "detectCapsuleContacts",
        slots: CapsuleData.count,
        dimensions: [0.4, 0.2, 0.2, 0, 1],
        distance: capsuleDistance(0.4, 0.2, 0.2),
    },
    "tapered capsule": {
        find: "detectCapsuleContacts",
        slots: CapsuleData.count,
        dimensions: [0.4, 0.3, 0.1, 0.25, Math.sqrt(1 - 0.25 ** 2)],
        distance: capsuleDistance(0.4, 0.3, 0.1),
    },
    cylinder: {
        find: "detectCylinderContacts",
        slots: CylinderData.count,
        dimensions: [0.3, 0.5],
        distance: (x, y, z) => {
            const [r, h] = [Math.hypot(x, z) - 0.3, Math.abs(y) - 0.5];
            return round(r, h, 0) + Math.min(0, Math.max(r, h));
        },
    },
    sphere: {
        find: "detectEllipsoidContacts",
        slots: EllipsoidData.count,
        dimensions: [1 / 0.4, 1 / 0.4, 1 / 0.4, 0.4],
        distance: (x, y, z) => Math.hypot(x, y, z) - 0.4,
    },
    hull: {
        find: "detectHullContacts",
        slots: HullData.planes + 24,
        dimensions: [6, 0, 0, 0, 1, 0, 0, 0.5, -1, 0, 0, 0.5, 0, 1, 0, 0.2, 0, -1, 0, 0.2, 0, 0, 1, 0.35, 0, 0, -1, 0.35],
        distance: (x, y, z) => Math.max(Math.abs(x) - 0.5, Math.abs(y) - 0.2, Math.abs(z) - 0.35),
    },
};

/** A turn about a random axis, and a place: row vectors, shape [4, 4]. */
function rigid(random: () => number, reach: number): number[] {
    const q = [random() - 0.5, random() - 0.5, random() - 0.5, random() - 0.5];
    const length = Math.hypot(...q);
    const [x, y, z, w] = q.map((c) => c / length);
    return [
        1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w), 0,
        2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w), 0,
        2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y), 0,
        (random() - 0.5) * reach, (random() - 0.5) * reach, (random() - 0.5) * reach, 1,
    ]; // prettier-ignore
}

/** A rigid map as kernels take it: with the frame's origin in place of where the space's goes. */
function withOrigin(m: readonly number[]): number[] {
    const origin = [0, 4, 8].map((row) => -(m[12] * m[row] + m[13] * m[row + 1] + m[14] * m[row + 2]));
    return [...m.slice(0, 12), ...origin, 1];
}

function solidData(kernels: Kernels, shape: Shape, toFrame: number[], toFrameBefore = toFrame, sweep = Infinity): Float32Array {
    const { data } = allocate(kernels.arena, { data: new Float32Array() as Float32Array }, (target, layout) => {
        target.data = layout.float32(shape.slots);
    });
    data[Contact.thickness] = 0.02;
    data.fill(-Infinity, Contact.minimum, Contact.minimum + 3);
    data.fill(Infinity, Contact.maximum, Contact.maximum + 3);
    data.set(withOrigin(toFrame), SolidData.toFrame);
    data.set(withOrigin(toFrameBefore), SolidData.toFrameBefore);
    data[SolidData.sweep] = sweep;
    data.set(shape.dimensions, SolidData.dimensions);
    return data;
}

const mapped = (m: readonly number[], p: ArrayLike<number>): [number, number, number] => {
    const at = (c: number): number => p[0] * m[c] + p[1] * m[4 + c] + p[2] * m[8 + c] + m[12 + c];
    return [at(0), at(1), at(2)];
};

const placeOf = ({ positions }: ParticleArrays, i: number): Float32Array => positions.slice(i * ROW, i * ROW + 3);

describe.each(Object.entries(SHAPES))("%s", (_name, shape) => {
    test("what is inside goes out by the depth to the thickness, what is outside stays", () => {
        const kernels = KERNELS;
        const random = seededRandom(4);
        let inside = 0;
        for (let run = 0; run < 6; run++) {
            const particles = randomParticles(kernels.arena, 200, run);
            kernels.measureBounds(particles);
            const toFrame = rigid(random, 0.3);
            const before = particles.positions.slice();
            collide(kernels, shape.find, particles, solidData(kernels, shape, toFrame));
            for (let i = 0; i < 200; i++) {
                const from = before.slice(i * ROW, i * ROW + 3);
                const to = placeOf(particles, i);
                const distance = shape.distance(...mapped(toFrame, from));
                if (distance > 0.02 || particles.inverseMasses[i] === 0) {
                    if (Math.abs(distance - 0.02) > 1e-4) expect(to).toEqual(from);
                    continue;
                }
                inside++;
                expect(Math.abs(shape.distance(...mapped(toFrame, to)) - 0.02)).toBeLessThan(2e-5);
                const moved = Math.hypot(to[0] - from[0], to[1] - from[1], to[2] - from[2]);
                expect(Math.abs(moved - (0.02 - distance))).toBeLessThan(2e-5);
            }
        }
        expect(inside).toBeGreaterThan(10);
    });

    test("what crosses it whole in a substep stays on the side from which it came", () => {
        const kernels = KERNELS;
        const random = seededRandom(9);
        let crossing = 0;
        for (let run = 0; run < 10; run++) {
            const particles = randomParticles(kernels.arena, 200, run);
            for (let o = 0; o < 200 * ROW; o++) particles.previous[o] = o % ROW === 3 ? 0 : -particles.positions[o];
            kernels.measureBounds(particles);
            const toFrame = rigid(random, 0.2);
            const before = particles.positions.slice();
            const smallest = Math.min(...shape.dimensions.filter((d) => d > 0));
            collide(kernels, shape.find, particles, solidData(kernels, shape, toFrame, toFrame, smallest / 2));
            for (let i = 0; i < 200; i++) {
                if (particles.inverseMasses[i] === 0) continue;
                const to = mapped(toFrame, placeOf(particles, i));
                const from = mapped(toFrame, particles.previous.slice(i * ROW, i * ROW + 3));
                const end = mapped(toFrame, before.slice(i * ROW, i * ROW + 3));
                expect(shape.distance(...to)).toBeGreaterThan(0.02 - 1e-4);
                // What went right through is held at a plane before the solid, so that no straight way back leads through it.
                let least = Infinity;
                const back: number[] = [];
                for (let s = 0; s <= 50; s++) {
                    const at = (a: number[], b: number[]): [number, number, number] => [
                        a[0] + ((b[0] - a[0]) * s) / 50,
                        a[1] + ((b[1] - a[1]) * s) / 50,
                        a[2] + ((b[2] - a[2]) * s) / 50,
                    ];
                    least = Math.min(least, shape.distance(...at(from, end)));
                    back.push(shape.distance(...at(from, to)));
                }
                if (least > 0 || shape.distance(...from) < 0.02) continue;
                crossing++;
                expect(Math.min(...back)).toBeGreaterThan(0);
            }
        }
        expect(crossing).toBeGreaterThan(10);
    });
});
