/** A strip that is clamped level at one end and bends under its weight: the heavy elastica (Romero et al. 2021), and cloths of that shape. */
import type { Body } from "../../src/engine/index";
import { seededRandom } from "../random";
import { grid, gridIndex, irregular } from "./meshes";
import type { Sheet } from "./meshes";
import { at, G, makeCloth, runSeconds, threadsOf } from "./support";

/** The free part [m], and the width. */
export const LENGTH = 0.3;
export const WIDTH = 0.05;
/** Length that is held [m]. */
const HELD = 0.05;
/** Areal density [kg/m²]. */
const DENSITY = 0.2;

const NODES = 2000;

/**
 * The tip of the heavy elastica B θ'' = -ρ g (L - s) cos θ, θ(0) = θ'(L) = 0, over L: [along, up].
 * Newton's method on differences, from a light strip to the one wanted.
 */
export function elasticaTip(bendStiffness: number): [number, number] {
    const wanted = (DENSITY * G * LENGTH ** 3) / bendStiffness;
    const h = 1 / NODES;
    const angles = new Float64Array(NODES + 2);
    for (let load = Math.min(1, wanted); ; load = Math.min(wanted, load * 1.5)) {
        for (let iteration = 0; iteration < 60; iteration++) {
            const diagonal = new Float64Array(NODES + 1);
            const right = new Float64Array(NODES + 1);
            angles[NODES + 1] = angles[NODES - 1];
            for (let i = 1; i <= NODES; i++) {
                const lever = load * (1 - i * h) * h * h;
                // The last row has twice the left neighbour; divided by two it is symmetric.
                const half = i === NODES ? 0.5 : 1;
                diagonal[i] = half * (-2 - lever * Math.sin(angles[i]));
                right[i] = -half * (angles[i - 1] - 2 * angles[i] + angles[i + 1] + lever * Math.cos(angles[i]));
                if (i > 1) {
                    diagonal[i] -= 1 / diagonal[i - 1];
                    right[i] -= right[i - 1] / diagonal[i - 1];
                }
            }
            let largest = 0;
            for (let i = NODES; i >= 1; i--) {
                right[i] = (right[i] - (i < NODES ? right[i + 1] : 0)) / diagonal[i];
                largest = Math.max(largest, Math.abs(right[i]));
            }
            for (let i = 1; i <= NODES; i++) angles[i] += right[i] * Math.min(1, 0.3 / largest);
            if (largest < 1e-10) break;
        }
        if (load === wanted) break;
    }
    const tip: [number, number] = [0, 0];
    for (let i = 0; i < NODES; i++) {
        const angle = (angles[i] + angles[i + 1]) / 2;
        tip[0] += h * Math.cos(angle);
        tip[1] -= h * Math.sin(angle);
    }
    return tip;
}

/** Meshes of the strip: grids, irregular grids, or cut from a grid that is turned by an angle [°]. */
export type StripMesh = "grid" | "irregular" | 0 | 22.5 | 45;

/**
 * A strip along x that is held up to x = 0, where a column of its particles lies.
 * @param quads over the free length
 */
export function strip(quads: number, mesh: StripMesh): { sheet: Sheet; held: number[]; tip: number[] } {
    const h = LENGTH / quads;
    const sheet = typeof mesh === "number" ? cutStrip(h, (mesh * Math.PI) / 180) : gridStrip(h, quads, mesh);
    const all = Array.from({ length: sheet.positions.length / 3 }, (_, i) => i);
    const x = (i: number): number => sheet.positions[3 * i];
    return { sheet, held: all.filter((i) => x(i) < 1e-6), tip: all.filter((i) => x(i) > LENGTH - 1e-6) };
}

function gridStrip(h: number, quads: number, mesh: "grid" | "irregular"): Sheet {
    const heldColumns = Math.max(1, Math.round(HELD / h));
    const columns = quads + heldColumns;
    const rows = Math.max(2, Math.round(WIDTH / h));
    const start = LENGTH - columns * h;
    const place = (u: number, v: number): [number, number, number] => [start + u * columns * h, 0, v * rows * h];
    if (mesh === "grid") return grid(columns, rows, place);
    const sheet = irregular(columns, rows, place, seededRandom(5));
    // The last column that is held stays straight.
    for (let j = 0; j <= rows; j++)
        sheet.positions.set(place(heldColumns / columns, j / rows), 3 * gridIndex(columns, heldColumns, j));
    return sheet;
}

