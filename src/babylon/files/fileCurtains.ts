import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { Logger } from "@babylonjs/core/Misc/logger";
import { boolean, finite, integer, knownOptions, positive, reject, share } from "../../engine/index";
import type { ClothBehavior } from "../behaviors/clothBehavior";
import { runtimeOf } from "../behaviors/bodyRuntime";
import { fileCurtains } from "./format/fileFormat";
import type { CurtainData } from "./format/fileFormat";
import type { NodeMarks } from "./nodeMarks";
import { makeReference, resolveReference } from "./references";
import type { NodeLookup } from "./references";

const OWNER = "ClothFiles: parse: curtain";
const NAMES = "width height pleats fullness side ringVertices bandVertices bandDrop isOnRail open tied rings band".split(" ");

/** Curtains of cloths that are on no mesh yet. */
const pendingCurtains = new WeakMap<ClothBehavior, CurtainData>();

/** The curtain that a cloth is; undefined: none, or its rings are not in the file. */
export function writeCurtain(cloth: ClothBehavior, marks?: NodeMarks): CurtainData | undefined {
    const data = fileCurtains.read?.(cloth);
    if (!data) return runtimeOf(cloth)!.instance ? undefined : pendingCurtains.get(cloth);
    const nodes = [...data.rings, ...data.band.map(({ node }) => node)];
    if (nodes.some((node) => node.isDisposed() || node.doNotSerialize)) return undefined;
    const write = (node: TransformNode) => makeReference("ClothFiles: serialize", "curtain", node, marks);
    return { ...data, rings: data.rings.map(write), band: data.band.map(({ node, from }) => ({ node: write(node), from })) };
}

/**
 * Reads the curtain that a cloth is. @returns function that makes its mesh one, told if the cloth has the motion state of the file
 * @throws RangeError on invalid data
 */
export function readCurtain(cloth: ClothBehavior, data: CurtainData, scene: NodeLookup): (mesh: Mesh, hasState: boolean) => void {
    if (typeof data !== "object" || data === null) reject(OWNER, "", "an object", data);
    knownOptions(OWNER, data, NAMES);
    const { side } = data;
    for (const name of ["width", "height", "fullness", "bandDrop"] as const) positive(OWNER, name, data[name]);
    boolean(OWNER, "isOnRail", data.isOnRail);
    if (side !== "left" && side !== "right") reject(OWNER, "side", '"left" or "right"', side);
    for (const name of ["open", "tied"] as const) {
        const { start, value, velocity, goal } = data[name] ?? reject(OWNER, name, "{ start, value, velocity, goal }", data[name]);
        for (const [key, number] of Object.entries({ start, value, goal })) share(OWNER, `${name}.${key}`, number);
        finite(OWNER, `${name}.velocity`, velocity);
    }
    const count = 2 * integer(OWNER, "pleats", 1, data.pleats) + 1;
    for (const name of ["ringVertices", "bandVertices", "rings", "band"] as const) {
        const list: unknown = data[name];
        const isArray = Array.isArray(list);
        const isList = isArray && (list.length === count || (name === "band" && list.length === 0));
        if (!isList) reject(OWNER, name, `a list of ${count}`, isArray ? list.length : list);
    }
    for (const vertex of [...data.ringVertices, ...data.bandVertices]) integer(OWNER, "vertices", 0, vertex);
    const read = (option: string, reference: unknown) => resolveReference(OWNER, option, reference, scene) as TransformNode;
    const nodes: CurtainData<TransformNode> = {
        ...data,
        rings: data.rings.map((reference, i) => read(`rings[${i}]`, reference)),
        band: data.band.map((each, i) => ({
            node: read(`band[${i}].node`, each?.node),
            from: placeIn(`band[${i}].from`, each?.from),
        })),
    };
    pendingCurtains.set(cloth, data);
    return (mesh, hasState) => {
        const vertexCount = mesh.getTotalVertices();
        if (!nodes.ringVertices.concat(nodes.bandVertices).every((v) => v < vertexCount))
            reject(OWNER, "vertices", "of a mesh with the same vertices", mesh.name);
        if (!fileCurtains.make) {
            return Logger.Warn(`${OWNER}: "${mesh.name}" does not open: import ClothBuilder from babylon-cloth`);
        }
        fileCurtains.make(mesh, cloth, nodes);
        // At rest, rings and band begin where they were when it was made.
        if (!hasState) runtimeOf(cloth)!.reset();
    };
}

function placeIn(option: string, place: unknown): readonly number[] {
    const isPlace = Array.isArray(place) && place.length === 3 && place.every(Number.isFinite);
    return isPlace ? (place as number[]) : reject(OWNER, option, "three numbers", place);
}
