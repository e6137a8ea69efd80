import type { Scene } from "@babylonjs/core/scene";

/** Where a file's names are looked up: a scene, an AssetContainer, or lists of one's own. */
export type NamedNodes = Pick<Scene, "meshes" | "transformNodes" | "skeletons">;
