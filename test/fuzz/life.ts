/** Built cloths through lives at random: odd options, frames of any length, and whatever users do to meshes while they move. Seeded. */
import "@babylonjs/core/Materials/standardMaterial";
import { Plane } from "@babylonjs/core/Maths/math.plane";
import type { Scene } from "@babylonjs/core/scene";
import { ClothBuilder, Fabrics, WindSpeeds } from "../../src/index";
import type { ClothBuilderOptions, ClothMesh, FabricName, WindName } from "../../src/index";
import { seededRandom } from "../random";
import { EVENTS, pick } from "./lifeEvents";
import { makeStage } from "./lifeStage";
import type { Stage } from "./lifeStage";
import { Dice } from "./randomMeshes";
import { WORLD_EVENTS, WORLD_MAKERS } from "./worlds";

/** How a life went. */
export interface Life {
    readonly name: string;
    readonly frames: number;
    /** Of all places of all particles in all frames: what is done twice gives it twice. */
    readonly digest: number;
    /** What has happened. */
    readonly told: readonly string[];
    /** The longest frame [ms], and the median. */
    readonly longest: number;
    readonly median: number;
    /** How each cloth was after some seconds in which nothing happened. */
    readonly quiet: readonly Quiet[];
}

/** A cloth after some seconds in which nothing happened. */
export interface Quiet {
    readonly name: string;
    /** The largest of a particle in the last second [m/s]. */
    readonly speed: number;
    readonly stretch: number;
}

type Option = ClothBuilderOptions & Record<string, unknown>;
type Make = (name: string, options: object, scene: Scene) => ClothMesh;

/** All that make cloth: ropes and chains have other options, and other lives. */
const MAKERS = Object.entries(ClothBuilder).filter(([name]) => !["CreateRope", "CreateChain", "Subdivide"].includes(name)) as [
    string,
    Make,
][];
/** Most frames that a life goes on after something has happened. */
const MOST_FRAMES = 6;

/** Options of any builder, and its own. */
function optionsOf(maker: string, dice: Dice): Option {
    const scale = dice.size(0.1, 10);
    const options: Option = { subdivisions: dice.count(4, 20) };
    if (dice.chance(0.5)) options.fabric = pick(dice, Object.keys(Fabrics)) as FabricName;
    if (dice.chance(0.6)) options.wind = pick(dice, [...Object.keys(WindSpeeds), null]) as WindName | null;
    if (dice.chance(0.3)) options.substepCount = dice.count(1, 16);
    if (dice.chance(0.3)) options.selfCollision = pick(dice, ["particles", "triangles", "robust"] as const);
    if (dice.chance(0.2)) options.maxStepsPerFrame = dice.count(1, 60);
    if (dice.chance(0.1)) options.pins = [];
    if (dice.chance(0.2)) options.maxDistance = dice.size(0.01, 1) * scale;
    if (maker === "CreateTablecloth") return { ...options, [pick(dice, ["size", "radius"])]: scale };
    return { ...options, width: scale * dice.size(0.3, 3), height: scale * dice.size(0.3, 3), ...ownOptionsOf(maker, dice) };
}

function ownOptionsOf(maker: string, dice: Dice): object {
    const own: Record<string, () => object> = {
        CreateCurtain: () => ({
            pleats: dice.count(1, 12),
            fullness: dice.range(1.1, 3),
            open: dice.next(),
            side: pick(dice, ["left", "right"]),
            tieBack: dice.range(0.1, 0.9),
        }),
        CreateBanner: () => ({ slack: dice.range(0, 0.5) }),
        CreateSail: () => ({ camber: dice.range(0, 0.3) }),
        CreateAwning: () => ({ slope: dice.range(-1.5, 1.5) }),
        CreateCape: () => ({ flare: 1 }),
    };
    return own[maker]?.() ?? {};
}

