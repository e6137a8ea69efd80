/** Triangle meshes: nearest points and crossings against every triangle one by one. */
import { describe, expect, test } from "@jest/globals";
import { ROW } from "../../../src/kernels/layout";
import type { ParticleArrays } from "../../../src/kernels/layout";
import type { Kernels } from "../../../src/engine/index";
import { complete, createBodyKernels } from "./allKernels";
import { MeshCollider } from "../../../src/engine/collision/shapes/mesh";
import { PLAIN } from "../../physics/support";
import { seededRandom } from "../../random";
import { contactsOf, randomParticles } from "./arrays";

const KERNELS = complete(createBodyKernels());
// Memory that is there already does not move.
KERNELS.arena.allocate(32_000_000, { relocate: () => {} }).release();

const FABRIC = { ...PLAIN, thickness: 0.02 };
const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

type Point = readonly number[];
const minus = (a: Point, b: Point): number[] => a.map((x, c) => x - b[c]);
const dot = (a: Point, b: Point): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: Point, b: Point): number[] =>
    [0, 1, 2].map((c) => a[(c + 1) % 3] * b[(c + 2) % 3] - a[(c + 2) % 3] * b[(c + 1) % 3]);

/** Triangles all over [-1, 1]³, some long and thin. */
function randomForm(count: number, seed: number): Float32Array {
    const random = seededRandom(seed);
    const form = new Float32Array(1 + 9 * count);
    for (let o = 1; o < form.length; o += 9) {
        const centre = [0, 1, 2].map(() => 1.4 * (random() - 0.5));
        const size = 0.1 + 0.5 * random();
        for (let k = 0; k < 9; k++) form[o + k] = centre[k % 3] + size * (random() - 0.5) * (k < 6 ? 1 : 0.1);
    }
    return form;
}

const trianglesOf = (form: Float32Array): Point[][] =>
    Array.from({ length: (form.length - 1) / 9 }, (_, i) =>
        [1, 4, 7].map((k) => Array.from(form.subarray(9 * i + k, 9 * i + k + 3))),
    );

/** Distance of a point from a triangle: of its plane within the edges, else of the edges. */
function distanceTo(p: Point, [a, b, c]: Point[]): number {
    const n = cross(minus(b, a), minus(c, a));
    const isOver = [[a, b], [b, c], [c, a]].every(([u, v]) => dot(cross(minus(v, u), minus(p, u)), n) >= 0); // prettier-ignore
    if (isOver) return Math.abs(dot(minus(p, a), n)) / Math.hypot(...n);
    const toEdge = ([u, v]: Point[]): number => {
        const e = minus(v, u);
        const t = Math.max(0, Math.min(1, dot(minus(p, u), e) / dot(e, e)));
        return Math.hypot(...minus(p, u).map((x, i) => x - t * e[i]));
    };
    return Math.min(...[[a, b], [b, c], [c, a]].map(toEdge)); // prettier-ignore
}

/** Whether the straight way from p to q leads through a triangle (Möller and Trumbore 1997). */
function leadsThrough(p: Point, q: Point, [a, b, c]: Point[]): boolean {
    const d = minus(q, p);
    const e = minus(b, a);
    const f = minus(c, a);
    const h = cross(d, f);
    const s = 1 / dot(e, h);
    const u = s * dot(minus(p, a), h);
    const g = cross(minus(p, a), e);
    const v = s * dot(d, g);
    const t = s * dot(f, g);
    return u >= 0 && v >= 0 && u + v <= 1 && t >= 0 && t <= 1;
}

function meshOf(kernels: Kernels, form: Float32Array, particleCount: number): MeshCollider {
    const mesh = new MeshCollider(kernels.arena, particleCount, form);
    mesh.setPose(IDENTITY);
    mesh.beginStep({ fraction: 1 });
    mesh.moveTo(1, 1, FABRIC);
    return mesh;
}

function collide(kernels: Kernels, particles: ParticleArrays, mesh: MeshCollider): void {
    const contacts = contactsOf(kernels.arena, particles);
    kernels.measureBounds(particles);
    mesh.detect(kernels, particles, contacts);
    kernels.resolveContacts(particles, mesh.data, contacts);
}

const placeOf = (rows: Float32Array, i: number): Point => Array.from(rows.subarray(i * ROW, i * ROW + 3));

describe("triangle mesh", () => {
    const kernels = KERNELS;
    test.each([40, 300])(
        "of %i triangles: what is nearer than the thickness goes off from the nearest point, the rest stays",
        (count) => {
            const form = randomForm(count, count);
            const triangles = trianglesOf(form);
            let near = 0;
            for (let run = 0; run < 6; run++) {
                const particles = randomParticles(kernels.arena, 300, run);
                particles.previous.set(particles.positions);
                const before = particles.positions.slice();
                collide(kernels, particles, meshOf(kernels, form, 300));
                for (let i = 0; i < 300; i++) {
                    const from = placeOf(before, i);
                    const to = placeOf(particles.positions, i);
                    const distances = triangles.map((triangle) => distanceTo(from, triangle));
                    const distance = Math.min(...distances);
                    if (distance > 0.02 || particles.inverseMasses[i] === 0) {
                        if (distance > 0.0201) expect(to).toEqual(from);
                        continue;
                    }
                    near++;
                    expect(Math.abs(Math.hypot(...minus(to, from)) - (0.02 - distance))).toBeLessThan(2e-5);
                    expect(distanceTo(to, triangles[distances.indexOf(distance)])).toBeGreaterThan(0.02 - 2e-5);
                }
            }
            expect(near).toBeGreaterThan(3);
        },
    );

    test("what crosses a triangle in a substep is held by the first, again and again, and is let go where it comes back", () => {
        const form = randomForm(60, 5);
        const triangles = trianglesOf(form);
        let crossing = 0;
        for (let run = 0; run < 6; run++) {
            const particles = randomParticles(kernels.arena, 200, run);
            for (let o = 0; o < 200 * ROW; o++) particles.previous[o] = o % ROW === 3 ? 0 : -particles.positions[o];
            const mesh = meshOf(kernels, form, 200);
            const end = particles.positions.slice();
            collide(kernels, particles, mesh);
            const held = particles.positions.slice();
            for (let again = 0; again < 2; again++) {
                particles.positions.set(end);
                collide(kernels, particles, mesh);
            }
            for (let i = 0; i < 200; i++) {
                if (particles.inverseMasses[i] === 0) continue;
                const from = placeOf(particles.previous, i);
                const passed = triangles.filter((triangle) => leadsThrough(from, placeOf(end, i), triangle));
                if (passed.length !== 1) continue;
                crossing++;
                for (const rows of [held, particles.positions]) {
                    expect(leadsThrough(from, placeOf(rows, i), passed[0])).toBe(false);
                }
            }
            particles.positions.set(particles.previous);
            collide(kernels, particles, mesh);
            const back = particles.positions.slice();
            for (let i = 0; i < 200; i++) {
                const away = Math.min(...triangles.map((triangle) => distanceTo(placeOf(particles.previous, i), triangle)));
                if (away > 0.0201) expect(placeOf(back, i)).toEqual(placeOf(particles.previous, i));
            }
        }
        expect(crossing).toBeGreaterThan(20);
    });
});
