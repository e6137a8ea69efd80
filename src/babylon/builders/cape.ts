import type { Bone } from "@babylonjs/core/Bones/bone";
import type { Skeleton } from "@babylonjs/core/Bones/skeleton";
import type { AbstractMesh } from "@babylonjs/core/Meshes/abstractMesh";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import type { Scene } from "@babylonjs/core/scene";
import { reject } from "../../engine/index";
import type { BoneShape, ColliderSource } from "../colliders/colliderOptions";
import { fromSkeleton } from "../colliders/skeleton/fromSkeleton";
import { carrierOf } from "../support/carriers";
import type { MeshCarrier } from "../support/carriers";
import { humanoidBones, soughtNames } from "../support/humanoid";
import { checkScene } from "../support/validation";
import { within } from "./hangingCloths";
import { makeCloth, meshesUnder } from "./makeCloth";
import type { ClothMesh } from "./makeCloth";
import { cellsOf, checkOptions, subdivisionsOf, node, size } from "./options";
import type { ClothBuilderOptions } from "./options";
import { gridSheet, gridVertex } from "./sheets";
import { depthsBehind, wearerBoxes } from "./wearer";
import type { Placement } from "./wearer";

/** Options of {@link ClothBuilder.CreateCape}. */
export interface CapeOptions extends ClothBuilderOptions {
    /** Across the shoulders [m]. Default the distance of the shoulders, 0.4 without. */
    width?: number;
    /** From the shoulders down [m]. Default 3 times the width. */
    height?: number;
    /** Width of the hem as a share of that at the shoulders, 1 to 5. Default 2. */
    flare?: number;
    /** Nodes or bones that the left and right half of the neckline follow, as seen by the wearer. Default: the mesh itself. */
    shoulders?: readonly [left: TransformNode | Bone, right: TransformNode | Bone];
    /**
     * The wearer: a mesh, skinned or not, or a node with meshes. The cape starts behind its current pose, and collides with it. Without {@link shoulders} its
     * skeleton is taken.
     */
    wearer?: TransformNode;
    /**
     * A humanoid's skeleton, in place of shoulders: the cape hangs between the upper arms, from the shoulder bones (chest or neck where there are none), and
     * collides with capsules on the bones. See {@link humanoidBones} for the names.
     */
    skeleton?: Skeleton;
}

/** Shoulders of a wearer: what carries the left and right half of the neckline, and their places in the world [m]. */
interface Shoulders {
    readonly carriers: readonly (TransformNode | Bone)[];
    readonly places: readonly number[][];
}

export function createCape(name: string, options: CapeOptions, scene: Scene): ClothMesh {
    const owner = "ClothBuilder: CreateCape";
    checkScene(owner, scene);
    checkOptions(owner, options, ["width", "height", "flare", "shoulders", "wearer", "skeleton"]);
    const { shoulders } = options;
    if (shoulders !== undefined && (!Array.isArray(shoulders) || shoulders.length !== 2)) {
        reject(owner, "shoulders", "two nodes or bones, left and right", shoulders);
    }
    const wearer = node(owner, "wearer", options.wearer);
    const skeleton = skeletonOf(owner, options, wearer);
    const wearers = skeleton ? scene.meshes.filter((mesh) => mesh.skeleton === skeleton && mesh.getTotalVertices() > 0) : [];
    const worn = skeleton ? shouldersOf(owner, skeleton) : givenShoulders(owner, shoulders);
    const [left, right] = worn?.places ?? [];
    const apart = left ? Math.hypot(right[0] - left[0], right[1] - left[1], right[2] - left[2]) : 0.4;
    if (!(apart > 0)) reject(owner, "shoulders", "two places", "one");
    const width = size(owner, "width", options.width, apart);
    const height = size(owner, "height", options.height, 3 * width);
    const flare = within(owner, "flare", options.flare ?? 2, 1, 5);
    // Half a cone: around the back from shoulder to shoulder.
    const top = width / 2;
    const hem = top * flare;
    const drop = height > hem - top ? Math.sqrt(height * height - (hem - top) ** 2) : 0;
    if (drop === 0) reject(owner, "flare", `less than ${1 + (2 * height) / width} for this height`, flare);
    const [columns, rows] = cellsOf(Math.PI * (top + hem) * 0.5, height, subdivisionsOf(owner, options, height));
    const back = scene.useRightHandedSystem ? 1 : -1;
    const half = (isLeft: boolean): number[] => {
        const all = Array.from({ length: columns + 1 }, (_, column) => gridVertex(columns, column, 0));
        return all.filter((_, column) => column < columns / 2 === isLeft);
    };
    const edge = height / rows;
    const placement = left ? placementBetween(left, right) : null;
    /** x, y and depth of the vertices, by row. */
    const points = Array.from({ length: rows + 1 }, (_, row) => {
        const radius = top + (row / rows) * (hem - top);
        return Array.from({ length: columns + 1 }, (_, column) => {
            const angle = (Math.PI * column) / columns;
            return [-radius * Math.cos(angle), (-row / rows) * drop, 0.5 * radius * Math.sin(angle)];
        });
    });
    const bodies = wearer ? meshesUnder(wearer) : wearers;
    const boxes = placement ? wearerBoxes(bodies, placement, back) : [];
    const depths = depthsBehind(boxes, points, edge);
    return makeCloth(
        {
            ...{ owner, name, edge, colliderNodes: [skeleton ? null : wearer], solids: capsulesOf(wearers) },
            options,
            fabric: "wool",
            sheet: gridSheet(columns, rows, (u, v, x) => {
                const [row, column] = [Math.round((1 - v) * rows), Math.round(u * columns)];
                [x[0], x[1]] = points[row][column];
                x[2] = back * depths[row][column];
            }),
            pins: [
                { select: half(true), target: worn?.carriers[0] },
                { select: half(false), target: worn?.carriers[1] },
            ],
            place(mesh) {
                if (!placement) return;
                mesh.position.fromArray(placement.at);
                mesh.rotation.y = placement.turn;
            },
        },
        scene,
    );
}