/** How long frames are [ms]; null: any. */
const RHYTHMS = [0, 1, 16, 1000 / 60, 33, 200, 1000, null, null];
/** Share by which they differ. */
const JITTER = 0.3;
const FRAME = 1000 / 60;
/** How far cloths are put from each other at the end [m]: none is larger. */
const APART = 100;

/** What a life is to be. */
export interface Lot {
    /** How many frames go by, at least. */
    frames: number;
    /** Names of events to draw from; left out: all. */
    only?: readonly string[];
    /** Whether there are bodies of all kinds, in the place of builders' cloths; default false. */
    isWorld?: boolean;
    /** Seconds in which nothing happens, at the end; default 0. */
    quietSeconds?: number;
}

/**
 * A life of one to four cloths in one or two scenes: something happens, some frames of 0 to 1000 ms go by, and so on; then all ends.
 * @throws Error that tells what had happened, where anything throws, is not finite, or is left behind
 */
export function liveAtRandom(
    seed: number,
    { frames, isWorld = false, only = isWorld ? WORLD_EVENTS : undefined, quietSeconds = 0 }: Lot,
): Life {
    const dice = new Dice(seededRandom(seed));
    const stages = Array.from({ length: dice.chance(0.3) ? 2 : 1 }, makeStage);
    const events = Object.entries(EVENTS).filter(([name]) => !only || only.includes(name));
    const told: string[] = [];
    const times: number[] = [];
    const rhythm = pick(dice, RHYTHMS);
    let digest = 0;
    let quiet: Quiet[] = [];
    const frame = (milliseconds: number): void => {
        for (const { engine, scene, cloths } of stages) {
            engine.getDeltaTime = () => milliseconds;
            const start = performance.now();
            scene.render();
            times.push(performance.now() - start);
            for (const cloth of cloths) digest = (Math.imul(digest, 31) + examine(cloth)) | 0;
        }
    };
    try {
        for (const stage of isWorld ? stages : []) {
            for (let i = dice.integer(2, 5); i > 0; i--) {
                const [kind, make] = pick(dice, WORLD_MAKERS);
                told.push(kind);
                stage.cloths.push(make(`${kind} ${i}`, dice, stage.scene));
            }
        }
        for (const stage of isWorld ? [] : stages) {
            for (let i = dice.integer(1, 2); i > 0; i--) {
                const [maker, make] = pick(dice, MAKERS);
                const options = { ...optionsOf(maker, dice) };
                told.push(`${maker} ${JSON.stringify(options)}`);
                stage.cloths.push(make(maker, options, stage.scene));
            }
        }
        for (let done = 0; done < frames;) {
            const stage = pick(dice, stages);
            if (stage.cloths.length > 0) {
                const [name, event] = pick(dice, events);
                told.push(name);
                event(pick(dice, stage.cloths), dice, stage);
            }
            for (let i = dice.integer(1, MOST_FRAMES); i > 0; i--, done++) {
                frame(rhythm === null ? dice.size(1, 1000) : rhythm * dice.range(1 - JITTER, 1 + JITTER));
            }
        }
        if (quietSeconds > 0) quiet = beQuiet(stages, quietSeconds, frame);
        for (const stage of stages) end(stage, dice);
    } catch (error) {
        throw new Error(`life ${seed}: ${(error as Error).message}; ${told.slice(-12).join(", ")}; began with ${told[0]}`, {
            cause: error,
        });
    } finally {
        for (const { engine } of stages) if (!engine.isDisposed) engine.dispose();
    }
    times.sort((a, b) => a - b);
    return { name: told[0], frames: times.length, digest, told, longest: times.at(-1)!, median: times[times.length >> 1], quiet };
}

