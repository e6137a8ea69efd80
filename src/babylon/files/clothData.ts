import { Fabrics, boolean, finiteVector, integer, knownOptions, reject } from "../../engine/index";
import type { Fabric, VectorLike } from "../../engine/index";
import { ClothBehavior } from "../behaviors/clothBehavior";
import { runtimeOf } from "../behaviors/bodyRuntime";
import { OPTION_NAMES } from "../behaviors/bodyOptions";
import type { ColliderBinding } from "../colliders/colliderBinding";
import type { PinBinding } from "../pins/pinBinding";
import type { ColliderEntry } from "../colliders/colliderOptions";
import type { PinOptions, HoldData, PinHold } from "../pins/pinHold";
import type { ClothOptions } from "../behaviors/bodyOptions";
import { Wind } from "../wind/wind";
import type { WindOptions } from "../wind/wind";
import { checkState, filterKept, readState, writeState } from "./fileState";
import { fileKinds, decodeNumbers, encodeNumbers } from "./format/fileFormat";
import type { ClothData, ColliderData, FileKind, FileOptions, Reference } from "./format/fileFormat";
import { readCurtain, writeCurtain } from "./fileCurtains";
import { checkTears, readTearing, readTears, writeTearing, writeTears } from "./fileTears";
import { resolveReference, resolveSource, makeReference, makeSourceReference } from "./references";
import type { NodeLookup } from "./references";
import type { NodeMarks } from "./nodeMarks";
import type { RopeBehavior } from "../ropes/ropeBehavior";
import { isClothVertex } from "../ropes/ropeEnds";
import type { PlantBehavior } from "../plants/plantBehavior";
import type { BodyInstance } from "../behaviors/bodyInstance";
import { MaxDistanceHold, writeDistance } from "../pins/maxDistance";
import type { MaxDistance } from "../pins/maxDistance";
import { PlaneHold } from "../pins/planeHold";
import type { PlaneHoldOptions } from "../pins/planeHold";
import { RailHold } from "../pins/railHold";
import type { RailHoldOptions } from "../pins/railHold";
import { SoftHold } from "../pins/softHold";
import type { SoftHoldOptions } from "../pins/softHold";
import { contextOf } from "../pins/selectContext";

const NAMES = ["soft", "maxDistance", "rail", "plane"];

/** @throws RangeError if a distance is painted and the cloth is not on a mesh */
export function writeHold(owner: string, option: string, hold: PinHold, instance: BodyInstance | null): HoldData {
    const data = hold._toData(instance && contextOf(instance.binding));
    return data ? (encodeNumbers(data) as HoldData) : reject(owner, option, "numbers, or the cloth on a mesh", hold);
}

/** @throws RangeError on invalid data */
export function readHold(owner: string, option: string, data: unknown): PinHold {
    if (typeof data !== "object" || data === null || Object.keys(data).length !== 1) {
        return reject(owner, option, `an object with one of ${NAMES.join(", ")}`, data);
    }
    knownOptions(`${owner}: ${option}`, data, NAMES);
    const { soft, maxDistance, rail, plane } = data as HoldData;
    if (soft !== undefined) return new SoftHold(decodeNumbers(soft) as SoftHoldOptions);
    if (maxDistance !== undefined) return new MaxDistanceHold(maxDistance);
    if (plane !== undefined) {
        if (typeof plane !== "object" || plane === null) return reject(owner, `${option}.plane`, "an object", plane);
        const { normal, point, ...options } = plane;
        return new PlaneHold(holdVectorIn(owner, `${option}.plane.normal`, normal), {
            ...(decodeNumbers(options) as PlaneHoldOptions),
            ...(point !== undefined && { point: holdVectorIn(owner, `${option}.plane.point`, point) }),
        });
    }
    if (typeof rail !== "object" || rail === null) return reject(owner, `${option}.rail`, "an object", rail);
    const { points, ...options } = rail;
    if (!Array.isArray(points)) return reject(owner, `${option}.rail.points`, "a list of [x, y, z]", points);
    const vectors = points.map((point: unknown, i) => holdVectorIn(owner, `${option}.rail.points[${i}]`, point));
    return new RailHold(vectors, decodeNumbers(options) as RailHoldOptions);
}

