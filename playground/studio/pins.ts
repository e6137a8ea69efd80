/** Held vertices: a builder's own pins, sides of the cloth, and paint over both; and how far painted vertices may go, outwards and into the body. */
import type { AbstractMesh } from "@babylonjs/core/Meshes/abstractMesh";
import { MaxDistanceHold, select } from "babylon-cloth";
import type { ClothBehavior, PinOptions, SelectContext, Selector } from "babylon-cloth";
import type { Paint, Surface } from "./surface";

/** Bytes of the layer of pins; 0 is as the sides and the builder have it. */
export const [ERASED, HELD] = [1, 255];

/** A pin of a builder, with its vertices. */
export interface AuthoredPin extends PinOptions {
    readonly select: readonly number[];
}

/** A cloth as its pins need it. */
export interface Pinned {
    readonly surface: Surface;
    readonly rest: SelectContext;
    readonly authored: Authored;
}

/** Pins, and distances from the skin, as a builder or a file has made them. */
export interface Authored extends Pick<ClothBehavior, "maxDistance" | "backstop"> {
    readonly pins: readonly AuthoredPin[];
}

/** Sides of a cloth, as one sees it, and what holds them. */
export const SIDES = {
    Left: select.edge("-x"),
    Right: select.edge("+x"),
    Top: select.edge("+y"),
    Bottom: select.edge("-y"),
    Back: select.edge("+z"),
    Front: select.edge("-z"),
    Corners: select.corners(),
} as const satisfies Record<string, Selector>;

/** Name of a side in documents. */
export type SideName = keyof typeof SIDES;

/** Vertices that are held: paint lies over the sides, and those over the builder's own pins. */
export interface Pins {
    /** True to keep the pins of the builder, or of the file. */
    readonly own: boolean;
    readonly sides: readonly SideName[];
    readonly paint: Paint | null;
}

/** Painted distance that vertices may go from their places: nothing of it at the first shade, `reach` [m] at the last; free where there is none. */
export interface Distance {
    readonly reach: number;
    readonly paint: Paint | null;
}

/** Layers of distances. */
export type DistanceLayer = "distance" | "backstop";

/** The painted part of a document. */
export interface Layers {
    readonly pins: Pins;
    /** Null: all vertices are free. */
    readonly distance: Distance | null;
    /** Depth behind the skin that vertices do not go below; null: none. */
    readonly backstop: Distance | null;
}

/** Painted bytes of a stroke, in the place of those of the document. */
export type LayerBytes = { readonly [Layer in keyof Layers]?: Uint8Array };

/** Distance that leaves a vertex of a skin free [m]. */
export const FREE = 1000;
/** Radius of the sphere of a painted backstop [m]: nearly a plane. */
export const BACKSTOP_RADIUS = 10;

/** Axes of the sides. */
const AXES: Partial<Record<SideName, number>> = { Left: 0, Right: 0, Top: 1, Bottom: 1, Back: 2, Front: 2 };
/** A mesh has no sides along an axis on which it measures less than this share of its largest size. */
const THIN = 1e-3;

/** The sides that a mesh has: none along a thin axis, where everything is on both. */
export function sidesOfMesh({ positions }: SelectContext): SideName[] {
    const sizes = [0, 1, 2].map((axis) => {
        let [low, high] = [Infinity, -Infinity];
        for (let k = axis; k < positions.length; k += 3) {
            low = Math.min(low, positions[k]);
            high = Math.max(high, positions[k]);
        }
        return high - low;
    });
    const names = Object.keys(SIDES) as SideName[];
    return names.filter((name) => AXES[name] === undefined || sizes[AXES[name]] > THIN * Math.max(...sizes));
}

/** The pins that a builder or a file has made: their vertices, what carries them, and how they are held. */
export function authoredPins({ pins }: ClothBehavior, context: SelectContext): AuthoredPin[] {
    return pins.map(({ select: chosen, target, hold }) => {
        const vertices = typeof chosen === "object" && "pick" in chosen ? chosen.pick(context) : (chosen as ArrayLike<number>);
        return { select: Array.from(vertices), target, hold };
    });
}

