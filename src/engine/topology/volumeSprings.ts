/**
 * Support sticks (Jakobsen 2001 §4.4): between particles that no edge of the mesh joins, so that what has them keeps its shape.
 *
 *      p ●━━━━━━━● p'       along the surface:  p p', edges, and ends of a straight line over two of them
 *        ┃╲     ╱            across the inside:  p q, q the nearest of the surface on the other side
 *        ┃  ╲ ╱              braces:             p q', from p to what p' has on the other side
 *        ┃  ╱ ╲
 *      q ●━━━━━━━● q'
 *
 * What is flat has nothing on the other side: it is kept by the first kind and by bending.
 */
import { MIN_FACING_COSINE } from "../tunables";
import type { DistanceConstraintSet } from "./stencilSet";
import { pairKey } from "./meshComponents";
import type { MeshComponents } from "./meshComponents";
import type { ClothTopology } from "./topology";

/** Sticks that are shorter than this share of the mesh's size join what lies at one place. */
const MIN_LENGTH_RATIO = 1e-5;
/** Marks a particle without an opposite one. */
const NO_OPPOSITE = 0xffffffff;

/**
 * All sticks of a body that keeps its shape: those of its surface, and supports.
 * @param parts of the same mesh
 * @param volumes of material that each particle stands for [m³], shape [particleCount]
 * @returns stiffnesses are per Young's modulus [N/m by Pa]: see {@link springFactors}
 */
export function findVolumeSprings(topology: ClothTopology, parts: MeshComponents, volumes: Float32Array): DistanceConstraintSet {
    const { positions: x, particleCount, structural, shear, unilateralLimits } = topology;
    const across = findOpposite(topology, parts);
    const pairs = new Map<number, [number, number]>();
    const least = MIN_LENGTH_RATIO * topology.size;
    const add = (a: number, b: number): void => {
        if (a === b || a === NO_OPPOSITE || b === NO_OPPOSITE || !(distance(x, a, b) > least)) return;
        pairs.set(pairKey(a, b, particleCount), [a, b]);
    };
    for (const { particlesA, particlesB } of [structural, shear, unilateralLimits]) {
        particlesA.forEach((a, s) => {
            const b = particlesB[s];
            add(a, b);
            add(a, across[b]);
            add(b, across[a]);
        });
    }
    across.forEach((other, i) => add(i, other));
    const sticks = [...pairs.values()];
    const particlesA = Uint32Array.from(sticks, ([a]) => a);
    const particlesB = Uint32Array.from(sticks, ([, b]) => b);
    const restLengths = Float32Array.from(sticks, ([a, b]) => distance(x, a, b));
    const stiffnessFactors = springFactors(x, { particlesA, particlesB, restLengths }, parts, volumes);
    return { stiffness: "stretchStiffness", particlesA, particlesB, restLengths, stiffnessFactors };
}

/**
 * Stiffness k of each stick per Young's modulus E. A net of sticks in all directions is an isotropic solid of Poisson's ratio 1/4 with
 * E V = Σ k L² / 6 in a volume V, and in a sheet of thickness t, V = A t, one of ratio 1/3 with E V = Σ k L² / 3 (Cauchy's solid). Each particle
 * shares its volume among the sticks that it has, less to those of whose direction n it has many: n·A⁻¹n of it, A = Σ n nᵀ, whose sum is the number
 * of dimensions.
 */
function springFactors(
    x: Float32Array,
    { particlesA, particlesB, restLengths }: Pick<DistanceConstraintSet, "particlesA" | "particlesB" | "restLengths">,
    { components: parts, componentOfParticle: partOfParticle }: MeshComponents,
    volumes: Float32Array,
): Float32Array {
    const crowds = new Float64Array(6 * volumes.length);
    const n = [0, 0, 0];
    const aim = (s: number): void => {
        const [a, b] = [3 * particlesA[s], 3 * particlesB[s]];
        for (let c = 0; c < 3; c++) n[c] = (x[b + c] - x[a + c]) / restLengths[s];
    };
    restLengths.forEach((_, s) => {
        aim(s);
        for (const i of [particlesA[s], particlesB[s]]) for (let k = 0; k < 6; k++) crowds[6 * i + k] += n[FIRST[k]] * n[SECOND[k]];
    });
    const inverses = new Float64Array(crowds.length);
    for (let i = 0; i < volumes.length; i++) invertSymmetric(crowds, inverses, 6 * i);
    const shareOf = (i: number): number => {
        let share = 0;
        for (let k = 0; k < 6; k++) share += (k < 3 ? 1 : 2) * inverses[6 * i + k] * n[FIRST[k]] * n[SECOND[k]];
        return share * volumes[i];
    };
    return restLengths.map((length, s) => {
        aim(s);
        const [a, b] = [particlesA[s], particlesB[s]];
        const scale = parts[partOfParticle[a]].isClosed ? SOLID_SUM : SHEET_SUM;
        return (scale * (shareOf(a) + shareOf(b))) / (length * length);
    });
}