function holdVectorIn(owner: string, option: string, value: unknown): VectorLike {
    return Array.isArray(value) ? { x: value[0], y: value[1], z: value[2] } : reject(owner, option, "[x, y, z]", value);
}

/** Behaviors that can be written to files. */
export type SerializableBehavior = ClothBehavior | RopeBehavior | PlantBehavior;

/** Version of the format; other versions are rejected. */
const VERSION = 1;

const AXES = ["left-handed", "right-handed"] as const;

const PARSE = "ClothFiles: parse";
const WRITE = "ClothFiles: serialize";
const WIND_NAMES = ["velocity", "turbulence", "gustLength", "airDensity", "drag", "skinFriction", "seed"] as const;
/** Option names without the lists. */
const plainOptionNames = (kind: FileKind | undefined): readonly string[] =>
    (kind === undefined ? OPTION_NAMES : requireKind(kind).names).filter((name) => name !== "pins" && name !== "colliders");
/** Options that are implemented as pins. */
const PIN_OPTION_NAMES = ["maxDistance", "start", "end"];
const KIND_OF_BEHAVIOR: Readonly<Record<string, FileKind>> = { Rope: "rope", Plant: "plant" };
const COLLIDER_NAMES = ["shape", "inside", "twoSided", "friction", "restitution", "influence", "margin", "group", "mask"];

/** See {@link ClothFiles.serialize}. @param marks of the nodes of a file that is being written */
export function serializeCloth(body: SerializableBehavior, options: FileOptions = {}, marks?: NodeMarks): ClothData {
    const cloth = body as ClothBehavior;
    knownOptions(WRITE, options, ["state"]);
    const state = boolean(WRITE, "state", options.state ?? false);
    const runtime = isSerializable(cloth)
        ? runtimeOf(cloth)!
        : reject(WRITE, "cloth", "a ClothBehavior, RopeBehavior or PlantBehavior", cloth);
    const kind = KIND_OF_BEHAVIOR[cloth.name];
    const { instance } = runtime;
    if (state && !instance) reject(WRITE, "cloth", "on a mesh to have a state", "none");
    const kept = runtime.pins.map(({ target }) => !target?.doNotSerialize);
    const data = {
        format: "babylon-cloth" as const,
        version: VERSION as typeof VERSION,
        ...(kind ? { kind } : {}),
        axes: instance?.mesh.getScene().useRightHandedSystem ? AXES[1] : AXES[0],
        options: writeOptions(body, marks),
        pins: filterKept(runtime.pins, kept)
            .filter((pin) => !PIN_OPTION_NAMES.some((name) => pin === runtime.pinList.pinOfOption(name)))
            .map((pin, i) => writePin(pin, `pins[${i}]`, instance, marks)),
        colliders: runtime.colliders.map((collider, i) => writeCollider(collider, `colliders[${i}]`, marks)),
        // Of a whole cloth it is undefined, which JSON leaves out.
        ...(kind ? {} : { torn: writeTears(cloth), tearing: writeTearing(cloth), curtain: writeCurtain(cloth, marks) }),
    };
    return state ? { ...data, state: writeState(instance!, kept) } : data;
}

/** All plain options of a body as data, by their names. */
export function writeOptions(body: SerializableBehavior, marks?: NodeMarks): Record<string, unknown> {
    const cloth = body as ClothBehavior;
    const settings: Record<string, unknown> = {};
    for (const name of plainOptionNames(KIND_OF_BEHAVIOR[cloth.name])) {
        settings[name] = name in WRITERS ? WRITERS[name]!(cloth, marks) : encodeNumbers(cloth[name as keyof ClothBehavior]);
    }
    return settings;
}

