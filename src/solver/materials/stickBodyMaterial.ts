import type { ClothSettings } from "../settings";

/** What a rigid body weighs. */
export interface StickBodyMaterial {
    /** Mass [kg], > 0; null: by density. */
    mass: number | null;
    /** Mass per volume [kg/m³], > 0. */
    density: number;
    /** Volume of its mesh [m³]; told when it is built. */
    volume: number;
}

/** Settings of a rigid body. Its fabric is asked for damping, thickness and friction. */
export interface StickBodySettings extends ClothSettings {
    readonly body: StickBodyMaterial;
}

/** Pine, or full cartons. */
export function defaultStickBody(): StickBodyMaterial {
    return { mass: null, density: 500, volume: 1 };
}

/** Mass of a body [kg]. */
export function massOf({ mass, density, volume }: StickBodyMaterial): number {
    return mass ?? density * volume;
}
