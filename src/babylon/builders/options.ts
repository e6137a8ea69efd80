import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { fittedFabric, integer, knownOptions, positive, reject } from "../../engine/index";
import type { Fabric, FabricName } from "../../engine/index";
import { OPTION_NAMES } from "../behaviors/bodyOptions";
import type { ClothOptions } from "../behaviors/bodyOptions";
import type { WindOptions } from "../wind/wind";
import { namedVelocity } from "../wind/namedWinds";
import type { WindName } from "../wind/namedWinds";
import { Wind } from "../wind/wind";

/** Options of every builder: those of {@link ClothBehavior}, and fabric and wind by name. */
export interface ClothBuilderOptions extends Omit<ClothOptions, "fabric" | "wind"> {
    /** A fabric's name, or any subset of a fabric's properties. Each builder has its own default; its thickness follows the cloth's edges. */
    fabric?: FabricName | Partial<Fabric>;
    /**
     * A wind's name (see {@link WindSpeeds}; it blows along the world's x axis, a little along its z axis), a wind's options, a
     * Wind, or null: vacuum. Default `"still"`.
     */
    wind?: WindName | WindOptions | Wind | null;
    /** Edges along the longer side, an integer from 4 to 512. Default by size: 24 to 72 at 0.1 to 10 m. */
    subdivisions?: number;
}

/**
 * Contact distance of particles, as a share of an edge: over a square edge of a collider, triangles then stay outside, too. Added once more to the node that the cloth
 * hangs on or lies on: covers corners and the diagonal of a cell. Larger: visible gaps; smaller: corners poke through.
 */
export const CONTACT_SHARE = 0.36;
/** Factor on the edge density of cloth with sharp folds, over tables and in curtains. Larger: slower; smaller: coarse folds. */
export const FOLD_DENSITY = 1.5;

/** Edge length at which four substeps suffice [m]. Shorter edges fall by a larger share of their length in a substep and need more. */
const FOUR_SUBSTEP_EDGE = 0.03;
/** Largest default substep count: bounds the cost of fine cloth. */
const MAX_DEFAULT_SUBSTEPS = 16;

/** @throws RangeError if options is not an object or has an unknown option */
export function checkOptions(owner: string, options: object, own: readonly string[]): void {
    if (typeof options !== "object" || options === null) reject(owner, "options", "an object", options);
    knownOptions(owner, options, [...own, "subdivisions", ...OPTION_NAMES]);
}

/** A size [m]. @throws RangeError */
export function size(owner: string, option: string, value: unknown, fallback: number): number {
    return positive(owner, option, value === undefined ? fallback : value);
}

/** A node, or null if left out. @throws RangeError */
export function node<T extends TransformNode>(owner: string, option: string, value: T | undefined): T | null {
    if (value === undefined) return null;
    if (typeof value !== "object" || typeof value?.computeWorldMatrix !== "function") reject(owner, option, "a node", value);
    if (value.isDisposed()) reject(owner, option, "a node that is not disposed", value.name);
    return value;
}

/** Edges along the longer side: enough to show its folds. @param density factor on the default count @throws RangeError */
export function subdivisionsOf(owner: string, options: ClothBuilderOptions, longest: number, density = 1): number {
    if (options.subdivisions !== undefined) return integer(owner, "subdivisions", 4, options.subdivisions, 512);
    const count = 40 * Math.min(1.8, Math.max(0.6, longest ** 0.25));
    return Math.round(density * count);
}

/** Rows and columns of nearly square cells. */
export function cellsOf(width: number, height: number, along: number): [columns: number, rows: number] {
    const edge = Math.max(width, height) / along;
    return [Math.max(2, Math.round(width / edge)), Math.max(2, Math.round(height / edge))];
}

/**
 * The options of the behavior that a builder's options mean.
 * @param usual the builder's default fabric
 * @param edge length of the cloth's edges [m]
 * @throws RangeError on an unknown fabric or wind
 */
export function clothOptionsOf(
    owner: string,
    options: ClothBuilderOptions,
    usual: FabricName | Partial<Fabric>,
    edge: number,
): ClothOptions & { fabric: Fabric } {
    const { fabric = usual, wind = "still" } = options;
    const given: ClothOptions = {};
    for (const name of OPTION_NAMES) if (options[name] !== undefined) Object.assign(given, { [name]: options[name] });
    const substepCount = Math.min(MAX_DEFAULT_SUBSTEPS, Math.ceil(4 * Math.max(1, Math.sqrt(FOUR_SUBSTEP_EDGE / edge))));
    return {
        substepCount,
        ...given,
        fabric: fittedFabric(owner, fabric, CONTACT_SHARE * edge),
        wind: windOf(owner, wind),
    };
}

/**
 * The wind that an option describes.
 * @throws RangeError on an unknown name or an option of a wind that is out of range
 */
export function windOf(owner: string, wind: WindName | WindOptions | Wind | null): Wind | null {
    if (typeof wind === "string") return new Wind({ velocity: namedVelocity(owner, wind) });
    if (wind === null) return null;
    if (typeof wind !== "object") reject(owner, "wind", "a wind's name, its options, a Wind or null", wind);
    // What blows already, whichever copy of this library it is of, does not have its options as own properties.
    return "velocity" in (Object.getPrototypeOf(wind) ?? {}) ? (wind as Wind) : new Wind(wind);
}
