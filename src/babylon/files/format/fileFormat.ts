import type { HoldData } from "../../pins/pinHold";
import type { Scene } from "@babylonjs/core/scene";
import type { Behavior } from "@babylonjs/core/Behaviors/behavior";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";

/** What else than cloth is written to files. */
export type FileKind = "rope" | "plant";

/** What files have to know of a kind. */
interface Kind {
    /** Names of its options. */
    readonly names: readonly string[];
    make(options: object): Behavior<Mesh>;
}

/** The kinds whose behaviors are loaded: apps that read files of cloth go without the others. Each enters itself. */
export const fileKinds: Partial<Record<FileKind, Kind>> = {};

/** Where a file's names are looked up: a scene, an AssetContainer, or lists of one's own. */
export type NamedNodes = Pick<Scene, "meshes" | "transformNodes" | "skeletons">;

/** A cloth as plain data: `docs/cloth.schema.json`. */
export interface ClothData {
    readonly format: "babylon-cloth";
    readonly version: 1;
    /** Left out: cloth. */
    readonly kind?: FileKind;
    /** Of the scene that it was written in; left out: left-handed, as Babylon's are. glTF's axes are others: its loader goes by this. */
    readonly axes?: "left-handed" | "right-handed";
    /** Properties of {@link ClothBehavior}, or what it is, by their names; what is left out takes its default. `fabric` may be a name of {@link Fabrics}. */
    readonly options: Readonly<Record<string, unknown>>;
    /** Vertices that are held, what carries them (null: the mesh itself), and how, where not rigidly. */
    readonly pins: readonly {
        readonly vertices: readonly number[];
        readonly target: Reference | null;
        readonly hold?: HoldData | null;
    }[];
    readonly colliders: readonly ColliderData[];
    /** Of a torn cloth: the place of each vertex; those of one place hang together. Left out: those that lie at one place do. */
    readonly torn?: string;
    /** Where its particles are and how they move; left out: at rest where the mesh is. */
    readonly state?: ClothStateData;
}

/** The motion of a cloth: numbers as text, see bytes.ts. */
export interface ClothStateData {
    /** World position of the space in which the particles are [m], the world's time [s]. */
    readonly origin: string;
    readonly worldTime: number;
    /** Positions and what keeps their motion, in turn. */
    readonly particles: readonly string[];
    readonly particleOfVertex: string;
    /** How long their substeps are, and what tells how fine they are to be; left out, as in older files: not known. */
    readonly steps?: string;
    readonly clock: string;
    readonly sleep: string;
    /** Of the pins, in their order: where they hold, local to what carries them, and their motion. */
    readonly places: readonly string[];
    readonly pins: readonly string[];
    /** What else than air acted on the particles; null: no air about. */
    readonly air: string | null;
}

/** What of a scene a file names: a node, or a bone of a skeleton, by names that no other has. */
export type Reference = { readonly node: string } | { readonly bone: string; readonly skeleton: string };

/** A node, or a plane as x y z of its normal and its d. */
export type SourceReference = Reference | { readonly plane: readonly number[] };

/** A collider with its options, see {@link ColliderOptions}. */
export interface ColliderData {
    readonly source: SourceReference;
    readonly [option: string]: unknown;
}

/** What of a cloth is written. */
export interface FileOptions {
    /** Whether its motion comes along. Default false: at rest. */
    state?: boolean;
}

/** How cloths of a kind are written and read. */
export interface FileFormat<Cloth> {
    serialize(cloth: Cloth, options?: FileOptions): ClothData;
    parse(data: ClothData, scene: NamedNodes): Cloth;
}

/** The format that is loaded: `import "babylon-cloth/files"` does it. Apps without files go without. */
export const fileFormat: { loaded: FileFormat<never> | null } = { loaded: null };

/** @throws Error where it is not loaded */
export function requireFormat<Cloth>(method: string): FileFormat<Cloth> {
    if (!fileFormat.loaded) throw new Error(`ClothBehavior: ${method} needs import "babylon-cloth/files"`);
    return fileFormat.loaded as unknown as FileFormat<Cloth>;
}
