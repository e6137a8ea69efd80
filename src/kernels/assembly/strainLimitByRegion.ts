/** Limits of strain where most sticks are left alone. */
import { ParticleArrays, rowOffset, scratch, Scratch, DistanceArrays, DistanceRecord, StrainRegionArrays, Uniform } from "./layout.generated";
import { limitRegions, MAX_STRAIN, REGION_COUNT, regionSizeOf, recordCountOf, regionsOf } from "./strainLimit";

/**
 * The same as limitStrain, to the bit, for cloth on solids: their corners stretch a few sticks in each substep. A pass may leave out the parts that an earlier
 * one has looked at, if nothing of them has moved since.
 */
export function limitStrainByRegion(particles: ParticleArrays, sticks: DistanceArrays, parts: StrainRegionArrays): void {
    if (!(load<f32>(particles.uniforms, Uniform.strain) > MAX_STRAIN)) return;
    // No row lies beyond the last region.
    const shift: u64 = 64 - clz<u64>(<u64>rowOffset(particles.paddedCount) / REGION_COUNT);
    const touched = scratch + Scratch.surface;
    store<u64>(touched, shift, 8);
    if (load<u32>(parts.areRegionsKnown) == 0) findRegions(sticks, shift, parts);
    limitRegions(particles.positions, sticks, parts.regions, touched);
}

function findRegions(sticks: DistanceArrays, shift: u64, parts: StrainRegionArrays): void {
    const size = regionSizeOf(sticks);
    let record = sticks.records;
    const end = record + recordCountOf(sticks) * DistanceRecord.count;
    for (let part = parts.regions; record < end; part += 8) {
        let regions: u64 = 0;
        for (const partEnd = min(end, record + size); record < partEnd; record += DistanceRecord.count) regions |= regionsOf(record, shift);
        store<u64>(part, regions);
    }
    store<u32>(parts.areRegionsKnown, 1);
}
