/** Plants of any mesh, stuff and pace, thrown about, pushed and changed; then nothing happens any more. Seeded. */
import "../parts";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { runtimeOf } from "../../src/babylon/behaviors/bodyRuntime";
import { PlantBehavior, Wind } from "../../src/index";
import type { Body } from "../../src/engine/index";
import { elasticOf } from "../physics/plants";
import { G, measure } from "../physics/support";
import { seededRandom } from "../random";
import { pick, vector } from "./lifeEvents";
import { makeStage } from "./lifeStage";
import { Dice, randomMesh } from "./randomMeshes";

/** How a plant fared. */
export interface PlantRun {
    readonly name: string;
    readonly isFinite: boolean;
    /**
     * By how much its energy was above that of the quiet time's begin, at most, as a share of what moved and bent it then and of what it is to lift it by its size;
     * 0 for what hangs on nothing.
     */
    readonly rise: number;
    /** How far a particle is from the mesh's place in the last second, in sizes of the mesh; 0 for what hangs on nothing or cannot bear its weight. */
    readonly farthest: number;
}

/** What is done to one. */
type Event = (scene: { plant: PlantBehavior; mesh: Mesh; ball: Mesh; size: number }, dice: Dice) => void;

const EVENTS: readonly Event[] = [
    ({ mesh, size }, dice) => mesh.position.addInPlace(vector(dice, size * dice.size(0.01, 3))),
    ({ mesh }, dice) => mesh.rotation.addInPlace(vector(dice, 3)),
    ({ mesh }, dice) => mesh.scaling.scaleInPlace(dice.size(0.7, 1.4)),
    ({ plant }, dice) => (plant.stiffness = pick(dice, [0, 1e6, Infinity, dice.size(1, 1e10)])),
    ({ plant, mesh }, dice) => plant.applyImpulse(mesh.getAbsolutePosition(), vector(dice, dice.size(0.01, 5))),
    ({ plant }, dice) => (plant.substepCount = dice.count(1, 32)),
    ({ plant }, dice) => (plant.damping = dice.chance(0.3) ? 0 : dice.size(0.1, 10)),
    ({ plant, mesh, ball, size }, dice) => {
        if (plant.colliders.length === 0) plant.addCollider(ball);
        ball.position.copyFrom(mesh.getAbsolutePosition()).addInPlace(vector(dice, size));
    },
];
/** Frames [ms]; null: at random. */
const RHYTHMS = [1000 / 144, 1000 / 60, 1000 / 60, 33, 100, 300, null];
const FRAME = 1000 / 60;
/** What stretches by more than such a share under its own weight may hang anywhere. */
const SOFT = 0.05;
/** Frames until what has happened last is over. */
const SETTLING = 5;

function optionsOf(dice: Dice) {
    return {
        stiffness: dice.chance(0.1) ? Infinity : dice.size(1e3, 1e10),
        density: dice.size(1, 1e4),
        thickness: dice.size(1e-4, 0.1),
        damping: dice.chance(0.2) ? 0 : dice.size(0.05, 5),
        substepCount: dice.count(1, 16),
        gravity: dice.chance(0.3) ? Vector3.Zero() : null,
        fixedTimeStep: dice.chance(0.2) ? dice.size(1 / 240, 1 / 20) : 1 / 60,
        wind: dice.chance(0.3) ? new Wind({ velocity: vector(dice, dice.size(0.1, 30)) }) : null,
        sleepSpeed: dice.chance(0.5) ? 0 : 1e-3,
    };
}

/** What a life is to be. */
export interface PlantLot {
    /** In which anything happens. */
    frames?: number;
    /** In which nothing does. */
    seconds?: number;
    /** Larger ones are left out. */
    mostParticles?: number;
}

/** A plant's life; null where the mesh is too large or too small. @throws Error where a behavior does */
export function growAtRandom(seed: number, { frames = 90, seconds = 10, mostParticles = 400 }: PlantLot = {}): PlantRun | null {
    const dice = new Dice(seededRandom(seed));
    const { engine, scene } = makeStage();
    try {
        const mesh = randomMesh(seed, scene);
        mesh.scaling.setAll(dice.size(0.1, 3));
        const pinned = dice.chance(0.15) ? 0 : dice.count(1, 0.3 * mesh.getTotalVertices());
        const options = optionsOf(dice);
        const pins = pinned > 0 ? [{ select: (_: Vector3, v: number) => v < pinned }] : [];
        const plant = new PlantBehavior({ ...options, pins });
        mesh.addBehavior(plant);
        if (plant.particleCount > mostParticles || plant.particleCount === 0) return null;
        const size = 2 * mesh.getBoundingInfo().boundingSphere.radiusWorld;
        const ball = MeshBuilder.CreateSphere("ball", { diameter: size * dice.range(0.2, 1) }, scene);
        let isSound = true;
        /** Takes a frame. @returns how far the farthest particle is from the mesh's place [m] */
        const frame = (milliseconds: number): number => {
            engine.getDeltaTime = () => milliseconds;
            scene.render();
            const places = plant.getParticlePositions();
            isSound &&= places.every(Number.isFinite);
            const middle = mesh.getAbsolutePosition().asArray();
            let farthest = 0;
            for (let i = 0; i < places.length; i += 3)
                farthest = Math.max(farthest, Math.hypot(...middle.map((x, c) => places[i + c] - x)));
            return farthest;
        };
        const rhythm = pick(dice, RHYTHMS);
        const share = dice.size(0.01, 0.3);
        for (let f = 0; f < frames; f++) {
            if (dice.chance(share)) pick(dice, EVENTS)({ plant, mesh, ball, size }, dice);
            frame(rhythm ?? dice.size(1, 1000));
        }
        for (const collider of [...plant.colliders]) plant.removeCollider(collider);
        Object.assign(plant, { wind: null, stiffness: options.stiffness, sleepSpeed: 0 });
        for (let f = 0; f < SETTLING; f++) frame(FRAME);
        const body = runtimeOf(plant)!.instance!.cloth as Body;
        const { mass, kinetic } = measure(body);
        const energy = (): number => measure(body).kinetic + measure(body).potential + elasticOf(body);
        const begin = energy();
        const scale = kinetic + elasticOf(body) + mass * G * size;
        let [rise, farthest] = [0, 0];
        for (let f = 0; f < 60 * seconds; f++) {
            const distance = frame(FRAME);
            rise = Math.max(rise, (energy() - begin) / scale);
            if (f >= 60 * (seconds - 1)) farthest = Math.max(farthest, distance / size);
        }
        const isSoft = options.density * G * size > SOFT * options.stiffness;
        const name = Object.entries({ ...options, pinned }).map(([key, value]) => `${key} ${String(value)}`);
        return {
            name: `${mesh.name}, ${plant.particleCount} particles of ${size.toPrecision(3)} m: ${name.join(", ")}`,
            isFinite: isSound,
            rise: pinned > 0 ? rise : 0,
            farthest: pinned > 0 && !isSoft ? farthest : 0,
        };
    } finally {
        engine.dispose();
    }
}
