import { Uniform } from "../kernels/arrays";
import type { Cloth } from "./cloth";
import type { Constraint } from "./constraints/constraint";
import { decay } from "./decay";
import { MAX_SPEED } from "./settings";

/**
 * One fixed step of a cloth: wind once, then substeps of integrate → pins → constraints → colliders (Macklin 2019, "Small
 * steps": one iteration in each of n substeps).
 * @param fraction how far into the rendered frame, 0..1, the step ends, for what moves with the scene
 */
export function step(cloth: Cloth, fraction: number): void {
    const { kernels, settings, state, pins, colliders, milliseconds } = cloth;
    const { substepCount } = settings;
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
        project(cloth, cloth.passes);
        time = lap(milliseconds, 2, time);
        if (colliders.length > 0 && approach(cloth, s / substepCount)) {
            collide(cloth);
            project(cloth, cloth.passesAfterContact);
            collide(cloth);
        }
        time = lap(milliseconds, 3, time);
    }
}

function project(cloth: Cloth, passes: readonly Constraint[]): void {
    for (let i = 0; i < passes.length; i++) passes[i].project(cloth.kernels, cloth.state);
}

/** Moves the colliders into the substep; whether any can touch the box that the particles swept in it. */
function approach(cloth: Cloth, fraction: number): boolean {
    const { kernels, state, settings, colliders, sweptBounds } = cloth;
    const { thickness, friction } = settings.fabric;
    kernels.measureBounds(state);
    for (let i = 0; i < 8; i++) sweptBounds[i] = state.uniforms[Uniform.minimum + i];
    let isNear = false;
    for (let i = 0; i < colliders.length; i++) {
        const collider = colliders[i];
        collider.moveTo(fraction, thickness, friction);
        collider.isNear = collider.mayTouch(sweptBounds);
        isNear ||= collider.isNear;
    }
    return isNear;
}

/** Keeps the particles outside of the colliders that are near. */
function collide(cloth: Cloth): void {
    const { colliders } = cloth;
    for (let i = 0; i < colliders.length; i++) {
        if (colliders[i].isNear) colliders[i].collide(cloth.kernels, cloth.state);
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
