import { Uniform } from "../kernels/layout";
import type { Body } from "./body";
import type { Collider } from "./colliders/collider";
import { collide, collideTriangles } from "./colliders/contacts";
import { holdBack, holdPinned } from "./colliders/taut";
import type { Constraint } from "./methods/xpbd/constraint";
import { blow } from "./forces/blow";
import { MAX_SPEED } from "./settings";

/*
 * One fixed step: what air does once, then substeps of integrate → pins → constraints → colliders (Macklin 2019, "Small steps":
 * one iteration in each of n substeps).
 */

/** In each pass cloth follows what is fast by so much of how far the two close in on each other in a substep [m], in so many passes at most. */
const FOLLOWED = 5e-3;
const FOLLOWING = 40;

/** Takes in where pins, colliders and wind are in this step. */
export function beginStep(body: Body): void {
    const { state, pins, colliders, contacts, clock } = body;
    writeUniforms(body);
    body.impacts?.beginStep(body.settings.fixedTimeStep);
    for (let i = 0; i < pins.length; i++) pins[i].beginStep(state, clock);
    for (let i = 0; i < colliders.length; i++) colliders[i].beginStep(clock);
    sort(colliders);
    contacts?.triangles?.beginStep(colliders);
    body.settling.begin();
    try {
        blow(body);
    } finally {
        state.stepStart.set(state.positions);
    }
    body.reach.begin(body);
    body.calm.begin(body);
    body.momentum.begin(body);
}

/** Puts the firmest first; equals keep their order. In place, and done at once where nothing has changed. */
function sort(colliders: Collider[]): void {
    for (let i = 1; i < colliders.length; i++) {
        const collider = colliders[i];
        let k = i;
        for (; k > 0 && collider.isFirmer(colliders[k - 1]); k--) colliders[k] = colliders[k - 1];
        colliders[k] = collider;
    }
}

/** The first part of the `s`-th substep, from 1: all but what the body meets. */
export function move(body: Body, s: number): void {
    if (body.calm.isOn) body.calm.substep(body, s);
    else moveFreely(body, s);
}

/** The rest of it: colliders, and what pins are pulled by. */
export function meet(body: Body, s: number): void {
    const { kernels, state, colliders, stopwatch, calm } = body;
    if (calm.isOn) return;
    if (colliders.length > 0 && approach(body, s)) {
        body.momentum.isKept = false;
        collideAll(body);
        follow(body);
        project(body, body.passesAfterContact);
        kernels.measureBounds(state);
        collideAll(body, s === body.settings.substepCount);
    }
    endPins(body, s);
    stopwatch.lap(3);
}

/**
 * Has the cloth follow what is fast. What that has pushed out of its way in a substep is many edges from its neighbours, of which one pass takes a few along:
 * the solid was through before the others had heard of it. So all passes and contacts go on in turn until nothing is pulled back in.
 */
function follow(body: Body): void {
    const { kernels, state, contacts, passes } = body;
    if (!contacts) return;
    const most = Math.min(FOLLOWING, contacts.closing / FOLLOWED);
    for (let pass = 0; pass < most && contacts.closing > 0; pass++) {
        // Limits of stretch would go on for long about what is not there yet.
        for (let i = 0; i < passes.length; i++) passes[i].project(kernels, state);
        kernels.measureBounds(state);
        collideAll(body);
    }
}

/** Pins have the last word, and what carries them may take what they are pulled by. */
function endPins({ pins, state, settings, constraints, clock }: Body, s: number): void {
    const { substepCount } = settings;
    for (let i = 0; i < pins.length; i++) {
        pins[i].endSubstep(state, s, substepCount);
        if (pins[i].takerMass === 0) continue;
        pins[i].feelPull(state, s, substepCount);
        if (s === substepCount) holdPinned(pins[i], state, constraints, settings, clock);
    }
}

function moveFreely(body: Body, s: number): void {
    const { kernels, settings, state, pins, method, stopwatch } = body;
    if (body.isWindy) {
        kernels.pushByAir(state, body.air!);
        stopwatch.lap(0);
    }
    if (method) method.move(state);
    else kernels.integrate(state);
    for (let i = 0; i < pins.length; i++) pins[i].moveTo(state, s, settings.substepCount);
    stopwatch.lap(1);
    project(body, body.passes);
    stopwatch.lap(2);
}

function project(body: Body, passes: readonly Constraint[]): void {
    const { kernels, state, lengths } = body;
    for (let i = 0; i < passes.length; i++) passes[i].project(kernels, state);
    for (let i = 0; i < lengths.length; i++) lengths[i].limitStretch?.(kernels, state);
}

/** Moves the colliders in reach to the end of substep `s`, and has those meet the particles that can touch the swept box; whether any can. */
function approach(body: Body, s: number): boolean {
    const { settings, reach } = body;
    measureSweep(body);
    reach.follow(body, s);
    let isAnyNear = false;
    for (let i = 0; i < reach.count; i++) {
        const collider = reach.colliders[i];
        collider.moveTo(s, settings.substepCount, settings.fabric);
        look(body, collider);
        isAnyNear ||= collider.isNear;
    }
    return isAnyNear;
}

function measureSweep({ kernels, state, sweptBounds }: Body): void {
    kernels.measureBounds(state);
    for (let i = 0; i < 8; i++) sweptBounds[i] = state.uniforms[Uniform.minimum + i];
}

/** Decides whether a collider can touch the swept box, and tells it. */
function look({ kernels, state, sweptBounds }: Body, collider: Collider): void {
    collider.isNear = collider.isKnown && collider.mayTouch(sweptBounds);
    if (collider.isNear) collider.approach(kernels, state);
    else collider.leave();
}

/** Keeps the particles outside of the colliders that are near, and of the last ones that the others have pushed them to. @param isLast in a step */
function collideAll(body: Body, isLast = false): void {
    const { kernels, state, contacts } = body;
    const { colliders, count } = body.reach;
    if (!contacts) return;
    contacts.begin(colliders, count, countSolids(colliders, count), body.impacts, true);
    let isPushed = false;
    let isMeasured = false;
    for (let i = 0; i < count; i++) {
        const collider = colliders[i];
        if (collider.isLast && isPushed && !collider.isNear) {
            if (!isMeasured) measureSweep(body);
            isMeasured = true;
            look(body, collider);
        }
        if (!collider.isNear) continue;
        // Particles have the last word: they know on which side they were.
        const areTrianglesMet = collideTriangles(kernels, state, contacts, collider);
        if (collide(kernels, state, contacts, collider, body.lengths) || areTrianglesMet) body.settling.touch(collider.data);
        if (isLast && collider.taker) holdBack(collider, contacts, state, body.constraints, body.settings);
        isPushed ||= !collider.isLast;
    }
    if (isLast) contacts.freeCaught(kernels, colliders, count);
}

/** How many colliders that are near may be pressed against each other. */
function countSolids(colliders: readonly Collider[], count: number): number {
    let solids = 0;
    for (let i = 0; i < count; i++) if (colliders[i].isNear && !colliders[i].isLast) solids++;
    return solids;
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