/** Pins that hold a list of vertices: a builder's pins keep those of theirs that are in it, the mesh carries the others. */
function holding(authored: readonly AuthoredPin[], held: readonly number[]): PinOptions[] {
    const isHeld = new Set(held);
    const added = addedPins(authored, held);
    const kept = authored.map((pin) => ({ ...pin, select: pin.select.filter((vertex) => isHeld.has(vertex)) }));
    return [...kept.filter((pin) => pin.select.length > 0), ...(added.length > 0 ? [{ select: added }] : [])];
}

/** Vertices of a list that no pin of the builder holds. */
export function addedPins(authored: readonly AuthoredPin[], held: readonly number[]): number[] {
    const known = new Set(authored.flatMap((pin) => pin.select));
    return held.filter((vertex) => !known.has(vertex));
}

/** Vertices of the builder's pins that are not in a list. */
export function erasedPins(authored: readonly AuthoredPin[], held: readonly number[]): number[] {
    const isHeld = new Set(held);
    return [...new Set(authored.flatMap((pin) => pin.select))].filter((vertex) => !isHeld.has(vertex));
}

/**
 * Vertices that are held, in order. Paint of a mask holds the vertex nearest to each painted texel, so that it holds on every size of the cloth.
 * @param bytes painted bytes of the sites, else those of the document
 */
export function heldVertices(pinned: Pinned, pins: Pins, bytes: Uint8Array = readPaint(pinned, pins.paint)): number[] {
    const { surface, rest, authored } = pinned;
    const held = new Set<number>(pins.own ? authored.pins.flatMap((pin) => pin.select) : []);
    for (const side of pins.sides) for (const vertex of SIDES[side].pick(rest)) held.add(vertex);
    const painted = new Set<number>();
    bytes.forEach((byte, site) => {
        if (byte === HELD) painted.add(surface.nearest[site]);
    });
    surface.siteOfVertex.forEach((site, vertex) => {
        if (bytes[site] === ERASED) held.delete(vertex);
        else if (painted.has(site)) held.add(vertex);
    });
    return [...held].sort((a, b) => a - b);
}

/** Largest distance of each vertex from its place [m]; Infinity where it is free. */
export function distancesOf({ surface }: Pick<Pinned, "surface">, { reach }: Distance, bytes: Uint8Array): number[] {
    return Array.from(surface.siteOfVertex, (site) => (bytes[site] === 0 ? Infinity : (reach * (bytes[site] - 1)) / 254));
}

/** True if all is held as the builder or the file has it. */
export function isOwn({ pins, distance, backstop }: Layers): boolean {
    return pins.own && pins.sides.length === 0 && !pins.paint && !distance && !backstop;
}

/** True if a skeleton or morph targets move a mesh: its distances count from its skin. */
export function isSkinned(mesh: Pick<AbstractMesh, "skeleton"> & { readonly morphTargetManager?: unknown }): boolean {
    return mesh.skeleton !== null || !!mesh.morphTargetManager;
}

/** Holds a cloth as a document says. @param bytes of a stroke that is being painted */
export function applyLayers(built: Pinned & { readonly cloth: ClothBehavior }, layers: Layers, bytes: LayerBytes = {}): void {
    const { cloth, rest, authored } = built;
    if (!isSkinned(rest.mesh)) {
        cloth.pins = pinsOf(built, layers, bytes);
        return;
    }
    cloth.pins = pinsOf(built, { ...layers, distance: null }, bytes);
    const read = (layer: DistanceLayer): number[] | null => {
        const { [layer]: each } = layers;
        return each && distancesOf(built, each, bytes[layer] ?? readPaint(built, each.paint));
    };
    const [far, deep] = [read("distance"), read("backstop")];
    const own = layers.pins.own ? authored : { maxDistance: null, backstop: null };
    cloth.maxDistance = far ? far.map((distance) => Math.min(distance, FREE)) : own.maxDistance;
    cloth.backstop = deep
        ? {
              distance: deep.map((depth) => (depth < Infinity ? depth : 0)),
              radius: deep.map((depth) => (depth < Infinity ? BACKSTOP_RADIUS : 0)),
          }
        : own.backstop;
}