/** One of {@link writeOptions} as the property's value. @throws RangeError on invalid data */
export function readOption(name: string, value: unknown, scene: NodeLookup): unknown {
    const read = READERS[name];
    return read ? read(value, scene) : decodeNumbers(value);
}

/** See {@link ClothFiles.parse}. */
export function parseCloth(data: ClothData, scene: NodeLookup): SerializableBehavior {
    if (typeof data !== "object" || data === null) reject(PARSE, "data", "an object", data);
    if (data.format !== "babylon-cloth") reject(PARSE, "format", '"babylon-cloth"', data.format);
    if (data.version !== VERSION) reject(PARSE, "version", String(VERSION), data.version);
    knownOptions(PARSE, data, [
        "format",
        "version",
        "kind",
        "axes",
        "options",
        "pins",
        "colliders",
        "torn",
        "tearing",
        "curtain",
        "state",
        "extras",
    ]);
    if (data.axes !== undefined && !AXES.includes(data.axes)) reject(PARSE, "axes", AXES.join(" or "), data.axes);
    if (!Array.isArray(scene?.meshes)) reject(PARSE, "scene", "a Scene or AssetContainer", scene);
    const { kind, options = {}, pins = [], colliders = [], torn, tearing, curtain, state } = data;
    const names = plainOptionNames(kind);
    if (kind && torn !== undefined) reject(PARSE, "torn", "left out of what is no cloth", torn);
    if (kind && tearing !== undefined) reject(PARSE, "tearing", "left out of what is no cloth", tearing);
    if (kind && curtain !== undefined) reject(PARSE, "curtain", "left out of what is no cloth", curtain);
    if (typeof options !== "object" || options === null) reject(PARSE, "options", "an object", options);
    knownOptions(PARSE, options, names);
    // Files older than the option hold a sheet that was posed once.
    const settings: Record<string, unknown> = kind ? {} : { skin: false };
    for (const [name, value] of Object.entries(options)) {
        settings[name] = readOption(name, value, scene);
    }
    const checked = state === undefined ? null : checkState(state);
    const tears = torn === undefined ? null : checkTears(torn);
    const all: ClothOptions = {
        ...(settings as ClothOptions),
        pins: list("pins", pins).map((pin, i) => readPin(pin, `pins[${i}]`, scene)),
        colliders: list("colliders", colliders).map((collider, i) => readCollider(collider, `colliders[${i}]`, scene)),
    };
    const cloth = kind ? (requireKind(kind).make(all) as RopeBehavior | PlantBehavior) : new ClothBehavior(all);
    if (tears) readTears(cloth as ClothBehavior, torn!, tears);
    const addTearing = tearing === undefined ? null : readTearing(cloth as ClothBehavior, tearing);
    const makeCurtain = curtain === undefined ? null : readCurtain(cloth as ClothBehavior, curtain, scene);
    if (checked || addTearing || makeCurtain) {
        runtimeOf(cloth)!.hooks.onAttached = (instance) => {
            if (checked) readState(instance, checked);
            makeCurtain?.(instance.mesh, checked !== null);
            addTearing?.(instance.mesh);
        };
    }
    return cloth;
}

/** True if files support this kind of behavior. */
export function isSerializable(behavior: object): boolean {
    const { name } = (behavior ?? {}) as { name?: unknown };
    return Boolean(behavior && runtimeOf(behavior)) && (name === "Cloth" || Object.hasOwn(KIND_OF_BEHAVIOR, name as string));
}

/** @throws RangeError on an unknown kind; Error if its behavior is not loaded */
function requireKind(kind: unknown): NonNullable<(typeof fileKinds)[FileKind]> {
    const [behavior] =
        Object.entries(KIND_OF_BEHAVIOR).find(([, name]) => name === kind) ?? reject(PARSE, "kind", '"rope" or "plant"', kind);
    const known = fileKinds[kind as FileKind];
    if (!known) throw new Error(`${PARSE}: a ${String(kind)} needs ${behavior}Behavior: import it from babylon-cloth`);
    return known;
}

