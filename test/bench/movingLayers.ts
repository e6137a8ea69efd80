/** Cloth in motion that comes onto itself: what self-collision is measured with. */
import "../parts";
import type { SelfCollisionTier } from "../../src/engine/collision/self/collisionProxy";
import type { Body, Collider, Fabric, PinSet } from "../../src/engine/index";
import { measureStretch, World } from "../../src/engine/index";
import { advance, Heap } from "../physics/layers";
import { grid, topRow } from "../physics/meshes";
import type { Sheet } from "../physics/meshes";
import { addCollider, at, makeCloth, pinParticles, pose } from "../physics/support";
import { cpuTime } from "./timing";

const FABRIC: Partial<Fabric> = {
    thickness: 0.006,
    friction: 0.4,
    damping: 0.6,
    shearStiffness: 200,
    bendStiffness: 5e-5,
    arealDensity: 0.2,
};

/** A scene: its cloth, its length [s], what moves at a time [s], and how deep a point is in its solids [m]. */
interface MovingScene {
    readonly cloth: Body;
    readonly seconds: number;
    drive?(time: number): void;
    depth?(x: readonly number[]): number;
}

function make(sheet: Sheet): Body {
    return makeCloth(sheet, { fabric: FABRIC });
}

function addGround(cloth: Body): void {
    addCollider(cloth, "halfSpace", pose([0, 0, 0], [1, 1, 1], -Math.PI / 2, "x"));
}

/** A sheet of 64² and 1.3 m that stands on its edge, bowed. */
function standing(bow: number): Body {
    const cloth = make(grid(63, 63, (u, v) => [bow * Math.sin(1.5 * Math.PI * v), 1.27 * v + 0.02, 1.3 * (u - 0.5)]));
    addGround(cloth);
    return cloth;
}

function pinTop(cloth: Body, columns: number, rows: number): PinSet {
    return pinParticles(cloth, topRow(columns, rows));
}

/** A cape of 32 × 48 on shoulders that turn (±1.2 rad) and run (±3 m/s), `speed` times as fast. */
function cape(speed: number): MovingScene {
    const sheet = grid(31, 47, (u, v) => {
        const angle = Math.PI * (u - 0.5);
        const radius = 0.2 + 0.25 * (1 - v);
        return [radius * Math.sin(angle), 1.2 * v + 0.3, -radius * Math.cos(angle)];
    });
    const cloth = make(sheet);
    const shoulders = pinTop(cloth, 31, 47);
    const body = addCollider(cloth, "capsule", pose([0, 0.85, 0], [0.16, 0.75, 0.16]));
    return {
        cloth,
        seconds: 4,
        drive: (t) => {
            const begun = Math.min(1, t);
            const x = (3 / 2.25) * begun * Math.sin(2.25 * speed * t);
            shoulders.setTargets(pose([x, 0, 0], [1, 1, 1], 1.2 * begun * Math.sin(1.5 * speed * t), "y"));
            body.setPose(pose([x, 0.85, 0], [0.16, 0.75, 0.16]));
        },
    };
}

const CAPSULE = { radius: 0.07, half: 0.4 };

/** A leg that swings about its hip. */
function leg(cloth: Body, x: number): { collider: Collider; swing(angle: number): void; depth(p: readonly number[]): number } {
    const hip = [x, 1.0, 0];
    const { radius, half } = CAPSULE;
    let at = [0, 0];
    const placed = (angle: number): Float64Array => {
        at = [Math.sin(angle), Math.cos(angle)];
        const reach = half - radius;
        return pose([hip[0], hip[1] - reach * at[1], hip[2] - reach * at[0]], [radius, half, radius], angle, "x");
    };
    const collider = addCollider(cloth, "capsule", placed(0));
    return {
        collider,
        swing: (angle) => collider.setPose(placed(angle)),
        depth: (p) => {
            const d = [p[0] - hip[0], p[1] - hip[1], p[2] - hip[2]];
            const along = Math.max(0, Math.min(2 * (half - radius), -d[1] * at[1] - d[2] * at[0]));
            return radius - Math.hypot(d[0], d[1] + along * at[1], d[2] + along * at[0]);
        },
    };
}

/** A skirt over legs that run. */
function skirt(): MovingScene {
    const around = 96;
    const rows = 32;
    const positions: number[] = [];
    const triangles: number[] = [];
    for (let j = 0; j <= rows; j++)
        for (let i = 0; i < around; i++) {
            const angle = (2 * Math.PI * i) / around;
            const radius = 0.17 + (0.2 * j) / rows + (j > 0 ? 0.004 * Math.sin(12 * angle) : 0);
            positions.push(radius * Math.cos(angle), 1.05 - (0.5 * j) / rows, radius * Math.sin(angle));
            const a = j * around + i;
            const b = j * around + ((i + 1) % around);
            if (j < rows) triangles.push(a, b, b + around, a, b + around, a + around);
        }
    const cloth = make({ positions: Float32Array.from(positions), triangles: Uint32Array.from(triangles) });
    pinParticles(
        cloth,
        Array.from({ length: around }, (_, i) => i),
    );
    const legs = [-0.09, 0.09].map((x) => leg(cloth, x));
    return {
        cloth,
        seconds: 3,
        drive: (t) => legs.forEach(({ swing }, k) => swing((k ? -0.7 : 0.7) * Math.sin(4 * Math.PI * t) * Math.min(1, t))),
        depth: (p) => Math.max(...legs.map(({ depth }) => depth(p))),
    };
}

