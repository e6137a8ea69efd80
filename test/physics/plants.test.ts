import { describe, expect, test } from "@jest/globals";
import type { Body } from "../../src/engine/index";
import { findComponents } from "../../src/engine/topology/meshComponents";
import { findVolumeSprings } from "../../src/engine/topology/volumeSprings";
import { buildTopology } from "../../src/engine/topology/topology";
import { grid, sphere } from "./meshes";
import { boxMesh, makePlant } from "./plants";
import { addCollider, at, G, lowest, pose, runSeconds } from "./support";

/** Particles above a height. */
const above = (positions: Float32Array, height: number): number[] =>
    Array.from({ length: positions.length / 3 }, (_, i) => i).filter((i) => positions[3 * i + 1] > height);

function volumeOf(body: Body, triangles: Uint32Array): number {
    let volume = 0;
    for (let t = 0; t < triangles.length; t += 3) {
        const [a, b, c] = [0, 1, 2].map((k) => at(body, triangles[t + k]));
        volume += a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
    }
    return volume / 6;
}

/** Largest distance of a particle from its place at rest [m]. */
function farthest(body: Body, positions: Float32Array): number {
    return Math.max(
        ...Array.from({ length: body.state.particleCount }, (_, i) => {
            const [x, y, z] = at(body, i);
            return Math.hypot(x - positions[3 * i], y - positions[3 * i + 1], z - positions[3 * i + 2]);
        }),
    );
}

describe("supports", () => {
    test("parts: what is closed has its volume, what is not has none", () => {
        const box = boxMesh([1, 2, 3], [2, 2, 2]);
        const sheet = grid(2, 2, (u, v) => [5 + u, v, 0]);
        const count = box.positions.length / 3;
        const positions = Float32Array.from([...box.positions, ...sheet.positions]);
        const triangles = Uint32Array.from([...box.triangles, ...sheet.triangles.map((i) => i + count)]);
        const { components: parts, componentOfParticle: partOfParticle } = findComponents(positions, triangles);
        expect(parts.map(({ isClosed }) => isClosed)).toEqual([true, false]);
        expect(parts[0].volume).toBeCloseTo(6, 5);
        expect(parts.map(({ area }) => area)).toEqual([22, 1]);
        expect([partOfParticle[0], partOfParticle[count]]).toEqual([0, 1]);
        // Inside out, it is the same.
        const turned = findComponents(positions, triangles.slice().reverse());
        expect(turned.components[0].volume).toBeCloseTo(6, 5);
        expect(turned.components[0].facesOut).toBe(!parts[0].facesOut);
    });

    test.each([false, true])("a ball has sticks through its middle (inside out: %p), and no two of a pair", (isTurned) => {
        const ball = sphere(2);
        const triangles = isTurned ? ball.triangles.slice().reverse() : ball.triangles;
        const topology = buildTopology(ball.positions, triangles);
        const { particlesA, particlesB, restLengths } = findVolumeSprings(
            topology,
            findComponents(ball.positions, triangles),
            topology.areas,
        );
        const count = topology.particleCount;
        const through = new Set<number>();
        restLengths.forEach((length, s) => {
            // The diameter, as a share of the bounding box's diagonal.
            if (length > (0.9 * topology.size) / Math.sqrt(3)) [particlesA[s], particlesB[s]].forEach((i) => through.add(i));
        });
        expect(through.size).toBe(count);
        const keys = Array.from(particlesA, (a, s) => [a, particlesB[s]].sort((x, y) => x - y).join());
        expect(new Set(keys).size).toBe(keys.length);
    });

    test("a sheet has none across", () => {
        const sheet = grid(8, 8, (u, v) => [u, v, 0]);
        const topology = buildTopology(sheet.positions, sheet.triangles);
        const { particlesA } = findVolumeSprings(topology, findComponents(sheet.positions, sheet.triangles), topology.areas);
        const { structural, shear, unilateralLimits } = topology;
        const most = [structural, shear, unilateralLimits].reduce((sum, set) => sum + set.particlesA.length, 0);
        expect(particlesA.length).toBeLessThanOrEqual(most);
    });
});

