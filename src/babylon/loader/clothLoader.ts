import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import type { AbstractMesh } from "@babylonjs/core/Meshes/abstractMesh";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import type { GLTFLoader } from "@babylonjs/loaders/glTF/2.0/glTFLoader";
import type { IGLTFLoaderExtension } from "@babylonjs/loaders/glTF/2.0/glTFLoaderExtension";
import type { IMesh, IMeshPrimitive, INode } from "@babylonjs/loaders/glTF/2.0/glTFLoaderInterfaces";
import { reject } from "../../engine/index";
import { addBehaviors } from "../files/sceneFiles";
import { clothOf, readExtras } from "./clothExtras";
import type { KeepsAxes } from "./clothExtras";
import { removeMarks } from "../files/nodeMarks";
import type { FileExtras, NodeMark } from "../files/nodeMarks";
import type { Reference } from "../files/format/fileFormat";
import type { NodeLookup } from "../files/references";
import { registerGLTFExtension } from "@babylonjs/loaders/glTF/2.0/glTFLoaderExtensionRegistry";

/** Name of the extension, for `loader.extensionOptions` and `onExtensionLoadedObservable`. */
export const CLOTH_EXTENSION = "BABYLON_cloth_extras";

const OWNER = "ClothLoader";
/** Components of an accessor by its type. */
const COMPONENT_COUNTS: Readonly<Record<string, number>> = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4 };
const TRIANGLE_MODE = 4;

/** Internals of the loader: nothing is loaded as an instance while it is above 0. */
interface InstancingLoader {
    _disableInstancedMesh: number;
}

/** A mesh that becomes cloth when all nodes are loaded. */
interface PendingCloth {
    readonly where: string;
    readonly extras: ReturnType<typeof readExtras>;
    readonly mesh: Mesh;
    readonly mark: NodeMark | undefined;
}

/**
 * Makes cloth of glTF nodes whose extras, or whose mesh's extras, have `cloth` (see {@link ClothExtras}), when all nodes are loaded.
 * Vertex attributes whose names begin with `_`, which Babylon's loader skips, become vertex data of these meshes under their names.
 * Blender before 3.6 adds another `_`, which is removed. Invalid settings reject the loading; then no mesh of the file becomes cloth.
 */
export class ClothLoader implements IGLTFLoaderExtension {
    readonly name = CLOTH_EXTENSION;
    enabled = true;
    /** By their nodes; several of a mesh of several materials. */
    private readonly _pending = new Map<INode, PendingCloth[]>();
    private _isDisposed = false;

    constructor(private readonly _loader: GLTFLoader) {}

    dispose(): void {
        this._isDisposed = true;
        this._pending.clear();
    }

    /** @internal */
    _loadMeshPrimitiveAsync(
        context: string,
        name: string,
        node: INode,
        mesh: IMesh,
        primitive: IMeshPrimitive,
        assign: (babylonMesh: AbstractMesh) => void,
    ): Promise<AbstractMesh> | null {
        const value = clothExtraOf(node.extras) ?? clothExtraOf(mesh.extras);
        // Tools without booleans write 0.
        if (value === undefined || value === null || value === false || value === 0) return null;
        const where = `extras.cloth of "${node.name ?? `node ${node.index}`}"`;
        const extras = readExtras(where, value);
        // Its numbers are those of the vertices of one mesh.
        if ("format" in extras && mesh.primitives.length > 1) {
            reject(OWNER, where, "on a mesh of one material; cut it apart, or give it one", `${mesh.primitives.length} materials`);
        }
        if ((primitive.mode ?? TRIANGLE_MODE) !== TRIANGLE_MODE) reject(OWNER, where, "on triangles", `mode ${primitive.mode}`);
        const loader = this._loader as unknown as InstancingLoader;
        loader._disableInstancedMesh++;
        const loading = this._loader._loadMeshPrimitiveAsync(context, name, node, mesh, primitive, assign);
        loader._disableInstancedMesh--;
        return loading.then(async (loaded) => {
            // Another part of the file failed, and the loader is disposed.
            if (this._isDisposed) return loaded;
            await this._loadAttributes(where, primitive, loaded as Mesh);
            const part = { where, extras, mesh: loaded as Mesh, mark: markOf(node) };
            let parts = this._pending.get(node);
            if (!parts) this._pending.set(node, (parts = []));
            // Each material of a mesh is a mesh of its own, loaded in any order.
            parts[mesh.primitives.indexOf(primitive)] = part;
            return loaded;
        });
    }

