/**
 * Bending stencils as the material has them, before any method of solving: the curvature of the sheet at a particle b along a
 * line, from particles a and c on the line and, where the chord a–c misses b, a neighbour e of b on that side.
 *
 *                  e              d = Ka (a - b) + Kc (c - b) + Ke (e - b) is the curvature vector [1/m]: the weights
 *       a ●────────┼────────● c   vanish on every linear function and give 1 on ½ s², s along a–c
 *                  ● b
 *
 * A stencil stands for an area of the sheet, and its energy is ½ B · area · (|d| - κ₀)².
 */
export interface StencilSet {
    /** Particles b a c e of each, shape [count, 4]; e is b where there is none. */
    readonly particles: Uint32Array;
    /** Ka Kc Ke of each [1/m²], shape [count, 3]. */
    readonly weights: Float32Array;
    /** Area that it stands for [m²], shape [count]. */
    readonly areas: Float32Array;
    /** Curvature at rest where it matters, else 0 [1/m], shape [count]. */
    readonly curvatures: Float32Array;
    /** Number of its line among those of its particle, times 4 particle + line: LINES to a particle; shape [count]. */
    readonly lines: Uint32Array;
}

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
