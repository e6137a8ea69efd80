import type { Body } from "../../bodies/body";
import type { Groupable, SteppingGroup, CoupledGroup } from "../../state/steppingGroup";
import type { World } from "../../world/world";
import { TieEnd } from "./particleTie";
import type { Coupling } from "./coupling";

/** The bodies of a world that are tied to each other: they take their substeps together, and with those that keep off each other. */
export class CouplingIsland implements CoupledGroup {
    private readonly _couplings: Coupling[] = [];
    /** The bodies whose passes come last. */
    private _lastBodies: readonly Body[] = [];

    constructor(private readonly _world: World) {}

    add(tie: Coupling): void {
        this._couplings.push(tie);
        this._world.couplingCount++;
        for (const { body } of [tie.a, tie.b]) body.couplingIsland = this;
        this._collectLast();
    }

    remove(tie: Coupling): void {
        const index = this._couplings.indexOf(tie);
        if (index < 0) return;
        this._couplings.splice(index, 1);
        this._world.couplingCount--;
        tie.release();
        for (const { body } of [tie.a, tie.b]) if (!this._contains(body)) body.couplingIsland = null;
        this._collectLast();
    }

    private _collectLast(): void {
        this._lastBodies = [...new Set(this._couplings.flatMap(({ lastBody: last }) => last ?? []))];
    }

    private _contains(body: Body): boolean {
        return this._couplings.some(({ a, b }) => a.body === body || b.body === body);
    }

    /** Coupled by a tie: bodies coupled by a spring still collide with each other. */
    areCoupled(first: object, second: object): boolean {
        const { _couplings: ties } = this;
        for (let i = 0; i < ties.length; i++) {
            const { a, b, lastBody: last } = ties[i];
            if (last && ((a.body === first && b.body === second) || (a.body === second && b.body === first))) return true;
        }
        return false;
    }

    /** Bodies of the island that collide with each other, all of one self-collision group. */
    private get _selfCollision(): SteppingGroup | null {
        for (const { a, b } of this._couplings) {
            const group = a.body.selfCollision ?? b.body.selfCollision;
            if (group) return group;
        }
        return null;
    }

    prepareStep(): void {
        this._selfCollision?.prepareStep();
        for (const tie of this._couplings) tie.updateMasses();
    }

    resolveAfterSolve(bodies: readonly Groupable[]): void {
        const { _couplings: ties, _lastBodies: last } = this;
        for (let i = 0; i < ties.length; i++) ties[i].beforeContact();
        for (let i = 0; i < last.length; i++) if (isPresent(last[i])) projectLate(last[i]);
        for (let i = 0; i < ties.length; i++) ties[i].afterLatePasses();
        this._selfCollision?.resolveAfterSolve(bodies);
    }

    finishSubstep(): void {
        const { _couplings: ties } = this;
        this._selfCollision?.finishSubstep();
        for (let i = 0; i < ties.length; i++) ties[i].afterContact();
    }
}

/** True if the body takes the present substep. */
function isPresent({ pins }: Body): boolean {
    for (let i = 0; i < pins.length; i++) {
        const set = pins[i];
        if (set instanceof TieEnd && set.isPresent) return true;
    }
    return false;
}

function projectLate({ passesAfterContact: passes, kernels, state }: Body): void {
    for (let i = 0; i < passes.length; i++) passes[i].project(kernels, state);
}

const islands = new WeakMap<World, CouplingIsland>();

/** The bond of a world. */
export function couplingIslandOf(world: World): CouplingIsland {
    let bond = islands.get(world);
    if (!bond) islands.set(world, (bond = new CouplingIsland(world)));
    return bond;
}
