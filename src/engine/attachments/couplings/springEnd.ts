import { MIN_KEPT_DISPLACEMENT } from "../../tunables";
import { ROW, rowOf, Uniform } from "../../../kernels/layout";
import type { Body } from "../../bodies/body";
import { UnweldedPins } from "../unweldedPins";

/** One end of a spring: a particle of a body. Its presence among the body's pins keeps that from being recorded, and wakes it with the other. */
export class SpringEnd extends UnweldedPins {
    override readonly isCoupling = true;
    /** True if the body takes the present substep; then the number of the other body's substeps that it has missed. */
    isPresent = false;
    missedSubsteps = 0;
    /** The other end, while they are tied. */
    other: SpringEnd | null = null;
    /** The spring, while they are tied. */
    spring: { restart(): void } | null = null;
    /** Sum of the inertia that all springs at the particle need [kg], and number of these springs. */
    wantedMass = 0;
    valence = 1;
    /** Inertia without weight that it has in addition [kg]; of several ends at a particle, the first has it. */
    addedMass = 0;

    /** As last read: time of a step and of a substep of its body [s]; share of the residual motion that the body's damping leaves. */
    step = NaN;
    substep = NaN;
    keptShare = NaN;

    /** Distance to the nearest other particle of the body at creation [m]. */
    readonly spacing: number;

    constructor(
        readonly body: Body,
        readonly particle: number,
    ) {
        super(Uint32Array.of(particle));
        this.spacing = spacingOf(body, particle);
    }

    /** True if the body was released, and the end not yet. */
    get isReleased(): boolean {
        return this.body.pins.length === 0;
    }

    /** Reads what its body's steps are. */
    readRates(): void {
        const { settings, state } = this.body;
        this.step = settings.fixedTimeStep;
        this.substep = this.step / settings.substepCount;
        const kept = state.uniforms[Uniform.displacementFactor];
        this.keptShare = kept > MIN_KEPT_DISPLACEMENT ? kept : 1;
    }

    get inverseMass(): number {
        return this.body.state.inverseMasses[this.particle];
    }

    override get massScale(): number {
        const own = this.body.masses.massOf(this.particle);
        return own > 0 ? 1 + this.addedMass / own : 1;
    }

    /** It rests when both do. */
    override get isMoving(): boolean {
        return !(this.other?.body.sleep.isStill ?? true);
    }

    override moveToSubstep(): void {
        this.isPresent = true;
    }

    override restart(): void {
        this.missedSubsteps = 0;
        this.spring?.restart();
    }

    /** No node: the end follows none. */
    override beginStep(): void {}
    override endSubstep(): void {}
    override rebase(): void {}

    /** Ends a substep of either body: what weighs in its additional inertia is taken back ahead of the next. */
    endSubstepOf(): void {
        this.readRates();
        const { addedMass: lump, body, particle, isPresent } = this;
        this.missedSubsteps = isPresent ? 0 : this.missedSubsteps + 1;
        this.isPresent = false;
        if (!(isPresent && lump > 0)) return;
        const { residuals, uniforms } = body.state;
        const share = lump / (lump + body.masses.massOf(particle)) / this.keptShare;
        for (let c = 0, o = rowOf(particle); c < 3; c++) residuals[o + c] -= share * uniforms[Uniform.gravity + c];
    }

    /** Has so much additional inertia [kg], which comes to it at rest: its momentum is kept. */
    setAddedMass(lump: number): void {
        const { state, masses } = this.body;
        const own = masses.massOf(this.particle);
        const slowed = Math.min(1, (own + this.addedMass) / (own + lump));
        this.addedMass = lump;
        if (!(slowed < 1)) return;
        const { positions: x, previous: p, residuals: r } = state;
        for (let o = rowOf(this.particle), end = o + 3; o < end; o++) state.setDisplacement(o, (x[o] - p[o] + r[o]) * slowed);
    }

    /** Mass of all of the body [kg]. */
    bodyMass(): number {
        const { body } = this;
        let mass = 0;
        for (let i = 0; i < body.state.particleCount; i++) mass += body.masses.massOf(i);
        return mass;
    }
}

function spacingOf({ state: { positions: x, particleCount } }: Body, particle: number): number {
    let least = Infinity;
    const p = rowOf(particle);
    for (let i = 0, o = 0; i < particleCount; i++, o += ROW) {
        const squared = (x[o] - x[p]) ** 2 + (x[o + 1] - x[p + 1]) ** 2 + (x[o + 2] - x[p + 2]) ** 2;
        if (i !== particle && squared > 0) least = Math.min(least, squared);
    }
    return Math.sqrt(least);
}

/** The ends of springs at a particle of a body. */
export function springEndsAt({ pins }: Body, particle: number): SpringEnd[] {
    return pins.filter((set): set is SpringEnd => set instanceof SpringEnd && set.particle === particle);
}
