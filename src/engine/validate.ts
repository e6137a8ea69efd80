/**
 * Checks at the boundary. Every error names the class, the option, the rule and the value:
 * `ClothBehavior: substepCount must be an integer from 1 to 256, got 0`.
 */
import { LARGEST_SIZE, SMALLEST_SIZE } from "./tunables";

/** Formats a value for an error message, on one short line. */
export function show(value: unknown): string {
    if (typeof value === "string") return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
    if (typeof value === "function") return "a function";
    if (typeof value === "object" && value !== null) return `an object (${value.constructor?.name ?? "no class"})`;
    return String(value);
}

/** Throws the error of this project's boundary. */
export function reject(owner: string, option: string, rule: string, value: unknown): never {
    throw new RangeError(`${owner}: ${option} must be ${rule}, got ${show(value)}`);
}

/** A finite number of any sign. @param largest limit of its size */
export function finite(owner: string, option: string, value: unknown, largest = Infinity): number {
    if (!(typeof value === "number" && Number.isFinite(value))) return reject(owner, option, "a finite number", value);
    return Math.abs(value) <= largest ? value : reject(owner, option, `a number from ${-largest} to ${largest}`, value);
}

/** A number > 0, within {@link SMALLEST_SIZE} and {@link LARGEST_SIZE}. */
export function positive(owner: string, option: string, value: unknown): number {
    if (!(typeof value === "number" && value > 0 && value < Infinity)) return reject(owner, option, "a finite number > 0", value);
    return value >= SMALLEST_SIZE && value <= LARGEST_SIZE
        ? value
        : reject(owner, option, `a number from ${SMALLEST_SIZE} to ${LARGEST_SIZE}`, value);
}

/** A number >= 0, up to {@link LARGEST_SIZE}. */
export function nonNegative(owner: string, option: string, value: unknown): number {
    if (!(typeof value === "number" && value >= 0 && value < Infinity)) return reject(owner, option, "a finite number >= 0", value);
    return value <= LARGEST_SIZE ? value : reject(owner, option, `a number from 0 to ${LARGEST_SIZE}`, value);
}

/** A number from 0 to 1. */
export function share(owner: string, option: string, value: unknown): number {
    return typeof value === "number" && value >= 0 && value <= 1 ? value : reject(owner, option, "a number from 0 to 1", value);
}

/** A number >= 0, Infinity allowed. */
export function stiffness(owner: string, option: string, value: unknown): number {
    return typeof value === "number" && value >= 0
        ? value
        : reject(owner, option, "a number >= 0 (Infinity = inextensible)", value);
}

/** An integer >= minimum, and not above the largest. */
export function integer(owner: string, option: string, minimum: number, value: unknown, largest = Infinity): number {
    return typeof value === "number" && Number.isInteger(value) && value >= minimum && value <= largest
        ? value
        : reject(owner, option, `an integer ${largest < Infinity ? `from ${minimum} to ${largest}` : `>= ${minimum}`}`, value);
}

/** 32 bits: an integer, signed or unsigned. */
export function bits(owner: string, option: string, value: unknown): number {
    return integer(owner, option, -(2 ** 31), value, 2 ** 32 - 1);
}

/** true or false. */
export function boolean(owner: string, option: string, value: unknown): boolean {
    return typeof value === "boolean" ? value : reject(owner, option, "true or false", value);
}

/** Rejects what is no object of options, and names that are not options, and tells those that are. */
export function knownOptions(owner: string, options: object, names: readonly string[]): void {
    if (typeof options !== "object" || options === null || Array.isArray(options)) reject(owner, "options", "an object", options);
    for (const name of Object.keys(options)) {
        if (!names.includes(name)) {
            throw new RangeError(`${owner}: unknown option "${name}"; the options are ${names.join(", ")}`);
        }
    }
}
