import { relativeToOrigin } from "../math/affine";
import type { Affine } from "../math/affine";
import type { Body } from "./body";

/**
 * Passes over the first part of a frame's motion: the particles, with their velocities, are carried along by what carries their pins, and
 * the motion that is left begins there. Colliders that come far against them meanwhile jump.
 * @param motion of the carrier in that part, a rigid map of the world
 * @param share of the frame that is passed over, 0..1
 */
export function dropMotion(body: Body, motion: Affine, share: number): void {
    const { origin, state } = body;
    const m = relativeToOrigin(motion, origin);
    state.transform(m);
    body.inertia?.dropMotion(motion, share);
    for (const pins of body.pins) pins.carry(m);
    for (const collider of body.colliders) collider.dropMotion(m, share);
}

/**
 * Passes over the first part of a frame, whose time is dropped, see {@link dropMotion}. Particles that a collider then overlaps are pushed
 * out, but no faster than anything moves in this frame.
 */
export function dropTime(body: Body, motion: Affine, share: number): void {
    const { maxStepsPerFrame, substepCount } = body.settings;
    dropMotion(body, motion, share);
    limitSpeed(body, Math.max(1, maxStepsPerFrame * substepCount));
}

/**
 * Takes a sudden pose of what carries a body: the particles are carried along, pins are at their places at once, and nothing gets faster
 * than it is by that.
 * @param motion a rigid map of the world
 */
export function takeSuddenPose(body: Body, motion: Affine): void {
    body.teleport(motion);
    limitSpeed(body, 1);
}

/** Limits speeds in this frame to what moves already: particles, and what is carried in so many substeps. */
function limitSpeed(body: Body, substeps: number): void {
    let longest = 0;
    for (const pins of body.pins) longest = Math.max(longest, pins.displacement);
    for (const collider of body.colliders) longest = Math.max(longest, collider.displacement);
    body.speedLimit = Math.max(body.state.maxDisplacement, longest / substeps);
}
