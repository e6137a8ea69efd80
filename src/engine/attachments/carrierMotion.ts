import { identity, multiply, rotate, setIdentity, transformPoint } from "../math/affine";
import type { Affine } from "../math/affine";
import { RIGID_FIT_DAMPING, RIGID_FIT_ITERATIONS } from "../tunables";
import type { PinSet } from "./pinSet";

/** Within a call: a part of a motion, and its product with what came before. Numbers that are no integers would be boxed as arguments. */
const part = identity();
const product = identity();
/** A place as it is drawn and as it is now, x y z each, and where between two steps what is drawn is. */
const places = new Float64Array(7);
/** Sums over places, counted from the first of them. */
const Sum = {
    place: 0,
    way: 3,
    moment: 6,
    xx: 9,
    xy: 10,
    xz: 11,
    yy: 12,
    yz: 13,
    zz: 14,
    count: 15,
    longest: 16,
    first: 17,
} as const;
const sums = new Float64Array(20);
const turn = new Float64Array(3);

/** Motion of an anchor, see bodies/inertia.ts. */
interface AnchorMotion {
    readonly isMoving: boolean;
    /** Writes its motion since a drawn state at `alpha`. */
    readRenderMotion(motion: { readonly alpha: number; readonly map: Affine }, origin: ArrayLike<number>): void;
}

/**
 * Motion of what carries a body since the state that is drawn, which is up to a step old, while pins are drawn where they are now: the
 * rigid motion that comes nearest, in least squares, to those of all pinned places,
 *
 *     way = centre's way + ω × r,  T ω = Σ r × way,  T = Σ |r|² 1 - r rᵀ
 *
 * with r from the centre. About a line of places it does not turn.
 */
export class CarrierMotion {
    /** Affine map of simulation space, drawn → now. */
    readonly map = identity();
    /** True if it moves anything. */
    isMoving = false;
    /** Farthest distance of a pinned place from where the map brings it [m]: what carriers do relative to each other. */
    spread = 0;

    /** Position of the drawn state between the start (0) and the end (1) of the last step; see Clock.alpha. */
    alpha = NaN;

    /** Finds the motion since the state at {@link alpha}. @param anchor what carries all that no pin does */
    measure(pins: readonly PinSet[], anchor: AnchorMotion | null = null, origin: ArrayLike<number> = []): void {
        const { map } = this;
        this.isMoving = false;
        this.spread = 0;
        setIdentity(map);
        for (let i = 0; i < pins.length; i++) {
            const { drawing } = pins[i];
            if (!drawing) continue;
            this.isMoving = drawing.isAhead(this);
            return;
        }
        if (anchor?.isMoving) {
            anchor.readRenderMotion(this, origin);
            this.isMoving = true;
        }
        if (arePinsSettled(pins)) return;
        places[6] = this.alpha;
        // The second iteration finishes what damping and the finite angle leave of the first.
        for (let i = 0; i < RIGID_FIT_ITERATIONS; i++) {
            sumPlaces(pins, map);
            if (sums[Sum.longest] === 0) return;
            this.isMoving = true;
            fitMotion();
            multiply(map, part, product);
            map.set(product);
        }
        sumPlaces(pins, map);
        this.spread = Math.sqrt(sums[Sum.longest]);
    }
}

function arePinsSettled(pins: readonly PinSet[]): boolean {
    for (let i = 0; i < pins.length; i++) if (pins[i].isFixed && !pins[i].isSettled) return false;
    return true;
}

/** Sums up where all pinned places are, mapped, and their ways from there. */
function sumPlaces(pins: readonly PinSet[], map: Affine): void {
    sums.fill(0);
    for (let i = 0; i < pins.length; i++) {
        const set = pins[i];
        if (!set.isFixed) continue;
        const { length } = set.ownedIndices;
        for (let k = 0; k < length; k++) {
            set.readRenderPlaces(k, places);
            transformPoint(map, places, 0, places, 0);
            addPlace();
        }
    }
}

