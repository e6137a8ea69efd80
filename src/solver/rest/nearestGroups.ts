/**
 * The groups of sources nearest to each particle, by one march of all their fronts at once (see geodesics.ts):
 *
 *     ■ ))) ──► particle ◄── ((( ■      a particle takes the first fronts that reach it and lets no further one pass
 *
 * What is among the nearest at a particle is among the nearest all along its path, so the march costs as much as one group
 * per slot, however many groups there are.
 *
 * When the groups change: as long as there are slots for all, the fronts of the new ones alone are marched. Else, since every
 * list follows from the neighbours' earlier entries alone, the region whose lists can change is marched again, with the entries
 * around it taking their turn by their keys. In both cases the result is the same, to the bit, as that of a march from scratch.
 */
import { MarchLayout } from "../../kernels/restLayout";
import { buildWith } from "../builder";
import type { Geodesics } from "./geodesics";

const NOTHING = new Float32Array(0);

export class NearestGroups {
    /** Entries that a particle has room for: the number of groups, at most `maxSlots`. */
    slots = 0;
    /** Entries of each particle, shape [particleCount]. */
    counts: Uint8Array = new Uint8Array(0);
    /** Distance to the nearest source of the entry's group [m], shape [particleCount, slots]. */
    distances = NOTHING;
    /** That source, same shape. */
    sources: Uint32Array = new Uint32Array(0);
    /** The group of each source: its lowest particle; -1 for all other particles. Shape [particleCount]. */
    labels: Int32Array = new Int32Array(0);
    /** Entries that its marches have passed on so far: what updates cost. */
    marched = 0;
    /**
     * When the march took the entry, same shape as the distances: the distance or, where an obtuse triangle showed it late,
     * just after the entry that it follows from.
     */
    private _keys = NOTHING;
    /** Whether there are more groups than slots. */
    private _isCrowded = false;

    constructor(private readonly _maxSlots: number) {}

    /**
     * Renews the lists for other groups.
     * @param labels group of each source, named by one of its particles; -1 elsewhere. Kept.
     */
    update(mesh: Geodesics, labels: Int32Array): void {
        const old = this.labels;
        const wasCrowded = this._isCrowded;
        const groupCount = countGroups(labels);
        this.labels = labels;
        this._isCrowded = groupCount > this._maxSlots;
        const isOther = otherGroups(old, labels);
        if (wasCrowded && this._isCrowded) this._repair(mesh, this._reach(mesh, old, isOther));
        else
            this._exchange(
                mesh,
                Math.min(groupCount, this._maxSlots),
                old,
                wasCrowded || this._isCrowded ? isOther.fill(1) : isOther,
            );
    }

    /** Where there is room for all groups, their fronts do not meet: drops those that are no more, marches those that are new. */
    private _exchange(mesh: Geodesics, slots: number, old: Int32Array, isOther: Uint8Array): void {
        const { slots: oldSlots, counts: oldCounts, sources: oldSources, distances: oldDistances } = this;
        const counts = new Uint8Array(mesh.particleCount);
        const sources = new Uint32Array(mesh.particleCount * slots);
        const distances = new Float32Array(mesh.particleCount * slots);
        for (let p = 0; p < oldCounts.length; p++) {
            for (let from = p * oldSlots; from < p * oldSlots + oldCounts[p]; from++) {
                if (isOther[old[oldSources[from]]] === 1) continue;
                const to = p * slots + counts[p]++;
                sources[to] = oldSources[from];
                distances[to] = oldDistances[from];
            }
        }
        this.slots = slots;
        this.counts = counts;
        this.sources = sources;
        this.distances = distances;
        this._keys = NOTHING;
        this._march(mesh, new Uint8Array(mesh.particleCount).fill(1), isOther);
        // Only repairs go by the keys of what they leave.
        if (!this._isCrowded) this._keys = NOTHING;
    }

    /** Marches a region anew, and as much around it as is needed. */
    private _repair(mesh: Geodesics, region: Uint8Array): void {
        const { slots, counts, sources, distances, _keys: keys } = this;
        const before = { counts: counts.slice(), sources: sources.slice(), distances: distances.slice(), keys: keys.slice() };
        const isChanged = (p: number): boolean => {
            if (counts[p] !== before.counts[p]) return true;
            for (let e = p * slots; e < p * slots + counts[p]; e++) {
                if (sources[e] !== before.sources[e] || distances[e] !== before.distances[e] || keys[e] !== before.keys[e])
                    return true;
            }
            return false;
        };
        const all = new Uint8Array(mesh.particleCount).fill(1);
        // The region was wide enough if its rim is as before: then nothing outside can have changed.
        for (let rim = members(region); rim.length > 0; rim = rimOf(mesh, region).filter(isChanged)) {
            addRings(mesh, region, rim, 2);
            for (const p of members(region)) counts[p] = 0;
            this._march(mesh, region, all);
        }
    }

