/** Sticks of one kind before colouring. */
export interface StickSet {
    particlesA: Uint32Array;
    particlesB: Uint32Array;
    /** Rest lengths [m]. */
    restLengths: Float32Array;
    /**
     * Stiffness of the stick per unit of the fabric's modulus, from length and tributary width: a stick's stiffness [N/m] is
     * the fabric's stretch or shear stiffness [N/m] times this (1), its bend stiffness [N·m] times this (1/m²).
     */
    stiffnessFactors: Float32Array;
}
