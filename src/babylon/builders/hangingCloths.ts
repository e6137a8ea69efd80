import type { Material } from "@babylonjs/core/Materials/material";
import type { PinOptions } from "../pins/pinHold";
import { finite, nonNegative, reject } from "../../engine/index";
import { makeTexture } from "./babylonObjects";
import { cellsOf, checkOptions, subdivisionsOf, node, size, CONTACT_SHARE, FOLD_DENSITY } from "./options";
import { gapOf, hangBeside, hangBetween, boxOf } from "./placement";
import type { Posts } from "./placement";
import { gridSheet, gridVertex, triangleSheet, triangleVertex, discSheet } from "./sheets";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import type { Scene } from "@babylonjs/core/scene";
import { checkScene } from "../support/validation";
import { makeCloth } from "./makeCloth";
import type { ClothMesh } from "./makeCloth";
import type { ClothBuilderOptions } from "./options";

/** Options of {@link ClothBuilder.CreateFlag}. */
export interface FlagOptions extends ClothBuilderOptions {
    /** From the pole to the free end [m]. Default 1.5. */
    width?: number;
    /** Along the pole [m]. Default 1. */
    height?: number;
    /** An upright pole. The flag becomes its child, at its top, and collides with it. */
    pole?: TransformNode;
}

/** Options of {@link ClothBuilder.CreateBanner}. */
export interface BannerOptions extends ClothBuilderOptions {
    /** From end to end [m]. Default 3, or the distance of the posts. */
    width?: number;
    /** [m]. Default 0.8. */
    height?: number;
    /** Excess of the cloth's length over the distance of its ends, as a share, 0 to 0.5. Default 0.02. */
    slack?: number;
    /** Nodes that the left and right end follow. The cloth hangs between them, below the top of the lower one. Default: the mesh itself. */
    posts?: readonly [left: TransformNode, right: TransformNode];
}

/** Options of {@link ClothBuilder.CreateSail}. */
export interface SailOptions extends ClothBuilderOptions {
    /** Along the boom [m]. Default 2. */
    width?: number;
    /** Along the mast [m]. Default 3. */
    height?: number;
    /** Depth of its belly as a share of the chord, 0 to 0.3. Default 0.1. */
    camber?: number;
    /** An upright mast. The sail becomes its child, at its top, and collides with it. */
    mast?: TransformNode;
}

/** Options of {@link ClothBuilder.CreateNet}. */
export interface NetOptions extends ClothBuilderOptions {
    /** From end to end [m]. Default 3, or the distance of the posts. */
    width?: number;
    /** [m]. Default 1. */
    height?: number;
    /** Width of a mesh, from knot to knot [m]. Default a tenth of the shorter side. */
    meshSize?: number;
    /** Nodes that the left and right end follow. The cloth hangs between them, below the top of the lower one. Default: the mesh itself. */
    posts?: readonly [left: TransformNode, right: TransformNode];
}

/** Options of {@link ClothBuilder.CreateAwning}. */
export interface AwningOptions extends ClothBuilderOptions {
    /** Along the wall [m]. Default 3. */
    width?: number;
    /** From the wall to the front bar, along the cloth [m]. Default 1.5. */
    height?: number;
    /** Downward slope of the cloth from the wall [rad], -1.5 to 1.5. Default 0.35. */
    slope?: number;
    /** Height of the free part below the bar [m], >= 0. Default 15 % of the height. */
    valance?: number;
}

export function createFlag(name: string, options: FlagOptions, scene: Scene): ClothMesh {
    const owner = "ClothBuilder: CreateFlag";
    checkScene(owner, scene);
    checkOptions(owner, options, ["width", "height", "pole"]);
    const width = size(owner, "width", options.width, 1.5);
    const height = size(owner, "height", options.height, 1);
    const pole = node(owner, "pole", options.pole);
    const { columns, rows, edge } = gridOf(owner, options, width, height);
    return makeCloth(
        {
            ...{ owner, name, options, edge, colliderNodes: [pole] },
            fabric: "nylon",
            sheet: gridSheet(columns, rows, (u, v, x) => {
                x[0] = u * width;
                x[1] = (v - 1) * height;
            }),
            pins: [{ select: Array.from({ length: rows + 1 }, (_, row) => gridVertex(columns, 0, row)) }],
            place: (mesh) => pole && hangBeside(mesh, pole, edge, 0.02 * height),
        },
        scene,
    );
}

