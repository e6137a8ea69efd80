import { reject } from "../../engine/index";
import { decodeBase64, encodeBase64 } from "../files/format/fileFormat";
import type { ClothData } from "../files/format/fileFormat";

/**
 * Converts cloth data from the axes of the written scene to those of the loaded one. glTF's axes are right-handed. From a left-handed scene, Babylon's exporter mirrors
 * the local axes of each node along x. In a left-handed scene, its loader adds a root that mirrors the world. Between two left-handed scenes world vectors
 * therefore stay, and local vectors are mirrored.
 *
 * @param isRightHanded true if the scene that the file is loaded into is right-handed
 * @returns the cloth with its vectors in the axes of that scene
 * @throws RangeError if a motion state was written in a scene with other axes
 */
export function fromGltfAxes(data: ClothData, isRightHanded: boolean): ClothData {
    const { options, pins, colliders, state, axes = "left-handed" } = data;
    const here = isRightHanded ? "right-handed" : "left-handed";
    if (state && axes !== here) reject("ClothLoader", "state", `of a ${here} scene, as the one that it is loaded into`, axes);
    const isLocalMirrored = axes === "left-handed";
    const isWorldMirrored = axes !== here;
    const { gravity, wind } = (options ?? {}) as { gravity?: unknown; wind?: { velocity?: unknown; zone?: unknown } | null };
    const mirrored: Record<string, unknown> = { ...options };
    if (isWorldMirrored && gravity) mirrored.gravity = mirror(gravity);
    if (wind?.velocity && (wind.zone ? isLocalMirrored : isWorldMirrored)) {
        mirrored.wind = { ...wind, velocity: mirror(wind.velocity) };
    }
    return {
        ...data,
        options: mirrored,
        pins: isLocalMirrored ? pins?.map(mirrorHold) : pins,
        colliders: isWorldMirrored ? colliders?.map(mirrorPlane) : colliders,
        ...(state && isLocalMirrored ? { state: { ...state, places: state.places?.map(mirrorOffsets) } } : {}),
    };
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

function mirrorPlane(collider: ClothData["colliders"][number]): ClothData["colliders"][number] {
    const { plane } = (collider?.source ?? {}) as { plane?: readonly number[] };
    return plane ? { ...collider, source: { plane: mirror(plane) } } : collider;
}

function mirrorOffsets(text: string): string {
    const bytes = decodeBase64(text);
    return bytes ? encodeBase64(new Float64Array(bytes).map((value, i) => (i % 3 === 0 ? -value : value))) : text;
}
