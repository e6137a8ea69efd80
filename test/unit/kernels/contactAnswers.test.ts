// As knownAnswers.test.ts, of contacts.
import { describe, expect, test } from "@jest/globals";
import { getKernels } from "../../../src/engine/index";
import { Contact, EllipsoidData, PlaneData, SphereData } from "../../../src/kernels/contactLayout";
import { Uniform } from "../../../src/kernels/layout";
import type { ParticleArrays } from "../../../src/kernels/layout";
import { addContact } from "../../reference/contactResponse";
import { seededRandom } from "../../random";
import { collide, contactsOf, setSupport, supportOf } from "./arrays";
import { complete } from "./allKernels";
import { at, colliderData, particlesAt } from "./smallCases";

describe("kernels", () => {
    const kernels = complete(getKernels());

    describe("contacts with planes", () => {
        const map = [1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1];

        /** The rectangle x, z in [-1, 1] at y = 0, front up, 0.1 m thick. */
        const rectangle = (recovery: number): Float32Array =>
            colliderData(kernels, PlaneData.sides + 16, {
                [Contact.thickness]: [0.1],
                [PlaneData.normal]: [0, 1, 0],
                [PlaneData.recovery]: [recovery],
                [PlaneData.normalBefore]: [0, 1, 0],
                [PlaneData.toUnit]: map,
                [PlaneData.toUnitBefore]: map,
                // All in front, until detectSides says otherwise.
                [PlaneData.sides]: new Array<number>(16).fill(1),
            });
        const sidesOf = (data: Float32Array, count: number): number[] =>
            Array.from(data.subarray(PlaneData.sides, PlaneData.sides + count));

        test("what was less than the recovery behind the plane when it is first seen comes out in front, the rest behind", () => {
            const particles = particlesAt(
                kernels,
                [0, 0.05, 0],
                [0, -0.01, 0],
                [0, -0.05, 0],
                [0, -0.05, 0],
                [0, -0.01, 0],
                [0, 0.05, 0],
            );
            [0.05, -0.01, -0.29, -0.31, -0.31, -0.31].forEach((y, i) => (particles.previous[4 * i + 1] = y));
            const data = rectangle(0.3);
            data.fill(0, PlaneData.sides);
            kernels.detectSides(particles, data);
            expect(sidesOf(data, 6)).toEqual([1, 1, 1, -1, -1, -1]);
            collide(kernels, "detectPlaneContacts", particles, data);
            [1, 1, 1, -1, -1, -1].forEach((side, i) => expect(at(particles, i)[1]).toBeCloseTo(0.1 * side, 6));
        });

        test("between the edges particles keep their side, however deep; beyond them, and pinned, they take the other", () => {
            const places = [
                [0, -5, 0],
                [1.5, -5, 0],
                [0, -5, -1.5],
                [1.5, -0.2, 0],
                [0, -5, 0],
                [0, 5, 0],
                [1.5, 5, 0],
            ] as const;
            const particles = particlesAt(kernels, ...places);
            particles.inverseMasses[4] = 0;
            const data = rectangle(0.3);
            data.fill(-1, PlaneData.sides + 5, PlaneData.sides + 7);
            kernels.detectSides(particles, data);
            expect(sidesOf(data, 7)).toEqual([1, -1, -1, 1, -1, -1, 1]);
        });

        test("the side is told by where the rectangle was, turned and elsewhere as it may be", () => {
            const places = [
                [0, 0.5, 0],
                [0, -0.5, 0],
                [0.5, 0.5, 0],
                [0.5, 1.5, 0],
            ] as const;
            const particles = particlesAt(kernels, ...places);
            const data = rectangle(0.09);
            data.fill(0, PlaneData.sides);
            // A substep ago it stood upright, at x = 0.2 and y from 0 to 2, its front towards -x.
            data.set([-1, 0, 0, -0.2], PlaneData.normalBefore);
            data.set([0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -1, 0, 0, 1], PlaneData.toUnitBefore);
            kernels.detectSides(particles, data);
            expect(sidesOf(data, 4)).toEqual([1, 1, -1, -1]);
            // What is between its edges as they were stays, the second is below them.
            data.set([-1, 1, 1, 1], PlaneData.sides);
            data.set([-1, 0, 0, -0.2], PlaneData.normalBefore);
            kernels.detectSides(particles, data);
            expect(sidesOf(data, 4)).toEqual([-1, 1, 1, 1]);
            particles.previous.set([0.5, -0.5, 0], 4);
            kernels.detectSides(particles, data);
            expect(sidesOf(data, 4)).toEqual([-1, -1, 1, 1]);
        });

        test("the nearest solid between whose edges a particle is becomes its support", () => {
            const particles = particlesAt(kernels, [0, 0.5, 0], [0.9, 0.5, 0], [3, 0.5, 0], [0, -0.5, 0]);
            const contacts = contactsOf(kernels.arena, particles);
            contacts.recordCount[0] = [0, 1, 2, 3].reduce((count, i) => addContact(contacts, count, i, 0.1, 1, 0, 0), 0);
            const floor = rectangle(0.09);
            floor[PlaneData.sides + 3] = -1;
            const wall = colliderData(kernels, PlaneData.sides, {
                [Contact.thickness]: [0.1],
                [PlaneData.normal]: [-1, 0, 0],
                [PlaneData.offset]: [-1],
                [PlaneData.recovery]: [Infinity],
            });
            kernels.detectSupports(particles, wall, contacts);
            kernels.detectSupports(particles, floor, contacts);
            const support = (i: number): number[] => supportOf(contacts, i).map((x) => Number(x.toFixed(5)) + 0);
            expect([0, 1, 2, 3].map(support)).toEqual([
                [0, 1, 0, 0.1],
                [-1, 0, 0, -0.9],
                [-1, 0, 0, -0.9],
                [0, -1, 0, 0.1],
            ]);
        });

        test("a half-space has no back", () => {
            const particles = particlesAt(kernels, [0, -0.05, 0], [50, -7, 0]);
            const data = rectangle(Infinity);
            data.fill(0, PlaneData.toUnit, PlaneData.toUnit + 16);
            collide(kernels, "detectPlaneContacts", particles, data);
            for (let i = 0; i < 2; i++) expect(at(particles, i)[1]).toBeCloseTo(0.1, 6);
        });

        test("beyond an edge there is nothing", () => {
            const places = [
                [1.01, 0, 0],
                [-1.01, 0, 0],
                [0, 0, 1.01],
                [0, 0, -1.01],
                [0.99, 0, -0.99],
            ] as const;
            const particles = particlesAt(kernels, ...places);
            collide(kernels, "detectPlaneContacts", particles, rectangle(0.3));
            expect(places.map((_, i) => at(particles, i)[1] > 0)).toEqual([false, false, false, false, true]);
        });

        test("friction takes back the slide up to its share of the depth; what moves away from the surface is taken", () => {
            const particles = particlesAt(kernels, [0.5, 0.05, 0], [0.5, 0.05, 0]);
            particles.previous.set([0.49, 0.05, 0, 0, 0, -0.15, 0, 0]);
            const data = rectangle(0.3);
            data[Contact.friction] = 0.5;
            particles.uniforms[Uniform.substep] = 1 / 30;
            collide(kernels, "detectPlaneContacts", particles, data);
            // 0.05 m deep: grips 0.025 m. The first slid 0.01 m, the second 0.5 m.
            expect(at(particles, 0)[0]).toBeCloseTo(0.49, 6);
            expect(at(particles, 1)[0]).toBeCloseTo(0.475, 6);
            for (let i = 0; i < 2; i++) expect(particles.previous[4 * i + 1] - particles.residuals[4 * i + 1]).toBeCloseTo(0.1, 6);
        });

        test("friction reckons with no more depth than the grip, if it has one", () => {
            for (const [grip, place] of [
                [0.02, 0.5 - 0.5 * 0.02],
                [0, 0.475],
            ]) {
                const particles = particlesAt(kernels, [0.5, 0.05, 0]);
                particles.previous.set([0, -0.15, 0]);
                particles.uniforms[Uniform.substep] = particles.uniforms[Uniform.substepShare] = 0.01;
                const data = rectangle(0.3);
                data[Contact.friction] = 0.5;
                data[Contact.maxFrictionDepth] = grip;
                collide(kernels, "detectPlaneContacts", particles, data);
                expect(at(particles, 0)[0]).toBeCloseTo(place, 5);
            }
        });
    });

    describe("contacts with spheres", () => {
        const ellipsoid = (axes: readonly [number, number, number], more: Record<number, readonly number[]> = {}): Float32Array => {
            const [a, b, c] = axes;
            return colliderData(kernels, SphereData.count, {
                [Contact.thickness]: [0.1],
                [SphereData.reach]: [c + 0.1],
                [SphereData.toUnit]: [1 / a, 0, 0, 0, 0, 1 / b, 0, 0, 0, 0, 1 / c],
                [SphereData.squares]: [a * a, b * b, c * c],
                [SphereData.isRound]: [a === c ? 1 : 0],
                [SphereData.squareDifferences]: [0, b * b - a * a, c * c - a * a],
                ...more,
            });
        };

        test("a ball's own search ends as that of all solids does", () => {
            const random = seededRandom(1);
            const places = Array.from({ length: 200 }, () => [0, 1, 2].map(() => 5 * random() - 2.5) as [number, number, number]);
            const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
            const solid = colliderData(kernels, EllipsoidData.count, {
                [Contact.thickness]: [0.1],
                [Contact.minimum]: [-Infinity, -Infinity, -Infinity],
                [Contact.maximum]: [Infinity, Infinity, Infinity],
                [EllipsoidData.toFrame]: identity,
                [EllipsoidData.toFrameBefore]: identity,
                [EllipsoidData.sweep]: [Infinity],
                [EllipsoidData.inverseHalfAxes]: [0.5, 0.5, 0.5],
                [EllipsoidData.shortest]: [2],
            });
            const [own, general] = [0, 1].map(() => particlesAt(kernels, ...places));
            collide(kernels, "detectSphereContacts", own, ellipsoid([2, 2, 2]));
            collide(kernels, "detectEllipsoidContacts", general, solid);
            let moved = 0;
            places.forEach((place, i) => {
                expect(Math.hypot(...at(own, i).map((x, c) => x - at(general, i)[c]))).toBeLessThan(1e-5);
                if (Math.hypot(...place) < 2.1) moved++;
                else expect(at(own, i)).toEqual(place.map(Math.fround));
            });
            expect(moved).toBeGreaterThan(50);
        });

        test("out along the radius to the thickness, whatever is outside or pinned stays", () => {
            const particles = particlesAt(kernels, [0.3, 0.4, 0], [0, 2.2, 0], [0, 0, -0.5]);
            particles.inverseMasses[2] = 0;
            collide(kernels, "detectSphereContacts", particles, ellipsoid([2, 2, 2]));
            [1.26, 1.68, 0].forEach((x, c) => expect(at(particles, 0)[c]).toBeCloseTo(x, 6));
            [0, 2.2, 0].forEach((x, c) => expect(at(particles, 1)[c]).toBeCloseTo(x, 6));
            expect(at(particles, 2)).toEqual([0, 0, -0.5]);
        });

        test.each<[number, number, number]>([
            [0.3, 3, 3],
            [0.3, 0.5, 1],
            [0.9, 1, 1],
            [0.05, 0.06, 2],
            [1, 1, 4],
        ])("from anywhere inside an ellipsoid of half axes %d, %d, %d to the closest point of its surface", (...axes) => {
            const directions = [
                [1, 0, 0],
                [-0.3, 0.8, 0.5],
                [0.02, -0.9, 0.2],
                [0.5, 0.5, -0.7],
                [-0.6, 0.01, 0.8],
            ];
            for (const share of [0.05, 0.5, 0.9, 0.999]) {
                const places = directions.map(
                    (d) => d.map((x, c) => (x * axes[c] * share) / Math.hypot(...d)) as [number, number, number],
                );
                const particles = particlesAt(kernels, ...places);
                collide(kernels, "detectSphereContacts", particles, ellipsoid(axes, { [Contact.thickness]: [0] }));
                places.forEach((place, i) => {
                    const end = at(particles, i);
                    expect(Math.hypot(...end.map((x, c) => x / axes[c]))).toBeCloseTo(1, 1);
                    const way = Math.hypot(...end.map((x, c) => x - place[c]));
                    expect(way).toBeLessThan(closest(place, axes) * 1.05 + 1e-3);
                });
            }
        });

        /** Distance from a point to an ellipsoid, by trying. */
        function closest(place: readonly number[], axes: readonly number[]): number {
            let best = Infinity;
            for (let u = 0; u <= 180; u++) {
                for (let v = 0; v < 360; v++) {
                    const [a, b] = [(u * Math.PI) / 180, (v * Math.PI) / 180];
                    const t = [Math.cos(a), Math.sin(a) * Math.cos(b), Math.sin(a) * Math.sin(b)];
                    best = Math.min(best, Math.hypot(...t.map((x, c) => x * axes[c] - place[c])));
                }
            }
            return best;
        }

        test("squeezed: to the support and no further, along it only what the ball's own motion pushes", () => {
            // Under a ball of radius 2 at the origin; the support is what is above y = -1.
            const place = [0.5, -0.9, 0] as const;
            const squeeze = (motion: number): ParticleArrays => {
                const particles = particlesAt(kernels, place, place, place, place);
                particles.previous.set([0.75, -0.9, 0], 8);
                const ball = ellipsoid([2, 2, 2]);
                ball[Contact.motion + 12] = motion;
                collide(kernels, "detectSphereContacts", particles, ball, (contacts) => {
                    [-1, -0.9, -0.9].forEach((offset, i) => setSupport(contacts, i, [0, 1, 0, offset]));
                });
                return particles;
            };
            const particles = squeeze(0);
            // 0.1 m down to the support along the ball's radius: the way is not motion.
            [0.5 / 0.9, -1, 0].forEach((x, c) => expect(at(particles, 0)[c]).toBeCloseTo(x, 5));
            [0, 1, 2].forEach((c) =>
                expect(at(particles, 0)[c] - particles.previous[c] + particles.residuals[c]).toBeCloseTo(0, 5),
            );
            for (const i of [1, 2]) [0.5, -0.9, 0].forEach((x, c) => expect(at(particles, i)[c]).toBeCloseTo(x, 6));
            // Without a support it goes all the way.
            expect(Math.hypot(...at(particles, 3))).toBeCloseTo(2.1, 5);
            // What came by itself is not brought back, what the ball came is.
            for (const i of [1, 2]) expect(at(squeeze(0.1), i)[0]).toBeCloseTo(0.6, 6);
            expect(at(squeeze(-0.1), 1)[0]).toBeCloseTo(0.5, 6);
        });

        test("squeezed between two that are equally firm: in the middle, without any speed", () => {
            // Under a ball of radius 2 at the origin, 2.1 with the thickness; the support is what is above y = -1.7.
            const particles = particlesAt(kernels, [0, -1.7, 0]);
            collide(kernels, "detectSphereContacts", particles, ellipsoid([2, 2, 2]), (contacts) =>
                setSupport(contacts, 0, [0, 1, 0, -1.7], 0),
            );
            expect(at(particles, 0)[1]).toBeCloseTo(-1.9, 5);
            expect(at(particles, 0)[1] - particles.previous[1] + particles.residuals[1]).toBeCloseTo(0, 5);
        });

        test("squeezed a pass ago: where the ball's nearest surface is its far side, the particle goes back to the support", () => {
            const particles = particlesAt(kernels, [0, 0.5, 0], [0, 0.5, 0]);
            const ball = ellipsoid([2, 2, 2]);
            ball[Contact.id] = 7;
            collide(kernels, "detectSphereContacts", particles, ball, (contacts) => {
                [0, 1].forEach((i) => setSupport(contacts, i, [0, 1, 0, 0.4]));
                contacts.opposing[1] = 7;
            });
            expect(at(particles, 0)[1]).toBeCloseTo(2.1, 5);
            expect(at(particles, 1)[1]).toBeCloseTo(0.4, 5);
        });
    });
});
