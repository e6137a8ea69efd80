/** Pins of taut cloth hold what carries them, as contacts do what lies in it: see response/tautTetherImpulse.ts. */
import { rowOf } from "../../kernels/layout";
import { CARRIER_ROTATION_DAMPING, MAX_CARRIER_ROTATION_DAMPING, MAX_RETURN_SPEED, RECOVERY_SHARE } from "../tunables";
import type { TetherViolation, TetherSettings } from "../collision/response/tautTetherImpulse";
import type { Constraint } from "../state/constraint";
import type { DynamicCarrier } from "./dynamicCarrier";
import type { PinSet } from "./pinSet";
import type { BodyState } from "../state/state";
import { dot } from "../math/vector";

const excess: TetherViolation = new Float64Array(8);
/** Of the pins, weighted by their excess: velocity as poses have it [m/s], and place [m], x y z; that from the centre of what carries them. */
const meanVelocity = new Float64Array(3);
const place = new Float64Array(3);
const arm = new Float64Array(3);
/** The pull of those before; of one. */
const previousReaction = new Float64Array(3);
const pinImpulse = new Float64Array(3);
/** Unit vector along the pull; velocity at the arm, with this frame's pulls, against the anchors [m/s]. */
const along = new Float64Array(3);
const relativeVelocity = new Float64Array(3);

/** Gives what carries pins the speed that taut cloth holds it by, after their last {@link PinSet.accumulateReaction} in a frame: it falls no more until it is moved. */
export function applyTautPinImpulse(
    pins: PinSet,
    state: BodyState,
    constraints: readonly Constraint[],
    { fixedTimeStep, substepCount, gravity }: TetherSettings,
): void {
    const drift = pins.dynamicCarrier!;
    const { ownedIndices: own } = pins;
    // Where its frame ends, not the step: pulled towards where the cloth no longer leads, what swings would be driven on.
    pins.moveToFrameEnd(state);
    excess.fill(0);
    meanVelocity.fill(0);
    place.fill(0);
    for (let p = 0; p < own.length; p++) {
        const i = own[p];
        const before = excess[3];
        for (let c = 0; c < 3; c++) previousReaction[c] = excess[c];
        for (let k = 0; k < constraints.length; k++) constraints[k].addViolation?.(state, i, excess);
        if (!pins.isFixed) projectOnHeldAxes(drift, p, before);
        for (let c = 0; c < 3; c++) {
            meanVelocity[c] += (excess[3] - before) * pins.velocity(p, c, fixedTimeStep);
            place[c] += (excess[3] - before) * state.positions[rowOf(i) + c];
        }
    }
    const pull = Math.sqrt(dot(excess, excess));
    const { frameSeconds } = drift;
    const slowed = Math.min((CARRIER_ROTATION_DAMPING * frameSeconds) / fixedTimeStep, MAX_CARRIER_ROTATION_DAMPING);
    if (!(pull > 0)) {
        if (excess[7] > 0) pins.dampCarrierRotation(slowed);
        return;
    }
    for (let c = 0; c < 3; c++) place[c] /= excess[3];
    drift.readArm(place, arm);
    drift.readSpeed(arm, relativeVelocity);
    for (let c = 0; c < 3; c++) {
        along[c] = excess[c] / pull;
        // Where time is dropped, what carries them goes all of its way in less.
        relativeVelocity[c] += (drift.stepRatio * meanVelocity[c] - (excess[4 + c] * substepCount) / fixedTimeStep) / excess[3];
    }
    const recovery = Math.min((RECOVERY_SHARE * excess[7]) / frameSeconds, MAX_RETURN_SPEED);
    // What hangs still falls for a frame before it is held again, by whatever rule engines move it.
    const fall = -frameSeconds * dot(gravity, along);
    pins.dampCarrierRotation(slowed);
    const change = recovery + fall - dot(relativeVelocity, along);
    if (change > 0) drift.applyImpulse(arm, along, change);
}

/** Leaves of the `p`-th pin's excess what it is held by: along a rail or in a plane it slides. @param weight of those before it */
function projectOnHeldAxes(drift: DynamicCarrier, p: number, weight: number): void {
    for (let c = 0; c < 3; c++) pinImpulse[c] = excess[c] - previousReaction[c];
    const whole = Math.sqrt(dot(pinImpulse, pinImpulse));
    drift.reaction.keepHeldPart(p, pinImpulse);
    const share = whole > 0 ? Math.sqrt(dot(pinImpulse, pinImpulse)) / whole : 0;
    for (let c = 0; c < 3; c++) excess[c] = previousReaction[c] + pinImpulse[c];
    excess[3] = weight + share * (excess[3] - weight);
}
