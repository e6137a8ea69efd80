import * as BABYLON from "../babylon";
import { bonesAt, dancerBones, dancerTrunk, dressSolids } from "./dancerShape";
import type { Dancer } from "./makeDancer";

/** Cut of a garment about the dancer's trunk and legs; heights above the ground and lengths in metres. */
export interface Cut {
    name: string;
    top: number;
    hem: number;
    columns: number;
    rows: number;
    /** Distance off the skin. */
    gap: number;
    /** Growth of the radius below the hips, per metre. */
    flare: number;
    /** Height below which it is loose, and how far it may leave the skin, per metre below. */
    waist: number;
    loose: number;
    /** Folds around the hem and their depth. */
    folds?: number;
    depth?: number;
    /** Angle that is open in front [rad]. */
    opening?: number;
    /** Share of the hips in what carries it below the waist, 0..1. */
    hips?: number;
    /** Half width of the strip between the legs that both carry. */
    middle?: number;
    /** Solids of a bone fade with distance so fast. */
    reach?: number;
}

/** Height of the widest part of the hips [m]. */
const WIDEST = 0.88;

/** Distance of a garment from the body's axis at a height, in a direction [m]. */
function radiusAt(y: number, angle: number, gap: number) {
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    let radius = 0.45;
    for (let i = 0; i < 24; i++) radius -= 0.9 * (dancerTrunk.distance(radius * cos, y, radius * sin) - gap);
    return radius;
}

/** A garment that the dancer wears: skin above the waist, and looser the farther below it. Angles go from the dancer's front to its left. */
export function tailor(dancer: Dancer, scene: BABYLON.Scene, cut: Cut) {
    const { name, top, hem, columns, rows, gap, flare, waist, loose, folds = 0, depth = 0, opening = 0 } = cut;
    const { hips = 0, middle = 0.1, reach = 0.05 } = cut;
    const isClosed = opening === 0;
    const positions: number[] = [];
    const indices: number[] = [];
    const uvs: number[] = [];
    const bones: number[] = [];
    const weights: number[] = [];
    const maxDistance: number[] = [];
    const angles = Array.from(
        { length: columns + 1 },
        (_, i) => -Math.PI / 2 + opening / 2 + ((2 * Math.PI - opening) * i) / columns,
    );
    const widest = angles.map((angle) => radiusAt(WIDEST, angle, gap));
    for (let row = 0; row <= rows; row++) {
        const y = top + ((hem - top) * row) / rows;
        const below = Math.max(0, WIDEST - y);
        angles.forEach((angle, i) => {
            const own = y < WIDEST ? widest[i] + flare * below : radiusAt(y, angle, gap);
            const radius = own + depth * (below / (WIDEST - hem)) * Math.cos(folds * angle);
            const [x, z] = [radius * Math.cos(angle), radius * Math.sin(angle)];
            positions.push(x, y, z);
            uvs.push(i / columns, 1 - row / rows);
            // Near the skin as the body, farther off both legs and hips.
            const off = Math.min(1, Math.max(0, dancerTrunk.distance(x, y, z) - gap) / 0.1);
            const skin = bonesAt([x, y, z], dressSolids, 0.013 + off * reach, 0.012 + off * middle);
            const share = hips * Math.min(1, Math.max(0, (WIDEST - y) / 0.2));
            carry(skin, share);
            bones.push(...skin.bones);
            weights.push(...skin.weights);
            maxDistance.push(loose * Math.max(0, waist - y));
            if (row < rows && i < columns) {
                const [a, b] = [row * (columns + 1) + i, (row + 1) * (columns + 1) + i];
                indices.push(a, b, a + 1, a + 1, b, b + 1);
            }
        });
    }
    return sewn(dancer, scene, { name, positions, indices, uvs, bones, weights }, maxDistance, 0.6 * gap, isClosed ? columns : 0);
}

/** Vertices of a garment, their bones, and their triangles. */
interface Pieces {
    name: string;
    positions: number[];
    indices: number[];
    uvs: number[];
    bones: number[];
    weights: number[];
}

