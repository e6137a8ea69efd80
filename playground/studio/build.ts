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
import { authoredPins, pinsOf } from "./pins";
import type { AuthoredPin } from "./pins";

/** A cloth of the studio, and what it was before it was tuned. */
export interface Built {
    readonly mesh: Mesh;
    readonly cloth: ClothBehavior;
    /** Meshes that it hangs on or lies on, and others that came with it. */
    readonly pieces: readonly Mesh[];
    /** The mesh before it moves, for selectors. */
    readonly rest: SelectContext;
    readonly authored: {
        readonly fabric: Readonly<Fabric>;
        /** The way of winds that are given by name, as {@link AirNumbers.direction}. */
        readonly direction: number;
        readonly substepCount: number;
        readonly pins: readonly AuthoredPin[];
    };
}

/** The way of winds by name where no builder says it [degrees]. */
const DIRECTION = 14;

/** Builds a kind as a document says. @param aside how far to the right [m] */
export function buildKind(kind: KindName, { source, pins }: StudioDocument, tuning: Tuning, scene: Scene, aside = 0): Built {
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
    const authored = { fabric: cloth.fabric, direction, substepCount: cloth.substepCount, pins: authoredPins(cloth) };
    if (pins) cloth.pins = pinsOf(authored.pins, pins);
    const built = { mesh, cloth, pieces, rest: restOf(mesh), authored };
    tune(built, tuning);
    return built;
}

function buildPiece({ name, shape, sizes, position, isLying }: Piece, scene: Scene, aside: number): Mesh {
    const piece = BABYLON.MeshBuilder[`Create${shape}`](name, sizes, scene);
    piece.position.set(position[0] + aside, position[1], position[2]);
    if (isLying) piece.rotation.z = Math.PI / 2;
    return piece;
}

/** Makes a mesh of a file cloth as a document says, or goes on with the cloth that it is already. */
export function buildOnMesh(mesh: Mesh, { pins }: StudioDocument, tuning: Tuning): Built {
    const cloth = new ClothBehavior({ pins: pinsOf([], pins ?? []), wind: new Wind() });
    const rest = restOf(mesh);
    mesh.addBehavior(cloth);
    const { fabric, substepCount } = cloth;
    const built = { mesh, cloth, pieces: [], rest, authored: { fabric, direction: DIRECTION, substepCount, pins: [] } };
    tune(built, tuning);
    return built;
}

function restOf(mesh: Mesh): SelectContext {
    const positions = Float32Array.from(mesh.getVerticesData("position")!);
    return { positions, vertexCount: positions.length / 3, colors: null, mesh, scratch: new BABYLON.Vector3() };
}

/** Lets a running cloth take a tuning. */
export function tune({ cloth, authored }: Built, tuning: Tuning): void {
    const fabric = fabricOf(authored.fabric, tuning);
    if (!isSame(fabric, cloth.fabric)) cloth.fabric = fabric;
    const { speed, direction, turbulence } = airOf(authored.direction, tuning);
    const angle = (direction * Math.PI) / 180;
    const velocity = { x: speed * Math.cos(angle), y: 0, z: speed * Math.sin(angle) };
    Object.assign(cloth.wind!, { velocity, turbulence });
    cloth.substepCount = tuning.substepCount ?? authored.substepCount;
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

/** The meshes of a loaded file that can become cloth: with triangles, and no instances. */
export function clothableMeshes(meshes: readonly BABYLON.Mesh[]): Mesh[] {
    const isSheet = (mesh: Mesh): boolean => ["Mesh", "GroundMesh"].includes(mesh.getClassName());
    return meshes.filter((mesh) => isSheet(mesh) && mesh.getTotalIndices() > 0 && !mesh.hasInstances);
}

/** The one that a document means, else the one of the most vertices. */
export function chooseMesh(meshes: readonly Mesh[], name: string | null): Mesh {
    const named = meshes.find((mesh) => mesh.name === name);
    if (named) return named;
    const largest = [...meshes].sort((a, b) => b.getTotalVertices() - a.getTotalVertices())[0];
    if (!largest) throw new Error("The file has no mesh with triangles that could become cloth");
    return largest;
}

/** Puts what a file has brought to the right. */
export function putAside(nodes: readonly TransformNode[], aside: number, scene: Scene): void {
    if (aside === 0) return;
    const root = new TransformNode("aside", scene);
    for (const node of nodes) if (!node.parent) node.parent = root;
    root.position.x = aside;
}