/** Cut from a grid of quads h: what lies next to the border or to the clamp is moved onto it. */
function cutStrip(h: number, angle: number): Sheet {
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    const reach = Math.ceil((LENGTH + HELD + 2 * WIDTH) / h) + 2;
    const found = new Map<string, number>();
    const positions: number[] = [];
    const toBorder = (value: number, low: number, high: number): number =>
        Math.abs(value - low) < 0.45 * h ? low : Math.abs(value - high) < 0.45 * h ? high : value;
    const toClamp = (value: number): number => (Math.abs(value) < 0.45 * h ? 0 : value);
    const vertex = (i: number, j: number): number => {
        const key = `${i} ${j}`;
        if (!found.has(key)) {
            const x = toClamp(toBorder(h * (i * c - j * s), -HELD, LENGTH));
            const z = toBorder(h * (i * s + j * c), 0, 2 * WIDTH);
            const isInside = x >= -HELD && x <= LENGTH && z >= 0 && z <= 2 * WIDTH;
            found.set(key, isInside ? positions.push(x, 0, z) / 3 - 1 : -1);
        }
        return found.get(key)!;
    };
    const triangles: number[] = [];
    for (let j = -reach; j < reach; j++) {
        for (let i = -reach; i < reach; i++) {
            const [a, b, d, e] = [vertex(i, j), vertex(i + 1, j), vertex(i, j + 1), vertex(i + 1, j + 1)];
            for (const [p, q, r] of [
                [a, b, e],
                [a, e, d],
            ]) {
                if (p < 0 || q < 0 || r < 0) continue;
                const ux = positions[3 * q] - positions[3 * p];
                const uz = positions[3 * q + 2] - positions[3 * p + 2];
                const vx = positions[3 * r] - positions[3 * p];
                const vz = positions[3 * r + 2] - positions[3 * p + 2];
                if (Math.abs(ux * vz - uz * vx) > 0.02 * h * h) triangles.push(p, q, r);
            }
        }
    }
    const used = [...new Set(triangles)];
    const number = new Map(used.map((p, i) => [p, i]));
    return {
        positions: Float32Array.from(used.flatMap((p) => positions.slice(3 * p, 3 * p + 3))),
        triangles: Uint32Array.from(triangles, (p) => number.get(p)!),
    };
}

/**
 * How far the tip of a strip at rest is from the elastica's, over its length, and the strip; the caller releases it.
 * @param across stiffness across the strip, where it differs [N·m]
 * @param isWeft whether the strip is cut along the weft then
 */
export function bendStrip(
    bendStiffness: number,
    { quads = 32, mesh = "grid" as StripMesh, substepCount = 4, across = NaN, isWeft = false } = {},
): { error: number; height: number; cloth: Body } {
    const { sheet, held, tip } = strip(quads, mesh);
    const woven = isWeft ? { warp: across, weft: bendStiffness } : { warp: bendStiffness, weft: across };
    const isWoven = !Number.isNaN(across);
    const fabric = { arealDensity: DENSITY, shearStiffness: 200, bendStiffness: isWoven ? woven : bendStiffness, damping: 4 };
    const threads = isWoven ? threadsOf(sheet, isWeft ? 2 : 0, isWeft ? 0 : 2) : undefined;
    const cloth = makeCloth(sheet, { fabric, substepCount, tetherSlack: 0, pinned: held, threads });
    runSeconds(cloth, 4);
    const mean = [0, 0];
    for (const i of tip) for (let k = 0; k < 2; k++) mean[k] += at(cloth, i)[k] / tip.length / LENGTH;
    const [x, y] = elasticaTip(bendStiffness);
    return { error: Math.hypot(mean[0] - x, mean[1] - y), height: mean[1], cloth };
}
