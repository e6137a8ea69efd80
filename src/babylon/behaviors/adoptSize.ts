import type { PinBinding } from "../pins/pinBinding";
import type { BodyInstance } from "./bodyInstance";
import { SizeChange } from "./simulationSpace";

/** Change of a carrier's scale, as a share, that its cloth should have followed. */
const LARGE_SCALE_CHANGE = 0.05;

/** A body that can be built anew. */
interface Rebuildable {
    readonly pins: readonly PinBinding[];
    readonly instance: BodyInstance | null;
    rebuildWith(change: () => (pin: PinBinding) => readonly number[] | undefined): BodyInstance;
}

/**
 * Goes on in another size of the mesh: while that changes, the cloth is carried along as it is; then its lengths are those of the mesh.
 * @returns whether it moves in this frame
 */
export function adoptSize(body: Rebuildable, instance: BodyInstance, warn: (message: string) => void): boolean {
    const { mesh, space } = instance;
    space.update();
    const change = space.checkSize();
    if (change === SizeChange.none) {
        warnOfCarriers(body, mesh.name, warn);
        return true;
    }
    if (change === SizeChange.uneven) {
        warn(`"${mesh.name}" was stretched while it is cloth; the cloth keeps its lengths: reset() takes the new ones`);
        return true;
    }
    // What is held by other things, or free, goes on meanwhile.
    if (change === SizeChange.running && !isCarriedAlong(body)) return true;
    instance.comeAlong(body.pins);
    if (change === SizeChange.running) return false;
    const motion = instance.saveMotion();
    const rebuilt = body.rebuildWith(() => (pin) => instance.pinnedVertices(pin, null));
    rebuilt.restoreMotion(motion, body.pins);
    rebuilt.cloth.inertia = instance.cloth.inertia;
    // It has come along in this frame, and goes on with the next; what a skin carries, in this one.
    return rebuilt.skin !== null;
}

function isCarriedAlong({ pins }: Rebuildable): boolean {
    for (let i = 0; i < pins.length; i++) if (pins[i].isScaled(0)) return true;
    return false;
}

/** Warns of a pin's target that is scaled without the mesh. */
function warnOfCarriers({ pins }: Rebuildable, name: string, warn: (message: string) => void): void {
    for (let i = 0; i < pins.length; i++) {
        const pin = pins[i];
        if (pin.target && pin.distance > 0 && pin.isScaled(LARGE_SCALE_CHANGE))
            warn(`"${pin.target.name}" was scaled, which carries "${name}"; the cloth keeps its size: parent its mesh to it`);
    }
}
