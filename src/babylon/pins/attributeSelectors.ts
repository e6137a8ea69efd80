import type { BaseTexture } from "@babylonjs/core/Materials/Textures/baseTexture";
import type { MultiMaterial } from "@babylonjs/core/Materials/multiMaterial";
import type { Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import type { SubMesh } from "@babylonjs/core/Meshes/subMesh";
import { finite, finiteVector, integer, knownOptions, reject } from "../../engine/index";
import { readAll } from "../mesh/joinedMeshes";
import { readFloats } from "../mesh/readMesh";
import type { SelectContext, Selector } from "./selectContext";

const OWNER = "select";

/** An image to choose vertices by: an ImageData, or what {@link readMask} reads of a texture. */
export interface MaskImage {
    /** Red, green, blue and alpha of each pixel, 0 to 255 (floats: 0 to 1), row by row. */
    readonly data: ArrayLike<number>;
    readonly width: number;
    readonly height: number;
    /** True if the first row is the lowest, as in textures. Default false, as in images. */
    readonly isBottomUp?: boolean;
}

/** Options of `select.mask`. */
export interface MaskOptions {
    /** Default `"r"`. */
    channel?: "r" | "g" | "b" | "a";
    /** 0 to 1. Default 0.5. */
    threshold?: number;
    /** Texture coordinates: `"uv"` or `"uv2"` to `"uv6"`. Default `"uv"`. */
    kind?: string;
}

/** Selectors that look at other things than places. */
export const attributeSelectors = {
    box(low: Vector3, high: Vector3): Selector {
        finiteVector(OWNER, "box(low)", low);
        finiteVector(OWNER, "box(high)", high);
        const box = [low.x, high.x, low.y, high.y, low.z, high.z];
        for (let c = 0; c < 3; c++)
            if (box[2 * c] > box[2 * c + 1]) reject(OWNER, "box(high)", "above low on every axis", box[2 * c + 1]);
        return createSelector(({ positions: x }, v) => {
            for (let c = 0; c < 3; c++) if (x[3 * v + c] < box[2 * c] || x[3 * v + c] > box[2 * c + 1]) return false;
            return true;
        });
    },

    material(name: string): Selector {
        if (typeof name !== "string") reject(OWNER, "material(name)", "a material's name", name);
        return {
            pick({ mesh, meshes = [mesh] }) {
                const found = subMeshesOf(meshes).filter((part) => materialOf(part) === name);
                if (found.length > 0) return verticesOf(found);
                const names = subMeshesOf(meshes).map(materialOf);
                return reject(OWNER, "material(name)", `a material of "${mesh.name}" (${names.join(", ")})`, name);
            },
        };
    },

    submesh(index: number): Selector {
        integer(OWNER, "submesh(index)", 0, index);
        return {
            pick({ mesh, meshes = [mesh] }) {
                const all = subMeshesOf(meshes);
                if (index >= all.length)
                    reject(OWNER, "submesh(index)", `an integer in 0..${all.length - 1} on "${mesh.name}"`, index);
                return verticesOf([all[index]]);
            },
        };
    },

    attribute(kind: string, threshold: number, component: number): Selector {
        if (typeof kind !== "string") reject(OWNER, "attribute(kind)", "the name of a vertex attribute", kind);
        finite(OWNER, "attribute(threshold)", threshold);
        integer(OWNER, "attribute(component)", 0, component, 3);
        return {
            pick(context) {
                const at = readComponent(OWNER, context, kind, component);
                return createSelector((_, v) => at(v) >= threshold).pick(context);
            },
        };
    },

    mask(image: MaskImage, options: MaskOptions): Selector {
        knownOptions(`${OWNER}: mask`, options, ["channel", "threshold", "kind"]);
        const { threshold = 0.5, ...others } = options;
        const brightnessOf = checkMask(OWNER, image, others);
        finite(OWNER, "mask(threshold)", threshold);
        return {
            pick(context) {
                const brightness = brightnessOf(context);
                return createSelector((_, v) => brightness(v) >= threshold).pick(context);
            },
        };
    },
};

/**
 * Reads a texture for `select.mask`.
 * @throws RangeError on what is no texture, or one that is not loaded yet or cannot be read
 */
export async function readMask(texture: BaseTexture): Promise<MaskImage> {
    if (typeof texture !== "object" || typeof texture?.readPixels !== "function")
        reject("readMask", "texture", "a texture", texture);
    if (!texture.isReady()) reject("readMask", "texture", "loaded (wait for its onLoadObservable)", texture.name);
    const { width, height } = texture.getSize();
    const data = (await texture.readPixels()) as Uint8Array | Float32Array | null;
    if (!data) return reject("readMask", "texture", "one that can be read", texture.name);
    return { data, width, height, isBottomUp: true };
}

/** Checks an image and how to look at it. @returns what gives the brightness of a channel at each vertex of a mesh, 0 to 1 */
export function checkMask(
    owner: string,
    image: MaskImage,
    options: Omit<MaskOptions, "threshold">,
): (context: SelectContext) => (vertex: number) => number {
    const { data, width, height, isBottomUp = false } = checkImage(owner, image);
    knownOptions(`${owner}: mask`, options, ["channel", "kind"]);
    const { channel = "r", kind = "uv" } = options;
    const lane = ["r", "g", "b", "a"].indexOf(channel);
    if (lane < 0) reject(owner, "mask(channel)", '"r", "g", "b" or "a"', channel);
    const most = data instanceof Float32Array ? 1 : 255;
    return (context) => {
        const uvs = requireAttribute(owner, "mask(kind)", context, kind, 2);
        return (v) => {
            const up = pixelAt(uvs[2 * v + 1], height);
            const row = isBottomUp ? up : height - 1 - up;
            return data[4 * (row * width + pixelAt(uvs[2 * v], width)) + lane] / most;
        };
    };
}

function createSelector(test: (context: SelectContext, vertex: number) => boolean): Selector {
    return {
        pick(context) {
            const chosen: number[] = [];
            for (let v = 0; v < context.vertexCount; v++) if (test(context, v)) chosen.push(v);
            return chosen;
        },
    };
}

/** A vertex attribute as floats; components that it lacks are 1, and parts that lack it have zeros. */
export function requireAttribute(
    owner: string,
    option: string,
    { mesh, meshes = [mesh] }: SelectContext,
    kind: string,
    componentCount: number,
): Float32Array {
    for (const { geometry, name } of meshes) {
        const buffer = geometry!.getVertexBuffer(kind);
        const data = buffer?.getData();
        if (!data) continue;
        const vertexCount = geometry!.getTotalVertices();
        const byteCount = Array.isArray(data) ? 4 * data.length : data.byteLength;
        if (byteCount <= buffer!.byteOffset + buffer!.byteStride * (vertexCount - 1))
            reject(owner, option, `values for each of the ${vertexCount} vertices of "${name}"`, `${byteCount} bytes of ${kind}`);
    }
    return readAll(meshes, kind, componentCount, readFloats) ?? rejectMissing(owner, option, mesh, kind);
}

/** A component of a vertex attribute, by vertices. @throws RangeError where the mesh has no such attribute, or that fewer components */
export function readComponent(owner: string, context: SelectContext, kind: string, component: number): (vertex: number) => number {
    const values = requireAttribute(owner, "attribute(kind)", context, kind, 4);
    const { mesh, meshes = [mesh] } = context;
    const size = Math.max(...meshes.map(({ geometry }) => geometry!.getVertexBuffer(kind)?.getSize() ?? 0));
    if (component >= size) reject(owner, "attribute(component)", `one of the ${size} of "${kind}", the first being 0`, component);
    return (v) => values[4 * v + component];
}

/** @throws RangeError that says what the mesh has */
export function rejectMissing(owner: string, option: string, mesh: Mesh, kind: string): never {
    return reject(owner, option, `an attribute of "${mesh.name}" (${mesh.getVerticesDataKinds().join(", ")})`, kind);
}

/** A submesh of one of several meshes, and the number of that one's first vertex. */
interface NumberedSubMesh {
    readonly mesh: Mesh;
    readonly part: SubMesh;
    readonly first: number;
}

function subMeshesOf(meshes: readonly Mesh[]): NumberedSubMesh[] {
    let first = 0;
    return meshes.flatMap((mesh) => {
        const own = mesh.subMeshes.map((part) => ({ mesh, part, first }));
        first += mesh.getTotalVertices();
        return own;
    });
}

function materialOf({ mesh, part }: NumberedSubMesh): string | null {
    const material = mesh.material as Partial<MultiMaterial> | null;
    return (material?.subMaterials ? material.subMaterials[part.materialIndex] : mesh.material)?.name ?? null;
}

function verticesOf(some: readonly NumberedSubMesh[]): number[] {
    const chosen = new Set<number>();
    for (const { mesh, part, first } of some) {
        const indices = mesh.getIndices()!;
        for (let i = part.indexStart; i < part.indexStart + part.indexCount; i++) chosen.add(first + indices[i]);
    }
    return [...chosen].sort((a, b) => a - b);
}

function checkImage(owner: string, image: MaskImage): MaskImage {
    if (typeof image !== "object" || image === null) return reject(owner, "mask(image)", "{ data, width, height }", image);
    integer(owner, "mask(image).width", 1, image.width);
    integer(owner, "mask(image).height", 1, image.height);
    const count = 4 * image.width * image.height;
    if (!(image.data?.length >= count)) reject(owner, "mask(image).data", `${count} numbers`, image.data?.length);
    return image;
}

/** The pixel at a texture coordinate; images lie side by side, and 1 is the end of one. */
function pixelAt(coordinate: number, count: number): number {
    const share = coordinate === 1 ? 1 : coordinate - Math.floor(coordinate);
    return Math.min(count - 1, Math.floor(share * count));
}