describe("plants", () => {
    // A bar that hangs grows by ρ g L² / 2E.
    test.each([[2, 4], [4, 4], ...[[4, 16]]])(
        "stiffness is Young's modulus within a factor of two: %i cells across, %i substeps",
        (cells, substepCount) => {
            const [length, across, stiffness] = [0.5, 0.1, 2e4];
            const bar = boxMesh([across, length, across], [cells, 5 * cells, cells]);
            const body = makePlant(bar, {
                substepCount,
                plant: { stiffness },
                fabric: { damping: 4 },
                pinned: above(bar.positions, 0.499 * length),
            });
            runSeconds(body, 2);
            const theory = (1000 * G * length * length) / (2 * stiffness);
            const grown = (-lowest(body) - length / 2) / theory;
            expect(grown).toBeGreaterThan(0.5);
            expect(grown).toBeLessThan(1.5);
        },
    );

    // A cantilever's first mode, 0.56 √(E h² / 12 ρ) / L² [Hz]: as soft as it can be modelled, and whatever the mesh.
    test.each([10, 20])("a stem sways at its own pace, and springs back to its shape: %i cells along", (cells) => {
        const [length, across, stiffness] = [0.8, 0.1, 1e6];
        const stem = boxMesh([across, length, across], [cells / 10, cells, cells / 10].map(Math.ceil));
        const root = above(
            stem.positions.map((y) => -y),
            0.499 * length,
        );
        const options = { gravity: [0, 0, 0] as const, plant: { stiffness }, pinned: root };
        const body = makePlant(stem, options);
        runSeconds(body, 0.1);
        expect(farthest(body, stem.positions)).toBeLessThan(1e-5);
        body.applyImpulse(0, 0.4, 0, 0.5, 0, 0, 0.3);
        const tip = stem.positions.findIndex((y, k) => k % 3 === 1 && y > 0.499 * length);
        const turns: number[] = [];
        let [before, most] = [0, 0];
        for (let step = 0; step < 240; step++) {
            runSeconds(body, 1 / 60);
            const aside = at(body, (tip - 1) / 3)[0] - stem.positions[tip - 1];
            if (before * aside < 0) turns.push(step / 60);
            [before, most] = [aside, Math.max(most, Math.abs(aside))];
        }
        expect(most).toBeGreaterThan(0.02);
        const frequency = (turns.length - 1) / 2 / (turns[turns.length - 1] - turns[0]);
        const theory = (0.56 * Math.sqrt((stiffness * across * across) / 12 / 1000)) / (length * length);
        expect(frequency / theory).toBeGreaterThan(0.8);
        expect(frequency / theory).toBeLessThan(1.35);
        body.settings.fabric = { ...body.settings.fabric, damping: 4 };
        body.invalidate();
        runSeconds(body, 5);
        expect(farthest(body, stem.positions)).toBeLessThan(1e-3);
    });

    test("a jelly falls on the floor, wobbles, and keeps its room", () => {
        const jelly = boxMesh([0.2, 0.2, 0.2], [5, 5, 5]);
        const body = makePlant(jelly, {
            plant: { stiffness: 5e4 },
            fabric: { damping: 2, friction: 0.5, thickness: 0.002 },
        });
        const whole = volumeOf(body, jelly.triangles);
        expect(whole).toBeCloseTo(0.008, 6);
        addCollider(body, "halfSpace", pose([0, -0.15, 0], [1, 1, 1], -Math.PI / 2, "x"));
        let least = 1;
        let flattest = 1;
        runSeconds(body, 4, () => {
            least = Math.min(least, volumeOf(body, jelly.triangles) / whole);
            const heights = Array.from({ length: body.state.particleCount }, (_, i) => at(body, i)[1]);
            flattest = Math.min(flattest, (Math.max(...heights) - Math.min(...heights)) / 0.2);
        });
        expect(flattest).toBeLessThan(0.95);
        expect(least).toBeGreaterThan(0.5);
        expect(volumeOf(body, jelly.triangles) / whole).toBeGreaterThan(0.9);
        expect(lowest(body)).toBeCloseTo(-0.148, 2);
    });
});

// What jerks every particle at random, in shapes with every kind of stick, at any stiffness, dies away.
test.each([
    ["box", boxMesh([0.3, 0.2, 0.1], [6, 4, 2])],
    ["ball", sphere(2)],
    ["blade", grid(3, 20, (u, v) => [0.03 * u, 0.5 * v, 0])],
    ["bowl", grid(10, 10, (u, v) => [u - 0.5, (u - 0.5) ** 2 + (v - 0.5) ** 2, v - 0.5])],
])("there is no energy from nothing: %s", (_name, mesh) => {
    for (const substepCount of [1, 4])
        for (const stiffness of [1e3, 1e6, Infinity]) {
            const body = makePlant(mesh, { gravity: [0, 0, 0], substepCount, plant: { stiffness } });
            let random = 12345;
            const { positions, previous, particleCount } = body.state;
            const substep = 1 / 60 / substepCount;
            for (let i = 0; i < particleCount; i++)
                for (let c = 0; c < 3; c++) {
                    random = (random * 1103515245 + 12345) & 0x7fffffff;
                    previous[4 * i + c] = positions[4 * i + c] - (random / 0x7fffffff - 0.5) * substep;
                }
            const energy = (): number => body.masses.kineticEnergy(substep);
            const given = energy();
            runSeconds(body, 1);
            expect(energy()).toBeLessThan(given);
            const left = energy();
            runSeconds(body, 2);
            // What turns may do so a little faster: a body that is stiff keeps its angular momentum, not each of its turns.
            expect(energy()).toBeLessThan(1.05 * left + 1e-3 * given);
        }
});
