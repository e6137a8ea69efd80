/** Layers of a ClothViewer of a cloth on a skin: its places there, and the limits about them. */
import type { Colour, Drawing } from "./drawing";
import type { ViewedCloth } from "./viewedCloth";

const SKIN: Colour = [0.95, 0.6, 0.7];
const NEAR: Colour = [0.25, 0.8, 0.4];
const AT_LIMIT: Colour = [1, 0.15, 0.05];
const LIMIT: Colour = [0.95, 0.85, 0.25];
const BACKSTOP: Colour = [0.35, 0.55, 1];
/** Numbers of a place in its arrays. */
const ROW = 4;
/** Half size of the cross at a backstop's surface [m]. */
const CROSS = 0.004;

/** Within a call: the edges' ends on the skin. */
let places = new Float32Array(0);

/** The mesh's edges where the skin has them. */
export function skin(cloth: ViewedCloth, drawing: Drawing): void {
    const view = cloth.attachment.skin?.view;
    if (!view) return;
    if (places.length < cloth.points.length) places = new Float32Array(cloth.points.length);
    for (let i = 0; 3 * i < cloth.points.length; i++) for (let c = 0; c < 3; c++) places[3 * i + c] = view.to[ROW * i + c];
    const { pairs } = cloth.pairsOf("structural");
    for (let k = 0; k < pairs.length; k += 2) drawing.join(places, pairs[k], pairs[k + 1], SKIN);
}

/** From each free particle's place to the particle, red at the limit; and the limit along the normal. */
export function maxDistance({ attachment, points, body }: ViewedCloth, drawing: Drawing): void {
    attachment.skin?.poseNormals();
    const view = attachment.skin?.view;
    if (!view?.limits) return;
    const { to, limits, slots } = view;
    const mixed: [number, number, number] = [0, 0, 0];
    for (let i = 0; i < body.state.particleCount; i++) {
        const limit = limits[slots.count * i + slots.maxDistance];
        if (!(limit > 0 && limit < Infinity)) continue;
        const [x, y, z] = [to[ROW * i], to[ROW * i + 1], to[ROW * i + 2]];
        const share = Math.min(1, Math.hypot(points[3 * i] - x, points[3 * i + 1] - y, points[3 * i + 2] - z) / limit);
        for (let c = 0; c < 3; c++) mixed[c] = NEAR[c] + (AT_LIMIT[c] - NEAR[c]) * share;
        drawing.add(x, y, z, mixed);
        drawing.add(points[3 * i], points[3 * i + 1], points[3 * i + 2], mixed);
        alongNormal(view, i, limit, drawing, LIMIT);
    }
}

/** From each place to the backstop's surface behind it, and a cross there. */
export function backstop({ attachment, body }: ViewedCloth, drawing: Drawing): void {
    attachment.skin?.poseNormals();
    const view = attachment.skin?.view;
    if (!view?.limits) return;
    const { limits, slots } = view;
    for (let i = 0; i < body.state.particleCount; i++) {
        if (!(limits[slots.count * i + slots.backstopRadius] > 0 && body.state.inverseMasses[i] > 0)) continue;
        alongNormal(view, i, -limits[slots.count * i + slots.backstopDistance], drawing, BACKSTOP);
        drawing.cross(end, 0, CROSS, BACKSTOP);
    }
}

/** Within a call: end of the last line. */
const end = new Float32Array(3);

/** A line from a place along its normal. @param length [m] */
function alongNormal(
    { to, normalsTo: n }: { readonly to: Float32Array; readonly normalsTo: Float32Array },
    particle: number,
    length: number,
    drawing: Drawing,
    colour: Colour,
): void {
    const o = ROW * particle;
    const share = length / (Math.hypot(n[o], n[o + 1], n[o + 2]) || 1);
    for (let c = 0; c < 3; c++) end[c] = to[o + c] + share * n[o + c];
    drawing.add(to[o], to[o + 1], to[o + 2], colour);
    drawing.add(end[0], end[1], end[2], colour);
}
