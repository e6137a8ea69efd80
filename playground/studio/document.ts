/** Document of the studio: plain, immutable data that undo, links and exports use. */
import { Fabrics, WindSpeeds } from "babylon-cloth";
import type { ClothBehavior, Fabric, FabricName, WindName } from "babylon-cloth";
import { fieldsOf, kinds } from "./kinds";
import type { KindName } from "./kinds";
import { HELD, SIDES } from "./pins";
import type { Distance, DistanceLayer, Layers, Pins, SideName } from "./pins";
import { SHAPES } from "./solids";
import type { Shape, Solid } from "./solids";
import { MASK_SIZE, decode, encode } from "./surface";
import type { Paint } from "./surface";

/** Air in numbers: speed [m/s], the angle of its way about the upward axis, 0 towards +x [degrees], and gusts as a share of the speed. */
export interface AirNumbers {
    readonly speed: number;
    readonly direction: number;
    readonly turbulence: number;
}

type SelfCollision = ClothBehavior["selfCollision"];

/** Numbers of a fabric; what is left out is cotton's, and the thickness the builder's. */
export type FabricNumbers = { readonly [Name in keyof Fabric]?: number };

/** One way of tuning a cloth; two of them can be compared. */
export interface Tuning {
    /** By name, in numbers, or as the builder has it (null). */
    readonly fabric: FabricName | FabricNumbers | null;
    readonly wind: WindName | AirNumbers;
    /** Null: as the builder has it; as all that follow. */
    readonly substepCount: number | null;
    readonly selfCollision: SelfCollision | null;
    readonly tetherSlack: number | null;
    /** Fabric that it looks like; null: as the builder or the file has it. */
    readonly look: FabricName | null;
    /** "#rrggbb", over the look's own colour; null: that. */
    readonly colour: string | null;
}

/** Source of the cloth: a builder, or a mesh of a file. */
export type Source =
    | { readonly kind: KindName; readonly options: Readonly<Record<string, number>> }
    | {
          readonly file: string;
          /** Its label among the file's meshes; null: the likeliest. */
          readonly mesh: string | null;
          /** Colliders from the file; null: capsules where there is a skeleton, else the other meshes. */
          readonly meets: Meets | null;
      };

/** Colliders of a cloth from its file: capsules on the bones, the triangles of the other meshes, or neither. */
export type Meets = "capsules" | "meshes" | "nothing";

export interface StudioDocument extends Layers {
    readonly source: Source;
    /** Added to what the cloth meets. */
    readonly solids: readonly Solid[];
    readonly a: Tuning;
    /** Tuning that `a` is compared with; null: none. */
    readonly b: Tuning | null;
}

/** One of the two tunings. */
export type Side = "a" | "b";

/** Options of a tuning as the builder has them; earlier links have fewer. */
const PLAIN_OPTIONS = { substepCount: null, selfCollision: null, tetherSlack: null };
const PLAIN: Tuning = { fabric: null, wind: "breeze", ...PLAIN_OPTIONS, look: null, colour: null };

/** Values of {@link Tuning.selfCollision}. */
export const SELF_COLLISIONS: readonly SelfCollision[] = [false, "particles", "triangles", "robust"];

/** Pins as the builder or the file has them. */
export const OWN_PINS: Pins = { own: true, sides: [], paint: null };
/** Nothing is held. */
export const NO_PINS: Pins = { own: false, sides: [], paint: null };

/** Layers without paint, with the pins of the builder or the file. */
export const NO_PAINT: Layers = { pins: OWN_PINS, distance: null, backstop: null };

/** A document to begin with. */
export function newDocument(kind: KindName): StudioDocument {
    const { look, colour, wind } = kinds[kind];
    return { source: { kind, options: {} }, solids: [], ...NO_PAINT, a: { ...PLAIN, look, colour, wind }, b: null };
}

/** A document of a file. @param tuning of the cloth that is in it */
export function documentOfFile(file: string, tuning: Partial<Tuning> = { fabric: "cotton" }): StudioDocument {
    const source = { file, mesh: null, meets: null };
    return { source, solids: [], ...NO_PAINT, a: { ...PLAIN, ...tuning }, b: null };
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
    const { source, solids = [], pins, distance = null, backstop = null, a, b } = demandObject("document", data);
    const tunings = { a: checkTuning("a", a), b: b === null ? null : checkTuning("b", b) };
    const layers = {
        pins: checkPins(pins),
        distance: checkDistance("distance", distance),
        backstop: checkDistance("backstop", backstop),
    };
    return { source: checkSource(source), solids: checkSolids(solids), ...layers, ...tunings };
}

function checkSource(data: unknown): Source {
    const given = demandObject("source", data);
    if ("kind" in given) {
        demandOne("source.kind", given.kind, Object.keys(kinds));
        const known = fieldsOf(given.kind as KindName).map(({ name }) => name);
        for (const [name, value] of Object.entries(demandObject("source.options", given.options))) {
            demandOne("option", name, known);
            demandNumber(`source.options.${name}`, value);
        }
        return given as unknown as Source;
    }
    const { file, mesh, meets = null } = given;
    if (typeof file !== "string")
        throw new Error(`The studio's document: source must be a builder or a file, got ${JSON.stringify(data)}`);
    if (mesh !== null && typeof mesh !== "string")
        throw new Error(`The studio's document: source.mesh must be a name or null, got ${JSON.stringify(mesh)}`);
    if (meets !== null) demandOne("source.meets", meets, ["capsules", "meshes", "nothing"]);
    return { file, mesh, meets: meets as Meets | null };
}

