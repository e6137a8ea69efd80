/**
 * Clips of the dancer, by code: turns of its bones at a time. Left is the side of +x, and the dancer faces -z: about x a leg swings
 * forwards, about y the body turns to its right, about z a left limb is raised. Arms are turned from where they hang down.
 */

type Turn = readonly [x: number, y: number, z: number];

/** A pose: turns about z, then x, then y by bone [rad]; `Left` and `Right` before a limb's name. */
export interface DancerPose {
    turns: Record<string, Turn>;
    /** Height of the lower foot over the ground [m]. */
    lift: number;
    /** Way of the hips backwards [m]. */
    back: number;
    /** Speed of turning on the spot [rad/s]. */
    spin: number;
    /** Speed over the ground [m/s]. */
    speed: number;
}

const { sin, cos, max, min, PI } = Math;
const wave = (time: number, period: number, phase = 0) => sin((2 * PI * time) / period + phase);
const still = { lift: 0, back: 0, spin: 0, speed: 0 };

/** Smooth step of x from a to b, 0..1. */
function rise(x: number, a: number, b: number) {
    const t = min(1, max(0, (x - a) / (b - a)));
    return t * t * (3 - 2 * t);
}

/** Turns of both sides from those of one: a limb's of the right mirror the left's. */
function bothSides(limb: (side: 1 | -1) => Record<string, Turn>) {
    const turns: Record<string, Turn> = {};
    for (const [name, [x, y, z]] of Object.entries(limb(1))) turns[`Left${name}`] = [x, y, z];
    for (const [name, [x, y, z]] of Object.entries(limb(-1))) turns[`Right${name}`] = [x, -y, -z];
    return turns;
}

/** A foot that keeps level under its leg, as far as an ankle can. */
const level = (thigh: number, knee: number, share = 1) => max(-0.7, min(0.45, -share * (thigh + knee)));

function idle(time: number): DancerPose {
    const breath = wave(time, 4);
    return {
        ...still,
        turns: {
            Hips: [0, 0.05, 0.02 + 0.008 * wave(time, 6)],
            Spine: [-0.01, 0, -0.02],
            Spine1: [0.015 + 0.012 * breath, 0, -0.015],
            Spine2: [0.02 + 0.012 * breath, 0.03 * wave(time, 8), 0],
            Neck: [-0.03, 0.08 * wave(time, 8), 0],
            Head: [-0.02, 0.12 * wave(time, 8, -0.4), 0.02],
            ...bothSides((side) => ({
                Arm: [0.03 + 0.012 * breath, 0, 0.2 + 0.012 * breath],
                ForeArm: [0.28, 0, -0.04],
                Hand: [0.05, 0, -0.05],
                UpLeg: [side > 0 ? 0.16 : 0.02, side > 0 ? -0.12 : -0.08, 0.03],
                Leg: [side > 0 ? -0.3 : -0.03, 0, 0],
                Foot: [side > 0 ? 0.14 : 0.01, -0.1, 0],
            })),
        },
    };
}

/** Steps of a period [s]: the swing of thighs, the bend of knees at least and in the swing, and of arms [rad]. */
function stride(time: number, period: number, thighs: number, least: number, knees: number, arms: number, elbows: number) {
    const phase = (2 * PI * time) / period;
    const swing = sin(phase);
    return {
        swing,
        turns: {
            Hips: [0, 0.16 * thighs * swing, 0.03 * cos(phase)] as Turn,
            Spine1: [0, -0.18 * thighs * swing, -0.02 * cos(phase)] as Turn,
            Spine2: [0, -0.26 * thighs * swing, 0] as Turn,
            Neck: [0, 0.2 * thighs * swing, 0] as Turn,
            ...bothSides((side) => {
                const own = side * swing;
                const thigh = 0.1 * thighs + thighs * own;
                const knee = -least - knees * max(0, side * cos(phase + 0.35)) ** 2 * (1 - 0.1 * own);
                return {
                    Arm: [-arms * own, 0, 0.12 + 0.1 * arms],
                    ForeArm: [elbows - 0.4 * arms * min(0, own), 0, -0.1],
                    UpLeg: [thigh, -0.05, 0],
                    Leg: [knee, 0, 0],
                    // The heel first, and pushed off by the toes.
                    Foot: [level(thigh, knee, 0.8) + 0.16 * max(0, own) - 0.2 * max(0, -own), -0.04, 0],
                };
            }),
        },
    };
}

