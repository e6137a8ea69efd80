import { describe, expect, test } from "@jest/globals";
import { DistanceConstraints } from "../../src/engine/solvers/xpbd/distanceConstraints";
import { buildTopology } from "../../src/engine/topology/topology";
import type { DistanceConstraintSet } from "../../src/engine/topology/stencilSet";
import type { ClothTopology } from "../../src/engine/topology/topology";
import { disc, grid, irregular, lying, sphere } from "./meshes";
import type { Sheet } from "./meshes";
import { weightsAt } from "./stickWeights";
import { makeCloth } from "./support";
import { seededRandom } from "../random";

const topologyOf = ({ positions, triangles }: Sheet): ClothTopology => buildTopology(positions, triangles);

const sheets: Record<string, Sheet> = {
    "one triangle": { positions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0), triangles: Uint32Array.of(0, 1, 2) },
    "grid, one-way diagonals": grid(9, 7, lying(2, 1)),
    "grid, alternating diagonals": grid(9, 7, lying(2, 1), "alternating"),
    disc: disc(24, 5, lying()),
    irregular: irregular(9, 9, lying(), seededRandom(1), 0.45),
    sphere: sphere(2),
};

const setsOf = (topology: ClothTopology): Record<string, DistanceConstraintSet> => ({
    structural: topology.structural,
    shear: topology.shear,
    unilateralLimits: topology.unilateralLimits,
    ...Object.fromEntries(topology.farUnilateralLimits.map((limits, i) => [`farUnilateralLimits ${i}`, limits])),
});

/** Area of the triangles [m²]. */
function areaOf({ positions: x, triangles }: Sheet): number {
    let sum = 0;
    for (let t = 0; t < triangles.length; t += 3) {
        const [a, b, c] = [0, 1, 2].map((k) => x.subarray(3 * triangles[t + k], 3 * triangles[t + k] + 3));
        const u = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
        const v = [c[0] - a[0], c[1] - a[1], c[2] - a[2]];
        sum += 0.5 * Math.hypot(u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]);
    }
    return sum;
}

describe.each(Object.keys(sheets))("topology of %s", (name) => {
    const sheet = sheets[name];
    const topology = topologyOf(sheet);
    const edges = new Set<string>();
    for (let i = 0; i < sheet.triangles.length; i++) {
        const p = sheet.triangles[i];
        const q = sheet.triangles[i % 3 === 2 ? i - 2 : i + 1];
        edges.add(p < q ? `${p} ${q}` : `${q} ${p}`);
    }
    const key = (set: DistanceConstraintSet, s: number): string =>
        `${Math.min(set.particlesA[s], set.particlesB[s])} ${Math.max(set.particlesA[s], set.particlesB[s])}`;

    test("the particles share the whole area", () => {
        expect(topology.areas.reduce((a, b) => a + b) / areaOf(sheet)).toBeCloseTo(1, 5);
        expect(Math.min(...topology.areas)).toBeGreaterThan(0);
    });

    test("every edge is a structural stick or a diagonal of a rectangle that has a shear stick, and no pair of particles has two", () => {
        const found = new Set<string>();
        for (const set of [topology.structural, topology.shear]) {
            for (let s = 0; s < set.particlesA.length; s++) {
                expect(found.has(key(set, s))).toBe(false);
                found.add(key(set, s));
                if (set === topology.structural) expect(edges.has(key(set, s))).toBe(true);
            }
        }
        for (const edge of edges) {
            if (found.has(edge)) continue;
            const [p, q] = edge.split(" ").map(Number);
            const across: number[] = [];
            for (let t = 0; t < sheet.triangles.length; t += 3) {
                const corners = Array.from(sheet.triangles.subarray(t, t + 3));
                if (corners.includes(p) && corners.includes(q)) across.push(...corners.filter((r) => r !== p && r !== q));
            }
            expect(found.has(across.sort((a, b) => a - b).join(" "))).toBe(true);
        }
    });

    test("sticks are as long as they lie, long limits at least; stiffness is positive and finite", () => {
        for (const [kind, set] of Object.entries(setsOf(topology))) {
            for (let s = 0; s < set.particlesA.length; s++) {
                const [a, b] = [set.particlesA[s], set.particlesB[s]].map((p) => sheet.positions.subarray(3 * p, 3 * p + 3));
                const length = Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
                if (kind.includes("Limits")) expect(set.restLengths[s]).toBeGreaterThan(length * (1 - 1e-5));
                else expect(set.restLengths[s]).toBeCloseTo(length, 5);
                expect(set.stiffnessFactors[s]).toBeGreaterThan(0);
                expect(set.stiffnessFactors[s]).toBeLessThan(Infinity);
            }
        }
    });

    test("no two sticks of a colour share a particle; a colour of four lanes neither; padding is the spare particle's", () => {
        const cloth = makeCloth(topology);
        const kinds = cloth.constraints.filter((c): c is DistanceConstraints => c instanceof DistanceConstraints);
        expect(kinds).not.toEqual([]);
        for (const sticks of kinds) {
            expect(sticks.constraintCount % 4).toBe(0);
            let real = 0;
            let lanes = new Set<number>();
            for (let s = 0; s < sticks.constraintCount; s += 4) {
                // Two records in a row share no particle either.
                const before = lanes;
                lanes = new Set<number>();
                for (let lane = s; lane < s + 4; lane++) {
                    const { a, b, restLength } = sticks.constraintAt(lane);
                    if (a === cloth.state.spareParticle) {
                        expect(b).toBe(a);
                        const [weightA, weightB] = weightsAt(sticks, lane, cloth.state);
                        expect(weightA + weightB + restLength).toBe(0);
                        continue;
                    }
                    real++;
                    expect(lanes.has(a) || lanes.has(b) || before.has(a) || before.has(b) || a === b).toBe(false);
                    lanes.add(a).add(b);
                }
            }
            expect(real).toBe(sticks.count);
        }
    });
});

