import type { Arena } from "../../kernels/arena";
import type { TriangleArrays } from "../../kernels/layout";
import type { Kernels } from "../../kernels/kernelTable";
import { Body } from "./body";
import type { BodyDefinition } from "../state/bodyDefinition";
import { solverModule } from "../solvers/solvers.lazy";
import { FACE_RADIUS } from "../tunables";
import { constraintKinds, lengthKinds, passes, passesAfterContact } from "../solvers/xpbd/registry";
import type { Constraint } from "../state/constraint";
import type { WarpWeftFinder } from "../topology/warpWeft";
import type { ClothTopology } from "../topology/topology";
import type { ClothSettings } from "../state/settings";
import type { BodyState } from "../state/state";
import { excludingShear, complianceAlong, stiffnessAlong } from "../materials/warpWeftStiffness";
import type { SharedTriangles } from "../memory/sharedTriangles";

const noWarpWeft: WarpWeftFinder = () => {
    throw new Error("babylon-cloth: this sheet has no threads");
};

/** Outside of the plan, whose functions would hold the topology for as long as this one is held. */
const arealDensity = ({ fabric }: ClothSettings): number => fabric.arealDensity;

/**
 * The plan of a sheet: its mass is the fabric's areal density times area, and every kind of constraint binds it.
 * @param sharedTriangles the topology's, where they are in the arena already
 * @param threads left out: stiffnesses are the same along warp and weft
 */
export function clothDefinition(topology: ClothTopology, sharedTriangles?: SharedTriangles, threads = noWarpWeft): BodyDefinition {
    return {
        particleCount: topology.particleCount,
        shares: topology.areas,
        density: arealDensity,
        triangles: topology.triangles,
        sharedTriangles,
        constraints: Object.fromEntries(
            Object.entries(constraintKinds).map(([name, make]) => [
                name,
                (arena: Arena, _state: BodyState, triangles: TriangleArrays): Constraint =>
                    make(arena, topology, triangles, threads),
            ]),
        ),
        faceRadius: FACE_RADIUS,
        passes,
        passesAfterContact,
        lengthConstraints: lengthKinds,
    };
}

/**
 * A running sheet of cloth.
 * @param restPositions simulation space [m], shape [particleCount, 3]
 * @param origin world position of simulation space's origin [m]; kept
 * @param sharedTriangles the topology's, where they are in the arena already
 * @param threads left out: stiffnesses are the same along warp and weft
 * @throws RangeError when there is no memory left; Error where {@link solverModule} is asked for and not here
 */
export function createCloth(
    kernels: Kernels,
    topology: ClothTopology,
    restPositions: Float32Array,
    settings: ClothSettings,
    origin: Float64Array = new Float64Array(3),
    sharedTriangles?: SharedTriangles,
    threads?: WarpWeftFinder,
): Body {
    const plan = clothDefinition(topology, sharedTriangles, threads);
    const { solver } = settings;
    const chosen =
        solver === "xpbd"
            ? plan
            : solverModule.module.definitionFor(
                  solver,
                  plan,
                  { topology, warpWeft: threads ?? noWarpWeft, excludingShear: excludingShear, complianceAlong, stiffnessAlong },
                  kernels,
              );
    return new Body(kernels, chosen, restPositions, settings, origin);
}
