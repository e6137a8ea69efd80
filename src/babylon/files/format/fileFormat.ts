import type { HoldData } from "../../pins/pinHold";
import type { Scene } from "@babylonjs/core/scene";
import type { Behavior } from "@babylonjs/core/Behaviors/behavior";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";

/** Kinds of behavior in files, besides cloth. */
export type FileKind = "rope" | "plant";

/** Registry entry of a kind. */
interface Kind {
    /** Names of its options. */
    readonly names: readonly string[];
    make(options: object): Behavior<Mesh>;
}

/** Kinds whose behaviors are loaded; each module registers itself, so apps bundle only the kinds that they import. */
export const fileKinds: Partial<Record<FileKind, Kind>> = {};

/** Options of a ClothTearing in a file. */
export interface TearingData {
    readonly strain: number | "Infinity";
}

/** Maker of behaviors that stand beside a cloth; registers itself as {@link fileKinds} do. */
export const fileTearing: { make: ((options: { strain: number }) => Behavior<Mesh>) | null } = { make: null };

/** State of a follower: first number, number now and its velocity [1/s], and goal. */
export interface FollowerState {
    readonly start: number;
    readonly value: number;
    readonly velocity: number;
    readonly goal: number;
}

/** A curtain of ClothBuilder: its shape, and what it is at. In a file nodes are references, else the nodes themselves. */
export interface CurtainData<NodeType = Reference> {
    /** See CurtainOptions. `height` is told for the speed of the rings. */
    readonly width: number;
    readonly height: number;
    readonly pleats: number;
    readonly fullness: number;
    readonly side: "left" | "right";
    /** Vertices at the rings and where the band holds, from the side to which it opens: two for each pleat, and one. */
    readonly ringVertices: readonly number[];
    readonly bandVertices: readonly number[];
    /** Distance of the band from the rail along the cloth [m]. */
    readonly bandDrop: number;
    /** False if the user has given pins of their own: the rings then hold nothing. */
    readonly isOnRail: boolean;
    readonly open: FollowerState;
    readonly tied: FollowerState;
    readonly rings: readonly NodeType[];
    /** Nodes by which the band holds, where they took hold, mesh-local [m]. Empty: the curtain is not tied. */
    readonly band: readonly { readonly node: NodeType; readonly from: readonly number[] }[];
}

/** Reader and maker of curtains; registers itself as {@link fileKinds} do. */
export const fileCurtains: {
    /** The curtain that a cloth is; undefined of any other cloth. */
    read: ((cloth: object) => CurtainData<TransformNode> | undefined) | null;
    /** Makes a curtain of a mesh and the cloth on it. */
    make: ((mesh: Mesh, cloth: object, data: CurtainData<TransformNode>) => void) | null;
} = { read: null, make: null };

/** Nodes that references of a file are resolved in: a scene, an AssetContainer, or custom lists. */
export type NamedNodes = Pick<Scene, "meshes" | "transformNodes" | "skeletons">;

/** A cloth as plain data: `docs/cloth.schema.json`. */
export interface ClothData {
    readonly format: "babylon-cloth";
    readonly version: 1;
    /** Kind of behavior. Left out: cloth. */
    readonly kind?: FileKind;
    /** Axes of the scene that it was written in. Default left-handed. The glTF loader converts by it. */
    readonly axes?: "left-handed" | "right-handed";
    /** Properties of {@link ClothBehavior}, or what it is, by their names; what is left out takes its default. `fabric` may be a name of {@link Fabrics}. */
    readonly options: Readonly<Record<string, unknown>>;
    /** Pinned vertices, the node or bone that they follow (null: the mesh itself), and the hold (left out: rigid). */
    readonly pins: readonly {
        readonly vertices: readonly number[];
        readonly target: Reference | null;
        readonly hold?: HoldData | null;
    }[];
    readonly colliders: readonly ColliderData[];
    /** Welded place of each vertex of a torn cloth. Left out: vertices at equal positions are welded. */
    readonly torn?: string;
    /** The ClothTearing beside it. Left out: it has none. */
    readonly tearing?: TearingData | undefined;
    /** The curtain that it is. Left out: it is none. */
    readonly curtain?: CurtainData | undefined;
    /** Motion state. Left out: at rest. */
    readonly state?: ClothStateData;
    /** Data of other tools, such as the studio's document. Not read, not written. */
    readonly extras?: object;
}

