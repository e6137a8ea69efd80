/**
 * Cloth at its limit holds what takes its impulses back with all that its pins can bear.
 *
 *     ■┄┄┄         ┄┄┄■      A pass of constraints pulls a particle by no more than its own mass allows: what comes with
 *         ┄┄●   ●┄┄          a hundred times that would go on for long, and what holds still within a frame (it moves
 *           (  ◯  )          between frames) be thrown back. So where tethers are taut, its speed out of the limit's
 *              ↓             reach ends as of one impact without bounce, and what is beyond the limit comes back slowly.
 */
import type { Substeps } from "../../time/clock";
import { Contact, ContactRecord } from "../../../kernels/contactLayout";
import type { ContactArrays } from "../../../kernels/contactLayout";
import { rowAt } from "../../../kernels/layout";
import { MIN_TAUT_COSINE, RECOVERY_SHARE } from "../../tunables";
import type { Constraint } from "../../state/constraint";
import type { BodyState } from "../../state/state";
import { dot, writeCross } from "../../math/vector";
import type { Collider } from "../shapes/collider";
import type { DynamicBodyProxy } from "../shapes/dynamicBodyProxy";

/**
 * Sum of particles' violations of their tethers: pull x y z and its weight [m], and the displacement of the anchors in a substep,
 * times that, x y z [m²]; then the largest [m].
 */
export type TetherViolation = Float64Array;

/** Settings read by taut tethers and taut pins. */
export interface TetherSettings extends Substeps {
    /** [m/s²] */
    readonly gravity: Float64Array;
}

const violation: TetherViolation = new Float64Array(8);
/** Of the contacts, weighted by their excess: normal x y z, place x y z. */
const contact = new Float64Array(6);
/** Unit vectors along the pull, and out of the cloth, against the contacts' normal; the contacts' place from the collider's centre. */
const along = new Float64Array(3);
const outward = new Float64Array(3);
const arm = new Float64Array(3);
/** Of the body at the contacts, against the anchors: velocity as its poses have it, with this frame's impulses [m/s], and turning rate [rad/s]. */
const poseVelocity = new Float64Array(3);
const velocity = new Float64Array(3);
const angularVelocity = new Float64Array(3);
/** An impulse, its moment. */
const impulse = new Float64Array(3);
const moment = new Float64Array(3);

/** Adds to the impulse that a collider is given back, after its last answer in a step, what the taut cloth does to it. */
export function addTautTetherImpulse(
    collider: Collider,
    contacts: ContactArrays,
    state: BodyState,
    constraints: readonly Constraint[],
    { gravity, fixedTimeStep, substepCount }: TetherSettings,
): void {
    const { data, dynamicBody } = collider;
    if (!dynamicBody || !sumViolations(contacts, state, constraints)) return;
    const substep = fixedTimeStep / substepCount;
    if (!measureDirections(data, dynamicBody, substep)) return;
    // What is to stand still is half a frame's fall ahead: engines move it by the mean of its speeds before and after.
    const { engineSeconds, engineShare: enginePace } = dynamicBody;
    const recovery = (RECOVERY_SHARE * violation[7]) / engineSeconds - ((0.5 * engineSeconds) / enginePace) * dot(gravity, outward);
    const out = dot(poseVelocity, outward);
    const now = dot(velocity, outward);
    const cosine = dot(outward, along);
    // No faster out than it came, or comes back: threads that do not give throw nothing.
    let change = Math.min(0, Math.max(out, recovery) - now);
    if (change === 0 && cosine > MIN_TAUT_COSINE) change = Math.max(0, recovery - dot(velocity, along)) * cosine;
    writeCross(arm, outward, moment);
    const mass = dynamicBody.mass / (1 + dot(moment, moment) / dynamicBody.gyration);
    for (let c = 0; c < 3; c++) impulse[c] = mass * change * outward[c];
    // Friction holds what rolls, by what presses in all, since cloth wraps what lies in it.
    const grip = data[Contact.friction] * Math.max(0, dynamicBody.mass * (now - out) + mass * change);
    const rate = Math.sqrt(dot(angularVelocity, angularVelocity));
    const inertia = dynamicBody.mass * dynamicBody.gyration;
    const stopped = rate > 0 ? Math.min(inertia, (grip * Math.sqrt(dynamicBody.gyration)) / rate) : 0;
    writeCross(arm, impulse, moment);
    // As what the particles would have been pushed by.
    for (let c = 0; c < 3; c++) {
        data[Contact.impulse + c] -= impulse[c] * substep;
        data[Contact.angularImpulse + c] -= (moment[c] - stopped * angularVelocity[c]) * substep;
    }
}

/** Finds the directions and speeds; whether there are any. */
function measureDirections(data: Float32Array, dynamicBody: DynamicBodyProxy, substep: number): boolean {
    const { driftStep: drift, mass, gyration } = dynamicBody;
    const pull = Math.sqrt(dot(violation, violation));
    const normal = Math.sqrt(dot(contact, contact));
    if (!(pull > 0 && normal > 0)) return false;
    const weight = violation[3];
    const m = Contact.motion;
    for (let c = 0; c < 3; c++) {
        along[c] = violation[c] / pull;
        outward[c] = -contact[c] / normal;
        arm[c] = contact[3 + c] / weight - data[Contact.centre + c];
        let moved = data[m + 12 + c] - drift[c] - violation[4 + c] / weight;
        for (let r = 0; r < 3; r++) moved += (contact[3 + r] / weight) * data[m + 4 * r + c];
        poseVelocity[c] = moved / substep;
    }
    for (let c = 0; c < 3; c++) {
        const d = (c + 1) % 3;
        const e = (c + 2) % 3;
        poseVelocity[c] -= (drift[3 + d] * arm[e] - drift[3 + e] * arm[d]) / substep;
        // The turn is what of the material's motion is antisymmetric.
        angularVelocity[c] =
            (0.5 * (data[m + 4 * d + e] - data[m + 4 * e + d]) -
                drift[3 + c] -
                data[Contact.angularImpulse + c] / (mass * gyration)) /
            substep;
        velocity[c] = poseVelocity[c] - data[Contact.impulse + c] / (substep * mass);
    }
    return true;
}

/** Adds up the excess of the particles in contact; whether there is any. */
function sumViolations(
    { records, recordFloats, recordCount }: ContactArrays,
    state: BodyState,
    constraints: readonly Constraint[],
): boolean {
    const x = state.positions;
    violation.fill(0);
    contact.fill(0);
    for (let k = 0; k < recordCount[0]; k++) {
        const record = k * ContactRecord.count;
        const row = rowAt(records[record + ContactRecord.row]);
        for (let lane = 0; lane < 4; lane++) {
            const slot = record + lane;
            if (!(recordFloats[slot + ContactRecord.depths] > 0)) continue;
            const before = violation[3];
            const o = row + 4 * lane;
            for (let i = 0; i < constraints.length; i++) constraints[i].addViolation?.(state, o >>> 2, violation);
            const added = violation[3] - before;
            if (added === 0) continue;
            for (let c = 0; c < 3; c++) {
                contact[c] += added * recordFloats[slot + ContactRecord.normals + 4 * c];
                contact[3 + c] += added * x[o + c];
            }
        }
    }
    return violation[3] > 0;
}