export function createBanner(name: string, options: BannerOptions, scene: Scene): ClothMesh {
    const owner = "ClothBuilder: CreateBanner";
    checkScene(owner, scene);
    checkOptions(owner, options, ["width", "height", "slack", "posts"]);
    const { posts, width, height, columns, rows, edge } = spanOf(owner, options, 0.8);
    const slack = within(owner, "slack", options.slack ?? 0.02, 0, 0.5);
    return makeCloth(
        {
            ...{ owner, name, options, edge, colliderNodes: [] },
            fabric: "canvas",
            sheet: gridSheet(columns, rows, (u, v, x) => {
                x[0] = (u - 0.5) * width;
                x[1] = (v - 0.5) * height;
                x[2] = depthOf(slack) * width * 4 * u * (1 - u);
            }),
            pins: endPins(posts, columns, rows),
            place: (mesh) => posts && hangBetween(mesh, posts, 0.55 * height),
        },
        scene,
    );
}

export function createSail(name: string, options: SailOptions, scene: Scene): ClothMesh {
    const owner = "ClothBuilder: CreateSail";
    checkScene(owner, scene);
    checkOptions(owner, options, ["width", "height", "camber", "mast"]);
    const width = size(owner, "width", options.width, 2);
    const height = size(owner, "height", options.height, 3);
    const camber = within(owner, "camber", options.camber ?? 0.1, 0, 0.3);
    const mast = node(owner, "mast", options.mast);
    const rows = subdivisionsOf(owner, options, Math.max(width, height));
    const edge = Math.max(width, height) / rows;
    const luff = Array.from({ length: rows + 1 }, (_, row) => triangleVertex(0, row));
    return makeCloth(
        {
            ...{ owner, name, options, edge, colliderNodes: [mast] },
            // Sailcloth: filled with resin, since its edge runs across the threads.
            fabric: { arealDensity: 0.25, shearStiffness: 2e4, bendStiffness: 2e-4 },
            sheet: triangleSheet(rows, (u, v, x) => {
                const chord = 1 - v;
                const share = chord > 0 ? u / chord : 0;
                x[0] = u * width;
                x[1] = (v - 1) * height;
                x[2] = camber * chord * width * 4 * share * (1 - share);
            }),
            pins: [{ select: [...luff, triangleVertex(rows, rows)] }],
            place: (mesh) => mast && hangBeside(mesh, mast, edge, 0.02 * height),
        },
        scene,
    );
}

export function createNet(name: string, options: NetOptions, scene: Scene): ClothMesh {
    const owner = "ClothBuilder: CreateNet";
    checkScene(owner, scene);
    checkOptions(owner, options, ["width", "height", "meshSize", "posts"]);
    const { posts, width, height, columns, rows, edge } = spanOf(owner, options, 1);
    const meshSize = size(owner, "meshSize", options.meshSize, Math.min(width, height) / 10);
    const net = makeCloth(
        {
            ...{ owner, name, options, edge, colliderNodes: [] },
            // Twine of two millimetres in meshes of ten centimetres: it shears freely and hardly bends.
            fabric: { arealDensity: 0.06, shearStiffness: 2, bendStiffness: 2e-6, friction: 0.5 },
            sheet: gridSheet(columns, rows, (u, v, x) => {
                x[0] = (u - 0.5) * width;
                x[1] = (v - 0.5) * height;
            }),
            // Its ends, and its upper rope where nothing moves them.
            pins: [
                ...endPins(posts, columns, rows),
                ...(posts ? [] : [{ select: Array.from({ length: columns + 1 }, (_, column) => column) }]),
            ],
            place: (mesh) => posts && hangBetween(mesh, posts, 0.55 * height),
        },
        scene,
    );
    applyNetTexture(net, scene, Math.max(1, Math.round(width / meshSize)), Math.max(1, Math.round(height / meshSize)));
    return net;
}

