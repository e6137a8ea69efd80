import { Uniform } from "../kernels/arrays";
import type { Cloth } from "./cloth";
import { decay } from "./decay";
import { MAX_SPEED } from "./settings";

/**
 * One fixed step of a cloth: wind once, then substeps of integrate → pins → constraints → colliders (Macklin 2019, "Small
 * steps": one iteration in each of n substeps).
 * @param fraction how far into the rendered frame, 0..1, the step ends, for what moves with the scene
 */
export function step(cloth: Cloth, fraction: number): void {
    const { kernels, settings, state, passes, pins, colliders, milliseconds } = cloth;
    const { substepCount, fabric } = settings;
    const substep = settings.fixedTimeStep / substepCount;
    writeUniforms(cloth, substep);
    for (let i = 0; i < pins.length; i++) pins[i].beginStep(state, fraction);
    for (let i = 0; i < colliders.length; i++) colliders[i].beginStep(fraction);
    let time = performance.now();
    if (settings.wind) {
        const drag = settings.wind.sample(cloth.clock.time, state.uniforms);
        state.uniforms[Uniform.dragTime] = drag * settings.fixedTimeStep;
        if (drag > 0) kernels.applyWind(state, cloth.triangles);
    }
    time = lap(milliseconds, 0, time);
    state.stepStart.set(state.positions);

    for (let s = 1; s <= substepCount; s++) {
        kernels.integrate(state);
        for (let i = 0; i < pins.length; i++) pins[i].moveTo(state, s / substepCount);
        time = lap(milliseconds, 1, time);
        for (let i = 0; i < passes.length; i++) passes[i].project(kernels, state);
        time = lap(milliseconds, 2, time);
        if (colliders.length > 0) collide(cloth, s / substepCount, fabric.thickness, fabric.friction);
        time = lap(milliseconds, 3, time);
    }
}

/** Keeps the particles outside of every collider that the box they swept in this substep can touch. */
function collide(cloth: Cloth, fraction: number, thickness: number, friction: number): void {
    const { kernels, state, colliders, sweptBounds } = cloth;
    kernels.measureBounds(state);
    for (let i = 0; i < 8; i++) sweptBounds[i] = state.uniforms[Uniform.minimum + i];
    for (let i = 0; i < colliders.length; i++) {
        const collider = colliders[i];
        collider.moveTo(fraction, thickness, friction);
        if (collider.mayTouch(sweptBounds)) collider.collide(kernels, state);
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
