/**
 * The order of a frame, a step and a substep, in one place. Each stage is one call.
 *
 *     frame    World.advance: bodies begin the frame (clock, colliders' poses, sleep) → fixed steps → bodies end the frame
 *     step     beginStep: poses of pins and colliders, air → substeps → end of the step: events, sleep
 *     substep  forces → integrate → attachments → constraints → (self-collision of the group) → broad phase → contacts
 *              → contact constraints → strain limit → recovery → reactions → (continuous collision detection of the group)
 *
 * A fixed step is cut into n substeps with one iteration each (Macklin 2019, "Small Steps in Physics Simulation"). Bodies of a stepping
 * group take each stage together, since what one stage moves the next one of another body reads.
 */
import { Uniform } from "../../kernels/layout";
import { pinReactionModule } from "../attachments/pinReaction.lazy";
import type { Body } from "../bodies/body";
import { insertByPriority } from "../collision/broadphase/colliderBroadPhase";
import { contactModule } from "../collision/response/contacts.lazy";
import type { Collider } from "../collision/shapes/collider";
import { updateAir } from "../forces/updateAir";
import { MAX_SPEED } from "../tunables";
import { limitStrain, solveConstraints } from "../state/constraint";
import { Stage } from "../time/stopwatch";
import type { SteppingGroup } from "../state/steppingGroup";

/** Reads where pins, colliders and wind are in this step. Once a step, before its substeps. */
export function beginStep(body: Body): void {
    const { state, pins, colliders, contacts, clock } = body;
    writeUniforms(body);
    body.inertia?.beginStep(body);
    body.contactEvents?.beginStep(body.settings.fixedTimeStep);
    for (let i = 0; i < pins.length; i++) pins[i].beginStep(state, clock, body.settings);
    for (let i = 0; i < colliders.length; i++) colliders[i].beginStep(clock);
    sortByPriority(colliders);
    contacts?.beginStep(colliders, body.settings);
    body.contactDamping.begin();
    try {
        updateAir(body);
    } finally {
        state.stepStart.set(state.positions);
    }
    body.broadPhase.begin(body);
    body.recordedSubstep.begin(body);
}

/** Takes all substeps of a step that the bodies have begun. They have one substep in common, and are alone or of one group. */
export function takeSubsteps(bodies: readonly Body[], group: SteppingGroup | null): void {
    const { substepCount } = bodies[0].settings;
    for (let s = 1; s <= substepCount; s++) {
        if (group) takeGroupSubstep(bodies, group, s);
        else
            for (let i = 0; i < bodies.length; i++) {
                moveAndSolve(bodies[i], s);
                collide(bodies[i], s);
            }
    }
}

/** Substep `s` of bodies that are coupled or collide with each other. */
function takeGroupSubstep(bodies: readonly Body[], group: SteppingGroup, s: number): void {
    for (let i = 0; i < bodies.length; i++) {
        bodies[i].stopwatch.start();
        bodies[i].groupMember?.recordStart?.();
        moveAndSolve(bodies[i], s);
    }
    group.resolveAfterSolve(bodies);
    for (let i = 0; i < bodies.length; i++) {
        bodies[i].stopwatch.start();
        collide(bodies[i], s);
    }
    group.finishSubstep();
}

/** First half of substep `s` (from 1) of one body: motion and constraints. */
function moveAndSolve(body: Body, s: number): void {
    const { stopwatch } = body;
    if (body.recordedSubstep.isActive) return body.recordedSubstep.replay(body, s);
    applyForces(body);
    stopwatch.lap(Stage.forces);
    integrate(body);
    stopwatch.lap(Stage.integrate);
    moveAttachments(body, s);
    stopwatch.lap(Stage.attachments);
    solveConstraints(body, body.passes);
    stopwatch.lap(Stage.constraints);
}

/** Second half: contacts with colliders, and what the pins' carriers feel. */
function collide(body: Body, s: number): void {
    const { stopwatch, settings } = body;
    if (body.recordedSubstep.isActive) return;
    const isLast = s === settings.substepCount;
    const stages = body.colliders.length > 0 ? contactModule.module : null;
    const isAnyNear = stages !== null && stages.updateNearColliders(body, s);
    stopwatch.lap(Stage.broadPhase);
    if (isAnyNear) {
        stages.resolveContacts(body);
        stages.followFastColliders(body);
        stopwatch.lap(Stage.contacts);
        // Deferred contacts are resolved with those of other bodies: until then nothing moves.
        if (body.contacts?.areDeferred && !isLast) return applyReactions(body, s);
        solveConstraints(body, body.passesAfterContact);
        stopwatch.lap(Stage.contactConstraints);
    }
    // Contacts of two colliders that squeeze cloth stretch it without end: there the strain limit has the last word.
    const isSqueezed = isAnyNear && body.contacts!.hasSqueezed && body.contacts!.closingDistance === 0;
    if (!isSqueezed) limitStrain(body);
    stopwatch.lap(Stage.strainLimit);
    if (isAnyNear) stages.recover(body, isLast);
    if (isSqueezed) limitStrain(body);
    stopwatch.lap(Stage.recovery);
    applyReactions(body, s);
    stopwatch.lap(Stage.reactions);
}

function applyForces({ kernels, state, hasAir, air }: Body): void {
    if (hasAir) kernels.addAirDisplacements(state, air!);
}

function integrate({ kernels, state, solver }: Body): void {
    if (solver) solver.step(state);
    else kernels.integrate(state);
}

function moveAttachments({ pins, state, settings }: Body, s: number): void {
    for (let i = 0; i < pins.length; i++) pins[i].moveToSubstep(state, s, settings.substepCount);
}

/** Pins have the last word; dynamic carriers take the reaction. */
function applyReactions({ pins, state, settings, constraints }: Body, s: number): void {
    const { substepCount } = settings;
    for (let i = 0; i < pins.length; i++) {
        pins[i].endSubstep(state, s, substepCount);
        const { dynamicCarrier } = pins[i];
        if (!dynamicCarrier) continue;
        pins[i].accumulateReaction(state, s, substepCount);
        if (s === substepCount && dynamicCarrier.isLast) pinReactionModule.module.holdPinned(pins[i], state, constraints, settings);
    }
}

/** Puts the colliders of highest priority first; equals keep their order. In place, and done at once where nothing has changed. */
function sortByPriority(colliders: Collider[]): void {
    for (let i = 1; i < colliders.length; i++) insertByPriority(colliders[i], colliders, i);
}

function writeUniforms(body: Body): void {
    const { uniforms } = body.state;
    const { substep } = body;
    body.contactDamping.writeUniforms(body);
    uniforms[Uniform.maxDisplacement] = MAX_SPEED * substep;
    uniforms[Uniform.substep] = substep;
    uniforms[Uniform.substepShare] = 1 / body.settings.substepCount;
}
