import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { reject } from "../../engine/state/validate";
import { weldOfPlaces } from "../../engine/meshmap/weld";
import type { Weld } from "../../engine/meshmap/weld";
import type { ClothBehavior } from "../clothBehavior";
import { driverOf } from "../clothDriver";
import { readFloats } from "../mesh/readMesh";
import { setWeld, weldOf } from "../mesh/welds";
import { decodeBase64, encodeBase64 } from "./encoding";

const OWNER = "ClothFiles: parse";

/** Vertices of a place are no farther apart than this share of the mesh: several times what they are welded by. */
const SEAM_TOLERANCE = 1e-4;

/** Of cloths that are on no mesh yet. */
const pendingTears = new WeakMap<ClothBehavior, string>();

/** Which vertices of a torn cloth hang together: the place of each, as text; undefined of a whole one. */
export function writeTears(cloth: ClothBehavior): string | undefined {
    const { attachment } = driverOf(cloth)!;
    if (!attachment) return pendingTears.get(cloth);
    const { weld } = attachment.binding;
    return weld ? encodeBase64(weld.placeOfVertex) : undefined;
}

/** The places of a file. @throws RangeError where they are none */
export function checkTears(text: unknown): Uint32Array {
    const bytes = decodeBase64(text) ?? reject(OWNER, "torn", "bytes in base 64", text);
    const places = new Uint32Array(bytes);
    if (places.some((place) => place >= places.length)) reject(OWNER, "torn", "places below the number of vertices", text);
    return places;
}

/** Has a cloth be torn as its file says, when it comes to its mesh: one that has the torn mesh's vertices. */
export function readTears(cloth: ClothBehavior, text: string, places: Uint32Array): void {
    pendingTears.set(cloth, text);
    driverOf(cloth)!.onAttaching = (mesh) => {
        const { geometry } = mesh;
        if (!geometry) return () => {};
        const before = weldOf(geometry);
        setWeld(geometry, weldFor(mesh, places));
        return () => setWeld(geometry, before);
    };
}

/** @throws RangeError where the mesh is another one than that of which it was written */
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
