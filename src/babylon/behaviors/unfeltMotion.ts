import { dropTime, identity, relativeToOrigin, takeSuddenPose } from "../../engine/index";
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

/**
 * Carries a body along through a pose that is too sudden to be felt: upright, as it hangs; as a whole where a collider comes along, which
 * it would be inside of otherwise.
 */
export function carrySuddenPose(cloth: Body, pins: readonly PinBinding[], teleports: TeleportDetector): void {
    const { origin, settings } = cloth;
    const whole = teleports.readShare(pins, 1);
    const carried = whole && relativeToOrigin(whole, origin);
    const motion =
        carried && cloth.colliders.some((collider) => collider.isCarriedBy(carried))
            ? whole
            : teleports.readUprightMotion(pins, settings.gravity, origin);
    if (!motion) return;
    takeSuddenPose(cloth, motion);
    cloth.accumulatedMotion = Infinity;
}
