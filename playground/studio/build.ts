/** Builds what a document says: stand and cloth. Without a DOM: for the page as for exports and tests. */
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import type { Scene } from "@babylonjs/core/scene";
import { ClothBehavior, ClothBuilder, Fabrics, Wind, WindSpeeds } from "babylon-cloth";
import type { ClothMesh, Fabric, SelectContext } from "babylon-cloth";
import * as BABYLON from "../babylon";
import type { AirNumbers, StudioDocument, Tuning } from "./document";
import { kinds, standOf, toldOf } from "./kinds";
import type { KindName, Piece } from "./kinds";
import { applyLayers, authoredPins, isOwn } from "./pins";
import type { Authored } from "./pins";
import { piecesOf } from "./solids";
import { Surface } from "./surface";

/** A cloth of the studio, and what it was before it was tuned. */
export interface Built {
    readonly mesh: Mesh;
    readonly cloth: ClothBehavior;
    /** Meshes that it hangs on or lies on, and others that came with it. */
    readonly pieces: readonly Mesh[];
    /** The mesh before it moves, for selectors. */
    readonly rest: SelectContext;
    /** Painted layers of the document. */
    readonly surface: Surface;
    /** Meshes of the document's solids, in their order. */
    readonly solids: readonly Mesh[];
    readonly authored: Authored & {
        readonly fabric: Readonly<Fabric>;
        /** The way of winds that are given by name, as {@link AirNumbers.direction}. */
        readonly direction: number;
        readonly substepCount: number;
        readonly selfCollision: ClothBehavior["selfCollision"];
        readonly tetherSlack: number;
    };
}

/** The way of winds by name where no builder says it [degrees]. */
const DIRECTION = 14;

/** Builds a kind as a document says. @param aside how far to the right [m] */
export function buildKind(kind: KindName, document: StudioDocument, tuning: Tuning, scene: Scene, aside = 0): Built {
    const { source } = document;
    const options = "kind" in source ? source.options : {};
    const stand = standOf(kind, options);
    const pieces = stand.pieces.map((piece) => buildPiece(piece, scene, aside));
    const find = (name: string): Mesh => pieces.find((piece) => piece.name === name)!;
    const named = Object.entries(stand.named).map(([option, names]) => [
        option,
        typeof names === "string" ? find(names) : names.map(find),
    ]);
    const make = ClothBuilder[kinds[kind].maker] as (name: string, options: object, scene: Scene) => ClothMesh;
    // By name, to hear from which side the builder has it blow.
    const mesh = make(kind, { ...Object.fromEntries(toldOf(kind, options)), ...Object.fromEntries(named), wind: "breeze" }, scene);
    const { position } = stand;
    if (position) mesh.position.set(position[0] + aside, position[1], position[2]);
    const { cloth } = mesh;
    const { x, z } = cloth.wind!.velocity;
    const direction = (Math.atan2(z, x) * 180) / Math.PI;
    const rest = restOf(mesh);
    const authored = authoredOf(cloth, direction, authoredPins(cloth, rest));
    const solids = addSolids(cloth, document, scene, aside);
    const built = { mesh, cloth, pieces, solids, rest, surface: new Surface(rest, true), authored };
    if (!isOwn(document)) applyLayers(built, document);
    tune(built, tuning);
    return built;
}

function buildPiece({ name, shape, sizes, position, isLying }: Piece, scene: Scene, aside: number): Mesh {
    const piece = BABYLON.MeshBuilder[`Create${shape}`](name, sizes, scene);
    piece.position.set(position[0] + aside, position[1], position[2]);
    if (isLying) piece.rotation.z = Math.PI / 2;
    return piece;
}

/** Adds a document's solids to what a cloth meets. */
export function addSolids(cloth: ClothBehavior, { solids }: StudioDocument, scene: Scene, aside: number): Mesh[] {
    const meshes = piecesOf(solids).map((piece) => buildPiece(piece, scene, aside));
    for (const mesh of meshes) cloth.addCollider(mesh);
    return meshes;
}

