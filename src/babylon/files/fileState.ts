import type { Attachment } from "../attachment";
import { ensureAir } from "../../engine/forces/updateAir";
import { finite, knownOptions, reject } from "../../engine/state/validate";
import { SceneFrames } from "../frames/sceneFrames";
import { toBytes, toText } from "./bytes";

/** The motion of a cloth: numbers as text, see bytes.ts. */
export interface ClothStateData {
    /** World position of the space in which the particles are [m], the world's time [s]. */
    readonly origin: string;
    readonly worldTime: number;
    /** Positions and what keeps their motion, in turn. */
    readonly particles: readonly string[];
    readonly particleOfVertex: string;
    /** How long their substeps are, and what tells how fine they are to be; left out, as in older files: not known. */
    readonly steps?: string;
    readonly clock: string;
    readonly sleep: string;
    /** Of the pins, in their order: where they hold, local to what carries them, and their motion. */
    readonly places: readonly string[];
    readonly pins: readonly string[];
    /** What else than air acted on the particles; null: no air about. */
    readonly air: string | null;
}

const NAMES = ["origin", "worldTime", "particles", "particleOfVertex", "steps", "clock", "sleep", "places", "pins", "air"];
const OWNER = "ClothFiles: parse: state";
/** No place, time or motion is larger: numbers of 32 bits can still square it. */
const LARGEST = 1e12;

/** @param kept which of the pins are written */
export function writeState(attachment: Attachment, kept: readonly boolean[]): ClothStateData {
    const { origin, worldTime, ofParticles, particleOfVertex, substep, fineness = [] } = attachment.saveMotion();
    const { cloth } = attachment;
    const pins = keptOf(
        cloth.pins.filter(({ isCoupling: isTie }) => !isTie),
        kept,
    );
    return {
        origin: toText(origin),
        worldTime,
        particles: ofParticles.map(toText),
        particleOfVertex: toText(particleOfVertex),
        steps: toText(Float64Array.of(substep, ...fineness)),
        clock: toText(cloth.clock.saveMotion()),
        sleep: toText(cloth.saveSleep()),
        places: pins.map(({ offsets }) => toText(offsets)),
        pins: pins.map((each) => toText(each.saveMotion())),
        air: cloth.hasAir ? toText(cloth.air!.predictedDisplacements) : null,
    };
}

/** Checks what can be checked without a mesh. @throws RangeError on an unknown or missing part */
export function checkState(state: unknown): ClothStateData {
    if (typeof state !== "object" || state === null) return reject("ClothFiles: parse", "state", "an object", state);
    knownOptions(OWNER, state, NAMES);
    const { worldTime, particles, places, pins, air, steps, ...texts } = state as ClothStateData;
    finite(OWNER, "worldTime", worldTime, LARGEST);
    for (const [name, list] of Object.entries({ particles, places, pins })) {
        if (!Array.isArray(list)) reject(OWNER, name, "a list", list);
        list.forEach((text, i) => demand(`${name}[${i}]`, text));
    }
    for (const name of ["origin", "particleOfVertex", "clock", "sleep"] as const) demand(name, texts[name]);
    if (air !== null) demand("air", air);
    if (steps !== undefined) demand("steps", steps);
    return state as ClothStateData;
}

/** @throws RangeError where the mesh is another one than that of which it was written */
export function readState(attachment: Attachment, state: ClothStateData): void {
    const { cloth, binding, mesh } = attachment;
    const particleOfVertex = new Uint32Array(demand("particleOfVertex", state.particleOfVertex));
    const ofParticles = state.particles.map((text, i) => new Float32Array(demand(`particles[${i}]`, text)));
    const motion = cloth.state.saveMotion();
    const isSame =
        particleOfVertex.length === binding.particleOfVertex.length &&
        particleOfVertex.every((particle, v) => particle === binding.particleOfVertex[v]) &&
        ofParticles.length === motion.length &&
        ofParticles.every((array, i) => array.length === motion[i].length) &&
        [state.places, state.pins].every(({ length }) => length === cloth.pins.length);
    if (!isSame) reject(OWNER, "state", "of a mesh with the same vertices and pins", mesh.name);
    ofParticles.forEach((array, i) => demandUsable(`particles[${i}]`, array));
    const origin = doubles("origin", state.origin, 3);
    const clock = doubles("clock", state.clock, cloth.clock.saveMotion().length);
    // What is left over of a frame: below zero, it would take back steps.
    if (!(clock[1] >= 0)) reject(OWNER, "clock[1]", "a time >= 0", clock[1]);
    const told = 1 + (cloth.definition.substepController?.saveState(cloth).length ?? 0);
    const [substep, ...known] = state.steps === undefined ? [0] : doubles("steps", state.steps, told);
    const fineness = known.length > 0 ? known : undefined;
    const sleep = doubles("sleep", state.sleep, cloth.saveSleep().length);
    const held = cloth.pins.map((pins, i) => ({
        places: doubles(`places[${i}]`, state.places[i], pins.offsets.length),
        motion: doubles(`pins[${i}]`, state.pins[i], pins.saveMotion().length),
    }));
    const air = state.air === null ? null : demandUsable("air", new Float32Array(demand("air", state.air)));
    const feltCount = air ? ensureAir(cloth, true).predictedDisplacements.length : 0;
    if (air && air.length !== feltCount) reject(OWNER, "air", `${feltCount} numbers of 32 bits`, air.length);
    const { world } = SceneFrames.of(mesh.getScene());
    // A scene that has just begun takes over the time, for its winds to go on.
    if (world.time === 0) world.time = state.worldTime;
    attachment.restoreMotion({ origin, worldTime: state.worldTime, ofParticles, particleOfVertex, substep, fineness }, []);
    cloth.pins.forEach((pins, i) => pins.restoreMotion(held[i].places, held[i].motion));
    cloth.clock.restoreMotion(clock);
    cloth.restoreSleep(sleep);
    if (!air) return;
    cloth.air!.predictedDisplacements.set(air);
    cloth.hasAir = true;
}

function doubles(name: string, text: unknown, length: number): Float64Array {
    const bytes = demand(name, text);
    if (bytes.byteLength !== 8 * length) reject(OWNER, name, `${length} numbers of 64 bits`, `${bytes.byteLength} bytes`);
    return demandUsable(name, new Float64Array(bytes));
}

function demandUsable<T extends Float32Array | Float64Array>(name: string, numbers: T): T {
    const wrong = numbers.findIndex((number) => !(Math.abs(number) <= LARGEST));
    if (wrong >= 0) finite(OWNER, `${name}[${wrong}]`, numbers[wrong], LARGEST);
    return numbers;
}

function demand(name: string, text: unknown): ArrayBuffer {
    return toBytes(text) ?? reject(OWNER, name, "bytes in base 64", text);
}

/** Those of a list that are kept. */
export function keptOf<T>(list: readonly T[], kept: readonly boolean[]): T[] {
    return list.filter((_, i) => kept[i]);
}
