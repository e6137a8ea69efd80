import type { Fabric, SolverName } from "../../engine/index";
import { BODY_OPTION_NAMES } from "./bodyOptions";
import type { BodyOptions } from "./bodyOptions";
import type { MaxDistance } from "../pins/maxDistance";
import type { Wind } from "../wind/wind";

/** Self-collision: none, by particles, by triangles, or by triangles with a guarantee that nothing passes. */
export type SelfCollision = false | "particles" | "triangles" | "robust";

/** Options of a cloth; each is also a property of {@link ClothBehavior}, where its meaning is told. */
export interface ClothOptions extends BodyOptions {
    fabric?: Partial<Fabric>;
    wind?: Wind | null;
    tetherSlack?: number;
    maxDistance?: MaxDistance | null;
    selfCollision?: SelfCollision;
    selfThickness?: number | null;
    adaptiveStep?: boolean;
    solver?: SolverName;
    springDamping?: number;
}

export const OPTION_NAMES: readonly (keyof ClothOptions)[] = [
    "fabric",
    "wind",
    "tetherSlack",
    "maxDistance",
    "selfCollision",
    "selfThickness",
    "adaptiveStep",
    "solver",
    "springDamping",
    ...BODY_OPTION_NAMES,
];
