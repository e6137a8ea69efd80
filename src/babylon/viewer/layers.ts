/** Layers of a ClothViewer, one drawing function each. */
import { forEachContact, lengths, measureRows } from "../../engine/index";
import type { WorldCollider } from "../../engine/index";
import type { Colour, Drawing } from "./drawing";
import type { ViewedCloth } from "./viewedCloth";
import { backstop, maxDistance, skin } from "./skinLayers";
import { wireframes } from "./wireframes";

/** Name of a layer of a {@link ClothViewer}. */
export type ClothViewerLayer =
    | "sleep"
    | "colliders"
    | "thickness"
    | "bend"
    | "unilateralLimits"
    | "farUnilateralLimits"
    | "tethers"
    | "shear"
    | "structural"
    | "particles"
    | "pins"
    | "contacts"
    | "skin"
    | "maxDistance"
    | "backstop";

/** Draws a part of a cloth. @param strainRange stretch that is shown as red [1] */
export type Layer = (cloth: ViewedCloth, drawing: Drawing, strainRange: number) => void;

const PARTICLE: Colour = [1, 1, 1];
const PINNED: Colour = [1, 0.2, 0.9];
const SLACK: Colour = [0.2, 0.35, 0.3];
const THICKNESS: Colour = [0.55, 0.75, 1];
const AWAKE: Colour = [0.3, 1, 0.3];
const ASLEEP: Colour = [0.35, 0.45, 0.75];
/** Colours of constraints at the end of the strain range. */
const STRETCHED: Colour = [1, 0.05, 0];
const COMPRESSED: Colour = [0.1, 0.3, 1];
/** A limit within this share of its length counts as taut. */
const TAUT_TOLERANCE = 1e-3;
/** Half size of a pin's cross, as a share of the mean edge length. */
const PIN_CROSS_SIZE = 0.35;
/** Mean edge length of a body without structural constraints, as a share of the mesh's radius. */
const FALLBACK_SPACING = 0.1;

/** The layers by name, in the order in which they lie over each other. */
export const layerKinds = {
    /** A box about the cloth: green awake, blue asleep. */
    sleep,
    colliders,
    thickness,
    bend: pairs("bend", [0.75, 0.55, 1]),
    unilateralLimits: limits("unilateralLimits", [0.2, 0.9, 0.9]),
    farUnilateralLimits: limits("farUnilateralLimits", [0.1, 0.6, 0.9]),
    tethers: limits("tethers", [1, 0.75, 0.2]),
    shear: distanceConstraints("shear", [0.45, 0.6, 0.45]),
    structural: distanceConstraints("structural", [0.85, 0.9, 0.8]),
    particles,
    pins,
    contacts,
    skin,
    maxDistance,
    backstop,
} as const satisfies Record<ClothViewerLayer, Layer>;

/** Distance constraints in a colour of their kind; red if stretched, blue if compressed. */
function distanceConstraints(name: string, colour: Colour): Layer {
    const mixed: [number, number, number] = [0, 0, 0];
    return (cloth, drawing, strainRange) => {
        const { points: x } = cloth;
        const { pairs, lengths } = cloth.pairsOf(name);
        for (let i = 0; i < lengths.length; i++) {
            const strain = lengthOf(x, pairs[2 * i], pairs[2 * i + 1]) / lengths[i] - 1;
            const share = Math.min(1, Math.abs(strain) / strainRange);
            const end = strain > 0 ? STRETCHED : COMPRESSED;
            for (let c = 0; c < 3; c++) mixed[c] = colour[c] + (end[c] - colour[c]) * share;
            drawing.join(x, pairs[2 * i], pairs[2 * i + 1], mixed);
        }
    };
}

/** Limits: bright if taut, dark if slack. */
function limits(name: string, colour: Colour): Layer {
    return (cloth, drawing) => {
        const { points: x } = cloth;
        const { pairs, lengths } = cloth.pairsOf(name);
        for (let i = 0; i < lengths.length; i++) {
            const isTaut = lengthOf(x, pairs[2 * i], pairs[2 * i + 1]) > (1 - TAUT_TOLERANCE) * lengths[i];
            drawing.join(x, pairs[2 * i], pairs[2 * i + 1], isTaut ? colour : SLACK);
        }
    };
}

/** Links without a rest length. */
function pairs(name: string, colour: Colour): Layer {
    return (cloth, drawing) => {
        const { pairs } = cloth.pairsOf(name);
        for (let i = 0; i < pairs.length; i += 2) drawing.join(cloth.points, pairs[i], pairs[i + 1], colour);
    };
}

/** Points; pink if pinned. */
function particles({ points: x, body }: ViewedCloth, drawing: Drawing): void {
    const { inverseMasses, particleCount } = body.state;
    for (let i = 0; i < particleCount; i++) {
        drawing.add(x[3 * i], x[3 * i + 1], x[3 * i + 2], inverseMasses[i] > 0 ? PARTICLE : PINNED);
    }
}