/** Moves a cloth's solids to where a document has them. */
export function placeSolids(meshes: readonly Mesh[], { solids }: StudioDocument, aside: number): void {
    meshes.forEach((mesh, i) => mesh.position.set(solids[i].position[0] + aside, solids[i].position[1], solids[i].position[2]));
}

/** Makes a mesh of a file cloth as a document says, or goes on with the cloth that it is already. */
export function buildOnMesh(mesh: Mesh, document: StudioDocument, tuning: Tuning): Built {
    const own = clothOn(mesh);
    const cloth = own ?? new ClothBehavior({ pins: [] });
    const rest = restOf(mesh);
    // The file's own pins follow what they follow in it.
    const pins = own ? authoredPins(own, rest) : [];
    const { x = 0, z = 0 } = cloth.wind?.velocity ?? {};
    cloth.wind ??= new Wind();
    const direction = x === 0 && z === 0 ? DIRECTION : (Math.atan2(z, x) * 180) / Math.PI;
    const authored = authoredOf(cloth, direction, pins);
    const built = { mesh, cloth, pieces: [], solids: [], rest, surface: new Surface(rest, false), authored };
    applyLayers(built, document);
    if (!own) mesh.addBehavior(cloth);
    tune(built, tuning);
    return built;
}

/** The settings of a cloth before it is tuned. */
function authoredOf(cloth: ClothBehavior, direction: number, pins: Authored["pins"]): Built["authored"] {
    const { fabric, substepCount, selfCollision, tetherSlack, maxDistance, backstop } = cloth;
    return { fabric, direction, substepCount, selfCollision, tetherSlack, pins, maxDistance, backstop };
}

/** The cloth that a file has made of a mesh. */
export function clothOn(mesh: Mesh): ClothBehavior | null {
    return mesh.getBehaviorByName("Cloth") as ClothBehavior | null;
}

/** Told where sides are strips of the border: what they hold is seen. */
const warn = (): void => {};

function restOf(mesh: Mesh): SelectContext {
    const positions = Float32Array.from(mesh.getVerticesData("position")!);
    return { positions, vertexCount: positions.length / 3, colors: null, mesh, scratch: new BABYLON.Vector3(), warn };
}

/** Lets a running cloth take a tuning. */
export function tune({ cloth, authored }: Built, tuning: Tuning): void {
    const fabric = fabricOf(authored.fabric, tuning);
    if (!isSame(fabric, cloth.fabric)) cloth.fabric = fabric;
    const { speed, direction, turbulence } = airOf(authored.direction, tuning);
    const angle = (direction * Math.PI) / 180;
    const velocity = { x: speed * Math.cos(angle), y: 0, z: speed * Math.sin(angle) };
    Object.assign(cloth.wind!, { velocity, turbulence });
    for (const name of ["substepCount", "selfCollision", "tetherSlack"] as const) {
        const value = tuning[name] ?? authored[name];
        if (value !== cloth[name]) Object.assign(cloth, { [name]: value });
    }
}

/** A tuning's fabric, whole. Its thickness stays the builder's, which follows the mesh, unless it is told. */
export function fabricOf(authored: Readonly<Fabric>, { fabric }: Tuning): Fabric {
    const { thickness } = authored;
    if (fabric === null) return authored;
    return typeof fabric === "string" ? { ...Fabrics[fabric], thickness } : { ...Fabrics.cotton, thickness, ...fabric };
}

/** A tuning's air in numbers. @param direction of winds by name */
export function airOf(direction: number, { wind }: Tuning): AirNumbers {
    return typeof wind === "string" ? { speed: WindSpeeds[wind], direction, turbulence: new Wind().turbulence } : wind;
}

function isSame(a: Fabric, b: Fabric): boolean {
    return (Object.keys(a) as (keyof Fabric)[]).every((name) => a[name] === b[name]);
}

/** Puts what a file has brought to the right. */
export function putAside(nodes: readonly TransformNode[], aside: number, scene: Scene): void {
    if (aside === 0) return;
    const root = new TransformNode("aside", scene);
    for (const node of nodes) if (!node.parent) node.parent = root;
    root.position.x = aside;
}