/** Sums of k L² of a particle's sticks over E V, by the dimensions that its shares sum up to. */
const SHEET_SUM = 3 / 2;
/** By theory 6 / 3. What encloses a volume has it at its surface here, where it bends by twice as much, and its sticks lie along it and across. */
const SOLID_SUM = 1;

/** Axes of the numbers of a symmetric matrix: xx, yy, zz, xy, xz, yz. */
const FIRST = [0, 1, 2, 0, 0, 1];
const SECOND = [0, 1, 2, 1, 2, 2];
/** Regularisation of the diagonal, as a share of the trace: flat ones have an inverse then. */
const REGULARISATION = 1e-4;

function invertSymmetric(m: Float64Array, to: Float64Array, o: number): void {
    const more = REGULARISATION * (m[o] + m[o + 1] + m[o + 2]) + Number.MIN_VALUE;
    const [xx, yy, zz, xy, xz, yz] = [m[o] + more, m[o + 1] + more, m[o + 2] + more, m[o + 3], m[o + 4], m[o + 5]];
    const [a, b, c] = [yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy];
    const inverse = 1 / (xx * a + xy * b + xz * c);
    to.set(
        [a, xx * zz - xz * xz, xx * yy - xy * xy, b, c, xy * xz - xx * yz].map((cofactor) => cofactor * inverse),
        o,
    );
}

/** For each particle the nearest of its part that it sees ahead through the inside, and that faces the other way; NOTHING where there is none. */
function findOpposite(
    { positions: x, triangles, particleCount }: ClothTopology,
    { components: parts, componentOfParticle: partOfParticle }: MeshComponents,
): Uint32Array {
    const normals = normalsOf(x, triangles);
    const members: number[][] = parts.map(() => []);
    partOfParticle.forEach((part, i) => members[part].push(i));
    return Uint32Array.from({ length: particleCount }, (_, i) => {
        const part = partOfParticle[i];
        // Inwards of a closed part; of an open one, to where there is something.
        const sides = parts[part].isClosed ? [parts[part].facesOut ? -1 : 1] : [-1, 1];
        let best = NO_OPPOSITE;
        let least = Infinity;
        for (const j of members[part]) {
            const facing = dot(normals, i, normals, j);
            if (!(facing < 0)) continue;
            const [dx, dy, dz] = [x[3 * j] - x[3 * i], x[3 * j + 1] - x[3 * i + 1], x[3 * j + 2] - x[3 * i + 2]];
            const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
            const along = dx * normals[3 * i] + dy * normals[3 * i + 1] + dz * normals[3 * i + 2];
            const ahead = Math.max(...sides.map((side) => side * along));
            if (!(ahead > MIN_FACING_COSINE * length)) continue;
            // What is straight ahead counts as nearer.
            const cost = (length * length * length) / (ahead * ahead);
            if (cost < least) [best, least] = [j, cost];
        }
        return best;
    });
}

/** Normals of the particles, of their triangles by area, shape [particleCount, 3]; 0 where these cancel. */
function normalsOf(x: Float32Array, triangles: Uint32Array): Float32Array {
    const normals = new Float32Array(x.length);
    for (let t = 0; t < triangles.length; t += 3) {
        const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
        const [ux, uy, uz] = [x[b] - x[a], x[b + 1] - x[a + 1], x[b + 2] - x[a + 2]];
        const [vx, vy, vz] = [x[c] - x[a], x[c + 1] - x[a + 1], x[c + 2] - x[a + 2]];
        for (const o of [a, b, c]) {
            normals[o] += uy * vz - uz * vy;
            normals[o + 1] += uz * vx - ux * vz;
            normals[o + 2] += ux * vy - uy * vx;
        }
    }
    for (let o = 0; o < normals.length; o += 3) {
        const length = Math.sqrt(dot(normals, o / 3, normals, o / 3)) || 1;
        for (let c = 0; c < 3; c++) normals[o + c] /= length;
    }
    return normals;
}

function dot(a: Float32Array, i: number, b: Float32Array, j: number): number {
    return a[3 * i] * b[3 * j] + a[3 * i + 1] * b[3 * j + 1] + a[3 * i + 2] * b[3 * j + 2];
}

/** Not by Math.hypot, which rounds as each engine likes. */
function distance(x: Float32Array, a: number, b: number): number {
    let squared = 0;
    for (let c = 0; c < 3; c++) squared += (x[3 * a + c] - x[3 * b + c]) * (x[3 * a + c] - x[3 * b + c]);
    return Math.sqrt(squared);
}
