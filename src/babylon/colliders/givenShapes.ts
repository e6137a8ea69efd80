import type { ShapeProviders } from "./shapeProvider";

/**
 * What colliders follow of objects that were made to be colliders, by those: who makes them knows how, and pages in which no one does
 * need not.
 */
export const customProviders = new WeakMap<object, () => ShapeProviders>();
