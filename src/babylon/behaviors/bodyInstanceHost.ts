import type { LazyModule, OutOfMemoryError, StepObserver } from "../../engine/index";
import type { Edit } from "../mesh/userEdits";
import type { CloneListener } from "../mesh/geometryOverride";

/** The side of the behavior that its instance calls. */
export interface BodyInstanceHost extends StepObserver {
    /** Listener to copies of the mesh. */
    readonly cloneListener: CloneListener;
    /** Logs a warning, each text once. */
    warn(message: string): void;
    /** Loads a module that colliders or pins need; colliders are synchronised when it is there. */
    requestModule(part: LazyModule<unknown>): void;
    /** The kernels' memory is full within a frame: the body cannot go on. */
    endOutOfMemory(error: OutOfMemoryError): void;
}

/** The user's edit of vertices and triangles of a mesh while it was cloth. */
export interface WorldEdit extends Edit {
    /** True if vertices moved in the world; false if the mesh was moved against them. */
    readonly isVertexMove: boolean;
}
