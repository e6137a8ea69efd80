import type { Twist, TwistEnd } from "../rope/twist";
import { angleAbout, orthonormaliseTo, parallelTransport } from "../math/parallelTransport";

/** Numbers of a ring's frame: centre, along the line, and two across it. */
export const FRAME = 12;
const [ALONG, ACROSS, THIRD] = [3, 6, 9];

/** Within a call. */
const [along, across, there, ring] = [new Float64Array(3), new Float64Array(3), new Float64Array(3), new Float64Array(3)];

/** An end that is held, and by how much the mesh there is turned from what holds it [rad]. */
class TwistedEnd {
    pins: TwistEnd | null = null;
    attachCount = -1;
    angle = 0;

    /** True if it was attached anew. */
    isNewlyAttached(pins: TwistEnd): boolean {
        if (this.pins === pins && this.attachCount === pins.attachCount) return false;
        this.pins = pins;
        this.attachCount = pins.attachCount;
        return true;
    }
}

/**
 * Twist of a tube's rings by its ends: the first ring turns with the start; the rest of the last ring's turn is shared along the line. Frames are those of
 * Tube, shape [ringCount, FRAME].
 */
export class RingTwist {
    private readonly _start = new TwistedEnd();
    private readonly _end = new TwistedEnd();
    /** Positions of rings, as shares of the line. */
    private readonly _shares: Float64Array;

    /** @param line the rings' centres at rest, shape [ringCount, 3] */
    constructor(
        private readonly _twist: Twist,
        line: Float64Array,
    ) {
        const count = line.length / 3;
        this._shares = new Float64Array(count);
        for (let r = 1, o = 3; r < count; r++, o += 3)
            this._shares[r] =
                this._shares[r - 1] + Math.hypot(line[o] - line[o - 3], line[o + 1] - line[o - 2], line[o + 2] - line[o - 1]);
        const length = this._shares[count - 1];
        for (let r = 0; r < count; r++) this._shares[r] /= length;
    }

    /** Has the first ring follow the start, ahead of all others: writes how it was turned last. */
    twistFirstRing(frames: Float64Array): void {
        const [start] = this._twist.ends;
        if (!start) return;
        const { _start: own } = this;
        start.readRenderFrame(along, across);
        if (own.isNewlyAttached(start)) {
            ring.set(across);
            parallelTransport(ring, along, 0, frames, ALONG);
            copy(frames, ACROSS, there);
            own.angle = angleAbout(frames, ALONG, ring, there);
        }
        turnAbout(along, 0, across, own.angle);
        frames.set(along, ALONG);
        frames.set(across, ACROSS);
    }

    /** Turns the rings, whose frames have been carried along the line from the first. */
    twistRings(frames: Float64Array): void {
        const { ends: holds, angle } = this._twist;
        const end = holds[1];
        if (!end) return;
        const { _end: own, _shares: shares } = this;
        const last = FRAME * (shares.length - 1);
        end.readRenderFrame(along, across);
        parallelTransport(across, along, 0, frames, last + ALONG);
        copy(frames, last + ACROSS, there);
        const turned = angleAbout(frames, last + ALONG, there, across);
        const twist = holds[0] ? angle : 0;
        if (own.isNewlyAttached(end)) own.angle = turned - twist;
        const off = turned - own.angle - twist;
        const most = twist + off - 2 * Math.PI * Math.round(off / (2 * Math.PI));
        for (let r = 0, o = 0; r < shares.length; r++, o += FRAME) {
            copy(frames, o + ACROSS, across);
            turnAbout(frames, o + ALONG, across, holds[0] ? most * shares[r] : most);
            for (let c = 0; c < 3; c++) {
                const d = (c + 1) % 3;
                const e = (c + 2) % 3;
                frames[o + ACROSS + c] = across[c];
                frames[o + THIRD + c] = frames[o + ALONG + d] * across[e] - frames[o + ALONG + e] * across[d];
            }
        }
    }
}

function copy(from: Float64Array, o: number, to: Float64Array): void {
    for (let c = 0; c < 3; c++) to[c] = from[o + c];
}

/** Turns a unit vector across another about that by an angle. */
function turnAbout(t: Float64Array, o: number, u: Float64Array, angle: number): void {
    const cos = Math.cos(angle);
    const sin = Math.sin(angle);
    for (let c = 0; c < 3; c++) {
        const d = (c + 1) % 3;
        const e = (c + 2) % 3;
        ring[c] = u[c] * cos + (t[o + d] * u[e] - t[o + e] * u[d]) * sin;
    }
    u.set(ring);
    orthonormaliseTo(u, t, o);
}