/** A cross at each pinned particle. */
function pins(cloth: ViewedCloth, drawing: Drawing): void {
    const { lengths } = cloth.pairsOf("structural");
    const edges = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
    const reach = PIN_CROSS_SIZE * (edges || FALLBACK_SPACING * cloth.mesh.getBoundingInfo().boundingSphere.radiusWorld);
    for (const pins of cloth.body.pins) for (const particle of pins.particles) drawing.cross(cloth.points, particle, reach, PINNED);
}

/** A cross at each particle with the contact distance as half size. */
function thickness({ points, body }: ViewedCloth, drawing: Drawing): void {
    const { fabric } = body.settings;
    if (!(fabric.thickness > 0)) return;
    for (let i = 0; i < body.state.particleCount; i++) drawing.cross(points, i, fabric.thickness, THICKNESS);
}

function sleep({ points, body }: ViewedCloth, drawing: Drawing): void {
    const low = [Infinity, Infinity, Infinity];
    const high = [-Infinity, -Infinity, -Infinity];
    for (let i = 0; i < points.length; i++) {
        low[i % 3] = Math.min(low[i % 3], points[i]);
        high[i % 3] = Math.max(high[i % 3], points[i]);
    }
    const colour = body.isAsleep ? ASLEEP : AWAKE;
    for (let corner = 0; corner < 8; corner++) {
        for (let axis = 1; axis < 8; axis *= 2) {
            if (corner & axis) continue;
            for (const c of [corner, corner | axis]) {
                drawing.add((c & 1 ? high : low)[0], (c & 2 ? high : low)[1], (c & 4 ? high : low)[2], colour);
            }
        }
    }
}

function lengthOf(x: Float32Array, a: number, b: number): number {
    const dx = x[3 * b] - x[3 * a];
    const dy = x[3 * b + 1] - x[3 * a + 1];
    const dz = x[3 * b + 2] - x[3 * a + 2];
    return Math.sqrt(dx * dx + dy * dy + dz * dz);
}

const CONTACT: Colour = [1, 0.9, 0.1];
/** Length of a contact's normal as a multiple of the contact distance, and its minimum [m]. */
const [NORMAL_LENGTH, MIN_NORMAL_LENGTH] = [4, 0.03];

/** A line along the normal from each particle, or point of a triangle, in contact. */
export function contacts({ body, points }: ViewedCloth, drawing: Drawing): void {
    const from = new Float64Array(3);
    forEachContact(body, (particles, shares, reach, nx, ny, nz) => {
        const length = Math.max(MIN_NORMAL_LENGTH, NORMAL_LENGTH * reach);
        from.fill(0);
        particles.forEach((particle, k) => {
            for (let c = 0; c < 3; c++) from[c] += shares[k] * points[3 * particle + c];
        });
        const [x, y, z] = from;
        drawing.add(x, y, z, CONTACT);
        drawing.add(x + length * nx, y + length * ny, z + length * nz, CONTACT);
    });
}

const NEAR_COLLIDER: Colour = [1, 0.55, 0.1];
const FAR_COLLIDER: Colour = [0.55, 0.5, 0.45];

/** A wireframe with its key: width over height, and revision of a skin's pose. */
interface CachedWireframe {
    readonly segments: Float32Array;
    readonly proportion: number;
    readonly revision: number;
}

const wireframeCache = new WeakMap<WorldCollider, CachedWireframe>();

/** The cloth's colliders in their current pose. */
export function colliders({ activeColliders, body }: ViewedCloth, drawing: Drawing): void {
    const { origin } = body;
    for (const { sceneCollider, bodyCollider } of activeColliders) {
        const { world } = sceneCollider;
        if (world.revision === 0) continue;
        drawWireframe(world, drawing, origin, bodyCollider.isNear ? NEAR_COLLIDER : FAR_COLLIDER);
    }
}

/** A collider's lines. @param origin of the drawing [m] */
export function drawWireframe(world: WorldCollider, drawing: Drawing, origin: ArrayLike<number>, colour: Colour): void {
    const m = world.pose;
    const { segments } = wireframeOf(world);
    for (let o = 0; o < segments.length; o += 3) {
        const x = segments[o];
        const y = segments[o + 1];
        const z = segments[o + 2];
        drawing.add(
            x * m[0] + y * m[4] + z * m[8] + (m[12] - origin[0]),
            x * m[1] + y * m[5] + z * m[9] + (m[13] - origin[1]),
            x * m[2] + y * m[6] + z * m[10] + (m[14] - origin[2]),
            colour,
        );
    }
}

/** Cached wireframe. That of a capsule depends on its stretch, that of a skin on its pose. */
function wireframeOf(world: WorldCollider): CachedWireframe {
    const { pose, shape, geometry: form, skin } = world;
    const revision = skin?.revision ?? 0;
    measureRows(pose);
    const proportion = shape === "capsule" ? Math.max(lengths[0], lengths[2]) / lengths[1] : 1;
    let wires = wireframeCache.get(world);
    if (!wires || wires.revision !== revision || Math.abs(wires.proportion - proportion) > 1e-3 * proportion) {
        wires = { segments: wireframes[shape](form, proportion, skin), proportion, revision };
        wireframeCache.set(world, wires);
    }
    return wires;
}
