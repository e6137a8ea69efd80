import type { StepObserver } from "../../engine/bodies/body";
import type { LazyModule } from "../../engine/world/lazyModules";
import type { Edit } from "../mesh/userEdits";
import type { CloneListener } from "../mesh/geometryOverride";

/** What an attachment tells its behavior. */
export interface BodyInstanceHost extends StepObserver {
    /** Hears of copies of the mesh. */
    readonly cloneListener: CloneListener;
    /** Something that the developer should know and that is no error. */
    warn(message: string): void;
    /** Colliders or pins need a part that is not here: it is to be loaded, and colliders are to be met then. */
    requestModule(part: LazyModule<unknown>): void;
}

/** What the user did to the vertices and triangles of a mesh while it was cloth. */
export interface WorldEdit extends Edit {
    /** Whether vertices moved in the world; else, the mesh was moved against them. */
    readonly isVertexMove: boolean;
}