    /** Called when all nodes are loaded. */
    onReady(): void {
        const names = this._nodeLookup();
        const marks = new Map((this._loader.gltf.nodes ?? []).map((node) => [markOf(node)?.id, markOf(node)]));
        const cloths = [...this._pending.values()].map(([{ where, extras, mesh, mark: own }, ...parts]) => {
            const keepsAxes: KeepsAxes = (reference) => {
                const root = (reference ? marks.get(idOf(reference)) : own)?.root;
                // A root that converts axes is left out of the file; where it is in there, it is a node like others.
                return root !== undefined && !marks.has(root);
            };
            const meshes = [mesh, ...parts.map((part) => part.mesh)];
            return { mesh, cloth: clothOf(where, extras, meshes, { ...names, near: mesh }, keepsAxes) };
        });
        this._pending.clear();
        addBehaviors(cloths);
        removeMarks(names.transformNodes);
    }

    /** Loads custom attributes as vertex data. */
    private async _loadAttributes(where: string, primitive: IMeshPrimitive, mesh: Mesh): Promise<void> {
        const names = Object.keys(primitive.attributes).filter((name) => name.startsWith("_"));
        for (const name of names) {
            const index = primitive.attributes[name];
            const accessor = this._loader.gltf.accessors?.[index];
            const size = accessor && COMPONENT_COUNTS[accessor.type];
            if (!size) reject(OWNER, `${where}: ${name}`, "an accessor of numbers or vectors", accessor?.type ?? index);
            if (accessor.bufferView === undefined && !accessor.sparse) {
                reject(OWNER, `${where}: ${name}`, "not compressed: Draco keeps attributes from other readers", "no buffer view");
            }
            const values = await this._loader._loadFloatAccessorAsync(`/accessors/${index}`, accessor);
            mesh.setVerticesData(name.replace(/^_+/, "_"), values, false, size);
        }
    }

    /** Nodes and skeletons of this file alone: it may be loaded more than once. */
    private _nodeLookup(): NodeLookup {
        const { nodes = [], skins = [] } = this._loader.gltf;
        const marked = new Map<number, TransformNode[]>();
        const all = new Set<TransformNode>();
        for (const node of nodes) {
            const { _babylonTransformNode: own, _primitiveBabylonMeshes: parts = [] } = node;
            if (!own) continue;
            for (const each of [own, ...parts]) all.add(each);
            const mark = markOf(node);
            if (mark) marked.set(mark.id, [own]);
        }
        const skeletons = skins.flatMap(({ _data: data }) => (data ? [data.babylonSkeleton] : []));
        return { meshes: [], transformNodes: Array.from(all), skeletons, marked };
    }
}

function markOf({ extras }: INode): NodeMark | undefined {
    return (extras as FileExtras | undefined)?.clothNode;
}

/** Number of the node that has a reference's local axes. */
function idOf(reference: Reference): number | undefined {
    return reference.id ?? ("wearer" in reference ? reference.wearer?.id : undefined);
}

function clothExtraOf(extras: unknown): unknown {
    return typeof extras === "object" && extras !== null ? (extras as { cloth?: unknown }).cloth : undefined;
}

/** Registers the extension with Babylon's glTF loader. */
export function registerClothLoader(): void {
    registerGLTFExtension(CLOTH_EXTENSION, false, (loader) => new ClothLoader(loader));
}
