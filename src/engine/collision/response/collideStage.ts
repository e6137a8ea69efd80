import { FOLLOW_DISTANCE, MAX_FOLLOW_PASSES } from "../../tunables";
import { Uniform } from "../../../kernels/layout";
import { resolveParticles, resolveFaces } from "./contactResolver";
import { addTautTetherImpulse } from "./tautTetherImpulse";
import type { Contacts } from "./contactResolver";
import type { ContactHost } from "./contactHost";
import { NO_LIMIT } from "../shapes/jumpDetector";
import type { Collider } from "../shapes/collider";
import { meshColliderModule } from "../shapes/mesh.lazy";
import { colliderShapes } from "../shapes/registry";
import type { ColliderSettings } from "../../state/colliderSettings";
import type { WorldCollider } from "../shapes/worldCollider";

/** Second response, after lengths have been solved again. */
export function recover(body: ContactHost, isLast: boolean): void {
    body.kernels.measureBounds(body.state);
    resolveContacts(body, isLast);
}

/**
 * Repeats constraints and contacts behind a fast collider. One pass spreads a correction by only a few edges, so a fast collider tunnels before the cloth
 * reacts. Budget: {@link MAX_FOLLOW_PASSES}, less for slower ones. Exit: no constraint pulls a particle back in. When spent, the last contacts stand.
 */
export function followFastColliders(body: ContactHost): void {
    const { kernels, state, contacts, passes } = body;
    if (!contacts) return;
    const most = Math.min(MAX_FOLLOW_PASSES, contacts.closingDistance / FOLLOW_DISTANCE);
    for (let pass = 0; pass < most && contacts.closingDistance > 0; pass++) {
        // The strain limit follows once, after the passes: between them it would not converge.
        for (let i = 0; i < passes.length; i++) passes[i].project(kernels, state);
        kernels.measureBounds(state);
        resolveContacts(body);
    }
}

/** Moves the broad phase's colliders to the end of substep `s` and prepares those that can touch the swept bounds. Returns true if any can. */
export function updateNearColliders(body: ContactHost, s: number): boolean {
    const { settings, broadPhase } = body;
    measureSweptBounds(body);
    broadPhase.update(body, s);
    for (let i = 0; i < broadPhase.count; i++) broadPhase.colliders[i].moveTo(s, settings.substepCount, settings.fabric);
    let isAnyNear = false;
    for (let i = 0; i < broadPhase.count; i++) {
        updateNear(body, broadPhase.colliders[i]);
        isAnyNear ||= broadPhase.colliders[i].isNear;
    }
    return isAnyNear;
}

function measureSweptBounds({ kernels, state, sweptBounds }: ContactHost): void {
    kernels.measureBounds(state);
    for (let i = 0; i < 8; i++) sweptBounds[i] = state.uniforms[Uniform.minimum + i];
}

/** Marks a collider as near if it can touch the swept bounds, and prepares it. */
function updateNear({ kernels, state, sweptBounds }: ContactHost, collider: Collider): void {
    collider.isNear = collider.hasPose && collider.mayTouch(sweptBounds);
    if (collider.isNear) collider.prepareContacts(kernels, state);
    else collider.forgetParticles();
}

/** Resolves contacts with near colliders, and with one-sided ones that the others have pushed particles to. The first response of a substep. @param isLast true in the last pass of a step */
export function resolveContacts(body: ContactHost, isLast = false): void {
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
        collider.isStarting = false;
        if (isLast && collider.dynamicBody) addTautTetherImpulse(collider, contacts, state, body.constraints, body.settings);
        isPushed ||= !collider.isOneSided;
    }
}

/** Resolves contacts of a body's faces and particles with a collider. Returns true if there are any. */
function resolveShape(
    { kernels, state, lengthConstraints: lengths }: ContactHost,
    contacts: Contacts,
    collider: Collider,
): boolean {
    // Particles come last: they know on which side they were.
    const hasFaceContacts = resolveFaces(kernels, state, contacts, collider);
    return resolveParticles(kernels, state, contacts, collider, lengths) || hasFaceContacts;
}

/** Number of near colliders that may be pressed against each other. */
function countSolids(colliders: readonly Collider[], count: number): number {
    let solids = 0;
    for (let i = 0; i < count; i++) if (colliders[i].isNear && !colliders[i].isOneSided) solids++;
    return solids;
}

/**
 * Has a body meet a collider of the world from now on, whose shape is here (see shapeParts in contactPart.ts).
 * @param settings kept, and live
 * @throws RangeError when there is no memory left; the body then does not meet it
 */
export function attachCollider(body: ContactHost, world: WorldCollider, settings: ColliderSettings): Collider {
    const { kernels, state } = body;
    const skin = world.skin && meshColliderModule.module.PosedSkin.of(kernels, world.skin);
    const make = (): Collider => colliderShapes[world.shape](kernels, state.particleCount, world.geometry, skin);
    let collider: Collider | null = null;
    // Until a collider holds it, or none could.
    skin?.addUser();
    try {
        collider = make();
        collider.settings = settings;
        collider.renderCopy = make();
        collider.updatePose(world, body.origin, NO_LIMIT);
        body.addCollider(collider);
        return collider;
    } catch (error) {
        collider?.release();
        throw error;
    } finally {
        skin?.removeUser();
    }
}

/** Has colliders begin anew with their body, those that are far, too: in the order in which they came to it, which steps have changed; none squeezes anything yet. */
export function resetColliders(colliders: Collider[], contacts: Contacts): void {
    colliders.sort((a, b) => Number(a.isOneSided) - Number(b.isOneSided) || a.id - b.id);
    for (const collider of colliders) collider.reset();
    contacts.forgetOpposing();
}
