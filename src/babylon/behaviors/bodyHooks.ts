import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import type { BodyInstance } from "./bodyInstance";

/** Callbacks of what builds on a body: builders, files, copies, the inspector. */
export class BodyHooks {
    /** Called in each frame before the poses of pins are read; not while the body is paused. The argument is the frame's time that is simulated [s]. */
    onBeginFrame: ((seconds: number) => void) | null = null;
    /** Called before the first attachment; gives what undoes it, where there is none after all. */
    onAttaching: ((mesh: Mesh) => () => void) | null = null;
    /** Called before the body goes back to its rest shape. */
    onReset: (() => void) | null = null;
    /** Called once with the first attachment; what it throws ends that. */
    onAttached: ((instance: BodyInstance) => void) | null = null;
    /** Called once before the first frame. */
    onFirstFrame: (() => void) | null = null;
    /** Called with each copy of the mesh, and the behavior on it. The rest of a hierarchy may be copied later. */
    onCloned: ((clone: Mesh, copy: object) => void) | null = null;
    /** Functions called when the behavior leaves its mesh. */
    readonly onLeave = new Set<() => void>();
}
