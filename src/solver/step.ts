import { Uniform } from "../kernels/arrays";
import type { Cloth } from "./cloth";
import { decay } from "./decay";
import { MAX_SPEED } from "./settings";

/**
 * One fixed step of a cloth: wind once, then substeps of integrate → pins → constraints → colliders (Macklin 2019, "Small
 * steps": one iteration in each of n substeps).
 * @param from how far into the rendered frame, 0..1, the step begins, for what moves with the scene
 * @param to the same for its end
 */
export function step(cloth: Cloth, from: number, to: number): void {
    const { kernels, settings, state, passes, milliseconds } = cloth;
    const { substepCount, fabric } = settings;
    const substep = settings.fixedTimeStep / substepCount;
    writeUniforms(cloth, substep);
    let time = performance.now();
    if (settings.wind) {
        const drag = settings.wind.sample(cloth.clock.time, state.uniforms);
        state.uniforms[Uniform.dragTime] = drag * settings.fixedTimeStep;
        if (drag > 0) kernels.applyWind(state, cloth.triangles);
    }
    time = lap(milliseconds, 0, time);
    state.stepStart.set(state.positions);
    if (cloth.colliders.length > 0) kernels.measureBounds(state);

    for (let s = 1; s <= substepCount; s++) {
        const fraction = from + ((to - from) * s) / substepCount;
        kernels.integrate(state);
        for (let i = 0; i < cloth.pins.length; i++) cloth.pins[i].moveTo(state, fraction);
        time = lap(milliseconds, 1, time);
        for (let i = 0; i < passes.length; i++) passes[i].project(kernels, state);
        time = lap(milliseconds, 2, time);
        if (cloth.colliders.length > 0) collide(cloth, fraction, fabric.thickness, fabric.friction);
        time = lap(milliseconds, 3, time);
    }
}

/** Keeps the particles outside of every collider that the box they swept in this substep can touch. */
function collide(cloth: Cloth, fraction: number, thickness: number, friction: number): void {
    const { kernels, state, colliders, sweptBounds: swept } = cloth;
    const bounds = state.uniforms;
    for (let i = 0; i < 8; i++) swept[i] = bounds[Uniform.minimum + i];
    kernels.measureBounds(state);
    for (let i = 0; i < 3; i++) {
        swept[i] = Math.min(swept[i], bounds[Uniform.minimum + i]);
        swept[i + 4] = Math.max(swept[i + 4], bounds[Uniform.maximum + i]);
    }
    for (let i = 0; i < colliders.length; i++) {
        const collider = colliders[i];
        collider.moveTo(fraction, thickness, friction);
        if (collider.mayTouch(swept)) collider.collide(kernels, state);
    }
}

function writeUniforms(cloth: Cloth, substep: number): void {
    const { uniforms } = cloth.state;
    const { gravity, fabric } = cloth.settings;
    uniforms[Uniform.keep] = decay(fabric.damping * substep);
    for (let i = 0; i < 3; i++) uniforms[Uniform.gravity + i] = gravity[i] * substep * substep;
    uniforms[Uniform.maxDisplacement] = MAX_SPEED * substep;
    uniforms[Uniform.substep] = substep;
}

/** Adds the time since `since` to a phase; returns now. */
function lap(milliseconds: Float64Array, phase: number, since: number): number {
    const now = performance.now();
    milliseconds[phase] += now - since;
    return now;
}
