import { Uniform } from "../kernels/arrays";
import type { Cloth } from "./cloth";
import type { Constraint } from "./constraints/constraint";
import { decay } from "./decay";
import { MAX_SPEED } from "./settings";

/**
 * One fixed step of a cloth: wind once, then substeps of integrate → pins → constraints → colliders (Macklin 2019, "Small
 * steps": one iteration in each of n substeps).
 */
export function step(cloth: Cloth): void {
    const { kernels, settings, state, pins, colliders, clock, stopwatch } = cloth;
    const { substepCount } = settings;
    writeUniforms(cloth);
    for (let i = 0; i < pins.length; i++) pins[i].beginStep(state, clock);
    for (let i = 0; i < colliders.length; i++) colliders[i].beginStep(clock);
    stopwatch.start();
    if (settings.wind) {
        const drag = settings.wind.sample(clock.time, state.uniforms);
        state.uniforms[Uniform.dragTime] = drag * settings.fixedTimeStep;
        if (drag > 0) kernels.applyWind(state, cloth.triangles);
    }
    stopwatch.lap(0);
    state.stepStart.set(state.positions);

    for (let s = 1; s <= substepCount; s++) {
        kernels.integrate(state);
        for (let i = 0; i < pins.length; i++) pins[i].moveTo(state, s, substepCount);
        stopwatch.lap(1);
        project(cloth, cloth.passes);
        stopwatch.lap(2);
        if (colliders.length > 0 && approach(cloth, s)) {
            collide(cloth);
            project(cloth, cloth.passesAfterContact);
            collide(cloth);
        }
        stopwatch.lap(3);
    }
}

function project(cloth: Cloth, passes: readonly Constraint[]): void {
    for (let i = 0; i < passes.length; i++) passes[i].project(cloth.kernels, cloth.state);
}

/** Moves the colliders to the end of substep `s`; whether any can touch the box that the particles swept in it. */
function approach(cloth: Cloth, s: number): boolean {
    const { kernels, state, settings, colliders, sweptBounds } = cloth;
    kernels.measureBounds(state);
    for (let i = 0; i < 8; i++) sweptBounds[i] = state.uniforms[Uniform.minimum + i];
    let isNear = false;
    for (let i = 0; i < colliders.length; i++) {
        const collider = colliders[i];
        collider.moveTo(s, settings.substepCount, settings.fabric);
        collider.isNear = collider.isKnown && collider.mayTouch(sweptBounds);
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

function writeUniforms(cloth: Cloth): void {
    const { uniforms } = cloth.state;
    const { gravity, fabric, fixedTimeStep, substepCount } = cloth.settings;
    const substep = fixedTimeStep / substepCount;
    uniforms[Uniform.keep] = decay(fabric.damping * substep);
    for (let i = 0; i < 3; i++) uniforms[Uniform.gravity + i] = gravity[i] * substep * substep;
    uniforms[Uniform.maxDisplacement] = MAX_SPEED * substep;
    uniforms[Uniform.substep] = substep;
}
