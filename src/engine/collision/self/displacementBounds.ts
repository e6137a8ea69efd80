import { SelfCollisionParameter } from "../../../kernels/selfCollisionLayout";
import type { SelfCollisionArrays } from "../../../kernels/selfCollisionLayout";
import type { KernelFunctions } from "../../../kernels/kernelTable";
import type { CollisionProxy } from "./collisionProxy";

/** The diagonal of a cube over twice its half: within a box as large, nothing is farther from its middle than by half of this less. */
const CORNER_FACTOR = Math.sqrt(3);

/** Measures the box of the displacements since the points were noted: where all move along, that does not count. */
export function measureDisplacements(
    kernels: KernelFunctions,
    proxies: readonly CollisionProxy[],
    { numbers }: SelfCollisionArrays,
): void {
    const isAnyAsleep = areAnyAsleep(proxies);
    // What is asleep does not move.
    for (let c = 0; c < 3; c++) {
        numbers[SelfCollisionParameter.minDisplacement + c] = isAnyAsleep ? 0 : Infinity;
        numbers[SelfCollisionParameter.maxDisplacement + c] = isAnyAsleep ? 0 : -Infinity;
    }
    for (let i = 0; i < proxies.length; i++) {
        const { body } = proxies[i];
        if (!body.isAsleep) kernels.measureDisplacements(body.state, proxies[i]);
    }
}

/** True if the relative motion of particles since the reference positions is within the limit [m]: bound by the diagonal of the box of displacements. */
export function isBoxWithin(
    kernels: KernelFunctions,
    proxies: readonly CollisionProxy[],
    shared: SelfCollisionArrays,
    most: number,
): boolean {
    measureDisplacements(kernels, proxies, shared);
    return squaredDiagonal(shared) <= most * most;
}

/** True if the relative motion is within the limit; tighter bound by the farthest displacement from the box's centre, too. Random jitter reaches no corner of the box. */
export function areDisplacementsWithin(
    kernels: KernelFunctions,
    proxies: readonly CollisionProxy[],
    shared: SelfCollisionArrays,
    most: number,
): boolean {
    measureDisplacements(kernels, proxies, shared);
    const squared = squaredDiagonal(shared);
    if (squared <= most * most) return true;
    if (!(squared <= (CORNER_FACTOR * most) ** 2)) return false;
    const { numbers } = shared;
    numbers[SelfCollisionParameter.maxSquaredDeviation] = areAnyAsleep(proxies) ? squaredMiddle(shared) : 0;
    for (let i = 0; i < proxies.length; i++) {
        const { body } = proxies[i];
        if (!body.isAsleep) kernels.measureMaxDeviation(body.state, proxies[i]);
    }
    return 4 * numbers[SelfCollisionParameter.maxSquaredDeviation] <= most * most;
}

function squaredDiagonal({ numbers }: SelfCollisionArrays): number {
    let squared = 0;
    for (let c = 0; c < 3; c++)
        squared += (numbers[SelfCollisionParameter.maxDisplacement + c] - numbers[SelfCollisionParameter.minDisplacement + c]) ** 2;
    return squared;
}

/** Of how far the middle of the box is from what has not moved. */
function squaredMiddle({ numbers }: SelfCollisionArrays): number {
    let squared = 0;
    for (let c = 0; c < 3; c++)
        squared +=
            ((numbers[SelfCollisionParameter.maxDisplacement + c] + numbers[SelfCollisionParameter.minDisplacement + c]) / 2) ** 2;
    return squared;
}

function areAnyAsleep(proxies: readonly CollisionProxy[]): boolean {
    for (let i = 0; i < proxies.length; i++) if (proxies[i].body.isAsleep) return true;
    return false;
}
