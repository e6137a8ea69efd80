/** Which mesh of a file is likely to be cloth, and how the meshes are told apart. */
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { clothOn } from "./build";

/** Names of garments and hangings, and of what wears them. */
const CLOTH =
    /cape|cloak|mantle|coat|skirt|dress|robe|scarf|shawl|veil|cloth|fabric|flag|banner|curtain|drape|sail|towel|tabard|kilt|tunic|poncho/i;
const BODY =
    /body|head|face|eye|teeth|tooth|tongue|hair|arm|leg|hand|foot|feet|boot|shoe|helmet|sword|shield|weapon|armou?r|wall|floor|ground|table|pole/i;

/** A mesh with a name of its own. */
export interface Choice {
    readonly label: string;
    readonly mesh: Mesh;
}

/** The meshes of a loaded file that can become cloth, the likeliest first: with triangles, and no instances. */
export function clothChoices(meshes: readonly Mesh[]): Choice[] {
    const isSheet = (mesh: Mesh): boolean => ["Mesh", "GroundMesh"].includes(mesh.getClassName());
    const all = meshes.filter((mesh) => isSheet(mesh) && mesh.getTotalIndices() > 0 && !mesh.hasInstances);
    const counts = new Map<string, number>();
    const choices = all.map((mesh) => {
        const count = (counts.get(mesh.name) ?? 0) + 1;
        counts.set(mesh.name, count);
        return { mesh, label: count > 1 ? `${mesh.name} (${count})` : mesh.name, likeliness: likelinessOf(mesh) };
    });
    return choices.sort((a, b) => b.likeliness - a.likeliness);
}

/** The one that a document means, or the likeliest (null). @throws Error where there is none */
export function choose(choices: readonly Choice[], label: string | null): Choice {
    if (choices.length === 0) throw new Error("The file has no mesh with triangles that could become cloth");
    const chosen = label === null ? choices[0] : choices.find((choice) => choice.label === label);
    if (chosen) return chosen;
    throw new Error(
        `The file has no mesh "${label}" that could become cloth; it has ${choices.map((each) => each.label).join(", ")}`,
    );
}

/** By what the file says, by name, border and weights: garments have names, open borders, and cling to a few bones. */
function likelinessOf(mesh: Mesh): number {
    const name = `${mesh.name} ${mesh.material?.name ?? ""}`;
    return (
        (clothOn(mesh) ? 100 : 0) +
        (CLOTH.test(mesh.name) ? 10 : CLOTH.test(name) ? 3 : 0) -
        (BODY.test(mesh.name) && !CLOTH.test(mesh.name) ? 5 : 0) +
        4 * Math.min(1, 4 * borderShare(mesh)) -
        Math.min(3, bonesOf(mesh) / 8)
    );
}

/** Share of the edges that have a triangle on one side only; vertices at one place count as one. */
function borderShare(mesh: Mesh): number {
    const x = mesh.getVerticesData("position")!;
    const places = new Map<string, number>();
    const placeOf = Array.from({ length: x.length / 3 }, (_, v) => {
        const key = `${x[3 * v].toFixed(5)},${x[3 * v + 1].toFixed(5)},${x[3 * v + 2].toFixed(5)}`;
        if (!places.has(key)) places.set(key, v);
        return places.get(key)!;
    });
    const counts = new Map<number, number>();
    const indices = mesh.getIndices()!;
    for (let t = 0; t < indices.length; t += 3) {
        for (let k = 0; k < 3; k++) {
            const [a, b] = [placeOf[indices[t + k]], placeOf[indices[t + ((k + 1) % 3)]]];
            if (a === b) continue;
            const edge = Math.min(a, b) * placeOf.length + Math.max(a, b);
            counts.set(edge, (counts.get(edge) ?? 0) + 1);
        }
    }
    let border = 0;
    for (const count of counts.values()) if (count === 1) border++;
    return counts.size > 0 ? border / counts.size : 0;
}

/** Number of bones that move a mesh. */
function bonesOf(mesh: Mesh): number {
    const bones = mesh.getVerticesData("matricesIndices");
    const weights = mesh.getVerticesData("matricesWeights");
    if (!bones || !weights) return 0;
    const used = new Set<number>();
    for (let k = 0; k < bones.length; k++) if (weights[k] > 0.1) used.add(bones[k]);
    return used.size;
}