describe("sticks of a grid of m × n quads", () => {
    const [m, n] = [9, 7];

    test.each(["oneWay", "alternating"] as const)(
        "%s diagonals: edges structural, one diagonal of each shear, in turns, colours few",
        (diagonals) => {
            const topology = topologyOf(grid(m, n, lying(m, n), diagonals));
            expect(topology.structural.particlesA.length).toBe(m * (n + 1) + n * (m + 1));
            expect(topology.shear.particlesA.length).toBe(m * n);
            const isEven = (p: number): boolean => ((p % (m + 1)) + Math.floor(p / (m + 1))) % 2 === 0;
            expect(new Set([...topology.shear.particlesA, ...topology.shear.particlesB].map(isEven)).size).toBe(1);
        },
    );

    test("inner edges carry the fabric's stiffness once, border edges half, diagonals that of both of a square", () => {
        const { structural, shear } = topologyOf(grid(m, n, lying(m, n)));
        const isBorder = (p: number): boolean => p % (m + 1) === 0 || p % (m + 1) === m || p <= m || p >= n * (m + 1);
        structural.particlesA.forEach((a, s) => {
            const b = structural.particlesB[s];
            const alongBorder =
                isBorder(a) &&
                isBorder(b) &&
                !(Math.abs(a - b) === m && n > 1) &&
                (a % (m + 1) === b % (m + 1) ? a % (m + 1) === 0 || a % (m + 1) === m : a <= m || a >= n * (m + 1));
            expect(structural.stiffnessFactors[s]).toBeCloseTo(alongBorder ? 0.5 : 1, 5);
        });
        for (const factor of shear.stiffnessFactors) expect(factor).toBeCloseTo(2, 5);
    });

    test("a closed surface has no border: 128 triangles have 192 edges", () => {
        const { structural, shear } = topologyOf(sphere(2));
        // What is no structural stick is a diagonal of a rectangle, of which one or both are shear sticks.
        const rectangleCount = 192 - structural.particlesA.length;
        expect(shear.particlesA.length).toBeGreaterThan(rectangleCount);
        expect(shear.particlesA.length).toBeLessThanOrEqual(2 * rectangleCount);
    });
});