/** The skeleton that is to be taken in place of shoulders; null: none. @throws RangeError where a wearer has none */
function skeletonOf(owner: string, { shoulders, skeleton }: CapeOptions, wearer: TransformNode | null): Skeleton | null {
    if (skeleton !== undefined) {
        if (!Array.isArray(skeleton?.bones)) reject(owner, "skeleton", "a Skeleton", skeleton);
        if (shoulders) reject(owner, "skeleton", "left out where there are shoulders", skeleton.name);
        return skeleton;
    }
    if (!wearer || shoulders) return null;
    const worn = meshesUnder(wearer).find((mesh) => mesh.skeleton)?.skeleton;
    return worn ?? reject(owner, "wearer", "a node whose meshes have a skeleton where there are no shoulders", wearer.name);
}

function givenShoulders(owner: string, carriers: CapeOptions["shoulders"]): Shoulders | null {
    return carriers
        ? { carriers, places: carriers.map((shoulder, i) => shoulderPosition(owner, `shoulders[${i}]`, shoulder)) }
        : null;
}

/** Shoulders by the names of bones. @throws RangeError that names those that were looked for */
function shouldersOf(owner: string, skeleton: Skeleton): Shoulders {
    const bones = humanoidBones(skeleton);
    const ends = [bones.leftUpperArm ?? bones.leftShoulder, bones.rightUpperArm ?? bones.rightShoulder];
    if (!ends[0] || !ends[1]) {
        const rule = `a humanoid's, with ${soughtNames(["leftUpperArm", "rightUpperArm"])}; or give shoulders`;
        return reject(owner, "skeleton", rule, skeleton.bones.map(({ name }) => name).join(", "));
    }
    const middle = bones.chest ?? bones.neck;
    return {
        // Upper arms swing; the collar does not swing with them.
        carriers: [bones.leftShoulder ?? middle ?? ends[0], bones.rightShoulder ?? middle ?? ends[1]],
        places: ends.map((bone) => shoulderPosition(owner, "skeleton", bone!)),
    };
}

/** Capsules on the bones of a body that may be of several meshes: of each bone the largest. */
function capsulesOf(meshes: readonly AbstractMesh[]): ColliderSource[] {
    const largest = new Map<BoneShape["carrier"], BoneShape>();
    for (const shape of meshes.flatMap((mesh) => fromSkeleton(mesh))) {
        const { startRadius = 0, endRadius = 0 } = largest.get(shape.carrier) ?? {};
        if (shape.startRadius + shape.endRadius > startRadius + endRadius) largest.set(shape.carrier, shape);
    }
    return [...largest.values()];
}

/** World position of a node or bone [m]. @throws RangeError if it is neither */
function shoulderPosition(owner: string, option: string, shoulder: TransformNode | Bone): number[] {
    const carrier = typeof shoulder === "object" && shoulder !== null ? carrierOf(shoulder) : null;
    if (!carrier) return reject(owner, option, "a TransformNode or Bone", shoulder);
    if (carrier.isDisposed()) reject(owner, option, "a node that is not disposed", shoulder.name);
    const own: MeshCarrier = { ...carrier, mesh: shoulder as TransformNode, skeleton: null, revision: 0 };
    return Array.from(carrier.world(own)).slice(12, 15);
}

/** Midway between two shoulders, the x axis from the left one to the right one. */
function placementBetween(left: number[], right: number[]): Placement {
    return { at: left.map((x, c) => (x + right[c]) / 2), turn: Math.atan2(left[2] - right[2], right[0] - left[0]) };
}
