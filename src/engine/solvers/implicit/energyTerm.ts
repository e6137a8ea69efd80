import type { KernelFunctions } from "../../../kernels/kernelTable";
import type { ClothSettings } from "../../state/settings";
import type { BodyState } from "../../state/state";
import type { BlockSystem } from "./blockSystem";

/** Energy of a sheet's deformation: ½ k C² for each of many conditions C(x) of a few particles (Baraff & Witkin 1998, §4). */
export interface EnergyTerm {
    /** Particles of each element, and how many that are. */
    readonly particles: Uint32Array;
    readonly size: number;
    /** Bytes that it has of the arena. */
    readonly byteLength: number;
    /** To be called once the system's pattern is known. */
    bindToSystem(system: BlockSystem): void;
    /** Derives what depends on the fabric and on pins. */
    prepare(state: BodyState, settings: ClothSettings): void;
    /** Adds forces and their derivatives to the system. */
    addForces(kernels: KernelFunctions, system: BlockSystem): void;
    release(): void;
}
