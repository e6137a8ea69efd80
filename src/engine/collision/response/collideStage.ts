import { FOLLOW_DISTANCE, MAX_FOLLOW_PASSES } from "../../tunables";
import { Uniform } from "../../../kernels/layout";
import type { Body } from "../../bodies/body";
import { limitStrain } from "../../world/solveConstraints";
import type { Collider } from "../shapes/collider";
import { resolveParticles, resolveFaces } from "./contactResolver";
import type { Contacts } from "./contactResolver";
import { addTautTetherImpulse } from "./tautTetherImpulse";

/** Resolves contacts with all near colliders; the first response of a substep. */
export function resolveContacts(body: Body): void {
    resolveAll(body);
}

/** Second response, after lengths have been solved again. */
export function recover(body: Body, isLast: boolean): void {
    body.kernels.measureBounds(body.state);
    resolveAll(body, isLast);
    // What two solids press between them is held by neither's contacts alone: stretch wins over depth.
    if (body.contacts?.hasSqueezed && body.contacts.closingDistance === 0) limitStrain(body);
}

/**
 * Has the cloth follow what is fast. What that has pushed out of its way in a substep is many edges from its neighbours, of which one pass takes a few along:
 * the solid was through before the others had heard of it. So all passes and contacts go on in turn until nothing is pulled back in.
 */
export function followFastColliders(body: Body): void {
    const { kernels, state, contacts, passes } = body;
    if (!contacts) return;
    const most = Math.min(MAX_FOLLOW_PASSES, contacts.closingDistance / FOLLOW_DISTANCE);
    for (let pass = 0; pass < most && contacts.closingDistance > 0; pass++) {
        // Limits of stretch would go on for long about what is not there yet.
        for (let i = 0; i < passes.length; i++) passes[i].project(kernels, state);
        kernels.measureBounds(state);
        resolveAll(body);
    }
}

/** Moves the colliders in reach to the end of substep `s`, and has those meet the particles that can touch the swept box; whether any can. */
export function updateNearColliders(body: Body, s: number): boolean {
    const { settings, broadPhase: reach } = body;
    measureSweptBounds(body);
    reach.update(body, s);
    for (let i = 0; i < reach.count; i++) reach.colliders[i].moveTo(s, settings.substepCount, settings.fabric);
    if (!body.steppingGroup) limitStrainBefore(body);
    let isAnyNear = false;
    for (let i = 0; i < reach.count; i++) {
        updateNear(body, reach.colliders[i]);
        isAnyNear ||= reach.colliders[i].isNear;
    }
    return isAnyNear;
}

/**
 * Limits the material's stretch before colliders are met, unless one can touch the swept box: what is limited then goes out of place again as they push, and once
 * they have is enough. It takes both where one that can is fast, since the slack that is left is taken up in one blow, and where a step is one substep.
 */
function limitStrainBefore(body: Body): void {
    const { broadPhase: reach, sweptBounds } = body;
    let isAnyNear = false;
    let takesBoth = body.settings.substepCount === 1;
    for (let i = 0; i < reach.count; i++) {
        const collider = reach.colliders[i];
        if (!collider.hasPose || !collider.mayTouch(sweptBounds)) continue;
        isAnyNear = true;
        takesBoth ||= collider.fastMotion > 0;
    }
    if (isAnyNear && !takesBoth) return;
    limitStrain(body);
    if (isAnyNear) measureSweptBounds(body);
}

function measureSweptBounds({ kernels, state, sweptBounds }: Body): void {
    kernels.measureBounds(state);
    for (let i = 0; i < 8; i++) sweptBounds[i] = state.uniforms[Uniform.minimum + i];
}

/** Decides whether a collider can touch the swept box, and tells it. */
function updateNear({ kernels, state, sweptBounds }: Body, collider: Collider): void {
    collider.isNear = collider.hasPose && collider.mayTouch(sweptBounds);
    if (collider.isNear) collider.prepareContacts(kernels, state);
    else collider.forgetParticles();
}

/** Keeps the particles outside of the colliders that are near, and of the last ones that the others have pushed them to. @param isLast in a step */
function resolveAll(body: Body, isLast = false): void {
    const { kernels, state, contacts } = body;
    const { colliders, count } = body.broadPhase;
    if (!contacts) return;
    contacts.begin(colliders, count, countSolids(colliders, count), body.contactEvents, true);
    let isPushed = false;
    let isMeasured = false;
    for (let i = 0; i < count; i++) {
        const collider = colliders[i];
        if (collider.isOneSided && isPushed && !collider.isNear) {
            if (!isMeasured) measureSweptBounds(body);
            isMeasured = true;
            updateNear(body, collider);
        }
        if (!collider.isNear) continue;
        if (contacts.resolveRigid(kernels, state, collider) ?? resolveShape(body, contacts, collider))
            body.contactDamping.recordContact(collider.data);
        if (isLast && collider.dynamicBody) addTautTetherImpulse(collider, contacts, state, body.constraints, body.settings);
        isPushed ||= !collider.isOneSided;
    }
}

/** Keeps the particles and triangles of a body outside a collider; whether any are met. */
function resolveShape({ kernels, state, lengthConstraints: lengths }: Body, contacts: Contacts, collider: Collider): boolean {
    // Particles have the last word: they know on which side they were.
    const areTrianglesMet = resolveFaces(kernels, state, contacts, collider);
    return resolveParticles(kernels, state, contacts, collider, lengths) || areTrianglesMet;
}

/** Number of near colliders that may be pressed against each other. */
function countSolids(colliders: readonly Collider[], count: number): number {
    let solids = 0;
    for (let i = 0; i < count; i++) if (colliders[i].isNear && !colliders[i].isOneSided) solids++;
    return solids;
}
