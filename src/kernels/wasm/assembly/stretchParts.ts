/** Limits of strain where most sticks are left alone. */
import { ParticleArrays, rowOffset, scratch, Scratch, StickArrays, StickRecord, StretchPartArrays, Uniform } from "./layout.generated";
import { limitParts, MOST, PARTS, partSizeOf, recordCountOf, regionsOf } from "./stretchLimits";

/**
 * The same as limitStretch, to the bit, for cloth on solids: their corners stretch a few sticks in each substep. A pass may leave out the parts that an earlier
 * one has looked at, if nothing of them has moved since.
 */
export function limitStretchInParts(particles: ParticleArrays, sticks: StickArrays, parts: StretchPartArrays): void {
    if (!(load<f32>(particles.uniforms, Uniform.strain) > MOST)) return;
    // No row lies beyond the last region.
    const shift: u64 = 64 - clz<u64>(<u64>rowOffset(particles.paddedCount) / PARTS);
    const touched = scratch + Scratch.surface;
    store<u64>(touched, shift, 8);
    if (load<u32>(parts.areKnown) == 0) findRegions(sticks, shift, parts);
    limitParts(particles.positions, sticks, parts.regions, touched);
}

function findRegions(sticks: StickArrays, shift: u64, parts: StretchPartArrays): void {
    const size = partSizeOf(sticks);
    let record = sticks.records;
    const end = record + recordCountOf(sticks) * StickRecord.count;
    for (let part = parts.regions; record < end; part += 8) {
        let regions: u64 = 0;
        for (const partEnd = min(end, record + size); record < partEnd; record += StickRecord.count) regions |= regionsOf(record, shift);
        store<u64>(part, regions);
    }
    store<u32>(parts.areKnown, 1);
}