/** Makes a mesh of pieces. @param seam columns of a closed garment, whose last is sewn to the first; else 0 */
function sewn(dancer: Dancer, scene: BABYLON.Scene, pieces: Pieces, maxDistance: number[], margin: number, seam = 0) {
    const { name, positions, indices, uvs, bones, weights } = pieces;
    const normals: number[] = [];
    BABYLON.VertexData.ComputeNormals(positions, indices, normals);
    // Both sides of a seam, which are one in the cloth, have one normal.
    for (let a = 0; seam > 0 && a < positions.length; a += 3 * (seam + 1)) {
        const b = a + 3 * seam;
        const both = [0, 1, 2].map((c) => normals[a + c] + normals[b + c]);
        const length = Math.hypot(...both);
        for (let c = 0; c < 3; c++) {
            normals[a + c] = normals[b + c] = both[c] / length;
            positions[b + c] = positions[a + c];
        }
    }
    const backstop = behind(positions, normals, margin);
    const data = new BABYLON.VertexData();
    Object.assign(data, { positions, normals, indices, uvs, matricesIndices: bones, matricesWeights: weights });
    // The paint: blue where it is skin, to yellow where it may go 0.4 m off it.
    data.colors = maxDistance.flatMap((distance) => {
        const share = Math.min(1, distance / 0.4);
        return distance === 0 ? [0.05, 0.12, 0.35, 1] : [0.35 + 0.6 * share, 0.1 + 0.6 * share, 0.25 - 0.2 * share, 1];
    });
    const mesh = new BABYLON.Mesh(name, scene);
    data.applyToMesh(mesh);
    mesh.useVertexColors = false;
    return { mesh: dancer.wear(mesh), maxDistance, backstop };
}

/** Spheres in the body behind each vertex, along its normal, by the ends of the way through the body. @param margin off the skin [m] */
function behind(positions: number[], normals: number[], margin: number) {
    const distance: number[] = [];
    const radius: number[] = [];
    for (let i = 0; i < positions.length; i += 3) {
        const [x, y, z] = positions.slice(i, i + 3);
        const [nx, ny, nz] = normals.slice(i, i + 3);
        const at = (t: number) => dancerTrunk.distance(x - t * nx, y - t * ny, z - t * nz);
        let enters = 0;
        for (let k = 0; k < 40 && enters < 0.6; k++) enters += Math.max(0.9 * at(enters), 0);
        let leaves = enters + 0.01;
        while (at(leaves) < 0) leaves += 0.01;
        const isHit = at(enters) < 0.004;
        distance.push(isHit ? Math.max(0, enters - margin) : 0);
        radius.push(isHit ? Math.max(0.02, (leaves - enters) / 2 + margin) : 0);
    }
    return { distance, radius };
}

/** Has the hips, bone 0, carry a share of what others do. */
function carry({ bones, weights }: { bones: number[]; weights: number[] }, share: number) {
    for (let k = 0; k < weights.length; k++) weights[k] *= 1 - share;
    const own = bones.indexOf(dancerBones.findIndex(([name]) => name === "Hips"));
    if (own >= 0) weights[own] += share;
    else {
        bones[3] = 0;
        weights[3] = share;
        const sum = weights.reduce((total, weight) => total + weight, 0);
        weights.forEach((weight, k) => (weights[k] = weight / sum));
    }
}

