import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { editModule, weld } from "../../engine/index";
import type { Affine, RenderSurface, VertexOrigins } from "../../engine/index";
import type { BufferReferences } from "./bufferReferences";
import { keepSubMeshes } from "./geometrySwap";
import { readBuffer, readFloats } from "./readMesh";
import { SKIN_KINDS } from "./pausedPose";

/** A mesh with other vertices has been refined when this share of the cloth's are still there. */
const REFINED_SHARE = 0.5;

/** Result of an edit of vertices or triangles while the mesh was cloth. */
export interface Edit {
    /** Origin of each vertex; null if the edit made another shape of it. */
    readonly origins: VertexOrigins | null;
    /** True if the cloth's vertices exist among new ones, which have no place in the rest shape. */
    readonly isRefined: boolean;
}

/**
 * Brings an edited mesh into the rest shape: its vertices are those that the cloth has drawn, so each goes where it was
 * authored, and so do normals, tangents and weights of bones. A mesh of another shape stays as it is; so does one that is given back before
 * {@link editModule} is loaded.
 * @param surface what the cloth has drawn
 * @param holds the authored vertex data
 * @param expected the map of mesh-local space that leaves the mesh where it was drawn
 */
export function restoreEditedMesh(mesh: Mesh, surface: RenderSurface, holds: BufferReferences, expected: Affine): Edit {
    const { geometry } = mesh;
    const { vertexCount, vertexPositions: drawn } = surface;
    if (!editModule.isLoaded) return { origins: null, isRefined: false };
    const { areSameNormals, findRows, gatherRows, matchEditedMesh, movePoints, restNormals, rotateDirections } = editModule.module;
    const positions = geometry && readFloats(geometry, "position", 3);
    if (!geometry || !positions) return { origins: null, isRefined: false };
    const count = positions.length / 3;
    const origins = matchEditedMesh(drawn, positions, expected);
    const authored = (kind: string, size: number): Float32Array => readBuffer(holds.shared(kind)!, vertexCount, size);
    const sources = origins?.sources ?? (count === vertexCount ? Uint32Array.from({ length: count }, (_, v) => v) : null);
    for (const kind of SKIN_KINDS) {
        if (!sources || !holds.shared(kind) || geometry.isVerticesDataPresent(kind)) continue;
        if (count === vertexCount) holds.transferTo(kind, geometry, count);
        else geometry.setVerticesData(kind, gatherRows(authored(kind, 4), 4, sources), false, 4);
    }
    if (!origins) {
        const kept = findRows(drawn, positions).reduce((sum, row) => sum + (row >= 0 ? 1 : 0), 0);
        mesh.refreshBoundingInfo(true, true);
        return { origins, isRefined: count !== vertexCount && kept >= REFINED_SHARE * vertexCount };
    }
    const { map } = origins;
    const rest = movePoints(gatherRows(authored("position", 3), 3, origins.sources), map);
    const normals = readFloats(geometry, "normal", 3);
    const tangents = holds.shared("tangent") && geometry.isVerticesDataPresent("tangent") && authored("tangent", 4);
    keepSubMeshes(mesh, () => {
        geometry.setVerticesData("position", rest, holds.shared("position")!.isUpdatable(), 3);
        if (normals) geometry.setVerticesData("normal", normalsAtRest(normals), false, 3);
        if (tangents)
            geometry.setVerticesData("tangent", rotateDirections(gatherRows(tangents, 4, origins.sources), 4, map), false, 4);
    });
    mesh.refreshBoundingInfo(true, true);
    return { origins, isRefined: false };

    /** The authored ones where the user has left the cloth's alone. */
    function normalsAtRest(given: Float32Array): Float32Array {
        const { sources } = origins!;
        const isOwn =
            surface.hasNormals && areSameNormals(given, rotateDirections(gatherRows(surface.vertexNormals, 3, sources), 3, map));
        if (isOwn) return rotateDirections(gatherRows(authored("normal", 3), 3, sources), 3, map);
        const indices = Uint32Array.from((!mesh.isUnIndexed && geometry!.getIndices()) || Array(count).keys());
        return restNormals(given, positions!, rest, indices, weld(rest, indices));
    }
}
