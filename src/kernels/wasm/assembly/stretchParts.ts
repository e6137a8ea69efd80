/** Limits of strain where most sticks are left alone; specification: scalar/stretchParts.ts. */
import { ParticleArrays, rowOffset, scratch, Scratch, StickArrays, StickRecord, StretchPartArrays, Uniform } from "./layout.generated";
import { limit, MOST, PARTS, PASSES, pullOf, regionsOf, WHOLE } from "./stretchLimits";

export function limitStretchInParts(particles: ParticleArrays, sticks: StickArrays, parts: StretchPartArrays): void {
    if (!(load<f32>(particles.uniforms, Uniform.strain) > MOST)) return;
    const recordCount = <usize>(sticks.stickCount >> 2);
    const size = ((recordCount + PARTS - 1) / PARTS) * StickRecord.count;
    const end = sticks.records + recordCount * StickRecord.count;
    // No row lies beyond the last region.
    const shift: u64 = 64 - clz<u64>(<u64>rowOffset(particles.paddedCount) / PARTS);
    const touched = scratch + Scratch.surface;
    store<u64>(touched, shift, 8);
    if (load<u32>(parts.areKnown) == 0) findRegions(sticks.records, end, size, shift, parts);
    // A bit for each part: the last pass has found something in it, and something of it has moved since a pass looked there.
    let busy: u64 = 0;
    let stale = ~(<u64>0);
    for (let pass = 0; pass < PASSES; pass++) {
        const isWhole = pass % WHOLE == 0;
        const visited = isWhole ? ~(<u64>0) : busy;
        const pull = pullOf(pass);
        busy = 0;
        let record = sticks.records;
        for (let part: u64 = 0; record < end; part++, record += size) {
            if (!((visited & stale) >> part & 1)) continue;
            stale &= ~((<u64>1) << part);
            store<u64>(touched, 0);
            busy |= <u64>limit(particles.positions, record, min(end, record + size), pull, touched) << part;
            if (load<u64>(touched)) stale |= partsAt(load<u64>(touched), parts);
        }
        if (busy) continue;
        if (isWhole) return;
        pass += WHOLE - 1 - (pass % WHOLE);
    }
}

/** The parts that have particles in some of these regions, a bit for each. */
function partsAt(regions: u64, parts: StretchPartArrays): u64 {
    let found: u64 = 0;
    for (let part: usize = 0; part < <usize>PARTS; part++) {
        found |= <u64>((load<u64>(parts.regions + (part << 3)) & regions) != 0) << <u64>part;
    }
    return found;
}

function findRegions(record: usize, end: usize, size: usize, shift: u64, parts: StretchPartArrays): void {
    for (let part = parts.regions; record < end; part += 8) {
        let regions: u64 = 0;
        for (const partEnd = min(end, record + size); record < partEnd; record += StickRecord.count) regions |= regionsOf(record, shift);
        store<u64>(part, regions);
    }
    store<u32>(parts.areKnown, 1);
}