/** Takes away what moves or pulls a cloth, but for its floor and the pins that it was built with; then it begins anew. */
function removeDisturbances({ nodes, cloths, undo }: Stage): void {
    for (const take of undo.splice(0)) take();
    for (const [i, mesh] of cloths.entries()) {
        const { cloth } = mesh;
        Object.assign(cloth, {
            wind: null,
            enabled: true,
            gravity: null,
            fixedTimeStep: 1 / 60,
            maxDistance: null,
            sleepSpeed: 0,
            teleportSpeed: 50,
        });
        for (const pin of [...cloth.pins]) if (pin.select instanceof Array && pin.select.length === 1) cloth.unpin(pin);
        for (const collider of [...cloth.colliders]) cloth.removeCollider(collider);
        mesh.setEnabled(true);
        mesh.parent = null;
        mesh.scaling.setAll(1);
        mesh.position.set(APART * i, 0, 0);
        if (cloth.attachedNode) cloth.reset();
    }
    for (const node of nodes) node.scaling.setAll(1);
}

/** Lets some seconds pass in which nothing happens. */
function beQuiet(stages: readonly Stage[], seconds: number, frame: (milliseconds: number) => void): Quiet[] {
    const cloths = stages.flatMap((stage) => stage.cloths);
    stages.forEach(removeDisturbances);
    frame(FRAME);
    for (const { cloth } of cloths) {
        const y = cloth.getParticlePositions().filter((_, i) => i % 3 === 1);
        const low = y.reduce((lowest, height) => Math.min(lowest, height), Infinity);
        if (y.length > 0) cloth.addCollider(new Plane(0, 1, 0, 2 * cloth.fabric.thickness - low));
    }
    const speeds = cloths.map(() => 0);
    for (let f = 0; f < 60 * seconds; f++) {
        const isLast = f >= 60 * (seconds - 1);
        const before = cloths.map(({ cloth }) => (isLast ? cloth.getParticlePositions() : null));
        frame(FRAME);
        if (isLast)
            cloths.forEach(({ cloth }, i) => (speeds[i] = Math.max(speeds[i], speedOf(before[i]!, cloth.getParticlePositions()))));
    }
    return cloths.map(({ cloth, name }, i) => ({ name, speed: speeds[i], stretch: cloth.stats.maxStretch }));
}

function speedOf(before: ArrayLike<number>, after: ArrayLike<number>): number {
    if (before.length !== after.length) return 0;
    let fastest = 0;
    for (let i = 0; i < after.length; i += 3) {
        fastest = Math.max(fastest, Math.hypot(after[i] - before[i], after[i + 1] - before[i + 1], after[i + 2] - before[i + 2]));
    }
    return 60 * fastest;
}

/** A number of where all of it is. @throws Error where something is no number */
function examine(mesh: ClothMesh): number {
    const { cloth } = mesh;
    let sum = 0;
    for (const x of cloth.getParticlePositions()) {
        if (!Number.isFinite(x)) throw new Error(`${mesh.name}: a particle is not finite`);
        sum = (Math.imul(sum, 31) + Math.round(1e6 * (x % 1))) | 0;
    }
    for (const kind of mesh.getVerticesDataKinds()) {
        if (!mesh.getVerticesData(kind)!.every(Number.isFinite)) throw new Error(`${mesh.name}: ${kind} is not finite`);
    }
    return sum;
}

/** Ends a scene, by its meshes or at once; what has watched it watches no more. */
function end({ engine, scene, cloths, nodes, undo }: Stage, dice: Dice): void {
    if (dice.chance(0.3)) return engine.dispose();
    for (const take of undo) take();
    for (const mesh of cloths) mesh.dispose();
    for (const node of nodes) node.dispose();
    scene.render();
    const watched = [
        "onBeforeRenderObservable",
        "onBeforeAnimationsObservable",
        "onBeforeActiveMeshesEvaluationObservable",
    ] as const;
    for (const name of watched) if (scene[name].hasObservers()) throw new Error(`scene.${name} is still observed`);
    if (scene.meshes.length > 0 || scene.geometries.length > 0) {
        throw new Error(`${scene.meshes.length} meshes and ${scene.geometries.length} geometries are left`);
    }
}
