import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { Logger } from "@babylonjs/core/Misc/logger";
import { knownOptions, reject } from "../../engine/index";
import type { ClothBehavior } from "../behaviors/clothBehavior";
import { ClothFiles } from "../files/clothFiles";
import type { NodeLookup } from "../files/references";
import type { CapsuleData, ClothData, CurtainData, Reference } from "../files/format/fileFormat";
import { MaxDistanceHold } from "../pins/maxDistance";
import type { Backstop, MaxDistance } from "../pins/maxDistance";
import { paint } from "../pins/paint";
import type { Paint } from "../pins/paint";
import { select } from "../pins/select";
import type { Selector } from "../pins/select";
import { decodeBase64, encodeBase64 } from "../files/format/fileFormat";

/** True of a reference to a node of the file whose local axes are those that it was written with; null: the cloth's mesh. */
export type KeepsAxes = (reference: Reference | null) => boolean;

/**
 * Converts cloth data from the axes of the written scene to those of the loaded one. glTF's axes are right-handed. From a left-handed scene, Babylon's exporter mirrors
 * the local axes of each node along x, but not of what came from a glTF file: it leaves out the root that mirrors those. In a left-handed scene, its loader adds a root
 * that mirrors the world. Between two left-handed scenes world vectors therefore stay, and local vectors are mirrored.
 *
 * @param isRightHanded true if the scene that the file is loaded into is right-handed
 * @param keepsAxes tells nodes whose local axes the exporter did not mirror
 * @returns the cloth with its vectors in the axes of that scene
 * @throws RangeError if a motion state was written in a scene with other axes
 */
export function fromGltfAxes(data: ClothData, isRightHanded: boolean, keepsAxes: KeepsAxes = () => false): ClothData {
    const { options, pins, colliders, axes = "left-handed" } = data;
    const here = isRightHanded ? "right-handed" : "left-handed";
    // Files have the state of what is paused without being asked for it.
    const isPaused = options?.enabled === false || options?.autoStep === false;
    const state = isPaused && axes !== here ? undefined : data.state;
    if (state && axes !== here) reject("ClothLoader", "state", `of a ${here} scene, as the one that it is loaded into`, axes);
    const isMirrored = (reference: Reference | null | undefined): boolean =>
        axes === "left-handed" && !keepsAxes(reference ?? null);
    const isWorldMirrored = axes !== here;
    const { gravity, wind, maxDistance, start, end } = (options ?? {}) as WrittenOptions;
    const mirrored: Record<string, unknown> = { ...options };
    if (isWorldMirrored && gravity) mirrored.gravity = mirror(gravity);
    if (wind?.velocity && (wind.zone ? isMirrored(wind.zone.node) : isWorldMirrored)) {
        mirrored.wind = { ...wind, velocity: mirror(wind.velocity) };
    }
    // In the order of the places: what options pin comes first.
    const carriers = [...(maxDistance ? [null] : []), ...[start, end].filter(Boolean), ...(pins ?? []).map((pin) => pin?.target)];
    return {
        ...data,
        options: mirrored,
        pins: pins?.map((pin) => (isMirrored(pin?.target) ? mirrorHold(pin) : pin)),
        colliders: colliders?.map((collider) => mirrorSource(collider, isWorldMirrored, isMirrored)),
        curtain: data.curtain && isMirrored(null) ? mirrorCurtain(data.curtain) : data.curtain,
        state: state && {
            ...state,
            places: state.places?.map((text, i) => (isMirrored(carriers[i]) ? mirrorOffsets(text) : text)),
        },
    };
}

/** Options that say what local vectors refer to. */
interface WrittenOptions {
    readonly gravity?: unknown;
    readonly wind?: { readonly velocity?: unknown; readonly zone?: { readonly node?: Reference } | null } | null;
    readonly maxDistance?: unknown;
    readonly start?: Reference | null;
    readonly end?: Reference | null;
}

/** Mirrors a vector along x. Other values stay as they are and are rejected by the parser. */
function mirror<T>(vector: T): T {
    return Array.isArray(vector) ? (vector.map((value, c) => (c === 0 ? -value : value)) as T) : vector;
}

