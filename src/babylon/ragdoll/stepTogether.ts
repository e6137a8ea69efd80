import { driverOf } from "../clothDriver";
import type { SceneFrames } from "../frames/sceneFrames";
import type { Limb } from "./limb";

/** Takes limbs through a frame by hand, all at once: one after the other, joints would pull them at those that wait. */
export function stepLimbs(frames: SceneFrames, limbs: readonly Limb[], seconds: number): void {
    const { autoStep } = limbs[0].body;
    const drivers = limbs.map(({ body }) => driverOf(body)!);
    frames.seconds = seconds;
    frames.colliders.beginFrame();
    try {
        for (const { body } of limbs) body.autoStep = true;
        const begun = drivers.map((driver) => driver.beginFrame()).filter((frame) => frame !== null);
        frames.world.advance(begun.map(({ cloth }) => cloth));
        for (const frame of begun) frame.endFrame();
        for (const driver of drivers) driver.onDraw(false);
    } finally {
        for (const { body } of limbs) body.autoStep = autoStep;
        frames.colliders.impulses.give();
    }
}