function checkSolids(data: unknown): Solid[] {
    if (!Array.isArray(data)) throw new Error("The studio's document: solids must be a list");
    data.forEach((each, i) => {
        const name = `solids[${i}]`;
        const { shape, position, sizes } = demandObject(name, each);
        demandOne(`${name}.shape`, shape, Object.keys(SHAPES));
        if (!Array.isArray(position) || position.length !== 3)
            throw new Error(`The studio's document: ${name}.position must have three numbers`);
        for (const x of position) demandNumber(`${name}.position`, x);
        const given = demandObject(`${name}.sizes`, sizes);
        for (const size of SHAPES[shape as Shape]) {
            demandNumber(`${name}.sizes.${size}`, given[size]);
            if (!((given[size] as number) > 0)) throw new Error(`The studio's document: ${name}.sizes.${size} must be > 0`);
        }
    });
    return data as Solid[];
}

/** Earlier links have null, or a list of vertices. */
function checkPins(data: unknown): Pins {
    if (data === null) return OWN_PINS;
    if (Array.isArray(data)) {
        if (!data.every((vertex) => Number.isInteger(vertex) && vertex >= 0 && vertex < MOST_VERTICES))
            throw new Error("The studio's document: pins must be null, a list of vertices, or layers");
        return pinsOfVertices(data as number[]);
    }
    const { own, sides, paint } = demandObject("pins", data);
    if (typeof own !== "boolean" || !Array.isArray(sides)) throw new Error("The studio's document: pins must have own and sides");
    for (const side of sides) demandOne("pins.sides", side, Object.keys(SIDES));
    return { own, sides: sides as SideName[], paint: checkPaint("pins.paint", paint) };
}

function checkDistance(name: DistanceLayer, data: unknown): Distance | null {
    if (data === null) return null;
    const { reach, paint } = demandObject(name, data);
    if (!(typeof reach === "number" && reach >= 0 && reach < Infinity))
        throw new Error(`The studio's document: ${name}.reach must be a number >= 0, got ${JSON.stringify(reach)}`);
    return { reach, paint: checkPaint(`${name}.paint`, paint) };
}

function checkPaint(name: string, data: unknown): Paint | null {
    if (data === null) return null;
    const { uv, vertices, of } = demandObject(name, data);
    try {
        const { length } = decode((uv ?? vertices) as string);
        if (uv === undefined ? of === null || of === length : length === MASK_SIZE * MASK_SIZE) return data as Paint;
    } catch {
        // Told below.
    }
    throw new Error(`The studio's document: ${name} is damaged`);
}

/** More are no mesh of a browser. */
const MOST_VERTICES = 1 << 24;

/** Pins that hold a list of vertices and nothing else, of whatever mesh they are. */
export function pinsOfVertices(vertices: readonly number[]): Pins {
    if (vertices.length === 0) return NO_PINS;
    const bytes = new Uint8Array(vertices.reduce((most, vertex) => Math.max(most, vertex), 0) + 1);
    for (const vertex of vertices) bytes[vertex] = HELD;
    return { ...NO_PINS, paint: { vertices: encode(bytes), of: null } };
}

/** Checks a tuning that comes from outside. @throws Error that names what is wrong */
export function checkTuning(side: Side, data: unknown): Tuning {
    const tuning = { ...PLAIN_OPTIONS, ...demandObject(side, data) } as Record<keyof Tuning, unknown>;
    const { fabric, wind, substepCount, selfCollision, tetherSlack, look, colour } = tuning;
    if (typeof fabric === "string") demandOne(`${side}.fabric`, fabric, Object.keys(Fabrics));
    else if (fabric !== null) demandNumbers(`${side}.fabric`, fabric, Object.keys(Fabrics.cotton));
    if (typeof wind === "string") demandOne(`${side}.wind`, wind, Object.keys(WindSpeeds));
    else demandNumbers(`${side}.wind`, wind, ["speed", "direction", "turbulence"]);
    if (substepCount !== null) demandNumber(`${side}.substepCount`, substepCount);
    if (selfCollision !== null) demandOne(`${side}.selfCollision`, selfCollision, SELF_COLLISIONS);
    if (tetherSlack !== null) demandNumber(`${side}.tetherSlack`, tetherSlack);
    if (look !== null) demandOne(`${side}.look`, look, Object.keys(Fabrics));
    if (colour !== null && !/^#[0-9a-f]{6}$/.test(String(colour)))
        throw new Error(`The studio's document: ${side}.colour must be "#rrggbb", got ${JSON.stringify(colour)}`);
    return tuning as unknown as Tuning;
}

function demandObject(name: string, value: unknown): Record<string, unknown> {
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
    throw new Error(`The studio's document: ${name} must be an object, got ${JSON.stringify(value)}`);
}

function demandOne<T>(name: string, value: unknown, known: readonly T[]): void {
    if (!known.includes(value as T))
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
