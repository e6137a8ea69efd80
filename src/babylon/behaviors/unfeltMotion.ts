import { dropTime, identity, takeSuddenPose } from "../../engine/index";
import type { Body } from "../../engine/index";
import type { PinBinding } from "../pins/pinBinding";
import { mostOf } from "../scene/teleport";
import type { TeleportDetector } from "../scene/teleport";
import type { InertiaBinding } from "./inertiaBinding";

/**
 * Carries a body along through what it does not feel of a frame's motion: what is dropped of a late frame, where anything carries it, and
 * what exceeds the maxima of its inertia.
 * @param seconds length of the frame
 */
export function carryUnfelt(
    cloth: Body,
    pins: readonly PinBinding[],
    teleports: TeleportDetector,
    inertia: InertiaBinding | null,
    seconds: number,
): void {
    if (pins.length === 0 && !cloth.inertia) return;
    const { clock, settings, hasMovingCarrier } = cloth;
    const kept = settings.maxStepsPerFrame * settings.fixedTimeStep - clock.remainder;
    const share = seconds < Infinity ? Math.max(0, 1 - kept / seconds) : 1;
    if (share > 0) {
        const motion = (hasMovingCarrier && teleports.readShare(pins, share)) || cloth.inertia?.readShare(share);
        dropTime(cloth, motion ?? identity(), share);
    }
    inertia?.dropExcess(cloth, mostOf(pins), Math.min(seconds, kept), share);
}

/** Carries a body along upright through a pose that is too sudden to be felt. */
export function carrySuddenPose(cloth: Body, pins: readonly PinBinding[], teleports: TeleportDetector): void {
    const motion = teleports.readUprightMotion(pins, cloth.settings.gravity, cloth.origin);
    if (!motion) return;
    takeSuddenPose(cloth, motion);
    cloth.accumulatedMotion = Infinity;
}
