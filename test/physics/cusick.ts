/**
 * Cusick's drape test (BS 5058, ISO 9073-9): a disc of cloth, 30 cm across, is held level between two discs of 18 cm, and the share of the free
 * ring that its shadow still covers is the drape coefficient: 0 hangs straight down, 1 stays flat.
 */
import type { Fabric } from "../../src/engine/index";
import { seededRandom } from "../random";
import type { Sheet } from "./meshes";
import { at, makeCloth, measure, runSeconds } from "./support";

/** Radii of the cloth and of what holds it [m]. */
export const CLOTH = 0.15;
export const HOLDER = 0.09;

/** A disc of a grid in the plane y = 0; what lies next to the rim, and next to the holder's, is moved onto it. */
function roundSheet(quads: number): Sheet {
    const h = (2 * CLOTH) / quads;
    const found = new Map<string, number>();
    const positions: number[] = [];
    const half = Math.ceil(quads / 2) + 1;
    const vertex = (i: number, j: number): number => {
        const key = `${i} ${j}`;
        if (!found.has(key)) {
            const radius = h * Math.hypot(i, j);
            const rim = [CLOTH, HOLDER].find((r) => Math.abs(radius - r) < 0.45 * h);
            const scale = rim === undefined ? 1 : rim / radius;
            found.set(key, radius * scale <= CLOTH * 1.0001 ? positions.push(h * i * scale, 0, h * j * scale) / 3 - 1 : -1);
        }
        return found.get(key)!;
    };
    const triangles: number[] = [];
    for (let j = -half; j < half; j++) {
        for (let i = -half; i < half; i++) {
            const corners = [vertex(i, j), vertex(i + 1, j), vertex(i + 1, j + 1), vertex(i, j + 1)];
            const cuts = (i + j) % 2 === 0 ? [0, 1, 2, 0, 2, 3] : [0, 1, 3, 1, 2, 3];
            const there = corners.filter((p) => p >= 0);
            const rows = there.length === 4 ? cuts.map((k) => corners[k]) : there.length === 3 ? there : [];
            for (let t = 0; t < rows.length; t += 3) {
                const [a, b, c] = [3 * rows[t], 3 * rows[t + 1], 3 * rows[t + 2]];
                const cross =
                    (positions[b] - positions[a]) * (positions[c + 2] - positions[a + 2]) -
                    (positions[b + 2] - positions[a + 2]) * (positions[c] - positions[a]);
                if (Math.abs(cross) > 0.05 * h * h) triangles.push(rows[t], rows[t + 1], rows[t + 2]);
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

/** Cells of the shadow's picture across the disc. */
const CELLS = 400;

/** The drape coefficient of a fabric, 0..1, and how fast the cloth is at the end [J]. */
export function drapeCoefficient(
    fabric: Fabric,
    { quads = 48, substepCount = 4, seconds = 6 } = {},
): { coefficient: number; kinetic: number } {
    const sheet = roundSheet(quads);
    const x = sheet.positions;
    const pinned = Array.from({ length: x.length / 3 }, (_, i) => i).filter(
        (i) => Math.hypot(x[3 * i], x[3 * i + 2]) < HOLDER * 1.001,
    );
    const cloth = makeCloth(sheet, { fabric: { ...fabric, damping: 3 }, substepCount, tetherSlack: 0, pinned });
    // What is level and even would not know where to fold.
    const random = seededRandom(9);
    const { positions, previous, stepStart, inverseMasses } = cloth.state;
    for (let i = 0; i < cloth.state.particleCount; i++) if (inverseMasses[i] > 0) positions[4 * i + 1] += 0.002 * (random() - 0.5);
    previous.set(positions);
    stepStart.set(positions);
    runSeconds(cloth, seconds);
    const picture = new Uint8Array(CELLS * CELLS);
    const cell = (2 * CLOTH) / CELLS;
    for (let t = 0; t < sheet.triangles.length; t += 3) {
        const [a, b, c] = [0, 1, 2].map((k) => at(cloth, sheet.triangles[t + k]));
        const area = (b[0] - a[0]) * (c[2] - a[2]) - (b[2] - a[2]) * (c[0] - a[0]);
        if (area === 0) continue;
        const range = (axis: 0 | 2): [number, number] => [
            Math.max(0, Math.floor((Math.min(a[axis], b[axis], c[axis]) + CLOTH) / cell)),
            Math.min(CELLS - 1, Math.ceil((Math.max(a[axis], b[axis], c[axis]) + CLOTH) / cell)),
        ];
        const [left, right] = range(0);
        const [near, far] = range(2);
        for (let j = near; j <= far; j++) {
            for (let i = left; i <= right; i++) {
                const px = (i + 0.5) * cell - CLOTH;
                const pz = (j + 0.5) * cell - CLOTH;
                const u = ((px - a[0]) * (c[2] - a[2]) - (pz - a[2]) * (c[0] - a[0])) / area;
                const v = ((b[0] - a[0]) * (pz - a[2]) - (b[2] - a[2]) * (px - a[0])) / area;
                if (u >= 0 && v >= 0 && u + v <= 1) picture[j * CELLS + i] = 1;
            }
        }
    }
    const shadow = picture.reduce((sum, value) => sum + value, 0) * cell * cell;
    const { kinetic } = measure(cloth);
    cloth.release();
    return { coefficient: (shadow - Math.PI * HOLDER ** 2) / (Math.PI * (CLOTH ** 2 - HOLDER ** 2)), kinetic };
}
