import type { Body } from "../body";
import type { Accompanied, Company, Ties } from "../company";
import type { World } from "../world";
import { KnotSide } from "./knot";
import type { Tie } from "./tie";

/** The bodies of a world that are tied to each other: they take their substeps together, and with those that keep off each other. */
export class Bond implements Ties {
    private readonly _ties: Tie[] = [];
    /** The bodies whose passes come last. */
    private _last: readonly Body[] = [];

    constructor(private readonly _world: World) {}

    add(tie: Tie): void {
        this._ties.push(tie);
        this._world.knotCount++;
        for (const { body } of [tie.a, tie.b]) body.bond = this;
        this._review();
    }

    remove(tie: Tie): void {
        const index = this._ties.indexOf(tie);
        if (index < 0) return;
        this._ties.splice(index, 1);
        this._world.knotCount--;
        tie.release();
        for (const { body } of [tie.a, tie.b]) if (!this._holds(body)) body.bond = null;
        this._review();
    }

    private _review(): void {
        this._last = [...new Set(this._ties.flatMap(({ last }) => last ?? []))];
    }

    private _holds(body: Body): boolean {
        return this._ties.some(({ a, b }) => a.body === body || b.body === body);
    }

    /** By a knot: what a spring ties keeps off each other as before. */
    areTied(first: object, second: object): boolean {
        const { _ties: ties } = this;
        for (let i = 0; i < ties.length; i++) {
            const { a, b, last } = ties[i];
            if (last && ((a.body === first && b.body === second) || (a.body === second && b.body === first))) return true;
        }
        return false;
    }

    /** Those of its bodies that keep off each other, all of them of one crowd: a world has one for each backend. */
    private get _crowd(): Company | null {
        for (const { a, b } of this._ties) {
            const crowd = a.body.crowd ?? b.body.crowd;
            if (crowd) return crowd;
        }
        return null;
    }

    prepare(): void {
        this._crowd?.prepare();
        for (const tie of this._ties) tie.review();
    }

    separate(bodies: readonly Accompanied[]): void {
        const { _ties: ties, _last: last } = this;
        for (let i = 0; i < ties.length; i++) ties[i].join();
        for (let i = 0; i < last.length; i++) if (isPresent(last[i])) projectLate(last[i]);
        for (let i = 0; i < ties.length; i++) ties[i].hand();
        this._crowd?.separate(bodies);
    }

    guard(): void {
        const { _ties: ties } = this;
        this._crowd?.guard();
        for (let i = 0; i < ties.length; i++) ties[i].end();
    }
}

/** Whether a body takes the present substep. */
function isPresent({ pins }: Body): boolean {
    for (let i = 0; i < pins.length; i++) {
        const set = pins[i];
        if (set instanceof KnotSide && set.isPresent) return true;
    }
    return false;
}

function projectLate({ passesAfterContact: passes, kernels, state }: Body): void {
    for (let i = 0; i < passes.length; i++) passes[i].project(kernels, state);
}

const bonds = new WeakMap<World, Bond>();

/** The bond of a world. */
export function bondOf(world: World): Bond {
    let bond = bonds.get(world);
    if (!bond) bonds.set(world, (bond = new Bond(world)));
    return bond;
}