/** Reference to the node or bone that a rope's end is tied to. */
function writeEnd(option: "start" | "end", cloth: ClothBehavior, marks?: NodeMarks): Reference | null {
    const tied = (cloth as unknown as RopeBehavior)[option];
    if (tied === null) return null;
    return isClothVertex(tied)
        ? reject(WRITE, option, "a node or bone to be written to a file", "a vertex of cloth")
        : makeReference(WRITE, option, tied, marks);
}

/** Numbers of an option: one, or one for each vertex of the mesh. */
function writePaint(cloth: ClothBehavior, option: string, value: MaxDistance | null): unknown {
    if (value === null) return null;
    const { instance } = runtimeOf(cloth)!;
    const data = writeDistance(value, instance && contextOf(instance.binding));
    return data === null ? reject(WRITE, `options.${option}`, "numbers, or the cloth on a mesh", value) : encodeNumbers(data);
}

/** Writers of options that are not plain values. */
const WRITERS: Partial<Record<string, (cloth: ClothBehavior, marks?: NodeMarks) => unknown>> = {
    fabric: ({ fabric }) => encodeNumbers(fabric),
    gravity: ({ gravity }) => gravity && [gravity.x, gravity.y, gravity.z],
    parts: ({ parts }, marks) => (parts.length > 0 ? parts.map((part) => makeReference(WRITE, "parts", part, marks)) : undefined),
    start: (cloth, marks) => writeEnd("start", cloth, marks),
    end: (cloth, marks) => writeEnd("end", cloth, marks),
    maxDistance: (cloth) => writePaint(cloth, "maxDistance", cloth.maxDistance),
    backstop(cloth) {
        const { backstop } = cloth;
        if (!backstop) return null;
        const written = Object.entries(backstop as Record<string, MaxDistance>).filter(([, value]) => value !== undefined);
        return Object.fromEntries(written.map(([name, value]) => [name, writePaint(cloth, `backstop.${name}`, value)]));
    },
    inertia({ inertia }, marks) {
        if (!inertia) return null;
        const { anchor, ...numbers } = inertia;
        const reference = anchor ? makeReference(WRITE, "inertia.anchor", anchor, marks) : null;
        return { ...(encodeNumbers(numbers) as object), anchor: reference };
    },
    wind({ wind }, marks) {
        if (!wind) return wind;
        const data = Object.fromEntries(WIND_NAMES.map((name): [string, unknown] => [name, wind[name]]));
        const { x, y, z } = wind.velocity;
        const zone = wind.zone && { ...wind.zone, node: makeReference(WRITE, "wind.zone.node", wind.zone.node, marks) };
        return { ...data, velocity: [x, y, z], zone: zone && { shape: zone.shape, node: zone.node, falloff: zone.falloff } };
    },
};

/** Readers of options that are not plain values. */
const READERS: Partial<Record<string, (value: unknown, scene: NodeLookup) => unknown>> = {
    fabric(value) {
        if (typeof value === "string") {
            if (Object.hasOwn(Fabrics, value)) return Fabrics[value as keyof typeof Fabrics];
            return reject(PARSE, "options.fabric", `one of ${Object.keys(Fabrics).join(", ")}`, value);
        }
        if (typeof value !== "object" || value === null) return reject(PARSE, "options.fabric", "a name or an object", value);
        return decodeNumbers(value) as Partial<Fabric>;
    },
    parts: (value, scene) =>
        list("options.parts", (value ?? []) as unknown[]).map((each, i) =>
            resolveReference(PARSE, `options.parts[${i}]`, each, scene),
        ),
    start: (value, scene) => (value === null ? null : resolveReference(PARSE, "options.start", value, scene)),
    end: (value, scene) => (value === null ? null : resolveReference(PARSE, "options.end", value, scene)),
    gravity: (value) => (value === null ? null : vectorIn("options.gravity", value)),
    inertia(value, scene) {
        if (value === null) return null;
        if (typeof value !== "object" || Array.isArray(value)) return reject(PARSE, "options.inertia", "an object or null", value);
        const { anchor, ...numbers } = value as Record<string, unknown>;
        const node = anchor ? resolveReference(PARSE, "options.inertia.anchor", anchor, scene) : null;
        return { ...(decodeNumbers(numbers) as object), anchor: node };
    },
    wind(value, scene) {
        if (value === null || value === undefined) return value;
        if (typeof value !== "object" || Array.isArray(value)) return reject(PARSE, "options.wind", "an object or null", value);
        const { velocity, zone, ...rest } = value as Record<string, unknown>;
        const options: Record<string, unknown> = { ...rest };
        if (velocity !== undefined) options.velocity = vectorIn("options.wind.velocity", velocity);
        if (zone) {
            const { node, ...others } = zone as Record<string, unknown>;
            options.zone = { ...others, node: resolveReference(PARSE, "options.wind.zone.node", node, scene) };
        }
        return new Wind(options as WindOptions);
    },
};

