import { Contact, ContactRecord } from "../../kernels/contactLayout";
import type { ContactArrays } from "../../kernels/contactLayout";
import { rowAt, Uniform } from "../../kernels/layout";
import type { ParticleArrays } from "../../kernels/layout";
import type { Collider } from "./collider";

/** A particle that has not touched a collider for so long comes to it anew [s]. */
const APART = 0.1;

/** Slots of an impact's numbers. */
export const ImpactRecord = {
    /** The particle. */
    particle: 0,
    /** Where on the surface, simulation space [m], x y z. */
    point: 1,
    /** Unit normal out of the collider, x y z. */
    normal: 4,
    /** How fast it came against the collider's material, along the normal [m/s]. */
    speed: 7,
    count: 8,
} as const;

/** The particles of a body that have come to colliders in the present step. Room is made where it is first needed, and kept. */
export class Impacts {
    /** Number of impacts. */
    count = 0;
    /** Shape [count, ImpactRecord.count]. */
    numbers = new Float64Array(64 * ImpactRecord.count);
    /** Their colliders; those beyond the count are of earlier steps. */
    readonly colliders: Collider[] = [];
    /** Of each collider, the step in which each particle last touched it; 0: never. */
    private readonly _touched = new WeakMap<Collider, Uint32Array>();
    private _step = 0;
    private _stepsApart = 0;

    constructor(private readonly _particleCount: number) {}

    /** Begins a step. @param step its length [s] */
    beginStep(step: number): void {
        this._step++;
        this._stepsApart = Math.ceil(APART / step);
        this.count = 0;
    }

    /** Takes note of what a collider has found, before it is answered. */
    note(collider: Collider, particles: ParticleArrays, { records, recordFloats, recordCount }: ContactArrays): void {
        let touched = this._touched.get(collider);
        if (!touched) this._touched.set(collider, (touched = new Uint32Array(this._particleCount)));
        for (let k = 0; k < recordCount[0]; k++) {
            const record = k * ContactRecord.count;
            const row = rowAt(records[record + ContactRecord.row]);
            for (let lane = 0; lane < 4; lane++) {
                const depth = recordFloats[record + lane + ContactRecord.depths];
                if (!(depth > 0)) continue;
                const particle = (row >>> 2) + lane;
                const last = touched[particle];
                touched[particle] = this._step;
                if (last === 0 || this._step - last > this._stepsApart)
                    this._add(collider, particles, particle, record + lane, recordFloats);
            }
        }
    }

    private _add(collider: Collider, particles: ParticleArrays, particle: number, slot: number, floats: Float32Array): void {
        if ((this.count + 1) * ImpactRecord.count > this.numbers.length) {
            const larger = new Float64Array(2 * this.numbers.length);
            larger.set(this.numbers);
            this.numbers = larger;
        }
        const { numbers } = this;
        const at = this.count * ImpactRecord.count;
        this.colliders[this.count++] = collider;
        const { positions: x, previous: p, residuals: r, uniforms } = particles;
        const { data } = collider;
        const o = 4 * particle;
        const depth = floats[slot + ContactRecord.depths] - data[Contact.thickness];
        const m = Contact.motion;
        let speed = 0;
        numbers[at] = particle;
        for (let c = 0; c < 3; c++) {
            const normal = floats[slot + ContactRecord.normals + 4 * c];
            const carried = x[o] * data[m + c] + x[o + 1] * data[m + 4 + c] + x[o + 2] * data[m + 8 + c] + data[m + 12 + c];
            numbers[at + ImpactRecord.point + c] = x[o + c] + normal * depth;
            numbers[at + ImpactRecord.normal + c] = normal;
            speed -= (x[o + c] - p[o + c] + r[o + c] - carried) * normal;
        }
        numbers[at + ImpactRecord.speed] = Math.max(0, speed / uniforms[Uniform.substep]);
    }
}