/** All pins of a document: held vertices, and those that may go no farther than painted. */
export function pinsOf(pinned: Pinned, { pins, distance }: Layers, bytes: LayerBytes = {}): PinOptions[] {
    const held = heldVertices(pinned, pins, bytes.pins);
    const rigid = holding(pinned.authored.pins, held);
    if (!distance) return rigid;
    const distances = distancesOf(pinned, distance, bytes.distance ?? readPaint(pinned, distance.paint));
    const limited = limitedVertices(distances, held);
    if (limited.length === 0) return rigid;
    const finite = distances.map((each) => (each < Infinity ? each : 0));
    return [...rigid, { select: limited, hold: new MaxDistanceHold(finite) }];
}

/** Vertices that are not held and may not go everywhere. */
export function limitedVertices(distances: readonly number[], held: readonly number[]): number[] {
    const isHeld = new Set(held);
    return [...distances.keys()].filter((vertex) => distances[vertex] < Infinity && !isHeld.has(vertex));
}

/** Bytes of a paint; of what was painted on another mesh, none. */
export function readPaint({ surface }: Pick<Pinned, "surface">, paint: Paint | null): Uint8Array {
    try {
        return surface.read(paint);
    } catch {
        return surface.read(null);
    }
}

/**
 * A document with paint in the form that its surface has: vertices of an earlier link, or of JSON, become a mask.
 * @throws Error where it was painted on another mesh
 */
export function surfaceForm<T extends Layers>({ surface }: Pick<Pinned, "surface">, document: T): T {
    const { pins, distance, backstop } = document;
    const formOf = (paint: Paint | null): Paint | null => {
        if (!paint) return null;
        const isOwn = surface.isMask ? "uv" in paint : "vertices" in paint && paint.of !== null;
        const bytes = surface.read(paint);
        return isOwn ? paint : surface.write(bytes);
    };
    const distancesIn = (layer: Distance | null): Distance | null => layer && { ...layer, paint: formOf(layer.paint) };
    const formed = {
        pins: { ...pins, paint: formOf(pins.paint) },
        distance: distancesIn(distance),
        backstop: distancesIn(backstop),
    };
    const paints = (layers: Layers): (Paint | null | undefined)[] => [
        layers.pins.paint,
        layers.distance?.paint,
        layers.backstop?.paint,
    ];
    const isSame = paints(formed).every((paint, i) => paint === paints(document)[i]);
    return isSame ? document : { ...document, ...formed };
}

/** Sides and paint, as {@link toggleSide} changes them. */
interface Pinnable {
    readonly document: Layers;
    readonly view: { readonly shown: ReadonlyMap<"a" | "b", Pinned> };
    change(part: { pins: Pins }): void;
}

/** Holds a side, also where it was erased, or lets go of it. */
export function toggleSide(studio: Pinnable, side: SideName): void {
    const shown = studio.view.shown.get("a");
    if (!shown) return;
    const { pins } = studio.document;
    if (pins.sides.includes(side)) {
        studio.change({ pins: { ...pins, sides: pins.sides.filter((each) => each !== side) } });
        return;
    }
    const { surface } = shown;
    const sites = new Set(SIDES[side].pick(shown.rest).map((vertex) => surface.siteOfVertex[vertex]));
    const bytes = readPaint(shown, pins.paint);
    const kept = bytes.map((byte, site) => (byte === ERASED && sites.has(surface.nearest[site]) ? 0 : byte));
    studio.change({ pins: { ...pins, sides: [...pins.sides, side], paint: surface.write(kept) } });
}
