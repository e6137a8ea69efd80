import type { ClothSettings } from "../state/settings";

/** Mass of a rigid body. */
export interface RigidBodyMaterial {
    /** Mass [kg], > 0; null: by density. */
    mass: number | null;
    /** Mass per volume [kg/m³], > 0. */
    density: number;
    /** Volume of its mesh [m³]; told when it is built. */
    volume: number;
}

/** Settings of a rigid body. Its fabric is asked for damping, thickness and friction. */
export interface RigidBodySettings extends ClothSettings {
    readonly body: RigidBodyMaterial;
}

/** Pine, or full cartons. */
export function defaultRigidBody(): RigidBodyMaterial {
    return { mass: null, density: 500, volume: 1 };
}

/** Mass of a body [kg]. */
export function massOf({ mass, density, volume }: RigidBodyMaterial): number {
    return mass ?? density * volume;
}
