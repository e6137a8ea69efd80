import type { Sources } from "./source";

/**
 * What colliders follow of objects that were made to be colliders, by those: who makes them knows how, and pages in which no one does
 * need not.
 */
export const given = new WeakMap<object, () => Sources>();
