import type { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { finite, finiteVector, identity, mapPointCloud, nonNegative, reject } from "../../engine/index";
import { attributeSelectors, rejectMissing } from "./attributeSelectors";
import type { MaskImage, MaskOptions } from "./attributeSelectors";
import { edgeOfCloth, nearestLoop } from "./border";
import type { Select, SelectContext, Selector } from "./selectContext";

export type { Select, SelectContext, Selector } from "./selectContext";

const OWNER = "select";

/** A side of the mesh's local bounding box. */
export type Side = "-x" | "+x" | "-y" | "+y" | "-z" | "+z";

/** Vertices within this share of the box's size of its side belong to the edge. */
const EDGE_TOLERANCE = 1e-3;

/**
 * Helpers that choose vertices by place, paint or number. Space: mesh-local, at rest: as authored, before skeletons and morph
 * targets, so that what is chosen does not depend on the pose at attach.
 */
export const select = {
    /**
     * Every vertex on one side of the local bounding box. Of cloth that has no such straight edge (fewer than three vertices), or is
     * flat (all of them): the strip of its border within a tenth of the box's size of that side; of closed meshes, every vertex
     * within a fiftieth. A warning tells what stays fewer than three, and flat meshes.
     */
    edge(side: Side): Selector {
        const { axis, sign } = parseSide(side, "edge(side)");
        return {
            pick: (context) => {
                const [low, high] = extents(context)[axis];
                const { positions, warn } = context;
                const depthOf = (v: number): number => (sign < 0 ? positions[3 * v + axis] - low : high - positions[3 * v + axis]);
                const onSide = verticesWhere(context, (_, v) => depthOf(v) <= (high - low) * EDGE_TOLERANCE);
                return warn ? edgeOfCloth({ ...context, warn }, side, onSide, depthOf, high - low) : onSide;
            },
        };
    },

    /**
     * Every vertex of one loop of the mesh's border: a waist, a hem, a neck. Seams between vertices at one place are no border.
     * @param near the loop that comes nearest to this point, mesh-local
     * @throws RangeError, when it chooses, where the mesh is closed
     */
    borderLoop(near: Vector3): Selector {
        finiteVector(OWNER, "borderLoop(near)", near);
        const { x, y, z } = near;
        return { pick: (context) => nearestLoop(context, x, y, z) };
    },

    /**
     * The vertices nearest to corners of the local bounding box, e.g. `corners("-x+z", "+x+z")`. A corner names one to
     * three sides; axes that it leaves out do not count. Without names: the four corners across the two longest axes.
     */
    corners(...names: string[]): Selector {
        const parsed = names.map((name) => {
            const sides = typeof name === "string" ? name.match(/[-+][xyz]/g) : null;
            if (!sides || sides.join("") !== name || new Set(sides.map((s) => s[1])).size !== sides.length) {
                reject(OWNER, "corners(...names)", 'sides like "-x+z"', name);
            }
            return sides!.map((side) => parseSide(side, "corners(...names)"));
        });
        return {
            pick: (context) => {
                const boxes = extents(context);
                const chosen = new Set<number>();
                for (const corner of parsed.length ? parsed : longestCorners(boxes)) {
                    for (const v of nearest(context, boxes, corner)) chosen.add(v);
                }
                return [...chosen];
            },
        };
    },

    /** Every vertex within `radius` of a point. */
    near(point: Vector3, radius: number): Selector {
        finiteVector(OWNER, "near(point)", point);
        nonNegative(OWNER, "near(radius)", radius);
        const { x, y, z } = point;
        return {
            pick: ({ positions: p, vertexCount }) => {
                const chosen: number[] = [];
                const limit = radius * radius;
                for (let v = 0, o = 0; v < vertexCount; v++, o += 3) {
                    const dx = p[o] - x;
                    if (dx * dx > limit) continue;
                    const dy = p[o + 1] - y;
                    const dz = p[o + 2] - z;
                    if (dx * dx + dy * dy + dz * dz <= limit) chosen.push(v);
                }
                return chosen;
            },
        };
    },

    /**
     * Every vertex whose colour channel is at least `threshold` (0..1): paint pins in the modelling tool.
     * @throws RangeError, when it chooses, where the mesh has no colours
     */
    vertexColor(channel: "r" | "g" | "b" | "a", threshold = 0.5): Selector {
        const lane = ["r", "g", "b", "a"].indexOf(channel);
        if (lane < 0) reject(OWNER, "vertexColor(channel)", '"r", "g", "b" or "a"', channel);
        finite(OWNER, "vertexColor(threshold)", threshold);
        return {
            pick: ({ colors, vertexCount, mesh }) => {
                if (!colors) return rejectMissing(OWNER, "vertexColor(channel)", mesh, "color");
                const chosen: number[] = [];
                for (let v = 0; v < vertexCount; v++) if (colors[4 * v + lane] >= threshold) chosen.push(v);
                return chosen;
            },
        };
    },

    /** The given vertices. */
    indices(...indices: number[]): Selector {
        return { pick: () => indices };
    },

    /** Every vertex in a box, its border included. @param low its lowest corner; `high`, its highest */
    box: (low: Vector3, high: Vector3): Selector => attributeSelectors.box(low, high),

    /** Every vertex of the mesh's parts that a material draws. @param name of the material; of a MultiMaterial, its sub-materials' names count */
    material: (name: string): Selector => attributeSelectors.material(name),

    /** Every vertex of one part of the mesh, by its number in `mesh.subMeshes`. */
    submesh: (index: number): Selector => attributeSelectors.submesh(index),

    /** Every vertex of which a component of a vertex attribute is at least `threshold`. @param kind as in `mesh.getVerticesData(kind)` */
    attribute: (kind: string, threshold = 0.5, component = 0): Selector => attributeSelectors.attribute(kind, threshold, component),

    /** Every vertex where an image is at least so bright, over the mesh's texture coordinates, laid side by side. See {@link readMask}. */
    mask: (image: MaskImage, options: MaskOptions = {}): Selector => attributeSelectors.mask(image, options),

    /** Intersection with others. */
    and(...selections: Select[]): Selector {
        const check = checked("and", selections);
        return {
            pick(context) {
                const sets = check.map((selection) => new Set(pickVertices(OWNER, selection, context)));
                return [...sets[0]].filter((v) => sets.every((set) => set.has(v)));
            },
        };
    },

    /** Union with others. */
    or(...selections: Select[]): Selector {
        const check = checked("or", selections);
        return { pick: (context) => [...new Set(check.flatMap((selection) => pickVertices(OWNER, selection, context)))] };
    },

    /** Difference from another. */
    not(selection: Select): Selector {
        checkSelect(`${OWNER}: not`, selection);
        return {
            pick(context) {
                const chosen = new Set(pickVertices(OWNER, selection, context));
                return verticesWhere(context, (_, v) => !chosen.has(v));
            },
        };
    },

    /** Every vertex. */
    all(): Selector {
        return { pick: (context) => verticesWhere(context, () => true) };
    },
};

/** At least one selection, each checked. */
function checked(name: string, selections: readonly Select[]): readonly Select[] {
    if (selections.length === 0) reject(OWNER, `${name}(...selections)`, "at least one selection", "none");
    for (const selection of selections) checkSelect(`${OWNER}: ${name}`, selection);
    return selections;
}

/** Checks what can be checked without a mesh. @throws RangeError when it is no selection */
export function checkSelect(owner: string, selection: Select): void {
    if (typeof selection === "function") return;
    if (typeof selection === "object" && selection !== null) {
        if ("pick" in selection ? typeof selection.pick === "function" : typeof selection.length === "number") return;
    }
    reject(owner, "select", "vertex indices, a predicate, or a helper of select", selection);
}

/**
 * The vertices that a `select` value means on a mesh.
 * @throws RangeError when an index is out of range
 */
export function pickVertices(owner: string, selection: Select, context: SelectContext): number[] {
    if (typeof selection === "function") {
        const { positions, vertexCount, scratch } = context;
        const chosen: number[] = [];
        for (let v = 0; v < vertexCount; v++) {
            scratch.set(positions[3 * v], positions[3 * v + 1], positions[3 * v + 2]);
            if (selection(scratch, v)) chosen.push(v);
        }
        return chosen;
    }
    return checkIndices(owner, "pick" in selection ? selection.pick(context) : selection, context.vertexCount);
}

function checkIndices(owner: string, indices: ArrayLike<number>, vertexCount: number): number[] {
    for (let i = 0; i < indices.length; i++) {
        const v = indices[i];
        if (!Number.isInteger(v) || v < 0 || v >= vertexCount) {
            reject(owner, `select index ${i}`, `an integer in 0..${vertexCount - 1}`, v);
        }
    }
    return Array.from(indices);
}

function parseSide(side: string, option: string): { axis: number; sign: number } {
    const axis = typeof side === "string" && side.length === 2 ? "xyz".indexOf(side[1]) : -1;
    if (axis < 0 || (side[0] !== "-" && side[0] !== "+")) reject(OWNER, option, '"-x", "+x", "-y", "+y", "-z" or "+z"', side);
    return { axis, sign: side[0] === "-" ? -1 : 1 };
}

function verticesWhere(context: SelectContext, test: (position: number[], vertex: number) => boolean): number[] {
    const { positions, vertexCount } = context;
    const chosen: number[] = [];
    const x = [0, 0, 0];
    for (let v = 0; v < vertexCount; v++) {
        for (let i = 0; i < 3; i++) x[i] = positions[3 * v + i];
        if (test(x, v)) chosen.push(v);
    }
    return chosen;
}

/** Smallest and largest coordinates along x, y and z. */
function extents({ positions }: SelectContext): [number, number][] {
    const { box } = mapPointCloud(positions, identity());
    return [0, 1, 2].map((axis) => [box[axis], box[3 + axis]]);
}

interface CornerSide {
    axis: number;
    sign: number;
}

/** The four sign patterns across the two longest axes of the box. */
function longestCorners(boxes: [number, number][]): CornerSide[][] {
    const [a, b] = [0, 1, 2].sort((i, j) => boxes[j][1] - boxes[j][0] - (boxes[i][1] - boxes[i][0]));
    return [
        [-1, -1],
        [1, -1],
        [1, 1],
        [-1, 1],
    ].map(([p, q]) => [
        { axis: a, sign: p },
        { axis: b, sign: q },
    ]);
}

/** All vertices at the smallest distance from the corner, along its axes (welded ones tie). */
function nearest({ positions: x, vertexCount }: SelectContext, boxes: [number, number][], corner: CornerSide[]): number[] {
    const tolerance = Math.max(...boxes.map(([low, high]) => high - low)) * EDGE_TOLERANCE;
    // Axes that the corner leaves out do not count.
    const at = [0, 0, 0];
    const counts = [0, 0, 0];
    for (const { axis, sign } of corner) {
        at[axis] = boxes[axis][sign < 0 ? 0 : 1];
        counts[axis] = 1;
    }
    const [ax, ay, az] = at;
    const [cx, cy, cz] = counts;
    const distanceOf = (v: number): number => {
        const dx = cx * (x[3 * v] - ax);
        const dy = cy * (x[3 * v + 1] - ay);
        const dz = cz * (x[3 * v + 2] - az);
        return Math.sqrt(dx * dx + dy * dy + dz * dz);
    };
    let least = Infinity;
    const near: number[] = [];
    for (let v = 0; v < vertexCount; v++) {
        const distance = distanceOf(v);
        if (distance > least + tolerance) continue;
        // Most meshes come nearer with every vertex for a while: what those leave behind is no list to grow.
        if (distance + tolerance < least) near.length = 0;
        least = Math.min(least, distance);
        near.push(v);
    }
    return near.filter((v) => distanceOf(v) <= least + tolerance);
}