function walk(time: number): DancerPose {
    const { turns } = stride(time, 1.06, 0.42, 0.1, 0.85, 0.4, 0.25);
    return { ...still, turns: { ...turns, Spine: [-0.04, 0, 0], Head: [0.03, 0, 0] }, speed: 1.3 };
}

function run(time: number): DancerPose {
    const { turns, swing } = stride(time, 0.68, 0.78, 0.3, 1.3, 0.75, 1.35);
    return {
        ...still,
        turns: { ...turns, Spine: [-0.2, 0, 0], Neck: [0.12, 0, 0], Head: [0.06, 0, 0] },
        lift: 0.06 * swing * swing,
        speed: 3.2,
    };
}

/** Turns on one foot with arms that open and close. */
function spin(time: number): DancerPose {
    const open = 0.5 + 0.5 * wave(time, 3.2, -PI / 2);
    return {
        ...still,
        turns: {
            Hips: [0.02, 0, 0],
            Spine1: [0.06, 0, 0],
            Spine2: [0.06, 0, 0],
            Head: [0.05, 0.15, 0],
            ...bothSides((side) => ({
                Arm: [0.75 - 0.45 * open, -0.25, 0.75 + 0.65 * open],
                ForeArm: [0.35, 0, -0.75 + 0.6 * open],
                Hand: [0, 0, -0.3 + 0.2 * open],
                UpLeg: side > 0 ? [0, -0.1, 0] : [0.85, -0.6, 0.45],
                Leg: side > 0 ? [-0.04, 0, 0] : [-1.65, 0, 0],
                Foot: side > 0 ? [-0.35, 0, 0] : [-0.6, 0, 0],
            })),
        },
        spin: 2 * PI * (1.25 - 0.5 * open),
    };
}

function sit(time: number): DancerPose {
    const breath = wave(time, 4);
    return {
        ...still,
        turns: {
            Hips: [0.06, 0, 0],
            Spine1: [-0.06 + 0.015 * breath, 0, 0],
            Spine2: [-0.04 + 0.015 * breath, 0.05 * wave(time, 7), 0],
            Neck: [-0.04, 0.15 * wave(time, 7), 0],
            Head: [-0.02, 0.2 * wave(time, 7, -0.4), 0],
            ...bothSides((side) => ({
                Arm: [0.42, 0, 0.1],
                ForeArm: [0.85, 0.25, -0.2],
                Hand: [-0.3, 0, 0],
                UpLeg: [1.42 + (side > 0 ? 0.04 : 0), -0.02, -0.02],
                Leg: [-1.45 - (side > 0 ? 0.25 : 0), 0, 0],
                Foot: [side > 0 ? 0.16 : -0.03, 0, 0],
            })),
        },
        back: 0.4,
    };
}

/** Length of a jump and of its flight [s]. */
const [JUMP, FLIGHT] = [1.9, 0.42];

function jump(time: number): DancerPose {
    const t = time % JUMP;
    const off = 0.62;
    const inAir = min(1, max(0, (t - off) / FLIGHT));
    const crouch =
        rise(t, 0.1, 0.45) - rise(t, 0.47, off) + 0.8 * rise(t, off + 0.85 * FLIGHT, off + FLIGHT + 0.1) - 0.8 * rise(t, 1.2, 1.7);
    const fly = rise(t, off - 0.06, off + 0.12) - rise(t, off + 0.55 * FLIGHT, off + FLIGHT);
    const arms = rise(t, 0.45, off + 0.08) - rise(t, off + 0.6 * FLIGHT, 1.5);
    return {
        ...still,
        turns: {
            Spine: [-0.28 * crouch, 0, 0],
            Spine2: [-0.1 * crouch + 0.12 * fly, 0, 0],
            Head: [0.12 * crouch, 0, 0],
            ...bothSides((side) => {
                const thigh = 0.75 * crouch + side * 0.55 * fly;
                const knee = -0.06 - 1.25 * crouch - (side > 0 ? 0.5 : 0.75) * fly;
                return {
                    Arm: [-0.5 * crouch + 0.5 * arms, 0, 0.15 + 1.25 * arms],
                    ForeArm: [0.3, 0, 0],
                    UpLeg: [thigh, -0.12, 0.04],
                    Leg: [knee, 0, 0],
                    Foot: [level(thigh, knee) * (1 - fly) - 0.6 * fly, 0, 0],
                };
            }),
        },
        lift: 4 * 0.2 * inAir * (1 - inAir),
    };
}

export const dancerClips = { idle, walk, run, spin, sit, jump };
export type DancerClip = keyof typeof dancerClips;
export const dancerClipNames = Object.keys(dancerClips) as DancerClip[];
