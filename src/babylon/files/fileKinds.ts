import type { Behavior } from "@babylonjs/core/Behaviors/behavior";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import type { BodyOptions } from "../bodyOptions";

/** What else than cloth is written to files. */
export type FileKind = "rope" | "plant";

/** What files have to know of a kind. */
interface Kind {
    /** Names of its options. */
    readonly names: readonly string[];
    make(options: BodyOptions): Behavior<Mesh>;
}

/** The kinds whose behaviors are loaded: apps that read files of cloth go without the others. Each enters itself. */
export const fileKinds: Partial<Record<FileKind, Kind>> = {};
