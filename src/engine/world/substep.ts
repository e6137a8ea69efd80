import { Uniform } from "../../kernels/layout";
import type { Body } from "../bodies/body";
import { insertByPriority } from "../collision/broadphase/colliderBroadPhase";
import type { Collider } from "../collision/shapes/collider";
import { contactModule } from "../collision/response/contacts.lazy";
import { updateAir } from "../forces/updateAir";
import { limitStrain, solveConstraints } from "./solveConstraints";
import { MAX_SPEED } from "../state/settings";
import { pinReactionModule } from "../attachments/pinReaction.lazy";

/*
 * One fixed step: what air does once, then substeps of integrate → pins → constraints → colliders (Macklin 2019, "Small steps":
 * one iteration in each of n substeps).
 */

/** Takes in where pins, colliders and wind are in this step. */
export function beginStep(body: Body): void {
    const { state, pins, colliders, contacts, clock } = body;
    writeUniforms(body);
    body.contactEvents?.beginStep(body.settings.fixedTimeStep);
    for (let i = 0; i < pins.length; i++) pins[i].beginStep(state, clock, body.settings);
    for (let i = 0; i < colliders.length; i++) colliders[i].beginStep(clock);
    sortByPriority(colliders);
    contacts?.beginStep(colliders);
    body.contactDamping.begin();
    try {
        updateAir(body);
    } finally {
        state.stepStart.set(state.positions);
    }
    body.broadPhase.begin(body);
    body.recordedSubstep.begin(body);
}

/** Puts the firmest first; equals keep their order. In place, and done at once where nothing has changed. */
function sortByPriority(colliders: Collider[]): void {
    for (let i = 1; i < colliders.length; i++) insertByPriority(colliders[i], colliders, i);
}

/** The first part of the `s`-th substep, from 1: all but what the body meets. */
export function integrateAndSolve(body: Body, s: number): void {
    if (body.recordedSubstep.isActive) body.recordedSubstep.replay(body, s);
    else integrateUnrecorded(body, s);
}

/** The rest of it: colliders, and what pins are pulled by. */
export function collideAndFinish(body: Body, s: number): void {
    const { colliders, stopwatch, recordedSubstep: calm } = body;
    if (calm.isActive) return;
    if (colliders.length > 0) contactModule.module.meetColliders(body, s);
    finishPins(body, s);
    stopwatch.lap(3);
}

/** Pins have the last word, and what carries them may take what they are pulled by. */
function finishPins({ pins, state, settings, constraints }: Body, s: number): void {
    const { substepCount } = settings;
    for (let i = 0; i < pins.length; i++) {
        pins[i].endSubstep(state, s, substepCount);
        const { dynamicCarrier: drift } = pins[i];
        if (!drift) continue;
        pins[i].accumulateReaction(state, s, substepCount);
        if (s === substepCount && drift.isLast) pinReactionModule.module.holdPinned(pins[i], state, constraints, settings);
    }
}

function integrateUnrecorded(body: Body, s: number): void {
    const { kernels, settings, state, pins, colliders, steppingGroup: company, solver: method, stopwatch } = body;
    if (body.hasAir) {
        kernels.addAirDisplacements(state, body.air!);
        stopwatch.lap(0);
    }
    if (method) method.step(state);
    else kernels.integrate(state);
    for (let i = 0; i < pins.length; i++) pins[i].moveToSubstep(state, s, settings.substepCount);
    stopwatch.lap(1);
    solveConstraints(body, body.passes);
    // With colliders it depends on what is near, see collisions.ts; what layers touch is limited before they do.
    if (company || colliders.length === 0) limitStrain(body);
    stopwatch.lap(2);
}

function writeUniforms(body: Body): void {
    const { uniforms } = body.state;
    const { fixedTimeStep, substepCount } = body.settings;
    const substep = fixedTimeStep / substepCount;
    body.contactDamping.writeUniforms(body);
    uniforms[Uniform.maxDisplacement] = MAX_SPEED * substep;
    uniforms[Uniform.substep] = substep;
    uniforms[Uniform.substepShare] = 1 / substepCount;
}