/** Material.MATERIAL_ALPHATESTANDBLEND. */
const ALPHA_TEST_AND_BLEND = 3;

/** Width of the twine as a share of a mesh of the net, on each side. */
const TWINE_SHARE = 0.09;

/** Applies a texture of twine with transparent meshes. Blended: from afar an alpha test alone would make it vanish. */
function applyNetTexture(net: ClothMesh, scene: Scene, across: number, up: number): void {
    const texture = makeTexture(scene, "net", 64, (u, v) => [1, 1, 1, Math.min(u, v, 1 - u, 1 - v) < TWINE_SHARE ? 1 : 0]);
    texture.hasAlpha = true;
    texture.uScale = across;
    texture.vScale = up;
    const material: Material & NetMaterial = net.material!;
    if ("albedoTexture" in material) {
        material.albedoTexture = texture;
        material.useAlphaFromAlbedoTexture = true;
    } else {
        material.diffuseTexture = texture;
        material.useAlphaFromDiffuseTexture = true;
    }
    material.transparencyMode = ALPHA_TEST_AND_BLEND;
    material.alphaCutOff = 0.1;
}

/** Alpha texture properties of Babylon's StandardMaterial and PBRMaterial. */
interface NetMaterial {
    albedoTexture?: unknown;
    useAlphaFromAlbedoTexture?: boolean;
    diffuseTexture?: unknown;
    useAlphaFromDiffuseTexture?: boolean;
    alphaCutOff?: number;
}

export function createAwning(name: string, options: AwningOptions, scene: Scene): ClothMesh {
    const owner = "ClothBuilder: CreateAwning";
    checkScene(owner, scene);
    checkOptions(owner, options, ["width", "height", "slope", "valance"]);
    const width = size(owner, "width", options.width, 3);
    const height = size(owner, "height", options.height, 1.5);
    const slope = within(owner, "slope", options.slope ?? 0.35, -1.5, 1.5);
    const valance = nonNegative(owner, "valance", options.valance ?? 0.15 * height);
    const whole = height + valance;
    const { columns, rows, edge } = gridOf(owner, options, width, whole);
    // The bar is at a row: cells above and below it are nearly square.
    const hanging = valance > 0 ? Math.max(1, Math.round((rows * valance) / whole)) : 0;
    const barRow = Math.max(1, rows - hanging);
    const row = (index: number): number[] => Array.from({ length: columns + 1 }, (_, column) => gridVertex(columns, column, index));
    return makeCloth(
        {
            ...{ owner, name, options, edge, colliderNodes: [] },
            fabric: "canvas",
            sheet: gridSheet(columns, barRow + hanging, (u, v, x) => {
                const down = (1 - v) * (barRow + hanging);
                const out = Math.min(1, down / barRow) * height;
                x[0] = (u - 0.5) * width;
                x[1] = -out * Math.sin(slope) - (hanging > 0 ? (Math.max(0, down - barRow) / hanging) * valance : 0);
                x[2] = -out * Math.cos(slope);
            }),
            pins: [{ select: row(0) }, { select: row(barRow) }],
        },
        scene,
    );
}

/** Cells of a grid, and the length of their edges [m]. */
interface Grid {
    readonly columns: number;
    readonly rows: number;
    readonly edge: number;
}

function gridOf(owner: string, options: ClothBuilderOptions, width: number, height: number): Grid {
    const [columns, rows] = cellsOf(width, height, subdivisionsOf(owner, options, Math.max(width, height)));
    return { columns, rows, edge: Math.max(width, height) / Math.max(columns, rows) };
}

