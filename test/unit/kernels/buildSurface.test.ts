/** Kernels that find the sticks, limits and stencils of a surface, order and weigh them: the same to the bit in WebAssembly as in the scalar ones. */
import { describe, expect, test } from "@jest/globals";
import type { Arena } from "../../../src/kernels/arena";
import { BendLineLayout, EdgeStickLayout, LINES, RestLayout, StraightLimitLayout } from "../../../src/kernels/restLayout";
import {
    BendShareLayout,
    StencilKind,
    StencilOrderLayout,
    StencilWeightLayout,
    StickOrderLayout,
    StickWeightLayout,
} from "../../../src/kernels/prepareLayout";
import { LimitRecord, LineStencilRecord, StencilRecord, StickRecord } from "../../../src/kernels/layout";
import { disc, grid, irregular, lying, sphere } from "../../physics/meshes";
import type { Sheet } from "../../physics/meshes";
import { seededRandom } from "../../random";
import { compareBits } from "./agreement";
import { allocateStruct, randomPositions } from "./arrays";

describe("a surface at rest", () => {
    /** Triangles between any particles: edges with many triangles, fans that end and begin anywhere. */
    function nonsense(): Sheet {
        const random = seededRandom(5);
        const triangles = Array.from({ length: 90 }, (_, t) => {
            const a = Math.floor(30 * random());
            return [a, (a + 1 + (t % 3)) % 30, (a + 5 + Math.floor(8 * random())) % 30];
        });
        return { positions: randomPositions(30, 5), triangles: Uint32Array.from(triangles.flat()) };
    }
    const meshes: Record<string, Sheet> = {
        grid: grid(20, 22, lying(1)),
        "long cells": grid(8, 24, lying(1)),
        wound: grid(24, 8, (u, v) => [Math.sin(7 * u), Math.cos(7 * u), v]),
        irregular: irregular(20, 20, lying(1), seededRandom(3), 0.35),
        disc: disc(24, 6, lying(1)),
        sphere: sphere(2),
        nonsense: nonsense(),
    };

    test.each(Object.keys(meshes))("%s: sticks, limits and stencils are the same", (name) => {
        const { positions, triangles } = meshes[name];
        const [particleCount, cornerCount] = [positions.length / 3, triangles.length];
        const fanSize = particleCount + cornerCount;
        const found = compareBits((kernels) => {
            const arena = kernels.arena as Arena;
            const rest = allocateStruct(arena, RestLayout, { particleCount, cornerCount, fanSize });
            rest.positions.set(positions);
            rest.triangles.set(triangles);
            kernels.surveySurface(rest);
            const triangleCount = cornerCount / 3;
            const sticks = allocateStruct(arena, EdgeStickLayout, { rest, particleCount, cornerCount, triangleCount });
            kernels.findSticks(sticks);
            // Of some there are more than there is room for.
            const limits = [1, 4, 16].map((span) => {
                const all = allocateStruct(arena, StraightLimitLayout, { rest, span, every: 1 + (span & 1), capacity: 200 });
                kernels.findStraightLimits(all);
                return all;
            });
            const stencils = [1, 3, 9].map((span) => {
                const numbers = { rest, particleCount, fanSize, span, capacity: 600, isChosen: span === 9 };
                const all = allocateStruct(arena, BendLineLayout, numbers);
                all.shares.set(sticks.areas);
                all.leastChords.forEach((_, l) => (all.leastChords[l] = (l % 4) * 0.1));
                kernels.findBendLines(all);
                return all;
            });
            const stickCount = sticks.counts[0];
            const sizes = { particleCount, spareParticle: particleCount };
            const kinds = [
                [true, StickRecord.count],
                [false, StickRecord.count],
                [false, LimitRecord.count],
            ] as const;
            const orders = kinds.map(([isSplit, recordSize]) => {
                const order = allocateStruct(arena, StickOrderLayout, {
                    ...sizes,
                    stickCount,
                    isSplit,
                    capacity: stickCount + 400,
                    recordSize,
                });
                order.particlesA.set(sticks.structuralA.subarray(0, stickCount));
                order.particlesB.set(sticks.structuralB.subarray(0, stickCount));
                order.restLengths.set(sticks.structuralLengths.subarray(0, stickCount));
                order.factors.set(sticks.structuralFactors.subarray(0, stickCount));
                order.splits.forEach((_, i) => (order.splits[i] = 1 + i));
                kernels.orderSticks(order);
                return order;
            });
            const weights = orders.slice(0, 2).map(({ laid: [count], isSplit, records, laidFactors, laidSplits }, i) => {
                const numbers = { stickCount: count, rowCount: particleCount + 4, isSplit, isExact: !isSplit };
                const copies = [
                    records.slice(0, (count / 4) * 20),
                    laidFactors.slice(0, count),
                    laidSplits.slice(0, isSplit ? 2 * count : 0),
                ];
                const all = allocateStruct(arena, StickWeightLayout, numbers);
                all.records.set(copies[0]);
                all.factors.set(copies[1]);
                all.splits.set(copies[2]);
                for (let p = 0; p < particleCount; p++) all.inverseMasses[p] = p % 7 === 0 ? 0 : 1 + (p % 5);
                all.parameters.set([i === 0 ? 200 : Infinity, 1e4, 1 + i]);
                kernels.weighSticks(all);
                return all;
            });
            const stencilCount = Math.min(600, stencils[0].found[0]);
            const laid = Object.values(StencilKind)
                .slice(0, -1)
                .map((kind) => {
                    const recordSize = kind === StencilKind.line ? LineStencilRecord.count : StencilRecord.count;
                    const numbers = { ...sizes, stencilCount, kind, recordSize, capacity: stencilCount + 100 };
                    const order = allocateStruct(arena, StencilOrderLayout, numbers);
                    for (const key of ["particles", "weights", "areas", "curvatures", "lines"] as const)
                        order[key].set(stencils[0][key].subarray(0, order[key].length));
                    kernels.orderStencils(order);
                    return order;
                });
            const bend = allocateStruct(arena, BendShareLayout, { particleCount, lineCount: LINES * particleCount });
            bend.areas.set(sticks.areas);
            for (let p = 0; p < particleCount; p++) bend.inverseMasses[p] = p % 3 === 0 ? 0 : 1 + (p % 5);
            bend.parameters.set([0.2, 1e4]);
            bend.stiffnesses.fill(1e-3);
            bend.left.forEach((_, l) => (bend.left[l] = (l % 11) * 1e-4));
            const shares = laid.map(({ laid: [recordCount], recordSize, records, laidAreas, laidLines }) => {
                const copies = [
                    records.slice(0, recordCount * recordSize),
                    laidAreas.slice(0, recordCount),
                    laidLines.slice(0, recordCount),
                ];
                const all = allocateStruct(arena, StencilWeightLayout, { bend, recordCount, recordSize });
                all.records.set(copies[0]);
                all.areas.set(copies[1]);
                all.lines.set(copies[2]);
                all.clamped[0] = 1.5;
                kernels.measureStencils(all);
                return all;
            });
            kernels.wantStencils(bend);
            kernels.markStencils(shares[1]);
            kernels.takeStiffness(bend);
            for (const all of shares) kernels.weighStencils(all);
            const arrays = [rest, sticks, ...limits, ...stencils, ...orders, ...laid, ...weights, bend, ...shares].flatMap(
                (struct, i) =>
                    Object.entries(struct)
                        .filter(
                            ([key, value]) => ArrayBuffer.isView(value) && !["descriptor", "remaining", "lastColor"].includes(key),
                        )
                        .map(([key, value]) => [`${i} ${key}`, (value as Float32Array).slice()] as const),
            );
            return Object.fromEntries(arrays);
        });
        expect(found["1 counts"][0]).toBeGreaterThan(0);
        expect(Math.max(...Array.from(found["5 found"]))).toBeGreaterThan(0);
        expect(found["8 laid"][0]).toBeGreaterThan(found["1 counts"][0]);
        expect(found["10 laid"][0] + found["11 laid"][0] + found["12 laid"][0]).toBeGreaterThanOrEqual(
            Math.min(600, found["5 found"][0]),
        );
    });
});
