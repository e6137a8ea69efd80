/** Document of the studio: plain, immutable data that undo, links and exports use. */
import { Fabrics, WindSpeeds } from "babylon-cloth";
import type { Fabric, FabricName, WindName } from "babylon-cloth";
import { fieldsOf, kinds } from "./kinds";
import type { KindName } from "./kinds";

/** Air in numbers: speed [m/s], the angle of its way about the upward axis, 0 towards +x [degrees], and gusts as a share of the speed. */
export interface AirNumbers {
    readonly speed: number;
    readonly direction: number;
    readonly turbulence: number;
}

/** Numbers of a fabric; what is left out is cotton's, and the thickness the builder's. */
export type FabricNumbers = { readonly [Name in keyof Fabric]?: number };

/** One way of tuning a cloth; two of them can be compared. */
export interface Tuning {
    /** By name, in numbers, or as the builder has it (null). */
    readonly fabric: FabricName | FabricNumbers | null;
    readonly wind: WindName | AirNumbers;
    /** Null: as the builder has it. */
    readonly substepCount: number | null;
    /** Fabric that it looks like; null: as the builder or the file has it. */
    readonly look: FabricName | null;
    /** "#rrggbb", over the look's own colour; null: that. */
    readonly colour: string | null;
}

/** Source of the cloth: a builder, or a mesh of a file. */
export type Source =
    | { readonly kind: KindName; readonly options: Readonly<Record<string, number>> }
    | { readonly file: string; readonly mesh: string | null };

export interface StudioDocument {
    readonly source: Source;
    /** Vertices that are held; null: the builder's own pins. */
    readonly pins: readonly number[] | null;
    readonly a: Tuning;
    /** Tuning that `a` is compared with; null: none. */
    readonly b: Tuning | null;
}

/** One of the two tunings. */
export type Side = "a" | "b";

const PLAIN: Tuning = { fabric: null, wind: "breeze", substepCount: null, look: null, colour: null };

/** A document to begin with. */
export function newDocument(kind: KindName): StudioDocument {
    const { look, colour, wind } = kinds[kind];
    return { source: { kind, options: {} }, pins: null, a: { ...PLAIN, look, colour, wind }, b: null };
}

/** A document of a file's mesh; null: the likeliest one. */
export function documentOfFile(file: string, mesh: string | null): StudioDocument {
    return { source: { file, mesh }, pins: [], a: { ...PLAIN, fabric: "cotton" }, b: null };
}

/** The sides that there are. */
export function sidesOf({ b }: StudioDocument): Side[] {
    return b ? ["a", "b"] : ["a"];
}

/**
 * Checks what comes from outside: a link, or a file.
 * @throws Error that names what is wrong
 */
export function checkDocument(data: unknown): StudioDocument {
    const { source, pins, a, b } = demandObject("document", data);
    const given = demandObject("source", source);
    if ("kind" in given) {
        demandOne("source.kind", given.kind, Object.keys(kinds));
        const known = fieldsOf(given.kind as KindName).map(({ name }) => name);
        for (const [name, value] of Object.entries(demandObject("source.options", given.options))) {
            demandOne("option", name, known);
            demandNumber(`source.options.${name}`, value);
        }
    } else if (typeof given.file !== "string") {
        throw new Error(`The studio's document: source must be a builder or a file, got ${JSON.stringify(source)}`);
    }
    const vertices = pins === null || (Array.isArray(pins) && pins.every((vertex) => Number.isInteger(vertex) && vertex >= 0));
    if (!vertices) throw new Error("The studio's document: pins must be null or a list of vertices");
    checkTuning("a", a);
    if (b !== null) checkTuning("b", b);
    return data as StudioDocument;
}

function checkTuning(side: Side, data: unknown): void {
    const { fabric, wind, substepCount, look, colour } = demandObject(side, data);
    if (typeof fabric === "string") demandOne(`${side}.fabric`, fabric, Object.keys(Fabrics));
    else if (fabric !== null) demandNumbers(`${side}.fabric`, fabric, Object.keys(Fabrics.cotton));
    if (typeof wind === "string") demandOne(`${side}.wind`, wind, Object.keys(WindSpeeds));
    else demandNumbers(`${side}.wind`, wind, ["speed", "direction", "turbulence"]);
    if (substepCount !== null) demandNumber(`${side}.substepCount`, substepCount);
    if (look !== null) demandOne(`${side}.look`, look, Object.keys(Fabrics));
    if (colour !== null && !/^#[0-9a-f]{6}$/.test(String(colour)))
        throw new Error(`The studio's document: ${side}.colour must be "#rrggbb", got ${JSON.stringify(colour)}`);
}

function demandObject(name: string, value: unknown): Record<string, unknown> {
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
    throw new Error(`The studio's document: ${name} must be an object, got ${JSON.stringify(value)}`);
}

function demandOne(name: string, value: unknown, known: readonly string[]): void {
    if (!known.includes(value as string))
        throw new Error(`The studio's document: ${name} must be one of ${known.join(", ")}, got ${JSON.stringify(value)}`);
}

function demandNumber(name: string, value: unknown): void {
    if (typeof value !== "number") throw new Error(`The studio's document: ${name} must be a number, got ${JSON.stringify(value)}`);
}

function demandNumbers(name: string, value: unknown, known: readonly string[]): void {
    for (const [key, number] of Object.entries(demandObject(name, value))) {
        demandOne(name, key, known);
        demandNumber(`${name}.${key}`, number);
    }
}
