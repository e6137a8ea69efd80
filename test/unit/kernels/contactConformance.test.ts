/** Contacts of the kernels against the references; tolerances as in conformance.test.ts. */
import { describe, expect, test } from "@jest/globals";
import { Contact, ContactRecord, STATIC_PRIORITY, SphereData } from "../../../src/kernels/contactLayout";
import { particleAt, Uniform } from "../../../src/kernels/layout";
import type { ContactArrays } from "../../../src/kernels/contactLayout";
import type { Kernels } from "../../../src/engine/index";
import { allocate, collide, randomParticles, setSupport, supportOf } from "./arrays";
import { compare, motionOf } from "./agreement";
import { seededRandom } from "../../random";

/** Depths, normals and supports of the particles that are in contact: other lanes are undefined. */
function contactsByParticle(contacts: ContactArrays): Record<string, Float32Array> {
    const { records, recordFloats, recordCount } = contacts;
    const numbers: number[] = [];
    for (let k = 0; k < recordCount[0]; k++) {
        const record = k * ContactRecord.count;
        for (let lane = 0; lane < 4; lane++) {
            if (!(recordFloats[record + lane + ContactRecord.depths] > 0)) continue;
            const particle = particleAt(records[record + ContactRecord.row]) + lane;
            numbers.push(particle, ...supportOf(contacts, particle));
            for (let c = ContactRecord.depths; c < ContactRecord.count; c += 4) numbers.push(recordFloats[record + lane + c]);
        }
    }
    return { contacts: Float32Array.from(numbers) };
}

/** A collider's data: friction, thickness, a moving material, and the shape's own slots. */
function colliderData(kernels: Kernels, count: number, friction: number, shape: (data: Float32Array) => void): Float32Array {
    // Room for the contacts that come after it: if the memory grew for them, the view would be left behind.
    kernels.arena.allocate(1 << 20, { relocate() {} }).release();
    const { data } = allocate(kernels.arena, { data: new Float32Array(0) as Float32Array }, (target, layout) => {
        target.data = layout.float32(count);
    });
    data[Contact.friction] = friction;
    data[Contact.thickness] = 0.03;
    // A slow turn about y, a growth and a shift.
    data.set([0.01, 0.003, -0.02, 0, -0.004, 0.01, 0.006, 0, 0.02, -0.005, 0.01, 0, 0.03, 0.01, -0.02, 1], Contact.motion);
    shape(data);
    return data;
}

describe("contacts with spheres", () => {
    function sphere(data: Float32Array, axes: readonly number[], turn: number): void {
        const [c, s] = [Math.cos(turn), Math.sin(turn)];
        data.set([0.1, -0.2, 0.05], SphereData.centre);
        data[SphereData.reach] = Math.max(...axes) + data[Contact.thickness];
        const directions = [
            [c, -s, 0],
            [s, c, 0],
            [0, 0, 1],
        ];
        const order = [0, 1, 2].sort((i, j) => axes[i] - axes[j]);
        order.forEach((axis, column) => {
            for (let row = 0; row < 3; row++) data[SphereData.toUnit + 4 * row + column] = directions[axis][row] / axes[axis];
            data[SphereData.squares + column] = axes[axis] ** 2;
            data[SphereData.squareDifferences + column] = axes[axis] ** 2 - axes[order[0]] ** 2;
        });
        data[SphereData.isRound] = axes[order[0]] === axes[order[2]] ? 1 : 0;
    }

    const shapes = [
        ["sphere", [0.7, 0.7, 0.7]],
        ["ellipsoid", [0.9, 0.4, 0.6]],
        ["pebble", [0.2, 0.02, 0.1]],
    ] as const;
    test.each(shapes.flatMap(([name, axes]) => [0, 0.5, 100].map((friction) => ({ name, axes, friction }))))(
        "$name, friction $friction",
        ({ axes, friction }) => {
            compare((kernels) => {
                const particles = randomParticles(kernels.arena, 1001, 11);
                const data = colliderData(kernels, SphereData.count, friction, (d) => sphere(d, axes, 0.6));
                const found = collide(kernels, "detectSphereContacts", particles, data);
                return { ...motionOf(particles), ...contactsByParticle(found) };
            }, 1e-5);
        },
    );

    test.each([0, 0.5, 100])("squeezed against supports near and far, friction %d", (friction) => {
        compare((kernels) => {
            const particles = randomParticles(kernels.arena, 1001, 15);
            const random = seededRandom(16);
            const supports: (number[] | null)[] = [];
            for (let o = 0; o < 4004; o += 4) {
                const support = [random() - 0.5, random() - 0.5, random() - 0.5];
                const length = Math.hypot(...support);
                const height = support.reduce((sum, n, c) => sum + (n / length) * particles.positions[o + c], 0);
                const offset = height - 0.3 * random() + 0.05;
                supports.push(random() > 0.2 ? [...support.map((n) => n / length), offset] : null);
            }
            const data = colliderData(kernels, SphereData.count, friction, (d) => sphere(d, [0.7, 0.7, 0.7], 0.6));
            data[Contact.id] = 3;
            data[Contact.priority] = 40;
            const contacts = collide(kernels, "detectSphereContacts", particles, data, (contacts) => {
                supports.forEach((support, i) => support && setSupport(contacts, i, support, [40, 70, STATIC_PRIORITY][i % 3]));
                contacts.opposing.forEach((_, i) => (contacts.opposing[i] = [0, 0, 0, 3, 2][i % 5]));
                contacts.supportMode[0] = 2;
            });
            expect(contacts.newOpposing.some((name) => name === 3)).toBe(true);
            expect(contacts.hasOpposing[0]).toBe(2);
            return { ...motionOf(particles), squeezers: contacts.newOpposing.slice() };
        }, 1e-5);
    });

    test.each([0, 1])("bounced off, and the impulse given back; with supports: %d", (isHeeded) => {
        compare((kernels) => {
            const particles = randomParticles(kernels.arena, 1001, 17);
            particles.uniforms.set([0.001, -0.004, 0], Uniform.gravity);
            particles.uniforms[Uniform.substepShare] = 0.25;
            const data = colliderData(kernels, SphereData.count, 0.5, (d) => sphere(d, [0.9, 0.4, 0.6], 0.6));
            data[Contact.restitution] = 0.6;
            data[Contact.dynamicMass] = 3;
            data.set([0.1, -0.2, 0.05], Contact.centre);
            collide(kernels, "detectSphereContacts", particles, data, (contacts) => (contacts.supportMode[0] = isHeeded));
            // Sums of a thousand.
            const given = data.slice(Contact.impulse, Contact.angularImpulse + 3).map((sum) => sum / 1000);
            expect(data[Contact.contactMass]).toBeGreaterThan(0);
            return { ...motionOf(particles), given };
        }, 1e-5);
    });

    test("a still sphere with friction; one particle at its very centre, pinned ones inside", () => {
        compare((kernels) => {
            const particles = randomParticles(kernels.arena, 40, 12);
            const data = colliderData(kernels, SphereData.count, 0.5, (d) => sphere(d, [0.5, 0.5, 0.5], 0));
            data.fill(0, Contact.motion, Contact.motion + 16);
            particles.positions.set(data.subarray(SphereData.centre, SphereData.centre + 3), 0);
            for (let o = 64; o < 128; o += 4) particles.positions[o] += 50;
            collide(kernels, "detectSphereContacts", particles, data);
            return motionOf(particles);
        }, 1e-5);
    });
});