/** All scenes; more substeps are paid for: ratios are over none at four substeps. */
export const movingScenes: Record<string, () => MovingScene> = {
    fold: () => ({ cloth: standing(0.1), seconds: 2.5 }),
    "gentle fold": () => {
        const cloth = standing(0.05);
        const top = pinTop(cloth, 63, 63);
        return { cloth, seconds: 3.5, drive: (t) => top.setTargets(pose([0, -0.3 * t, 0])) };
    },
    cape: () => cape(1),
    "whipped cape": () => cape(2),
    drape: () => {
        const cloth = make(grid(47, 47, (u, v) => [1.2 * (u - 0.5), 0.75, 1.2 * (v - 0.5)]));
        addCollider(cloth, "box", pose([0, 0.5, 0], [0.25, 0.2, 0.25]));
        addGround(cloth);
        return { cloth, seconds: 2.5 };
    },
    curtain: () => {
        const cloth = make(grid(63, 63, (u, v) => [2 * (u - 0.5), 1.6 * v, 0.02 * Math.sin(32 * Math.PI * u)]));
        const top = pinTop(cloth, 63, 63);
        return {
            cloth,
            seconds: 3,
            drive: (t) => top.setTargets(pose([0, 0, 0], [0.62 + 0.38 * Math.cos(7.9 * t), 1, 1])),
        };
    },
    scarf: () => {
        const cloth = make(grid(12, 96, (u, v) => [2 * (1 - v) + 0.4, 1, 0.25 * (u - 0.5)]));
        const end = pinTop(cloth, 12, 96);
        addCollider(cloth, "capsule", pose([0, 0.5, 0], [0.08, 1.5, 0.08]));
        return { cloth, seconds: 4, drive: (t) => end.setTargets(pose([0, 0, 0], [1, 1, 1], 6 * t * Math.min(1, t), "y")) };
    },
    skirt,
};

/** Frames that are not timed. */
const WARM_UP = 3;

/** Cost and result of a scene, by a tier. */
export interface MotionCost {
    /** Processor time of a frame: mean, 95th percentile and worst [ms]. */
    readonly mean: number;
    readonly late: number;
    readonly worst: number;
    /** Crossings in the worst frame that was looked at, and in the last; the deepest particle in a solid [m]; the largest mean stretch. */
    readonly crossings: number;
    readonly lastCrossings: number;
    readonly depth: number;
    readonly stretch: number;
}

/**
 * Runs a scene.
 * @param isAdaptive whether substeps may adapt
 * @param every frames between two exact counts of crossings
 */
export function measureMotion(
    name: string,
    tier: SelfCollisionTier | false,
    { isAdaptive = false, every = 6, substeps = 4 } = {},
): MotionCost {
    const { cloth, seconds, drive, depth } = movingScenes[name]();
    cloth.settings.substepCount = substeps;
    const heap = tier ? new Heap([cloth], null, [], tier, isAdaptive) : null;
    const plain = new World();
    const pair = new Float64Array(2);
    const frames = Math.round(60 * seconds);
    // The first frames build what later ones use.
    const times = new Float64Array(frames);
    let crossings = 0;
    let lastCrossings = 0;
    let deepest = 0;
    let stretch = 0;
    for (let f = 0; f < frames; f++) {
        drive?.((f + 1) / 60);
        const start = cpuTime();
        if (heap) heap.run(1);
        else advance(plain, [cloth], 1);
        if (f >= WARM_UP) times[f] = cpuTime() - start;
        if (heap && (f % every === 0 || f === frames - 1)) crossings = Math.max(crossings, (lastCrossings = heap.crossings));
        if (depth) for (let i = 0; i < cloth.state.particleCount; i++) deepest = Math.max(deepest, depth(at(cloth, i)));
        if (f % every === 0) stretch = Math.max(stretch, measureStretch(cloth, pair)[0]);
    }
    heap?.world.disableSelfCollision(cloth);
    cloth.release();
    const sorted = times.slice(WARM_UP).sort();
    return {
        mean: times.reduce((sum, t) => sum + t) / sorted.length,
        late: sorted[Math.floor(0.95 * sorted.length)],
        worst: sorted[sorted.length - 1],
        crossings,
        lastCrossings,
        depth: deepest,
        stretch,
    };
}