function mirrorHold(pin: ClothData["pins"][number]): ClothData["pins"][number] {
    const { rail, plane } = pin?.hold ?? {};
    if (plane) return { ...pin, hold: { plane: { ...plane, normal: mirror(plane.normal), point: mirror(plane.point) } } };
    return Array.isArray(rail?.points) ? { ...pin, hold: { rail: { ...rail, points: rail.points.map(mirror) } } } : pin;
}

function mirrorSource(
    collider: ClothData["colliders"][number],
    isWorldMirrored: boolean,
    isMirrored: (reference: Reference | null | undefined) => boolean,
): ClothData["colliders"][number] {
    const { plane, capsule } = (collider?.source ?? {}) as { plane?: readonly number[]; capsule?: CapsuleData };
    if (plane && isWorldMirrored) return { ...collider, source: { plane: mirror(plane) } };
    if (!capsule || !isMirrored(capsule.mesh ?? capsule.carrier)) return collider;
    return { ...collider, source: { capsule: { ...capsule, start: mirror(capsule.start), end: mirror(capsule.end) } } };
}

function mirrorCurtain(curtain: CurtainData): CurtainData {
    const { side, band } = curtain;
    return {
        ...curtain,
        side: side === "left" ? "right" : side === "right" ? "left" : side,
        band: Array.isArray(band) ? band.map((each) => ({ ...each, from: mirror(each?.from) })) : band,
    };
}

function mirrorOffsets(text: string): string {
    const bytes = decodeBase64(text);
    return bytes ? encodeBase64(new Float64Array(bytes).map((value, i) => (i % 3 === 0 ? -value : value))) : text;
}

/** A channel of the vertex colours (COLOR_0), or a vertex attribute by its name in the file, such as `"_CLOTH_PIN"`. */
export interface PaintedBy {
    readonly color?: "r" | "g" | "b" | "a";
    readonly attribute?: string;
}

/**
 * Values of `extras.cloth` of a glTF node or of its mesh: output of {@link ClothFiles.serialize}; or the settings below, made by hand or in a
 * modelling tool; or the name of a fabric; or `true`. Strings are parsed as JSON. Vectors are in the axes of Babylon's world.
 */
export interface ClothExtras {
    /** Any option of {@link ClothBehavior} as in `docs/cloth.schema.json`: `fabric` (a name or properties), `wind`, `gravity`, `substepCount` … */
    readonly [option: string]: unknown;
    /**
     * Pinned vertices: a list, or those with a painted value of at least `threshold` (0.5). Left out: by the attribute `_CLOTH_PIN`, if the mesh
     * has it. Without pins the cloth falls and a warning is logged; `[]` turns the warning off.
     */
    readonly pins?: readonly number[] | (PaintedBy & { readonly threshold?: number });
    /** Name of the node of the file that the pins follow. Left out: the mesh itself. */
    readonly target?: string;
    /**
     * Largest distance of vertices from their pinned positions [m]: one number, or painted, mapped to `from` (0) where unpainted and `to` (1) where
     * painted. Left out: the attribute `_CLOTH_DISTANCE`, in metres, if the mesh has it.
     */
    readonly maxDistance?: number | (PaintedBy & { readonly from?: number; readonly to?: number });
    /**
     * {@link ClothBehavior.backstop} of a skinned mesh [m]: distance and radius, each one number, one for each vertex, or painted as {@link maxDistance}. Left
     * out: the attributes `_CLOTH_BACKSTOP` and `_CLOTH_BACKSTOP_RADIUS`, if the mesh has the first.
     */
    readonly backstop?: unknown;
    /**
     * Bounds of the attribute `_CLOTH_PAINT` [m], each [at 0, at 1]: green is the max distance, blue the backstop's distance, each where its bounds are given
     * here and it is not told otherwise. Red of at least 0.5 pins, where there are neither `pins` nor `_CLOTH_PIN`.
     */
    readonly paint?: { readonly maxDistance?: readonly [number, number]; readonly backstop?: readonly [number, number] };
    /** Names of nodes of the file that are colliders. */
    readonly colliders?: readonly string[];
}

