import type { Body } from "../../src/engine/index";
import type { FarUnilateralLimits } from "../../src/engine/solvers/xpbd/farUnilateralLimits";
import type { DistanceConstraints } from "../../src/engine/solvers/xpbd/distanceConstraints";
import { slotOf } from "../../src/engine/solvers/xpbd/distanceConstraints";
import { LimitRecord, particleAt, DistanceRecord } from "../../src/kernels/layout";
import type { LimitArrays, DistanceArrays } from "../../src/kernels/layout";
import type { BodyState } from "../../src/engine/state/state";

/** By what shares of its strain the ends of stick `s` move, when it is alone. */
export function weightsAt(sticks: DistanceConstraints, s: number, { inverseMasses }: BodyState): [a: number, b: number] {
    const { recordFloats } = sticks;
    if (!areLimits(sticks))
        return [recordFloats[slotOf(s, DistanceRecord.weightsA)], recordFloats[slotOf(s, DistanceRecord.weightsB)]];
    const { a, b } = sticks.constraintAt(s);
    const [wa, wb] = [inverseMasses[a], inverseMasses[b]];
    const { overRelaxation: pull } = sticks as unknown as LimitArrays;
    const share = (wa > 0 && wb > 0 ? pull[0] : 1) / (wa + wb || 1);
    return [share * wa, share * wb];
}

/** Whether records are limits' between whole masses. */
function areLimits({ records, constraintCount }: DistanceArrays): boolean {
    return 4 * records.length === constraintCount * LimitRecord.count;
}

/** Takes the marks off records, if they are such limits': those tell what has pulled, and change no bit of what moves. */
export function clearMarks(sticks: DistanceArrays): Uint32Array {
    const { records } = sticks;
    for (let r = 0; areLimits(sticks) && r < records.length; r += LimitRecord.count) records.subarray(r, r + 2).sort();
    return records;
}

/** Records that are marked, each as its limits' pairs of particles. */
export function markedOf(sticks: DistanceArrays): [a: number, b: number][][] {
    const { records } = sticks;
    const marked: [number, number][][] = [];
    for (let r = 0; areLimits(sticks) && r < records.length; r += LimitRecord.count) {
        const pairs = [0, 2, 4, 6].map((i): [number, number] => [particleAt(records[r + i]), particleAt(records[r + i + 1])]);
        if (records[r] > records[r + 1]) marked.push(pairs);
    }
    return marked;
}

/** Long and far limits of a body. */
export function limitsOf({ constraints }: Body): DistanceConstraints[] {
    return constraints.flatMap((each) =>
        each.name === "farUnilateralLimits"
            ? (each as FarUnilateralLimits).levels
            : each.name === "unilateralLimits"
              ? [each as DistanceConstraints]
              : [],
    );
}

/** Pairs of particles that marked limits join, whose masses are not the same. */
export function wronglyMarked(body: Body): [a: number, b: number][] {
    const { inverseMasses: w } = body.state;
    const pairs = limitsOf(body).flatMap((limits) => markedOf(limits).flat());
    return pairs.filter(([a, b]) => !(Math.abs(w[a] - w[b]) < 2e-5 * w[a]));
}
