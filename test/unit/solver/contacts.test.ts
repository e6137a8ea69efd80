import { expect, test } from "@jest/globals";
import { resolveParticles, Contacts } from "../../../src/engine/collision/response/contactResolver";
import { HalfSpaceCollider } from "../../../src/engine/collision/shapes/halfSpace";
import { QuadCollider } from "../../../src/engine/collision/shapes/quad";
import { SphereCollider } from "../../../src/engine/collision/shapes/sphere";
import type { Collider } from "../../../src/engine/index";
import { randomParticles } from "../kernels/arrays";
import { kernelsOf, PLAIN, pose } from "../../physics/support";

const THICKNESS = 0.05;

/** Counts how often supports are looked for where a ball of radius 0.5 m meets particles at a height over a plane. */
function supportsLookedFor(height: number, isHalfSpace: boolean, side = 1): number {
    const kernels = kernelsOf();
    const particles = randomParticles(kernels.arena, 50, 1);
    let count = 0;
    const counting = { ...kernels, detectSupports: () => void count++ };
    const ball = new SphereCollider(kernels.arena);
    const plane = isHalfSpace ? new HalfSpaceCollider(kernels.arena) : new QuadCollider(kernels.arena, 50);
    const place = (collider: Collider, at: Float64Array): void => {
        collider.setPose(at);
        collider.beginStep({ fraction: 1 });
        collider.moveTo(1, 1, { ...PLAIN, thickness: THICKNESS });
        collider.isNear = true;
    };
    place(ball, pose([0, 0, 0], [0.5, 0.5, 0.5]));
    place(plane, pose([0, -height, 0], [9, 9, 1], -Math.PI / 2, "x"));
    if (!isHalfSpace) {
        for (let o = 1; o < particles.previous.length; o += 4) particles.previous[o] = -height + side;
        plane.prepareContacts(kernels, particles);
    }
    const none = { triangleCount: 0, triangles: new Uint32Array(), descriptor: new Uint32Array() };
    const contacts = new Contacts(kernels, particles, none, null);
    contacts.begin([ball, plane], 2, 1);
    resolveParticles(counting, particles, contacts, ball);
    expect(contacts.recordCount[0]).toBeGreaterThan(0);
    return count;
}

test.each([true, false])("no support is looked for out of a ball's reach (half-space: %s)", (isHalfSpace) => {
    expect(supportsLookedFor(0.5 + 2 * THICKNESS + 0.01, isHalfSpace)).toBe(0);
    expect(supportsLookedFor(0.5 + 2 * THICKNESS - 0.01, isHalfSpace)).toBe(1);
});

test("a rectangle that holds particles on its back supports them wherever the ball is", () => {
    expect(supportsLookedFor(0.7, false, -1)).toBe(1);
});