function addPlace(): void {
    if (sums[Sum.count] === 0) for (let c = 0; c < 3; c++) sums[Sum.first + c] = places[c];
    const x = places[0] - sums[Sum.first];
    const y = places[1] - sums[Sum.first + 1];
    const z = places[2] - sums[Sum.first + 2];
    const dx = places[3] - places[0];
    const dy = places[4] - places[1];
    const dz = places[5] - places[2];
    sums[Sum.count]++;
    sums[Sum.longest] = Math.max(sums[Sum.longest], dx * dx + dy * dy + dz * dz);
    sums[Sum.place] += x;
    sums[Sum.place + 1] += y;
    sums[Sum.place + 2] += z;
    sums[Sum.way] += dx;
    sums[Sum.way + 1] += dy;
    sums[Sum.way + 2] += dz;
    sums[Sum.moment] += y * dz - z * dy;
    sums[Sum.moment + 1] += z * dx - x * dz;
    sums[Sum.moment + 2] += x * dy - y * dx;
    sums[Sum.xx] += x * x;
    sums[Sum.xy] += x * y;
    sums[Sum.xz] += x * z;
    sums[Sum.yy] += y * y;
    sums[Sum.yz] += y * z;
    sums[Sum.zz] += z * z;
}

/** Writes the rigid motion that fits the sums to {@link part}. */
function fitMotion(): void {
    const count = sums[Sum.count];
    // Sums about the centre.
    for (let c = 0; c < 3; c++) {
        sums[Sum.place + c] /= count;
        sums[Sum.way + c] /= count;
    }
    const cx = sums[Sum.place];
    const cy = sums[Sum.place + 1];
    const cz = sums[Sum.place + 2];
    sums[Sum.moment] -= count * (cy * sums[Sum.way + 2] - cz * sums[Sum.way + 1]);
    sums[Sum.moment + 1] -= count * (cz * sums[Sum.way] - cx * sums[Sum.way + 2]);
    sums[Sum.moment + 2] -= count * (cx * sums[Sum.way + 1] - cy * sums[Sum.way]);
    sums[Sum.xx] -= count * cx * cx;
    sums[Sum.xy] -= count * cx * cy;
    sums[Sum.xz] -= count * cx * cz;
    sums[Sum.yy] -= count * cy * cy;
    sums[Sum.yz] -= count * cy * cz;
    sums[Sum.zz] -= count * cz * cz;
    solveTurn();
    part.fill(0);
    part[15] = 1;
    for (let axis = 0; axis < 3; axis++) {
        part[4 * axis + axis] = 1;
        rotate(part, 4 * axis, turn, 0);
    }
    for (let c = 0; c < 3; c++) sums[Sum.place + c] += sums[Sum.first + c];
    for (let c = 0; c < 3; c++) {
        part[12 + c] = sums[Sum.place + c] + sums[Sum.way + c];
        for (let k = 0; k < 3; k++) part[12 + c] -= sums[Sum.place + k] * part[4 * k + c];
    }
}

/** Solves the symmetric T ω = moment for {@link turn} by cofactors. A single place does not turn. */
function solveTurn(): void {
    const damping = RIGID_FIT_DAMPING * (sums[Sum.xx] + sums[Sum.yy] + sums[Sum.zz]);
    const a = sums[Sum.yy] + sums[Sum.zz] + damping;
    const b = sums[Sum.xx] + sums[Sum.zz] + damping;
    const c = sums[Sum.xx] + sums[Sum.yy] + damping;
    const d = -sums[Sum.xy];
    const e = -sums[Sum.xz];
    const f = -sums[Sum.yz];
    const x = sums[Sum.moment];
    const y = sums[Sum.moment + 1];
    const z = sums[Sum.moment + 2];
    const aa = b * c - f * f;
    const ad = e * f - c * d;
    const ae = d * f - b * e;
    const determinant = a * aa + d * ad + e * ae;
    turn.fill(0);
    if (!(determinant > 0)) return;
    turn[0] = (aa * x + ad * y + ae * z) / determinant;
    turn[1] = (ad * x + (a * c - e * e) * y + (d * e - a * f) * z) / determinant;
    turn[2] = (ae * x + (d * e - a * f) * y + (a * b - d * d) * z) / determinant;
}
