/** What the survey does with a mesh: hang it by a side, drop it on a plane, kick it where nothing holds it. */
import type { Body } from "../../src/engine/index";
import { Fabrics, measureStretch } from "../../src/engine/index";
import { addCollider, makeCloth, pose, runSteps } from "../physics/support";
import type { Sheet } from "../physics/meshes";
import { seededRandom } from "../random";

/** Seconds after which a damped cloth must be at rest. */
const REST_SECONDS = 10;
/** Seconds after which even what falls late must be. */
const LATE_SECONDS = 60;
/** What is slower at the end of a run need not be watched further [m/s]. */
const SLOW = 0.02;
/** Damping of the runs that must come to rest [1/s]: honest swinging is over by then. */
const DAMPING = 2;
/** A stick stretched beyond this counts. */
const LARGEST_STRETCH = 0.1;

/** Root mean square speed that rounding alone may bring about [m/s]. */
const ROUNDING_SPEED = 0.01;

/** How a cloth is at the end of a run. */
export interface Rest {
    /** Root mean square speed [m/s]. */
    speed: number;
    /**
     * The same where it is small; else after a minute. What stands on an edge in an unstable balance may fall late: it moves at
     * the end of the run, and is at rest when that is over, while what gains energy from nothing goes on.
     */
    speedLater: number;
    meanStretch: number;
    maxStretch: number;
    /** Longest time for which some stick was stretched by more than a tenth [s]. */
    stretchedFor: number;
}

/** Hung by the vertices of one side, which the seed chooses. */
export function hang(sheet: Sheet, substepCount: number, seed: number): Rest {
    return rest(makeCloth(sheet, { fabric: damped, substepCount, tetherSlack: 0, pinned: side(sheet, seed) }));
}

/** Dropped by 2 cm on a plane. */
export function lie(sheet: Sheet, substepCount: number): Rest {
    const cloth = makeCloth(sheet, { fabric: damped, substepCount, tetherSlack: 0 });
    let lowest = Infinity;
    for (let i = 1; i < sheet.positions.length; i += 3) lowest = Math.min(lowest, sheet.positions[i]);
    addCollider(cloth, "halfSpace", pose([0, lowest - 0.02, 0], [1, 1, 1], -Math.PI / 2, "x"));
    return rest(cloth);
}

/**
 * At rest without gravity or damping, every particle moved at random by up to a millimetre. What that puts into the sticks
 * has become motion within the first sixth of a second. Motion slower than {@link ROUNDING_SPEED} does not count: 32-bit positions
 * round momentum, too, and bring a mesh of few particles to spin that slowly within a minute.
 * @returns the largest kinetic energy after that over the largest in it
 */
export function kick(sheet: Sheet, substepCount: number, seconds: number, seed: number): number {
    const cloth = makeCloth(sheet, { fabric: { ...Fabrics.cotton, damping: 0 }, substepCount, gravity: [0, 0, 0] });
    const random = seededRandom(seed);
    const { positions, previous, stepStart, particleCount } = cloth.state;
    for (let i = 0; i < particleCount; i++) for (let c = 0; c < 3; c++) positions[4 * i + c] += 0.001 * (2 * random() - 1);
    previous.set(positions);
    stepStart.set(positions);
    let first = 0.5 * massOf(cloth) * ROUNDING_SPEED ** 2;
    let later = 0;
    for (let step = 0; step < 60 * seconds; step++) {
        runSteps(cloth, 1);
        if (step < 10) first = Math.max(first, cloth.kineticEnergy);
        else later = Math.max(later, cloth.kineticEnergy);
    }
    cloth.release();
    return later / first;
}

const damped = { ...Fabrics.cotton, damping: DAMPING };

/** The particles on one side along an axis in which the mesh has an extent. */
function side({ positions: x }: Sheet, seed: number): number[] {
    const boxes = [0, 1, 2].map((axis) => {
        let low = Infinity;
        let high = -Infinity;
        for (let i = axis; i < x.length; i += 3) {
            low = Math.min(low, x[i]);
            high = Math.max(high, x[i]);
        }
        return { axis, low, high, size: high - low };
    });
    const longest = Math.max(...boxes.map(({ size }) => size));
    const { axis, low, high, size } = [0, 1, 2].map((k) => boxes[(seed + k) % 3]).find((box) => box.size > 0.05 * longest)!;
    const limit = 1e-3 * size;
    return Array.from({ length: x.length / 3 }, (_, i) => i).filter(
        (i) => (seed % 2 === 1 ? high - x[3 * i + axis] : x[3 * i + axis] - low) < limit,
    );
}

function rest(cloth: Body): Rest {
    const stretch = new Float64Array(2);
    let now = 0;
    let stretchedFor = 0;
    for (let step = 0; step < 60 * REST_SECONDS; step++) {
        runSteps(cloth, 1);
        measureStretch(cloth, stretch);
        now = stretch[1] > LARGEST_STRETCH ? now + 1 / 60 : 0;
        stretchedFor = Math.max(stretchedFor, now);
    }
    const speed = speedOf(cloth);
    if (speed > SLOW) runSteps(cloth, 60 * (LATE_SECONDS - REST_SECONDS));
    const speedLater = speed > SLOW ? speedOf(cloth) : speed;
    cloth.release();
    return { speed, speedLater, meanStretch: stretch[0], maxStretch: stretch[1], stretchedFor };
}

function speedOf(cloth: Body): number {
    return Math.sqrt((2 * cloth.kineticEnergy) / massOf(cloth));
}

function massOf(cloth: Body): number {
    let mass = 0;
    for (let i = 0; i < cloth.state.particleCount; i++) mass += cloth.masses.massOf(i);
    return mass;
}