export const PIN_ATTRIBUTE = "_CLOTH_PIN";
export const DISTANCE_ATTRIBUTE = "_CLOTH_DISTANCE";
/** Of clothes on characters: {@link ClothBehavior.backstop}, in metres. */
export const BACKSTOP_ATTRIBUTE = "_CLOTH_BACKSTOP";
export const BACKSTOP_RADIUS_ATTRIBUTE = "_CLOTH_BACKSTOP_RADIUS";
/** One paint for all: red, green and blue, see {@link ClothExtras.paint}. */
export const PAINT_ATTRIBUTE = "_CLOTH_PAINT";
/** Its components. */
const [RED, GREEN, BLUE] = [0, 1, 2];

const OWNER = "ClothLoader";

/** Reads the settings as an object. @param where name in errors @throws RangeError if they are invalid */
export function readExtras(where: string, value: unknown): ClothData | ClothExtras {
    if (value === true || value === 1) return {};
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as ClothExtras;
    if (typeof value !== "string") return reject(OWNER, where, "an object, a text or true", value);
    if (!value.trim().startsWith("{")) return { fabric: value };
    try {
        return JSON.parse(value) as ClothExtras;
    } catch (error) {
        return reject(OWNER, where, `JSON (${(error as Error).message})`, value);
    }
}

/** Creates a cloth from settings. @param meshes that of the behavior, and its parts @throws RangeError on unknown options or missing attributes */
export function clothOf(
    where: string,
    extras: ClothData | ClothExtras,
    meshes: readonly Mesh[],
    names: NodeLookup,
    keepsAxes: KeepsAxes,
): ClothBehavior {
    const [mesh, ...parts] = meshes;
    if ("format" in extras) {
        return ClothFiles.parse(fromGltfAxes(extras as ClothData, mesh.getScene().useRightHandedSystem, keepsAxes), names);
    }
    const { pins, target, maxDistance, backstop, paint: bounds, colliders = [], ...options } = extras as ClothExtras;
    if (!Array.isArray(colliders)) reject(OWNER, `${where}.colliders`, "a list of names of nodes", colliders);
    const carrier: Reference | null = target === undefined ? null : { node: target };
    const cloth = ClothFiles.parse(
        {
            format: "babylon-cloth",
            version: 1,
            options: { skin: true, ...options },
            // Resolves the target only; the pins follow below.
            pins: carrier ? [{ vertices: [], target: carrier }] : [],
            colliders: colliders.map((node) => ({ source: { node } })),
        },
        names,
    );
    cloth.parts = parts;
    const [named] = cloth.pins;
    const node = named?.target ?? null;
    if (named) cloth.unpin(named);
    const held = pinsOf(`${where}.pins`, pins, meshes);
    if (held && !(Array.isArray(held) && held.length === 0)) cloth.pin(held, node);
    const painted = boundsOf(`${where}.paint`, bounds, meshes);
    const distance = distanceOf(`${where}.maxDistance`, maxDistance, meshes) ?? painted.maxDistance;
    if (!held && distance === null) {
        const found = `neither pins nor ${PIN_ATTRIBUTE} or ${DISTANCE_ATTRIBUTE}, but ${mesh.getVerticesDataKinds().join(", ")}`;
        Logger.Warn(
            `${OWNER}: ${where} holds nothing, so it falls: ${found} (in Blender, tick Attributes; "pins": [] if it shall fall)`,
        );
    }
    const isPosed = mesh.skeleton !== null || mesh.morphTargetManager !== null;
    if (isPosed && cloth.skin) cloth.backstop = backstopOf(`${where}.backstop`, backstop, meshes, painted.backstop);
    if (distance !== null && isPosed && cloth.skin && !node) cloth.maxDistance = distance;
    else if (distance !== null) cloth.pin(select.all(), node, new MaxDistanceHold(distance));
    return cloth;
}

function pinsOf(where: string, pins: ClothExtras["pins"], meshes: readonly Mesh[]): Selector | readonly number[] | null {
    if (pins === undefined) {
        const kind = [PIN_ATTRIBUTE, PAINT_ATTRIBUTE].find((name) => hasKind(meshes, name));
        return kind === undefined ? null : select.attribute(kind, 0.5, RED);
    }
    if (Array.isArray(pins)) return pins as readonly number[];
    const { threshold = 0.5, ...painted } = requireObject(where, pins) as PaintedBy & { threshold?: number };
    const { color, attribute } = requirePainted(where, painted, meshes);
    return color ? select.vertexColor(color, threshold) : select.attribute(attribute!, threshold);
}

