import type { Arena } from "../../../kernels/arena";
import type { TriangleArrays } from "../../../kernels/layout";
import { rebuildable } from "../../topology/topology";
import type { WarpWeftFinder } from "../../topology/warpWeft";
import type { ClothTopology } from "../../topology/topology";
import type { Slices } from "../../time/slices";
import { Bend } from "./bend";
import type { Constraint } from "../../state/constraint";
import { FarUnilateralLimits } from "./farUnilateralLimits";
import { UnilateralLimits } from "./unilateralLimits";
import { diagonalSplits, massSplits } from "./splitMasses";
import { orderedDistancesOf, DistanceConstraints } from "./distanceConstraints";
import type { OrderedDistances } from "./distanceConstraints";
import { orderedStructuralOf, Structural } from "./structuralConstraints";
import { Tethers } from "./tethers";

/**
 * Makes all constraints of one kind in a cloth.
 * @param triangles the topology's, as the body holds them
 * @param threads for fabrics whose stiffness differs along warp and weft
 */
export type ConstraintKind = (
    arena: Arena,
    topology: ClothTopology,
    triangles: TriangleArrays,
    threads: WarpWeftFinder,
) => Constraint;

function orderShear({ shear, positions }: ClothTopology): OrderedDistances {
    return orderedDistancesOf(shear, positions, diagonalSplits);
}

/** Orders a topology's distance constraints in slices: cloths of that topology then find them ordered. */
export function* orderSlices(topology: ClothTopology): Slices<void> {
    orderShear(topology);
    yield;
    orderedStructuralOf(topology);
    for (const limits of [topology.unilateralLimits, ...topology.farUnilateralLimits]) {
        yield;
        orderedDistancesOf(limits, topology.positions, massSplits, true);
    }
}

/** The kinds of constraints by name. A new kind is one file, its kernel, its test and one line here. */
export const constraintKinds = {
    bend: (arena, topology, triangles, threads) => new Bend(arena, topology, triangles, threads),
    shear: (arena, topology, triangles) => new DistanceConstraints(arena, rebuildable(topology, triangles, orderShear), "shear"),
    structural: (arena, topology, triangles, threads) => new Structural(arena, topology, triangles, threads),
    farUnilateralLimits: (arena, topology, triangles, threads) => new FarUnilateralLimits(arena, topology, triangles, threads),
    unilateralLimits: (arena, topology, triangles, threads) =>
        new UnilateralLimits(arena, topology, triangles, "unilateralLimits", threads),
    tethers: (arena, topology, triangles, threads) => new Tethers(arena, topology, triangles, threads),
} as const satisfies Record<string, ConstraintKind>;

/** The kinds that hold the material's own lengths: their elongation is the stretch that `stats` tells. */
export const lengthKinds: readonly (keyof typeof constraintKinds)[] = ["structural"];

/**
 * The passes of a substep, in order. What holds over a long distance comes before what holds over a short one, and what matters
 * most comes last; tethers both come early and have the last word. Measured: see docs/design-solver.md.
 */
export const passes: readonly (keyof typeof constraintKinds)[] = [
    "bend",
    "shear",
    "farUnilateralLimits",
    "unilateralLimits",
    "tethers",
    "structural",
    "tethers",
];

/**
 * Passes after contact, before a second contact: friction holds particles where sticks are still stretched, since one pass
 * pulls far less than an inextensible thread would. Halves the largest stretch of cloth that lies on something.
 */
export const passesAfterContact: readonly (keyof typeof constraintKinds)[] = ["structural"];