/** A strip about the neck whose ends hang down, one in front and one behind: skin at the neck. */
export function knitScarf(dancer: Dancer, scene: BABYLON.Scene, width: number, edge: number) {
    // Middle of the strip, from the end in front to the end behind, and the way across.
    const ways = [
        { at: [0.075, 0.93, -0.165], across: [1, 0, 0.1] },
        { at: [0.08, 1.2, -0.17], across: [1, 0, 0.1] },
        { at: [0.082, 1.34, -0.135], across: [0.95, 0.15, 0.3] },
        { at: [0.08, 1.435, -0.035], across: [0.7, -0.6, -0.1] },
        { at: [0.073, 1.46, 0.03], across: [0.5, -0.85, 0.15] },
        { at: [0.0, 1.462, 0.085], across: [0, -0.9, 0.45] },
        { at: [-0.073, 1.46, 0.03], across: [-0.5, -0.85, 0.15] },
        { at: [-0.064, 1.445, -0.068], across: [-0.4, -0.85, -0.35] },
        { at: [0.0, 1.432, -0.104], across: [0.1, -0.85, -0.5] },
        { at: [0.085, 1.44, -0.05], across: [0.55, -0.8, -0.1] },
        { at: [0.115, 1.447, 0.05], across: [0.95, -0.3, 0.3] },
        { at: [0.11, 1.37, 0.15], across: [1, 0, -0.15] },
        { at: [0.11, 1.2, 0.19], across: [1, 0, 0] },
        { at: [0.11, 0.85, 0.19], across: [1, 0, 0] },
    ];
    const path = BABYLON.Curve3.CreateCatmullRomSpline(
        ways.map(({ at }) => new BABYLON.Vector3(...at)),
        24,
        false,
    );
    const acrosses = BABYLON.Curve3.CreateCatmullRomSpline(
        ways.map(({ across }) => new BABYLON.Vector3(...across)),
        24,
        false,
    );
    const points = path.getPoints();
    const sides = acrosses.getPoints();
    const columns = Math.round(width / edge);
    const rows = Math.round(path.length() / edge);
    const positions: number[] = [];
    const indices: number[] = [];
    const uvs: number[] = [];
    const bones: number[] = [];
    const weights: number[] = [];
    const maxDistance: number[] = [];
    let walked = 0;
    let next = 1;
    for (let row = 0; row <= rows; row++) {
        const goal = (row / rows) * path.length();
        while (next + 1 < points.length && walked + BABYLON.Vector3.Distance(points[next - 1], points[next]) < goal) {
            walked += BABYLON.Vector3.Distance(points[next - 1], points[next]);
            next++;
        }
        const share = (goal - walked) / BABYLON.Vector3.Distance(points[next - 1], points[next]);
        const middle = BABYLON.Vector3.Lerp(points[next - 1], points[next], share);
        const side = BABYLON.Vector3.Lerp(sides[next - 1], sides[next], share).normalize();
        for (let i = 0; i <= columns; i++) {
            const point = middle.add(side.scale((i / columns - 0.5) * width));
            positions.push(point.x, point.y, point.z);
            uvs.push(i / columns, row / rows);
            const skin = bonesAt([point.x, point.y, point.z], dressSolids, 0.03, 0.05);
            bones.push(...skin.bones);
            weights.push(...skin.weights);
            const loose = Math.max(0, 1.36 - middle.y);
            maxDistance.push(2 * loose * Math.min(1, loose / 0.1));
            if (row < rows && i < columns) {
                const [a, b] = [row * (columns + 1) + i, (row + 1) * (columns + 1) + i];
                indices.push(a, b, a + 1, a + 1, b, b + 1);
            }
        }
    }
    return sewn(dancer, scene, { name: "scarf", positions, indices, uvs, bones, weights }, maxDistance, 0.004);
}

/** A cape from shoulder to shoulder: skin along the shoulders, and down the back with folds. */
export function sewCape(dancer: Dancer, scene: BABYLON.Scene, length: number, columns: number, rows: number) {
    const positions: number[] = [];
    const indices: number[] = [];
    const uvs: number[] = [];
    const bones: number[] = [];
    const weights: number[] = [];
    const maxDistance: number[] = [];
    const tops = Array.from({ length: columns + 1 }, (_, i) => {
        const across = (2 * i) / columns - 1;
        const x = 0.165 * across;
        const z = 0.078 - 0.06 * across * across;
        // Below the head.
        let y = 1.46;
        for (let k = 0; k < 30; k++) y -= 0.8 * (dancerTrunk.distance(x, y, z) - 0.022);
        return { across, x, y, z };
    });
    const depths = tops.map(({ z }) => z);
    for (let row = 0; row <= rows; row++) {
        const fallen = (length * row) / rows;
        tops.forEach(({ across, x, y, z }, i) => {
            const spread = across * (0.165 + 0.32 * fallen);
            const level = y - fallen;
            // Down the back it comes no nearer to the body than above.
            let back = 0.4;
            for (let k = 0; k < 20; k++) back -= 0.9 * (dancerTrunk.distance(0.6 * spread, level, back) - 0.025);
            if (back > 0) depths[i] = Math.max(depths[i], Math.min(back, depths[i] + (0.7 * length) / rows));
            const fold = 0.05 * fallen * (1 - Math.cos(5 * Math.PI * across)) * Math.min(1, fallen / 0.3);
            positions.push(spread, level, depths[i] + fold);
            uvs.push(i / columns, 1 - row / rows);
            const skin = bonesAt([x, y, z], dressSolids, 0.03, 0.05);
            bones.push(...skin.bones);
            weights.push(...skin.weights);
            maxDistance.push(row === 0 ? 0 : 2.2 * fallen * Math.min(1, fallen / 0.12));
            if (row < rows && i < columns) {
                const [a, b] = [row * (columns + 1) + i, (row + 1) * (columns + 1) + i];
                indices.push(a, a + 1, b, a + 1, b + 1, b);
            }
        });
    }
    return sewn(dancer, scene, { name: "cape", positions, indices, uvs, bones, weights }, maxDistance, 0.008);
}