    /** Where lists can change, nearly: what is near to a group that is no more, or will be to one that is new. */
    private _reach(mesh: Geodesics, old: Int32Array, isOther: Uint8Array): Uint8Array {
        const { slots, counts, sources, distances, labels } = this;
        const region = new Uint8Array(mesh.particleCount);
        // Each particle's farthest entry; Infinity where there is room for one more.
        const farthest = new Float32Array(mesh.particleCount);
        for (let p = 0; p < labels.length; p++) {
            farthest[p] = counts[p] < slots ? Infinity : 0;
            for (let e = p * slots; e < p * slots + counts[p]; e++) {
                if (isOther[old[sources[e]]] === 1) region[p] = 1;
                farthest[p] = Math.max(farthest[p], distances[e]);
            }
            if (region[p] === 1) farthest[p] = Infinity;
        }
        const from = new Int32Array(mesh.particleCount).fill(-1);
        const queue: number[] = [];
        for (let p = 0; p < labels.length; p++) {
            if (labels[p] < 0 || isOther[labels[p]] === 0) continue;
            from[p] = p;
            queue.push(p);
        }
        for (let i = 0; i < queue.length; i++) {
            const p = queue[i];
            region[p] = 1;
            for (let k = mesh.starts[p] * 2; k < mesh.starts[p + 1] * 2; k++) {
                const q = mesh.others[k];
                if (from[q] >= 0 || mesh.length(from[p], q) > farthest[q]) continue;
                from[q] = from[p];
                queue.push(q);
            }
        }
        return region;
    }

    /**
     * Adds entries to the lists of the particles in the region.
     * @param isMarched the groups whose entries are wanting there
     */
    private _march(mesh: Geodesics, region: Uint8Array, isMarched: Uint8Array): void {
        const { particleCount, starts, others } = mesh;
        const { slots, counts, sources, distances, labels } = this;
        if (slots === 0) return;
        if (this._keys.length === 0) this._keys = new Float32Array(distances.length);
        const numbers = { particleCount, slots, startCount: starts.length, cornerCount: others.length / 2 };
        buildWith(MarchLayout, numbers, (m, kernels) => {
            m.starts.set(starts);
            m.others.set(others);
            m.positions.set(mesh.positions);
            m.region.set(region);
            m.isMarched.set(isMarched);
            m.labels.set(labels);
            m.counts.set(counts);
            m.distances.set(distances);
            m.keys.set(this._keys);
            m.sources.set(sources);
            kernels.marchGroups(m);
            counts.set(m.counts);
            distances.set(m.distances);
            this._keys.set(m.keys);
            sources.set(m.sources);
            this.marched += m.passes[0];
        });
    }
}

/** By name, the groups that are not the same in both. */
function otherGroups(old: Int32Array, labels: Int32Array): Uint8Array {
    const isOther = new Uint8Array(labels.length);
    for (let p = 0; p < labels.length; p++) {
        if (old[p] === labels[p]) continue;
        if (old[p] >= 0) isOther[old[p]] = 1;
        if (labels[p] >= 0) isOther[labels[p]] = 1;
    }
    return isOther;
}

function countGroups(labels: Int32Array): number {
    const isCounted = new Uint8Array(labels.length);
    let count = 0;
    for (const label of labels) {
        if (label < 0 || isCounted[label] === 1) continue;
        isCounted[label] = 1;
        count++;
    }
    return count;
}

function members(region: Uint8Array): number[] {
    const found: number[] = [];
    for (let p = 0; p < region.length; p++) if (region[p] === 1) found.push(p);
    return found;
}

/** The particles of the region that have a neighbour outside. */
function rimOf({ starts, others }: Geodesics, region: Uint8Array): number[] {
    return members(region).filter((p) => {
        for (let k = starts[p] * 2; k < starts[p + 1] * 2; k++) if (region[others[k]] === 0) return true;
        return false;
    });
}

/** Widens the region by the neighbours of some of its particles, `rings` times. */
function addRings({ starts, others }: Geodesics, region: Uint8Array, from: readonly number[], rings: number): void {
    for (let r = 0; r < rings; r++) {
        const added: number[] = [];
        for (const p of from) {
            for (let k = starts[p] * 2; k < starts[p + 1] * 2; k++) {
                if (region[others[k]] === 1) continue;
                region[others[k]] = 1;
                added.push(others[k]);
            }
        }
        from = added;
    }
}
