/**
 * Joints of rigid bodies: a point that two share (Jakobsen 2001, §6), and axes about which they are held, or kept within a limit. In speeds, beside the contacts
 * of a pile (stickBodyContacts.ts): a joint gives the impulse that has both meet at the end of the substep.
 */
import { JOINT_TURNS, JointSlots, JointTurn } from "../jointLayout";
import { PileMotion } from "../stickBodyLayout";
import { addSpread, give, impulse, turnBy } from "./pileRows";

/** Share of what is off that a substep takes back: of places, of axes, and of what is beyond a limit. */
const DRAWN = 1;
const TURNED = 0.5;

const { arms, gap, weight, pulled, turns: T } = JointSlots;
const { spin: S, inverseMass: W } = PileMotion;
const { axis, angle, least, given, mobility, turns, count } = JointTurn;

/** Finds how both bodies give way, rows of `v`, where {@link JointSlots.arms} and the axes say. */
export function prepareJoint(x: Float64Array, v: Float64Array, a: number, b: number): void {
    const k = weight;
    x.fill(0, k, k + 6);
    addSpread(v, a, x, arms, k);
    addSpread(v, b, x, arms + 3, k);
    invert(x, k);
    for (let n = 0, o = T; n < JOINT_TURNS; n++, o += count) {
        turnBy(v, a, x, o + axis, o + turns);
        turnBy(v, b, x, o + axis, o + turns + 3);
        x[o + mobility] = 0;
        for (let c = 0; c < 3; c++) x[o + mobility] += x[o + axis + c] * (x[o + turns + c] + x[o + turns + 3 + c]);
    }
}

/** Inverts a symmetric matrix in place; what no impulse moves stays. */
function invert(x: Float64Array, k: number): void {
    const [xx, yy, zz, xy, yz, zx] = [x[k], x[k + 1], x[k + 2], x[k + 3], x[k + 4], x[k + 5]];
    const cx = yy * zz - yz * yz;
    const cy = yz * zx - xy * zz;
    const cz = xy * yz - yy * zx;
    const determinant = xx * cx + xy * cy + zx * cz;
    const scale = determinant > 0 ? 1 / determinant : 0;
    x[k] = cx * scale;
    x[k + 1] = (xx * zz - zx * zx) * scale;
    x[k + 2] = (xx * yy - xy * xy) * scale;
    x[k + 3] = cy * scale;
    x[k + 4] = (xy * zx - xx * yz) * scale;
    x[k + 5] = cz * scale;
}

/** Gives both again what they got in the last substep: of pulls. Turns begin anew, or what is thin across its hinge rocks itself to pieces. */
export function warmJoint(x: Float64Array, v: Float64Array, a: number, b: number): void {
    for (let c = 0; c < 3; c++) impulse[c] = x[pulled + c];
    give(v, a, x, arms, 1);
    give(v, b, x, arms + 3, -1);
    for (let n = 0, o = T; n < JOINT_TURNS; n++, o += count) x[o + given] = 0;
}

/** Has both hold. @param isMoving whether what is pulled moves so in this substep; else only its speed changes */
export function holdJoint(x: Float64Array, v: Float64Array, a: number, b: number, isMoving: boolean): void {
    for (let n = 0, o = T; n < JOINT_TURNS; n++, o += count) {
        if (!(x[o + mobility] > 0)) continue;
        let rate = 0;
        for (let c = 0; c < 3; c++) rate += x[o + axis + c] * (v[a + S + c] - v[b + S + c]);
        const isFree = x[o + least] === 0 && x[o + angle] > 0;
        const wanted = isFree ? -x[o + angle] : isMoving ? -TURNED * x[o + angle] : 0;
        const size = Math.max(x[o + least] - x[o + given], (wanted - rate) / x[o + mobility]);
        x[o + given] += size;
        turn(x, o, v, a, b, size);
    }
    const share = isMoving ? DRAWN : 0;
    const r = arms;
    const dx = v[a] - v[b] + spun(v, a, x, r, 0) - spun(v, b, x, r + 3, 0) + share * x[gap];
    const dy = v[a + 1] - v[b + 1] + spun(v, a, x, r, 1) - spun(v, b, x, r + 3, 1) + share * x[gap + 1];
    const dz = v[a + 2] - v[b + 2] + spun(v, a, x, r, 2) - spun(v, b, x, r + 3, 2) + share * x[gap + 2];
    const k = weight;
    impulse[0] = -x[k] * dx - x[k + 3] * dy - x[k + 5] * dz;
    impulse[1] = -x[k + 3] * dx - x[k + 1] * dy - x[k + 4] * dz;
    impulse[2] = -x[k + 5] * dx - x[k + 4] * dy - x[k + 2] * dz;
    for (let c = 0; c < 3; c++) x[pulled + c] += impulse[c];
    give(v, a, x, r, 1);
    give(v, b, x, r + 3, -1);
}

/** Coordinate `c` of spin × arm. */
function spun(v: Float64Array, body: number, x: Float64Array, r: number, c: number): number {
    const d = (c + 1) % 3;
    const e = (c + 2) % 3;
    return v[body + S + d] * x[r + e] - v[body + S + e] * x[r + d];
}

function turn(x: Float64Array, o: number, v: Float64Array, a: number, b: number, size: number): void {
    const isFixed = v[b + W] === 0;
    for (let c = 0; c < 3; c++) {
        v[a + S + c] += size * x[o + turns + c];
        if (!isFixed) v[b + S + c] -= size * x[o + turns + 3 + c];
    }
}

/** Adds the moment of what a joint has given to a body: {@link target}. @param side 0 the first, 3 the second */
export function addJointMoment(x: Float64Array, side: number, target: Float64Array): void {
    const sign = side === 0 ? 1 : -1;
    const r = arms + side;
    for (let c = 0; c < 3; c++) {
        const d = (c + 1) % 3;
        const e = (c + 2) % 3;
        let sum = x[r + d] * x[pulled + e] - x[r + e] * x[pulled + d];
        for (let n = 0, o = T; n < JOINT_TURNS; n++, o += count) sum += x[o + axis + c] * x[o + given];
        target[c] = sign * sum;
    }
}
