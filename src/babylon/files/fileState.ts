import type { BodyInstance } from "../behaviors/bodyInstance";
import type { PinSet } from "../../engine/index";
import { ensureAir, finite, knownOptions, reject, restoreSleep, saveSleep } from "../../engine/index";
import { SceneLoop } from "../scene/sceneLoop";
import type { ClothStateData } from "./format/fileFormat";
import { decodeBase64, encodeBase64 } from "./format/fileFormat";

const NAMES = ["origin", "worldTime", "particles", "particleOfVertex", "steps", "clock", "sleep", "places", "pins", "air"];
const OWNER = "ClothFiles: parse: state";
/** Largest magnitude of a position, time or velocity in a file: its square is a finite 32-bit float. */
const MAX_MAGNITUDE = 1e12;

/** @param kept true for each pin that is written */
export function writeState(instance: BodyInstance, kept: readonly boolean[]): ClothStateData {
    const { origin, worldTime, particleMotion, particleOfVertex, substep, substepState = [] } = instance.saveMotion();
    const { cloth } = instance;
    const pins = filterKept(pinsOf(instance), kept);
    return {
        origin: encodeBase64(origin),
        worldTime,
        particles: particleMotion.map(encodeBase64),
        particleOfVertex: encodeBase64(particleOfVertex),
        steps: encodeBase64(Float64Array.of(substep, ...substepState)),
        clock: encodeBase64(cloth.clock.saveMotion()),
        sleep: encodeBase64(saveSleep(cloth)),
        places: pins.map(({ offsets }) => encodeBase64(offsets)),
        pins: pins.map((each) => encodeBase64(each.saveMotion())),
        air: cloth.hasAir ? encodeBase64(cloth.air!.saveMotion()) : null,
    };
}

/** Those that pins of the mesh have made. */
function pinsOf({ cloth }: BodyInstance): PinSet[] {
    return cloth.pins.filter(({ isCoupling }) => !isCoupling);
}

/** Checks that need no mesh. @throws RangeError on an unknown or missing part */
export function checkState(state: unknown): ClothStateData {
    if (typeof state !== "object" || state === null) return reject("ClothFiles: parse", "state", "an object", state);
    knownOptions(OWNER, state, NAMES);
    const { worldTime, particles, places, pins, air, steps, ...texts } = state as ClothStateData;
    finite(OWNER, "worldTime", worldTime, MAX_MAGNITUDE);
    for (const [name, list] of Object.entries({ particles, places, pins })) {
        if (!Array.isArray(list)) reject(OWNER, name, "a list", list);
        list.forEach((text, i) => requireBytes(`${name}[${i}]`, text));
    }
    for (const name of ["origin", "particleOfVertex", "clock", "sleep"] as const) requireBytes(name, texts[name]);
    if (air !== null) requireBytes("air", air);
    if (steps !== undefined) requireBytes("steps", steps);
    return state as ClothStateData;
}

/** @throws RangeError if the mesh is not the one that was written */
export function readState(instance: BodyInstance, state: ClothStateData): void {
    const { cloth, binding, mesh } = instance;
    const pins = pinsOf(instance);
    const particleOfVertex = new Uint32Array(requireBytes("particleOfVertex", state.particleOfVertex));
    const ofParticles = state.particles.map((text, i) => new Float32Array(requireBytes(`particles[${i}]`, text)));
    const motion = cloth.state.saveMotion();
    const isSame =
        particleOfVertex.length === binding.particleOfVertex.length &&
        particleOfVertex.every((particle, v) => particle === binding.particleOfVertex[v]) &&
        ofParticles.length === motion.length &&
        ofParticles.every((array, i) => array.length === motion[i].length) &&
        [state.places, state.pins].every(({ length }) => length === pins.length);
    if (!isSame) reject(OWNER, "state", "of a mesh with the same vertices and pins", mesh.name);
    ofParticles.forEach((array, i) => requireFinite(`particles[${i}]`, array));
    const origin = requireDoubles("origin", state.origin, 3);
    const clock = requireDoubles("clock", state.clock, cloth.clock.saveMotion().length);
    // Remainder of a frame; a negative one would undo steps.
    if (!(clock[1] >= 0)) reject(OWNER, "clock[1]", "a time >= 0", clock[1]);
    const told = 1 + (cloth.definition.substepController?.saveState(cloth).length ?? 0);
    const [substep, ...known] = state.steps === undefined ? [0] : requireDoubles("steps", state.steps, told);
    const substepState = known.length > 0 ? known : undefined;
    const sleep = requireDoubles("sleep", state.sleep, saveSleep(cloth).length);
    const held = pins.map((set, i) => ({
        places: requireDoubles(`places[${i}]`, state.places[i], set.offsets.length),
        motion: requireDoubles(`pins[${i}]`, state.pins[i], set.saveMotion().length),
    }));
    const air = state.air === null ? null : requireFinite("air", new Float32Array(requireBytes("air", state.air)));
    const feltCount = air ? ensureAir(cloth, true).predictedDisplacements.length : 0;
    if (air && air.length !== feltCount && air.length !== 2 * feltCount)
        reject(OWNER, "air", `${2 * feltCount} numbers of 32 bits`, air.length);
    const { clock: sceneClock } = SceneLoop.of(mesh.getScene());
    // A new scene continues at the time of the file, so that gusts continue.
    if (sceneClock.time === 0) sceneClock.time = state.worldTime;
    instance.restoreMotion(
        { origin, worldTime: state.worldTime, particleMotion: ofParticles, particleOfVertex, substep, substepState: substepState },
        [],
    );
    pins.forEach((set, i) => set.restoreMotion(held[i].places, held[i].motion));
    cloth.clock.restoreMotion(clock);
    restoreSleep(cloth, sleep);
    if (air) {
        cloth.air!.restoreMotion(air);
        cloth.hasAir = true;
    }
    // It may be paused.
    instance.write();
}

function requireDoubles(name: string, text: unknown, length: number): Float64Array {
    const bytes = requireBytes(name, text);
    if (bytes.byteLength !== 8 * length) reject(OWNER, name, `${length} numbers of 64 bits`, `${bytes.byteLength} bytes`);
    return requireFinite(name, new Float64Array(bytes));
}

function requireFinite<T extends Float32Array | Float64Array>(name: string, numbers: T): T {
    const wrong = numbers.findIndex((number) => !(Math.abs(number) <= MAX_MAGNITUDE));
    if (wrong >= 0) finite(OWNER, `${name}[${wrong}]`, numbers[wrong], MAX_MAGNITUDE);
    return numbers;
}

function requireBytes(name: string, text: unknown): ArrayBuffer {
    return decodeBase64(text) ?? reject(OWNER, name, "bytes in base 64", text);
}

export function filterKept<T>(list: readonly T[], kept: readonly boolean[]): T[] {
    return list.filter((_, i) => kept[i]);
}