/** A grid between two posts; without posts, 3 m wide. */
interface Span extends Grid {
    readonly posts: Posts | null;
    readonly width: number;
    readonly height: number;
}

function spanOf(owner: string, options: BannerOptions | NetOptions, usualHeight: number): Span {
    const posts = postsOf(owner, options.posts);
    const width = size(owner, "width", options.width, posts ? gapOf(posts) : 3);
    const height = size(owner, "height", options.height, usualHeight);
    return { posts, width, height, ...gridOf(owner, options, width, height) };
}

/** @throws RangeError if they are not two nodes */
function postsOf(owner: string, posts: BannerOptions["posts"]): Posts | null {
    if (posts === undefined) return null;
    if (!Array.isArray(posts) || posts.length !== 2) reject(owner, "posts", "two nodes, left and right", posts);
    return [node(owner, "posts[0]", posts[0])!, node(owner, "posts[1]", posts[1])!];
}

/** Pins of a sheet's left and right end. */
function endPins(posts: Posts | null, columns: number, rows: number): PinOptions[] {
    return [0, columns].map((column, i) => ({
        select: Array.from({ length: rows + 1 }, (_, row) => gridVertex(columns, column, row)),
        target: posts && posts[i],
    }));
}

/** Depth of a parabola over a chord of 1 whose arc is longer by a share: arc ≈ 1 + 8/3 depth². */
function depthOf(slack: number): number {
    return Math.sqrt((3 / 8) * slack);
}

export function within(owner: string, option: string, value: unknown, low: number, high: number): number {
    const number = finite(owner, option, value);
    return number >= low && number <= high ? number : reject(owner, option, `a number from ${low} to ${high}`, value);
}

/** Options of {@link ClothBuilder.CreateTablecloth}. */
export interface TableclothOptions extends ClothBuilderOptions {
    /** Side of a square cloth [m]. Default 1.5 times the table's longer side, 1.5 without a table. */
    size?: number;
    /** Radius of a round cloth, in place of `size` [m]. */
    radius?: number;
    /** The table: a mesh, or a node with meshes. The cloth starts on its top and collides with it. */
    table?: TransformNode;
}

/** Default side of the cloth over the table's longer side. */
const OVERHANG = 1.5;

export function createTablecloth(name: string, options: TableclothOptions, scene: Scene): ClothMesh {
    const owner = "ClothBuilder: CreateTablecloth";
    checkScene(owner, scene);
    checkOptions(owner, options, ["size", "radius", "table"]);
    const { radius } = options;
    if (radius !== undefined && options.size !== undefined) reject(owner, "radius", "left out where there is a size", radius);
    const table = node(owner, "table", options.table);
    const box = table && boxOf(table);
    const longest = box ? Math.max(box.high[0] - box.low[0], box.high[2] - box.low[2]) : 1;
    if (!(longest > 0 && longest < Infinity)) reject(owner, "table", "a node with meshes", table!.name);
    const side =
        radius === undefined ? size(owner, "size", options.size, OVERHANG * longest) : 2 * size(owner, "radius", radius, 1);
    const along = subdivisionsOf(owner, options, side, FOLD_DENSITY);
    const rings = Math.round(along / 2);
    const edge = radius === undefined ? side / along : side / (2 * rings);
    return makeCloth(
        {
            ...{ owner, name, options, edge, pins: [], colliderNodes: [table] },
            fabric: "cotton",
            sheet:
                radius === undefined
                    ? gridSheet(along, along, (u, v, x) => {
                          x[0] = (u - 0.5) * side;
                          x[2] = (v - 0.5) * side;
                      })
                    : discSheet(rings, radius),
            place(mesh) {
                if (!box) return;
                const { low, high } = box;
                // On the table, at the contact distance.
                mesh.position.set((low[0] + high[0]) / 2, high[1] + 2 * CONTACT_SHARE * edge, (low[2] + high[2]) / 2);
            },
        },
        scene,
    );
}
