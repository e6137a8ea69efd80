/** Width of the open curtain as a share of the closed one. */
const STACKED_SHARE = 0.22;
/** Steps of the quadrature of a pleat's length. */
const LENGTH_STEPS = 64;

/**
 * The header of a curtain: even waves about its rail, to the front and to the back in turn, between hooks that sit on it.
 *
 *        ╭──╮      ╭──╮
 *     ━━●━━━━●━━━━●━━━━●━━━━●━━       the cloth's length from hook to hook stays while they slide together
 *             ╰──╯      ╰──╯
 *
 * Along the rail [m], from 0 at the side to which it opens; depth across it [m].
 */
export class Pleats {
    /** Number of hooks: one between each crest and trough, and at both ends. */
    readonly hookCount: number;
    /** Length of the cloth from hook to hook [m]. */
    readonly length: number;
    private readonly _chord: number;

    /** @param width of the closed curtain [m] @param fullness length of the cloth over that */
    constructor(
        readonly width: number,
        readonly count: number,
        fullness: number,
    ) {
        this.hookCount = 2 * count + 1;
        const half = width / (2 * count);
        this.length = fullness * half;
        this._chord = Math.hypot(half, 2 * amplitudeOf(half, this.length));
    }

    /** Distance of hooks along the rail [m]. @param open 0: closed, to 1 */
    spacing(open: number): number {
        return (this.width * (1 - open * (1 - STACKED_SHARE))) / (2 * this.count);
    }

    /** Least distance of hooks: all together at one side [m]. */
    get minSpacing(): number {
        return this.spacing(1);
    }

    /** Distance of crests and troughs from the rail [m]. */
    depth(open: number): number {
        return Math.sqrt(Math.max(0, this._chord ** 2 - this.spacing(open) ** 2)) / 2;
    }

    /** Points of the header, evenly along its length. @param perHook how many from hook to hook @returns along and across the rail, in turn */
    points(open: number, perHook: number): Float64Array {
        const half = this.spacing(open);
        const amplitude = amplitudeOf(half, this.length);
        const points = new Float64Array(2 * (2 * this.count * perHook + 1));
        for (let hook = 0, i = 0; hook <= 2 * this.count; hook++) {
            for (let k = 0; k < (hook < 2 * this.count ? perHook : 1); k++) {
                const share = shareAt(half, amplitude, k / perHook);
                points[i++] = (hook + share) * half;
                points[i++] = amplitude * Math.sin(Math.PI * (hook + share));
            }
        }
        return points;
    }
}

/** Length of a cosine's half wave [m] up to a share of its way. */
function lengthOf(half: number, amplitude: number, share = 1): number {
    let sum = 0;
    for (let i = 0; i < LENGTH_STEPS; i++) {
        const slope = Math.PI * amplitude * Math.sin((Math.PI * share * (i + 0.5)) / LENGTH_STEPS);
        sum += (Math.hypot(half, slope) * share) / LENGTH_STEPS;
    }
    return sum;
}

/** Amplitude of the half wave of this length [m]. */
function amplitudeOf(half: number, length: number): number {
    return bisect((amplitude) => lengthOf(half, amplitude) - length, 0, length);
}

/** Share of the way at a share of the length. */
function shareAt(half: number, amplitude: number, part: number): number {
    const whole = lengthOf(half, amplitude);
    return bisect((share) => lengthOf(half, amplitude, share) - part * whole, 0, 1);
}

/** Zero of a rising function, by bisection. */
function bisect(rising: (x: number) => number, low: number, high: number): number {
    for (let i = 0; i < 40; i++) {
        const middle = (low + high) / 2;
        if (rising(middle) < 0) low = middle;
        else high = middle;
    }
    return (low + high) / 2;
}
