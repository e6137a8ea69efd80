import { reject } from "../../engine/state/validate";
import { decodeBase64, encodeBase64 } from "../files/encoding";
import type { ClothData } from "../files/format/fileFormat";

/**
 * glTF's axes are right-handed. Babylon's exporter mirrors each node's own axes of a left-handed scene along x, and its loader puts all below
 * a root that mirrors the world in a left-handed scene: from one such scene to another the world stays, but what is local to a node is mirrored.
 *
 * @param isRightHanded whether the scene is that the file is loaded into
 * @returns the cloth with its vectors in the axes that it meets there
 * @throws RangeError where a motion was written in a scene of other axes: its world is mirrored here
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
