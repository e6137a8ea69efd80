import type { Body } from "../body";
import type { Accompanied, Company, Ties } from "../company";
import type { World } from "../world";
import { KnotSide } from "./knot";
import type { Knot } from "./knot";

/** The bodies of a world that knots tie to each other: they take their substeps together, and with those that keep off each other. */
export class Bond implements Ties {
    private readonly _knots: Knot[] = [];
    /** The bodies whose passes come last. */
    private readonly _last: Body[] = [];

    constructor(private readonly _world: World) {}

    add(knot: Knot): void {
        this._knots.push(knot);
        this._world.knotCount++;
        for (const { body } of [knot.a, knot.b]) body.bond = this;
        if (!this._last.includes(knot.b.body)) this._last.push(knot.b.body);
    }

    remove(knot: Knot): void {
        const index = this._knots.indexOf(knot);
        if (index < 0) return;
        this._knots.splice(index, 1);
        this._world.knotCount--;
        knot.release();
        for (const { body } of [knot.a, knot.b]) if (!this._holds(body)) body.bond = null;
        if (!knot.b.body.bond) this._last.splice(this._last.indexOf(knot.b.body), 1);
    }

    private _holds(body: Body): boolean {
        return this._knots.some(({ a, b }) => a.body === body || b.body === body);
    }

    areTied(first: object, second: object): boolean {
        const { _knots: knots } = this;
        for (let i = 0; i < knots.length; i++) {
            const { a, b } = knots[i];
            if ((a.body === first && b.body === second) || (a.body === second && b.body === first)) return true;
        }
        return false;
    }

    /** Those of its bodies that keep off each other, all of them of one crowd: a world has one for each backend. */
    private get _crowd(): Company | null {
        for (const { a, b } of this._knots) {
            const crowd = a.body.crowd ?? b.body.crowd;
            if (crowd) return crowd;
        }
        return null;
    }

    prepare(): void {
        this._crowd?.prepare();
        for (const knot of this._knots) knot.review();
    }

    separate(bodies: readonly Accompanied[]): void {
        const { _knots: knots, _last: last } = this;
        for (let i = 0; i < knots.length; i++) knots[i].join();
        for (let i = 0; i < last.length; i++) if (isPresent(last[i])) projectLate(last[i]);
        for (let i = 0; i < knots.length; i++) knots[i].hand();
        this._crowd?.separate(bodies);
    }

    guard(): void {
        const { _knots: knots } = this;
        this._crowd?.guard();
        for (let i = 0; i < knots.length; i++) knots[i].end();
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
