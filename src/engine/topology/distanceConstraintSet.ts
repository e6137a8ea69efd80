/**
 * Sticks of one kind as the material has them, before any method of solving: which particles they join, how long they are at
 * rest, how stiff they are. How a method projects them is its own (methods/xpbd/).
 */
export interface DistanceConstraintSet {
    /** The property of the fabric that rules how stiff they are. */
    readonly stiffness: "stretchStiffness" | "shearStiffness";
    readonly particlesA: Uint32Array;
    readonly particlesB: Uint32Array;
    /** Rest lengths [m]. */
    readonly restLengths: Float32Array;
    /**
     * Stiffness of the stick per unit of that property, from length and tributary width: a stick's stiffness [N/m] is the
     * fabric's stretch or shear stiffness [N/m] times this.
     */
    readonly stiffnessFactors: Float32Array;
}
