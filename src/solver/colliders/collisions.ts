import { Uniform } from "../../kernels/layout";
import type { Body } from "../body";
import { limitStretch, project } from "../project";
import type { Collider } from "./collider";
import { collide, collideTriangles } from "./contacts";
import type { Contacts } from "./contacts";
import { giveWay } from "./giveWay";
import { holdBack } from "./taut";

/** In each pass cloth follows what is fast by so much of how far the two close in on each other in a substep [m], in so many passes at most. */
const FOLLOWED = 5e-3;
const FOLLOWING = 40;

/** Keeps a body outside of its colliders in the `s`-th substep, from 1, after it has moved. */
export function meetColliders(body: Body, s: number): void {
    const { kernels, state } = body;
    if (!approach(body, s)) return;
    collideAll(body);
    follow(body);
    const isLast = s === body.settings.substepCount;
    // What is noted is answered later: until then nothing moves.
    if (body.contacts?.areNoted && !isLast) return;
    project(body, body.passesAfterContact);
    limitStretch(body);
    kernels.measureBounds(state);
    collideAll(body, isLast);
    if (body.contacts) giveWay(body, body.contacts, isLast);
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

/** Moves the colliders in reach to the end of substep `s`, and has those meet the particles that can touch the swept box; whether any can. */
function approach(body: Body, s: number): boolean {
    const { settings, reach } = body;
    measureSweep(body);
    reach.follow(body, s);
    for (let i = 0; i < reach.count; i++) reach.colliders[i].moveTo(s, settings.substepCount, settings.fabric);
    if (!body.company) limitBefore(body);
    let isAnyNear = false;
    for (let i = 0; i < reach.count; i++) {
        look(body, reach.colliders[i]);
        isAnyNear ||= reach.colliders[i].isNear;
    }
    return isAnyNear;
}

/**
 * Limits the material's stretch before colliders are met, unless one can touch the swept box: what is limited then goes out of place again as they push, and once
 * they have is enough. It takes both where one that can is fast, since the slack that is left is taken up in one blow, and where a step is one substep.
 */
function limitBefore(body: Body): void {
    const { reach, sweptBounds } = body;
    let isAnyNear = false;
    let takesBoth = body.settings.substepCount === 1;
    for (let i = 0; i < reach.count; i++) {
        const collider = reach.colliders[i];
        if (!collider.isKnown || !collider.mayTouch(sweptBounds)) continue;
        isAnyNear = true;
        takesBoth ||= collider.fastMotion > 0;
    }
    if (isAnyNear && !takesBoth) return;
    limitStretch(body);
    if (isAnyNear) measureSweep(body);
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
        if (contacts.meet(kernels, state, collider) ?? collideParts(body, contacts, collider)) body.settling.touch(collider.data);
        if (isLast && collider.taker) holdBack(collider, contacts, state, body.constraints, body.settings);
        isPushed ||= !collider.isLast;
    }
    if (isLast) contacts.freeCaught(kernels, colliders, count);
}

/** Keeps the particles and triangles of a body outside a collider; whether any are met. */
function collideParts({ kernels, state, lengths }: Body, contacts: Contacts, collider: Collider): boolean {
    // Particles have the last word: they know on which side they were.
    const areTrianglesMet = collideTriangles(kernels, state, contacts, collider);
    return collide(kernels, state, contacts, collider, lengths) || areTrianglesMet;
}

/** How many colliders that are near may be pressed against each other. */
function countSolids(colliders: readonly Collider[], count: number): number {
    let solids = 0;
    for (let i = 0; i < count; i++) if (colliders[i].isNear && !colliders[i].isLast) solids++;
    return solids;
}
