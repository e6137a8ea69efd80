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

/** Rejects what is no object of options, and names that are not options; tells those that are, and the nearest one. */
export function knownOptions(owner: string, options: object, names: readonly string[]): void {
    if (typeof options !== "object" || options === null || Array.isArray(options)) reject(owner, "options", "an object", options);
    for (const name of Object.keys(options)) {
        if (names.includes(name)) continue;
        const nearest = nearestName(name, names);
        const hint = nearest === null ? "" : `; did you mean "${nearest}"?`;
        throw new RangeError(`${owner}: unknown option "${name}"; the options are ${names.join(", ")}${hint}`);
    }
}

/** Rejects a name that is none of some; tells these, and the nearest one. */
export function rejectName(owner: string, option: string, names: readonly string[], name: string): never {
    const nearest = typeof name === "string" ? nearestName(name, names) : null;
    return reject(owner, option, `one of ${names.join(", ")}${nearest === null ? "" : ` (did you mean "${nearest}"?)`}`, name);
}

/** Likeness from which a name may have been meant. */
const LIKENESS = 0.45;

/** The name that has most letters, and pairs of neighbouring ones, in common (mean of Dice's coefficients); null: none is near. */
export function nearestName(name: string, names: readonly string[]): string | null {
    let nearest: string | null = null;
    let best = LIKENESS;
    for (const other of names) {
        const likeness = (shareInCommon(name, other, 1) + shareInCommon(name, other, 2)) / 2;
        if (likeness < best) continue;
        best = likeness;
        nearest = other;
    }
    return nearest;
}

/** Dice's coefficient of the runs of so many letters of two names. */
function shareInCommon(a: string, b: string, length: number): number {
    const [first, second] = [runsOf(a, length), runsOf(b, length)];
    const all = first.length + second.length;
    const common = first.filter((run) => {
        const index = second.indexOf(run);
        if (index >= 0) second.splice(index, 1);
        return index >= 0;
    });
    return (2 * common.length) / Math.max(1, all);
}

function runsOf(text: string, length: number): string[] {
    return Array.from({ length: Math.max(0, text.length - length + 1) }, (_, i) => text.slice(i, i + length).toLowerCase());
}
