/** Slots of a pair: the second's axes in the first's coordinates, as rows, its middle there, and the normal. */
const AXES = 0;
const MIDDLE = 9;
const NORMAL = 12;
const COUNT = 16;
/** Two that have moved by less against each other still touch where they did, each anywhere on it [m]. */
const SAME = 1e-5;

/** What turns. */
interface Round {
    /** Farthest from its middle [m]. */
    readonly radius: number;
}

/** How pairs of bodies lay to each other when their contacts were found, by the first of those. */
export class LastFound {
    private _then = new Float64Array(0);
    private _now = new Float64Array(0);

    /** Begins a step: what was noted is of the last one. */
    begin(): void {
        const { _then: then } = this;
        this._then = this._now;
        this._now = then;
    }

    /** Notes how two lie whose contacts have been found. */
    note(contact: number, axes: Float64Array, middle: Float64Array, normal: Float64Array): void {
        const o = this._makeRoom(contact);
        const { _now: now } = this;
        for (let k = 0; k < 9; k++) now[o + AXES + k] = axes[k];
        for (let c = 0; c < 3; c++) {
            now[o + MIDDLE + c] = middle[c];
            now[o + NORMAL + c] = normal[c];
        }
    }

    /** Whether two lie as they did. @param contact their first in the last step @param a the one's hull and `b` the other's */
    isSame(contact: number, axes: Float64Array, middle: Float64Array, a: Round, b: Round): boolean {
        const { _then: then } = this;
        const o = COUNT * contact;
        if (o >= then.length) return false;
        let moved = 0;
        let turned = 0;
        for (let k = 0; k < 9; k++) turned += Math.abs(then[o + AXES + k] - axes[k]);
        for (let c = 0; c < 3; c++) moved += Math.abs(then[o + MIDDLE + c] - middle[c]);
        return moved + Math.max(a.radius, b.radius) * turned < SAME;
    }

    /** Has contacts of the last step go on. @param normal where that of the two is written */
    keep(from: number, contact: number, normal: Float64Array): void {
        const o = this._makeRoom(contact);
        const { _now: now, _then: then } = this;
        for (let k = 0; k < COUNT; k++) now[o + k] = then[COUNT * from + k];
        for (let c = 0; c < 3; c++) normal[c] = now[o + NORMAL + c];
    }

    private _makeRoom(contact: number): number {
        const o = COUNT * contact;
        if (o + COUNT > this._now.length) {
            const larger = new Float64Array(2 * (o + COUNT));
            larger.set(this._now);
            this._now = larger;
        }
        return o;
    }
}
