import { expect } from "@jest/globals";
import fc from "fast-check";

/** The same random cases in every run; others with PROPERTY_SEED=<number>, as a failure found with it names. */
const SEED = Number(process.env.PROPERTY_SEED ?? 42);

/** fc.assert with a fixed seed, and as an assertion that Jest counts: what property tests call in its place. */
export function expectHolds<T>(property: fc.IRawProperty<T>, parameters: fc.Parameters<T> = {}): void {
    expect(() => fc.assert(property as fc.IProperty<T>, { seed: SEED, ...parameters })).not.toThrow();
}
