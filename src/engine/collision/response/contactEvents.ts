import { CONTACT_EVENT_GAP } from "../../tunables";
import { Contact, ContactRecord, SolidData, FaceContactCounter, FaceContactRecord } from "../../../kernels/contactLayout";
import type { ContactArrays, FaceContactArrays } from "../../../kernels/contactLayout";
import { rowAt, Uniform } from "../../../kernels/layout";
import type { ParticleArrays } from "../../../kernels/layout";
import type { Collider } from "../shapes/collider";
import { ContactEventRecord } from "./contactEventRecord";

/** Within a call: where what touches is, how it has moved in this substep, and the normal there; x y z [m]. */
const contactPoint = new Float64Array(3);
const displacement = new Float64Array(3);
const normal = new Float64Array(3);

/** The particles and triangles of a body that have come to colliders in the present step. Room is made where it is first needed, and kept. */
export class ContactEvents {
    /** Number of impacts. */
    count = 0;
    /** Shape [count, ContactEventRecord.count]. */
    numbers = new Float64Array(64 * ContactEventRecord.count);
    /** Their colliders; those beyond the count are of earlier steps. */
    readonly colliders: Collider[] = [];
    /** Of each collider, the step in which each particle last touched it; 0: never. */
    private readonly _lastContactSteps = new WeakMap<Collider, Uint32Array>();
    private _step = 0;
    private _separatedSteps = 0;

    constructor(private readonly _particleCount: number) {}

    /** Begins a step. @param step its length [s] */
    beginStep(step: number): void {
        this._step++;
        this._separatedSteps = Math.ceil(CONTACT_EVENT_GAP / step);
        this.count = 0;
    }

    /** Another takes the place of a particle: it has touched none of these. */
    clear(colliders: readonly Collider[], particle: number): void {
        for (let i = 0; i < colliders.length; i++) {
            const touched = this._lastContactSteps.get(colliders[i]);
            if (touched) touched[particle] = 0;
        }
    }

    /** Takes note of what a collider has found, before it is answered. */
    record(collider: Collider, particles: ParticleArrays, { records, recordFloats, recordCount }: ContactArrays): void {
        for (let k = 0; k < recordCount[0]; k++) {
            const record = k * ContactRecord.count;
            const row = rowAt(records[record + ContactRecord.row]);
            for (let lane = 0; lane < 4; lane++) {
                const depth = recordFloats[record + lane + ContactRecord.depths];
                if (!(depth > 0) || !this._isNew(collider, (row >>> 2) + lane)) continue;
                this._gather(particles, row + 4 * lane, 1);
                for (let c = 0; c < 3; c++) normal[c] = recordFloats[record + lane + ContactRecord.normals + 4 * c];
                this._add(collider, particles, (row >>> 2) + lane, depth - collider.data[Contact.thickness]);
            }
        }
    }

    /** Records contacts of triangles; each counts as its corner nearest to the contact point. */
    recordFaces(collider: Collider, particles: ParticleArrays, found: FaceContactArrays): void {
        const { records, recordFloats: floats, progress } = found;
        const kept = collider.core![SolidData.keptDistance];
        for (let k = 0; k < progress[FaceContactCounter.recordCount]; k++) {
            const record = k * FaceContactRecord.count;
            const shares = record + FaceContactRecord.shares;
            let nearest = 0;
            for (let corner = 1; corner < 3; corner++) if (floats[shares + corner] > floats[shares + nearest]) nearest = corner;
            const particle = rowAt(records[record + nearest]) >>> 2;
            if (!this._isNew(collider, particle)) continue;
            for (let corner = 0; corner < 3; corner++) {
                this._gather(particles, rowAt(records[record + corner]), floats[shares + corner], corner > 0);
            }
            let depth = floats[record + FaceContactRecord.offset];
            for (let c = 0; c < 3; c++) {
                normal[c] = floats[record + FaceContactRecord.normal + c];
                depth -= normal[c] * contactPoint[c];
            }
            this._add(collider, particles, particle, depth - kept);
        }
    }

    /** True if a particle that touches a collider in this step has not touched it for {@link CONTACT_EVENT_GAP}. */
    private _isNew(collider: Collider, particle: number): boolean {
        let touched = this._lastContactSteps.get(collider);
        if (!touched) this._lastContactSteps.set(collider, (touched = new Uint32Array(this._particleCount)));
        const last = touched[particle];
        touched[particle] = this._step;
        return last === 0 || this._step - last > this._separatedSteps;
    }

    /** Writes the place and the displacement of a share of the particle at slot o. @param isMore whether it is added to what was gathered */
    private _gather({ positions: x, previous: p, residuals: r }: ParticleArrays, o: number, share: number, isMore = false): void {
        for (let c = 0; c < 3; c++) {
            contactPoint[c] = (isMore ? contactPoint[c] : 0) + share * x[o + c];
            displacement[c] = (isMore ? displacement[c] : 0) + share * (x[o + c] - p[o + c] + r[o + c]);
        }
    }

    /** Adds the impact of what has been gathered. @param depth below the surface [m] */
    private _add(collider: Collider, { uniforms }: ParticleArrays, particle: number, depth: number): void {
        if ((this.count + 1) * ContactEventRecord.count > this.numbers.length) {
            const larger = new Float64Array(2 * this.numbers.length);
            larger.set(this.numbers);
            this.numbers = larger;
        }
        const { numbers } = this;
        const at = this.count * ContactEventRecord.count;
        this.colliders[this.count++] = collider;
        const { data } = collider;
        const m = Contact.motion;
        let speed = 0;
        numbers[at] = particle;
        for (let c = 0; c < 3; c++) {
            const carried =
                contactPoint[0] * data[m + c] +
                contactPoint[1] * data[m + 4 + c] +
                contactPoint[2] * data[m + 8 + c] +
                data[m + 12 + c];
            numbers[at + ContactEventRecord.point + c] = contactPoint[c] + normal[c] * depth;
            numbers[at + ContactEventRecord.normal + c] = normal[c];
            speed -= (displacement[c] - carried) * normal[c];
        }
        numbers[at + ContactEventRecord.speed] = Math.max(0, speed / uniforms[Uniform.substep]);
    }
}
