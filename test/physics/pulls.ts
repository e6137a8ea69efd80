/** How much energy a box, and what hangs on it, has. */
import { Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import type { ClothBehavior, RopeBehavior, RigidBodyBehavior } from "babylon-cloth";
import type { Body } from "../../src/engine/index";
import { spinOf, velocityOf } from "./havokBodies";

/** [m/s²] */
export const G = 9.81;

/** Kinetic energy and that of weight [J], and the mass [kg]. */
export type Measure = () => { energy: number; mass: number };

/** Those of a box of a physics engine. */
export const ofBox = (box: Mesh) => (): ReturnType<Measure> => {
    const body = box.physicsBody!;
    const { mass, inertia } = body.getMassProperties();
    const turned = Quaternion.Inverse(box.absoluteRotationQuaternion);
    const spin = spinOf(body).applyRotationQuaternion(turned);
    // Inertia is told per unit of mass.
    const squared = velocityOf(body).lengthSquared() + Vector3.Dot(inertia!, spin.multiply(spin));
    return { energy: mass! * (0.5 * squared + G * box.position.y), mass: mass! };
};

/** Those of a rope, a cloth or a rigid body of ours. */
export const of = (behavior: ClothBehavior | RopeBehavior | RigidBodyBehavior) => (): ReturnType<Measure> => {
    const { cloth: body } = (behavior as unknown as { _runtime: { instance: { cloth: Body } } })._runtime.instance;
    const { positions: x, previous: p, residuals: r, particleCount } = body.state;
    const substep = body.settings.fixedTimeStep / body.settings.substepCount;
    let energy = 0;
    let sum = 0;
    // Rings on a rail weigh more than the cloth at them.
    const rings = body.pins.filter(({ massScale: heaviness }) => heaviness > 1);
    for (let i = 0; i < particleCount; i++) {
        const mass = rings.reduce(
            (m, { particles, massScale: heaviness }) => m * (particles.includes(i) ? heaviness : 1),
            body.masses.massOf(i),
        );
        let squared = 0;
        for (let o = 4 * i; o < 4 * i + 3; o++) squared += ((x[o] - p[o] + r[o]) / substep) ** 2;
        sum += mass;
        energy += mass * (0.5 * squared + G * (x[4 * i + 1] + body.origin[1]));
    }
    return { energy, mass: sum };
};

/** By how much the energy of all rises above that after the first frame, as a height to which all of their mass is lifted [m]. @param frame passes one @returns NaN where it is no number */
export function gainOf(measures: readonly Measure[], frame: () => void, count: number): number {
    const sumOf = (name: "energy" | "mass") => measures.reduce((sum, measure) => sum + measure()[name], 0);
    frame();
    const first = sumOf("energy");
    let most = -Infinity;
    for (let k = 0; k < count; k++) {
        frame();
        const energy = sumOf("energy");
        // Not passed over by a comparison.
        if (!Number.isFinite(energy)) return NaN;
        most = Math.max(most, energy - first);
    }
    return most / (sumOf("mass") * G);
}
