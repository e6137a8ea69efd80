import type { HoldData } from "../../pins/pinHold";
import type { FileKind } from "../fileKinds";
import type { ClothStateData } from "../fileState";
import type { NamedNodes } from "../named";
import type { Reference, SourceReference } from "../references";

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