/** A pin as data. @throws RangeError if its vertices are unknown, or its target is not in the scene */
function writePin(pin: PinBinding, option: string, instance: BodyInstance | null, marks?: NodeMarks): ClothData["pins"][number] {
    return {
        vertices: instance?.pinnedVertices(pin, null) ?? indicesOf(pin.select, `${option}.select`),
        target: pin.target && makeReference(WRITE, `${option}.target`, pin.target, marks),
        hold: pin.hold && writeHold(WRITE, `${option}.hold`, pin.hold, instance),
    };
}

/** An option of WRITERS of what is no cloth. */
export function writeOption(name: string, holder: object, marks?: NodeMarks): unknown {
    return WRITERS[name]!(holder as ClothBehavior, marks);
}

/** A collider as data. @throws RangeError if its source is neither a node of the scene nor a Plane */
export function writeCollider(
    collider: Pick<ColliderBinding, "source" | "options">,
    option: string,
    marks?: NodeMarks,
): ColliderData {
    return { source: makeSourceReference(WRITE, `${option}.source`, collider.source, marks), ...collider.options };
}

function readPin(pin: unknown, option: string, scene: NodeLookup): PinOptions {
    if (typeof pin !== "object" || pin === null) return reject(PARSE, option, "{ vertices, target }", pin);
    knownOptions(`${PARSE}: ${option}`, pin, ["vertices", "target", "hold"]);
    const { vertices, target = null, hold = null } = pin as ClothData["pins"][number];
    if (!Array.isArray(vertices)) reject(PARSE, `${option}.vertices`, "a list of vertices", vertices);
    vertices.forEach((vertex, i) => integer(PARSE, `${option}.vertices[${i}]`, 0, vertex));
    return {
        select: vertices,
        target: target && resolveReference(PARSE, `${option}.target`, target, scene),
        hold: hold && readHold(PARSE, `${option}.hold`, hold),
    };
}

export function readCollider(collider: unknown, option: string, scene: NodeLookup): ColliderEntry {
    if (typeof collider !== "object" || collider === null) return reject(PARSE, option, "{ source, … }", collider);
    knownOptions(`${PARSE}: ${option}`, collider, ["source", ...COLLIDER_NAMES]);
    const { source, ...options } = collider as ColliderData;
    return { ...options, source: resolveSource(PARSE, `${option}.source`, source, scene) };
}

function indicesOf(select: unknown, option: string): readonly number[] {
    if (typeof select === "object" && select !== null && "length" in select) return Array.from(select as ArrayLike<number>);
    return reject(WRITE, option, "vertex indices, or the cloth on a mesh", select);
}

function list<T>(option: string, value: readonly T[]): readonly T[] {
    return Array.isArray(value) ? value : reject(PARSE, option, "a list", value);
}

function vectorIn(option: string, value: unknown): VectorLike {
    if (!Array.isArray(value) || value.length !== 3) return reject(PARSE, option, "a list of x, y and z", value);
    const vector = { x: value[0], y: value[1], z: value[2] };
    finiteVector(PARSE, option, vector);
    return vector;
}
