import { forEachContact, linksOf, reject } from "../../engine/index";
import type { BodyInstance } from "../behaviors/bodyInstance";
import { runtimeOf } from "../behaviors/bodyRuntime";
import { ViewedCloth } from "./viewedCloth";
import type { AnyCloth } from "./viewedCloth";

const OWNER = "ClothMeasures";

/**
 * Measures of a running cloth by particle, for heat maps: `cloth.particleOfVertex(i)` is the particle of a vertex. For debugging, not for every
 * frame of a game: each call reads all constraints. `target`, if given, is written and returned. Both throw a
 * RangeError if the cloth is not on a mesh, or the target is shorter than the number of particles.
 */
export const ClothMeasures = {
    /** Largest elongation of the distance constraints along mesh edges at a particle, max(0, length / rest - 1). */
    stretch(cloth: AnyCloth, target?: Float32Array): Float32Array {
        const instance = instanceOf("stretch(cloth)", cloth);
        const stretch = prepareTarget("stretch(target)", instance, target);
        const shown = new ViewedCloth(instance);
        shown.update();
        const x = shown.points;
        const { pairs, lengths } = shown.pairsOf("structural");
        for (let i = 0; i < lengths.length; i++) {
            const a = 3 * pairs[2 * i];
            const b = 3 * pairs[2 * i + 1];
            const strain = Math.hypot(x[b] - x[a], x[b + 1] - x[a + 1], x[b + 2] - x[a + 2]) / lengths[i] - 1;
            for (const end of [a / 3, b / 3]) stretch[end] = Math.max(stretch[end], strain);
        }
        return stretch;
    },

    /**
     * Frame time by particle [ms], from `cloth.stats.milliseconds`: time of constraints in proportion to the constraints at a particle, time of contacts
     * in proportion to its contacts, the rest in equal shares. The sum is the frame's total; zeros before the first measured frame.
     */
    cost(cloth: AnyCloth, target?: Float32Array): Float32Array {
        const instance = instanceOf("cost(cloth)", cloth);
        const cost = prepareTarget("cost(target)", instance, target);
        const body = instance.cloth;
        const count = body.state.particleCount;
        const { constraints, contacts, recovery, total } = cloth.stats.milliseconds;
        const collide = contacts + recovery;
        const ends = new Float64Array(count);
        for (const constraint of body.constraints) for (const particle of linksOf(constraint).pairs) ends[particle]++;
        const touches = new Float64Array(count);
        forEachContact(body, (particles, shares) => particles.forEach((particle, k) => (touches[particle] += shares[k])));
        const shareOfEnds = shares(ends);
        const shareOfTouches = shares(touches);
        const rest = (total - constraints - collide) / count;
        for (let i = 0; i < count; i++) cost[i] = rest + constraints * shareOfEnds(i) + collide * shareOfTouches(i);
        return cost;
    },
};

/** Share of each weight in the sum; equal shares if the sum is 0. */
function shares(weights: Float64Array): (index: number) => number {
    const sum = weights.reduce((total, weight) => total + weight, 0);
    return sum > 0 ? (i) => weights[i] / sum : () => 1 / weights.length;
}

function instanceOf(option: string, cloth: AnyCloth): BodyInstance {
    return runtimeOf(cloth)?.instance ?? reject(OWNER, option, "a ClothBehavior on a mesh", cloth);
}

/** Zeros, one a particle. */
function prepareTarget(option: string, { cloth }: BodyInstance, target: Float32Array | undefined): Float32Array {
    const count = cloth.state.particleCount;
    if (target === undefined) return new Float32Array(count);
    if (!(target instanceof Float32Array && target.length >= count)) reject(OWNER, option, `a Float32Array of ${count}`, target);
    return target.fill(0, 0, count);
}