function distanceOf(where: string, distance: ClothExtras["maxDistance"], meshes: readonly Mesh[]): number | Paint | null {
    if (distance === undefined) return hasKind(meshes, DISTANCE_ATTRIBUTE) ? paint.attribute(DISTANCE_ATTRIBUTE) : null;
    return typeof distance === "number" ? distance : paintOf(where, distance, meshes);
}

/** A paint that extras describe. */
function paintOf(where: string, value: unknown, meshes: readonly Mesh[]): Paint {
    const { from, to, ...painted } = requireObject(where, value) as PaintedBy & { from?: number; to?: number };
    const { color, attribute } = requirePainted(where, painted, meshes);
    return color ? paint.vertexColor(color, from, to) : paint.attribute(attribute!, from, to);
}

/** @param painted by {@link PAINT_ATTRIBUTE} */
function backstopOf(where: string, backstop: unknown, meshes: readonly Mesh[], painted: Paint | null): Backstop | null {
    const radius = hasKind(meshes, BACKSTOP_RADIUS_ATTRIBUTE) && { radius: paint.attribute(BACKSTOP_RADIUS_ATTRIBUTE) };
    if (backstop === undefined) {
        const distance = hasKind(meshes, BACKSTOP_ATTRIBUTE) ? paint.attribute(BACKSTOP_ATTRIBUTE) : painted;
        return distance && { distance, ...radius };
    }
    if (backstop === null) return null;
    knownOptions(`${OWNER}: ${where}`, requireObject(where, backstop), ["distance", "radius"]);
    const given = Object.entries(backstop as Backstop).map(([name, value]) => {
        const isPainted = typeof value === "object" && !Array.isArray(value);
        return [name, isPainted ? paintOf(`${where}.${name}`, value, meshes) : (value as MaxDistance)];
    });
    return Object.fromEntries(given) as Backstop;
}

/** Paint of {@link PAINT_ATTRIBUTE} between these bounds. @throws RangeError where the mesh does not have it */
function boundsOf(
    where: string,
    bounds: ClothExtras["paint"],
    meshes: readonly Mesh[],
): { maxDistance: Paint | null; backstop: Paint | null } {
    const names = ["maxDistance", "backstop"] as const;
    if (bounds !== undefined) {
        knownOptions(`${OWNER}: ${where}`, requireObject(where, bounds), names);
        requirePainted(where, { attribute: PAINT_ATTRIBUTE }, meshes);
    }
    const [maxDistance, backstop] = names.map((name, i) => {
        const range = bounds?.[name];
        if (range === undefined) return null;
        if (!Array.isArray(range) || range.length !== 2 || !range.every((x) => typeof x === "number" && x >= 0))
            reject(OWNER, `${where}.${name}`, "two numbers >= 0, at 0 and at 1", JSON.stringify(range));
        return paint.attribute(PAINT_ATTRIBUTE, range[0], range[1], [GREEN, BLUE][i]);
    });
    return { maxDistance, backstop };
}

function requireObject(where: string, value: unknown): object {
    return typeof value === "object" && value !== null ? value : reject(OWNER, where, "{ color } or { attribute }", value);
}

function requirePainted(where: string, painted: PaintedBy, meshes: readonly Mesh[]): PaintedBy {
    knownOptions(`${OWNER}: ${where}`, painted, ["color", "attribute"]);
    const { color, attribute } = painted;
    if ((color === undefined) === (attribute === undefined)) reject(OWNER, where, "one of color and attribute", painted);
    if (color !== undefined && !hasKind(meshes, "color"))
        reject(OWNER, `${where}.color`, "painted: the mesh must have COLOR_0", meshes[0].getVerticesDataKinds().join(", "));
    if (attribute !== undefined && !hasKind(meshes, attribute)) {
        reject(
            OWNER,
            `${where}.attribute`,
            `an attribute of the mesh: ${meshes[0].getVerticesDataKinds().join(", ")} (in Blender, tick Attributes as you export)`,
            attribute,
        );
    }
    return painted;
}

/** True if one of the meshes has a kind of vertex data. */
function hasKind(meshes: readonly Mesh[], kind: string): boolean {
    return meshes.some((mesh) => mesh.isVerticesDataPresent(kind));
}
