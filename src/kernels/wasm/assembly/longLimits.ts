/** Long limits; specification: scalar/longLimits.ts. */
import { LimitArrays, LimitRecord, ParticleArrays, StickArrays, StickRecord } from "./layout.generated";
import { project } from "./sticks";

export function projectLongLimits(particles: ParticleArrays, sticks: StickArrays): void {
    project(particles, sticks.records, sticks.stickCount, StickRecord.count, 0, Infinity);
}

export function projectLimits(particles: ParticleArrays, limits: LimitArrays): void {
    project(particles, limits.records, limits.stickCount, LimitRecord.count, 0, Infinity, limits.pull);
}
