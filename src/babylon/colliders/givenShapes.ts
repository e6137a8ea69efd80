import type { ShapeProviders } from "./shapeProvider";

/** Shapes of objects that were made to be colliders, given by their makers, so that a page without them need not load their code. */
export const customProviders = new WeakMap<object, () => ShapeProviders>();
