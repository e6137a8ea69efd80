import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { Logger } from "@babylonjs/core/Misc/logger";
import { reject, weldOfPlaces } from "../../engine/index";
import type { Weld } from "../../engine/index";
import type { ClothBehavior } from "../behaviors/clothBehavior";
import { runtimeOf } from "../behaviors/bodyRuntime";
import { readFloats, setWeld, weldOf } from "../mesh/readMesh";
import { decodeBase64, decodeNumbers, encodeBase64, encodeNumbers, fileTearing } from "./format/fileFormat";
import type { TearingData } from "./format/fileFormat";

const OWNER = "ClothFiles: parse";

/** Largest distance of vertices of one place, as a share of the mesh's size: several times the weld tolerance. */
const SEAM_TOLERANCE = 1e-4;

/** Welds, in base 64, of cloths that are on no mesh yet. */
const pendingTears = new WeakMap<ClothBehavior, string>();

/** Options of a ClothTearing, of cloths that are on no mesh yet. */
const pendingTearing = new WeakMap<ClothBehavior, TearingData>();

/** The ClothTearing beside a cloth; undefined: none. */
export function writeTearing(cloth: ClothBehavior): TearingData | undefined {
    const { instance } = runtimeOf(cloth)!;
    if (!instance) return pendingTearing.get(cloth);
    const tearing = instance.mesh.getBehaviorByName("ClothTearing") as { strain: number } | null;
    return tearing ? (encodeNumbers({ strain: tearing.strain }) as TearingData) : undefined;
}

/**
 * Makes the ClothTearing beside a cloth. @returns function that adds it to the cloth's mesh
 * @throws RangeError on invalid options
 */
export function readTearing(cloth: ClothBehavior, data: TearingData): (mesh: Mesh) => void {
    if (typeof data !== "object" || data === null) reject(OWNER, "tearing", "an object", data);
    const tearing = fileTearing.make?.(decodeNumbers(data) as { strain: number });
    pendingTearing.set(cloth, data);
    return (mesh) => {
        if (tearing) mesh.addBehavior(tearing);
        else Logger.Warn(`${OWNER}: "${mesh.name}" does not tear: import ClothTearing from babylon-cloth`);
    };
}

/** Welded place of each vertex of a torn cloth, in base 64; undefined for an untorn one. */
export function writeTears(cloth: ClothBehavior): string | undefined {
    const { instance } = runtimeOf(cloth)!;
    if (!instance) return pendingTears.get(cloth);
    const { weld } = instance.binding;
    return weld ? encodeBase64(weld.placeOfVertex) : undefined;
}

/** Decodes the welded places of a file. @throws RangeError if they are invalid */
export function checkTears(text: unknown): Uint32Array {
    const bytes = decodeBase64(text) ?? reject(OWNER, "torn", "bytes in base 64", text);
    const places = new Uint32Array(bytes);
    if (places.some((place) => place >= places.length)) reject(OWNER, "torn", "places below the number of vertices", text);
    return places;
}

/** Applies the tears of a file when the cloth is attached; the mesh must have the vertices of the torn mesh. */
export function readTears(cloth: ClothBehavior, text: string, places: Uint32Array): void {
    pendingTears.set(cloth, text);
    runtimeOf(cloth)!.hooks.onAttaching = (mesh) => {
        const { geometry } = mesh;
        if (!geometry) return () => {};
        const before = weldOf(geometry);
        setWeld(geometry, weldFor(mesh, places));
        return () => setWeld(geometry, before);
    };
}

/** @throws RangeError if the mesh is not the one that was written */
function weldFor(mesh: Mesh, placeOfVertex: Uint32Array): Weld {
    const geometry = mesh.geometry!;
    const count = geometry.getTotalVertices();
    if (count !== placeOfVertex.length) {
        reject(OWNER, "torn", `on the torn mesh, of ${placeOfVertex.length} vertices`, `${mesh.name} of ${count}`);
    }
    const weld = weldOfPlaces(placeOfVertex, placeOfVertex.reduce((most, place) => Math.max(most, place), 0) + 1);
    const x = readFloats(geometry, "position", 3);
    if (!x || !seamsCoincide(x, weld)) reject(OWNER, "torn", "of this mesh: vertices that hang together lie together", mesh.name);
    return weld;
}

function seamsCoincide(x: Float32Array, { placeOfVertex, vertexOfPlace }: Weld): boolean {
    let [low, high, apart] = [Infinity, -Infinity, 0];
    for (let i = 0; i < x.length; i++) {
        low = Math.min(low, x[i]);
        high = Math.max(high, x[i]);
        const first = 3 * vertexOfPlace[placeOfVertex[Math.floor(i / 3)]] + (i % 3);
        apart = Math.max(apart, Math.abs(x[i] - x[first]));
    }
    return apart <= SEAM_TOLERANCE * (high - low) && vertexOfPlace.every((v) => v < placeOfVertex.length);
}
