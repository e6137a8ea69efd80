import { Uniform } from "../kernels/layout";
import type { Body } from "./body";
import type { Collider } from "./colliders/collider";
import { collide } from "./colliders/contacts";
import type { Constraint } from "./constraints/constraint";
import { decay } from "./decay";
import { MAX_SPEED } from "./settings";

/**
 * One fixed step of a cloth: wind once, then substeps of integrate → pins → constraints → colliders (Macklin 2019, "Small
 * steps": one iteration in each of n substeps).
 */
export function step(cloth: Body): void {
    const { kernels, settings, state, pins, colliders, clock, stopwatch } = cloth;
    const { substepCount } = settings;
    writeUniforms(cloth);
    for (let i = 0; i < pins.length; i++) pins[i].beginStep(state, clock);
    for (let i = 0; i < colliders.length; i++) colliders[i].beginStep(clock);
    stopwatch.start();
    if (settings.wind) {
        const drag = settings.wind.sample(clock.worldTime, state.uniforms);
        placeGusts(cloth);
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
            collideAll(cloth);
            project(cloth, cloth.passesAfterContact);
            collideAll(cloth);
        }
        stopwatch.lap(3);
    }
}

/** Gusts travel through the world, wherever the origin of simulation space is: its distance along the wave is taken off the phase. */
function placeGusts({ origin, state: { uniforms } }: Body): void {
    if (origin[0] === 0 && origin[1] === 0 && origin[2] === 0) return;
    const wave = Uniform.gustWave;
    const phase =
        uniforms[Uniform.gustPhase] -
        (origin[0] * uniforms[wave] + origin[1] * uniforms[wave + 1] + origin[2] * uniforms[wave + 2]);
    uniforms[Uniform.gustPhase] = phase - Math.floor(phase);
}

function project(cloth: Body, passes: readonly Constraint[]): void {
    for (let i = 0; i < passes.length; i++) passes[i].project(cloth.kernels, cloth.state);
}

/** Moves the colliders to the end of substep `s`, and has those meet the particles that can touch the swept box; whether any can. */
function approach(cloth: Body, s: number): boolean {
    const { settings, colliders } = cloth;
    measureSweep(cloth);
    let isAnyNear = false;
    for (let i = 0; i < colliders.length; i++) {
        const collider = colliders[i];
        collider.moveTo(s, settings.substepCount, settings.fabric);
        look(cloth, collider);
        isAnyNear ||= collider.isNear;
    }
    return isAnyNear;
}

function measureSweep({ kernels, state, sweptBounds }: Body): void {
    kernels.measureBounds(state);
    for (let i = 0; i < 8; i++) sweptBounds[i] = state.uniforms[Uniform.minimum + i];
}

/** Decides whether a collider can touch the swept box, and tells it. */
function look({ kernels, state, sweptBounds }: Body, collider: Collider): void {
    collider.isNear = collider.isKnown && collider.mayTouch(sweptBounds);
    if (collider.isNear) collider.meet(kernels, state);
    else collider.leave();
}

/** Keeps the particles outside of the colliders that are near, and of the last ones that the others have pushed them to. */
function collideAll(cloth: Body): void {
    const { kernels, state, colliders, contacts } = cloth;
    if (!contacts) return;
    let isPushed = false;
    let isMeasured = false;
    for (let i = 0; i < colliders.length; i++) {
        const collider = colliders[i];
        if (collider.isLast && isPushed && !collider.isNear) {
            if (!isMeasured) measureSweep(cloth);
            isMeasured = true;
            look(cloth, collider);
        }
        if (!collider.isNear) continue;
        collide(kernels, state, contacts, collider, colliders, colliders.length);
        isPushed ||= !collider.isLast;
    }
}

function writeUniforms(cloth: Body): void {
    const { uniforms } = cloth.state;
    const { gravity, fabric, fixedTimeStep, substepCount } = cloth.settings;
    const substep = fixedTimeStep / substepCount;
    uniforms[Uniform.keep] = decay(fabric.damping * substep);
    for (let i = 0; i < 3; i++) uniforms[Uniform.gravity + i] = gravity[i] * substep * substep;
    uniforms[Uniform.maxDisplacement] = MAX_SPEED * substep;
    uniforms[Uniform.substep] = substep;
}
