import { identity, multiply } from "../../engine/index";
import type { Affine, Body } from "../../engine/index";
import type { BodyBinding, SavedMotion, WorldEdit } from "./bodyKind";
import type { SimulationSpace } from "./simulationSpace";

/** The parts of a body's instance that its motion is in. */
interface MovingBody {
    readonly cloth: Body;
    readonly binding: BodyBinding;
    readonly space: SimulationSpace;
}

/** Copies of positions and velocities of the particles. */
export function readMotion({ cloth, binding, space: { origin } }: MovingBody, worldTime: number): SavedMotion {
    cloth.collisionProxy?.restoreSubsteps();
    for (const set of cloth.pins) set.placeNow(cloth.state);
    const { substep, definition: plan, state } = cloth;
    const particleOfVertex = binding.particleOfVertex.slice();
    const substepState = plan.substepController?.saveState(cloth);
    return { origin, worldTime, substep, substepState: substepState, particleMotion: state.saveMotion(), particleOfVertex };
}

/** Takes over the motion of the same mesh's last attachment. @param edit of the mesh since */
export function writeMotion({ cloth, binding, space }: MovingBody, motion: SavedMotion, edit: WorldEdit | null): void {
    const { origin } = space;
    cloth.rebase(motion.origin[0] - origin[0], motion.origin[1] - origin[1], motion.origin[2] - origin[2]);
    origin.set(motion.origin);
    // By vertices: what rides on what depends on the mesh's size, too.
    const sources = edit?.origins!.sources;
    const from = sources ? sources.map((v) => motion.particleOfVertex[v]) : motion.particleOfVertex;
    cloth.substep = motion.substep;
    cloth.invalidate();
    cloth.definition.substepController?.restoreState(motion.substepState);
    cloth.state.restoreMotion(motion.particleMotion, binding.particleOfVertex, from, motion.blend);
    if (edit?.isVertexMove) transformParticles(cloth, space, edit.origins!.map);
}

/** Moves the particles as a map of mesh-local space moves the mesh. */
function transformParticles(cloth: Body, space: SimulationSpace, map: Affine): void {
    const local = identity();
    const world = identity();
    if (!space.update()) return;
    multiply(space.toLocal, map, local);
    multiply(local, space.pose, world);
    cloth.state.transform(world);
}