test.each([
    ["in the plane of x and y", (u: number, v: number) => [u, v, 0]],
    ["of y and z", (u: number, v: number) => [0, u, v]],
    ["of z and x", (u: number, v: number) => [v, 0, u]],
    ["tilted", (u: number, v: number) => [0.6 * u, 0.8 * u, v]],
] as const)(
    "limits run along the straight edges of a grid, far ones on the bias, too, and its squares are found: %s",
    (_, place) => {
        const [m, n] = [9, 7];
        const { unilateralLimits, farUnilateralLimits, shear, structural } = topologyOf(
            grid(m, n, (u, v) => place(m * u, n * v) as [number, number, number]),
        );
        const pairs = Array.from(unilateralLimits.particlesA, (a, s) => [a, unilateralLimits.particlesB[s]].sort((p, q) => p - q));
        // Along rows and columns, from every particle that has two edges before it.
        expect(pairs.filter(([a, b]) => b - a === 2 && (a % (m + 1)) + 2 <= m).length).toBe((m - 1) * (n + 1));
        expect(pairs.filter(([a, b]) => b - a === 2 * (m + 1)).length).toBe((n - 1) * (m + 1));
        expect(pairs.length).toBe((m - 1) * (n + 1) + (n - 1) * (m + 1));
        for (const length of unilateralLimits.restLengths) expect(length).toBeCloseTo(2, 4);
        const [, diagonal, , , straight] = farUnilateralLimits;
        expect(straight.particlesA.length).toBe((m - 3) * (n + 1) + (n - 3) * (m + 1));
        for (const length of straight.restLengths) expect(length).toBeCloseTo(4, 4);
        // From every fourth: of the even ones, half.
        expect(diagonal.particlesA.length).toBe(12);
        for (const length of diagonal.restLengths) expect(length).toBeCloseTo(4 * Math.SQRT2, 4);
        expect(shear.particlesA.length).toBe(m * n);
        expect(structural.particlesA.length).toBe(m * (n + 1) + n * (m + 1));
    },
);

test("a third triangle on an edge adds its own edges and no second stick", () => {
    // Three leaves of a book around the spine 0–1.
    const positions = Float32Array.of(0, 0, 0, 0, 0, 1, 1, 0, 0.3, -0.4, 1, 0.7, -0.6, -1, 0.4);
    const { structural, shear, areas } = topologyOf({ positions, triangles: Uint32Array.of(0, 1, 2, 1, 0, 3, 0, 1, 4) });
    const pairs = ({ particlesA, particlesB }: DistanceConstraintSet): string[] =>
        Array.from(particlesA, (a, s) => [a, particlesB[s]].sort((p, q) => p - q).join()).sort();
    expect(pairs(structural)).toEqual(["0,1", "0,2", "0,3", "0,4", "1,2", "1,3", "1,4"]);
    expect(pairs(shear)).toEqual([]);
    expect(Math.min(...areas)).toBeGreaterThan(0.1);
});

/** Shear sticks of a quad in two triangles that share its corners 0 and 2, in a plane tilted against all axes. */
function shearCountOf(corners: readonly (readonly [number, number, number])[]): number {
    const positions = Float32Array.from(
        corners.flatMap(([x, y, z]) => [0.6 * x - 0.8 * z, 0.48 * x + 0.8 * y + 0.36 * z, 0.64 * x - 0.6 * y + 0.48 * z]),
    );
    return topologyOf({ positions, triangles: Uint32Array.of(0, 1, 2, 0, 2, 3) }).shear.particlesA.length;
}

test.each([0, 1, 2, 3])("a quad is a rectangle unless a corner is further than 20 degrees from right: corner %d", (corner) => {
    const shearCount = (out: number, axis: 1 | 2): number => {
        const square = [0, 1, 2, 3].map((k): [number, number, number] => {
            const u = (k === 1 || k === 2 ? 1 : 0) + (k === corner ? (k === 1 || k === 2 ? out : -out) : 0);
            const v = (k >= 2 ? 1 : 0) + (k === corner ? (k >= 2 ? out : -out) : 0);
            return axis === 1 ? [u, v, 0] : [u, 0, v];
        });
        return shearCountOf(square);
    };
    // Moved out by t along both sides, the cosine of its angle is 2 t (1 + t) / (t² + (1 + t)²).
    for (const axis of [1, 2] as const) {
        expect([-0.2, -0.1, 0, 0.15, 0.25].map((out) => shearCount(out, axis))).toEqual([0, 1, 1, 1, 0]);
    }
});

test("a quad is a rectangle unless it is folded by more than 11 degrees", () => {
    const folded = (angle: number): number => {
        const [flat, up] = [Math.cos(angle) * Math.SQRT1_2, Math.sin(angle) * Math.SQRT1_2];
        const half = Math.SQRT1_2;
        return shearCountOf([
            [half, 0, 0],
            [0, half, 0],
            [-half, 0, 0],
            [0, -flat, up],
        ]);
    };
    expect([-0.25, -0.18, 0, 0.18, 0.25, 1].map(folded)).toEqual([0, 1, 1, 1, 0, 0]);
});
