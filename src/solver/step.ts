import { Uniform } from "../kernels/layout";
import type { Body } from "./body";
import { insert } from "./colliders/firmness";
import type { Collider } from "./colliders/collider";
import { contactPart } from "./colliders/contactPart";
import { blow } from "./forces/blow";
import { limitStretch, project } from "./project";
import { MAX_SPEED } from "./settings";
import { pullPart } from "./pins/pullPart";

/*
 * One fixed step: what air does once, then substeps of integrate → pins → constraints → colliders (Macklin 2019, "Small steps":
 * one iteration in each of n substeps).
 */

/** Takes in where pins, colliders and wind are in this step. */
export function beginStep(body: Body): void {
    const { state, pins, colliders, contacts, clock } = body;
    writeUniforms(body);
    body.impacts?.beginStep(body.settings.fixedTimeStep);
    for (let i = 0; i < pins.length; i++) pins[i].beginStep(state, clock, body.settings);
    for (let i = 0; i < colliders.length; i++) colliders[i].beginStep(clock);
    sort(colliders);
    contacts?.beginStep(colliders);
    body.settling.begin();
    try {
        blow(body);
    } finally {
        state.stepStart.set(state.positions);
    }
    body.reach.begin(body);
    body.calm.begin(body);
}

/** Puts the firmest first; equals keep their order. In place, and done at once where nothing has changed. */
function sort(colliders: Collider[]): void {
    for (let i = 1; i < colliders.length; i++) insert(colliders[i], colliders, i);
}

/** The first part of the `s`-th substep, from 1: all but what the body meets. */
export function move(body: Body, s: number): void {
    if (body.calm.isOn) body.calm.substep(body, s);
    else moveFreely(body, s);
}

/** The rest of it: colliders, and what pins are pulled by. */
export function meet(body: Body, s: number): void {
    const { colliders, stopwatch, calm } = body;
    if (calm.isOn) return;
    if (colliders.length > 0) contactPart.content.meetColliders(body, s);
    endPins(body, s);
    stopwatch.lap(3);
}

/** Pins have the last word, and what carries them may take what they are pulled by. */
function endPins({ pins, state, settings, constraints }: Body, s: number): void {
    const { substepCount } = settings;
    for (let i = 0; i < pins.length; i++) {
        pins[i].endSubstep(state, s, substepCount);
        const { drift } = pins[i];
        if (!drift) continue;
        pins[i].feelPull(state, s, substepCount);
        if (s === substepCount && drift.isLast) pullPart.content.holdPinned(pins[i], state, constraints, settings);
    }
}

function moveFreely(body: Body, s: number): void {
    const { kernels, settings, state, pins, colliders, company, method, stopwatch } = body;
    if (body.isWindy) {
        kernels.pushByAir(state, body.air!);
        stopwatch.lap(0);
    }
    if (method) method.move(state);
    else kernels.integrate(state);
    for (let i = 0; i < pins.length; i++) pins[i].moveTo(state, s, settings.substepCount);
    stopwatch.lap(1);
    project(body, body.passes);
    // With colliders it depends on what is near, see collisions.ts; what layers touch is limited before they do.
    if (company || colliders.length === 0) limitStretch(body);
    stopwatch.lap(2);
}

function writeUniforms(body: Body): void {
    const { uniforms } = body.state;
    const { fixedTimeStep, substepCount } = body.settings;
    const substep = fixedTimeStep / substepCount;
    body.settling.write(body);
    uniforms[Uniform.maxDisplacement] = MAX_SPEED * substep;
    uniforms[Uniform.substep] = substep;
    uniforms[Uniform.substepShare] = 1 / substepCount;
}