/** Motion state of a cloth; arrays in base 64, see encoding.ts. */
export interface ClothStateData {
    /** World position of the space in which the particles are [m], the world's time [s]. */
    readonly origin: string;
    readonly worldTime: number;
    /** Position arrays and arrays of motion state, alternating. */
    readonly particles: readonly string[];
    readonly particleOfVertex: string;
    /** Substep length and the state of the substep controller. Left out: unknown. */
    readonly steps?: string;
    readonly clock: string;
    readonly sleep: string;
    /** Offsets of the pins in the space of their carriers, and motion state of the pins; in the order of the pins. */
    readonly places: readonly string[];
    readonly pins: readonly string[];
    /** Displacements predicted without air; null: no air. */
    readonly air: string | null;
}

/** Reference to a node. */
export interface NodeReference {
    readonly node: string;
    /** Number of the node's mark in its file, see NodeMark. Left out: in no file of a scene. */
    readonly id?: number;
    /** Names of its parents, the nearest first, where the scene has several nodes of its name. */
    readonly parents?: readonly string[];
    /** Number among nodes of the same name and parents, in the order of the scene's meshes and then its transform nodes. Left out: the only one. */
    readonly index?: number;
}

/** Reference to a bone of a skeleton. */
export interface BoneReference {
    readonly bone: string;
    readonly skeleton: string;
    /** Number of the mark of the node that moves the bone. */
    readonly id?: number;
    /** A mesh that wears the skeleton, and the bone's number there. Left out: the names are the scene's only ones. */
    readonly wearer?: NodeReference;
    readonly index?: number;
}

/** Reference to a node, or to a bone of a skeleton. */
export type Reference = NodeReference | BoneReference;

/** A capsule or sphere of {@link Colliders.fromSkeleton}: see {@link BoneShape}. */
export interface CapsuleData {
    readonly carrier: Reference;
    /** The skinned mesh, where the carrier is a bone. */
    readonly mesh?: NodeReference;
    /** x, y and z. */
    readonly start: readonly number[];
    readonly end: readonly number[];
    readonly startRadius: number;
    readonly endRadius: number;
}

/** A node, a plane as x y z of its normal and its d, or a capsule on a bone. */
export type SourceReference = Reference | { readonly plane: readonly number[] } | { readonly capsule: CapsuleData };

/** A collider with its options, see {@link ColliderOptions}. */
export interface ColliderData {
    readonly source: SourceReference;
    readonly [option: string]: unknown;
}

/** Options of {@link ClothFiles.serialize}. */
export interface FileOptions {
    /** True to write the motion state. Default false: the cloth starts at rest; {@link ClothFiles.writeScene} writes it of what is paused (`enabled` or `autoStep` false). */
    state?: boolean;
}

/** Serialiser and parser of behaviors. */
export interface FileFormat<Cloth> {
    serialize(cloth: Cloth, options?: FileOptions): ClothData;
    parse(data: ClothData, scene: NamedNodes): Cloth;
}

/** The loaded format, set by `import "babylon-cloth/files"`. */
export const fileFormat: { loaded: FileFormat<never> | null } = { loaded: null };

/** @throws Error if it is not loaded */
export function requireFormat<Cloth>(method: string): FileFormat<Cloth> {
    if (!fileFormat.loaded) throw new Error(`ClothBehavior: ${method} needs import "babylon-cloth/files"`);
    return fileFormat.loaded as unknown as FileFormat<Cloth>;
}

/** Lossless encoding of numbers for JSON: arrays as little-endian bytes in base 64, Infinity as a string. */

/** @param array of 32- or 64-bit floats or 32-bit integers */
export function encodeBase64(array: Float32Array | Float64Array | Uint32Array): string {
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    let text = "";
    for (let i = 0; i < bytes.length; i++) text += String.fromCharCode(bytes[i]);
    return btoa(text);
}

/** Decodes {@link encodeBase64}; null if the text is not valid. */
export function decodeBase64(text: unknown): ArrayBuffer | null {
    if (typeof text !== "string") return null;
    try {
        const decoded = atob(text);
        if (decoded.length % 4 !== 0) return null;
        const bytes = new Uint8Array(decoded.length);
        for (let i = 0; i < bytes.length; i++) bytes[i] = decoded.charCodeAt(i);
        return bytes.buffer;
    } catch {
        return null;
    }
}

/** A number, or an object of numbers, with "Infinity" for Infinity, which JSON lacks. */
export function encodeNumbers(value: unknown): unknown {
    return isRecord(value) ? mapValues(value, encodeNumbers) : value === Infinity ? "Infinity" : value;
}

/** Inverse of {@link encodeNumbers}. */
export function decodeNumbers(value: unknown): unknown {
    return isRecord(value) ? mapValues(value, decodeNumbers) : value === "Infinity" ? Infinity : value;
}

function isRecord(value: unknown): value is Record<string, unknown> {
    return typeof value === "object" && value !== null && !Array.isArray(value);
}

function mapValues(record: Record<string, unknown>, map: (value: unknown) => unknown): Record<string, unknown> {
    return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));
}
