/**
 * Runs the code blocks of the guides under a NullEngine and prints measurements as JSON by name. Plain Node, as run.ts:
 *
 *     node --import ./.ci/ts.mjs test/docs/runGuides.ts <folder of the programs>
 */
import { readdirSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { FreeCamera, Logger, NullEngine, Scene, Vector3 } from "@babylonjs/core";
import type { BodyBehavior, ClothBehavior } from "babylon-cloth";
import "../parts";

/** Simulated time of each block [s]. */
const SECONDS = 2;
const FRAMES_PER_SECOND = 60;
const folder = resolve(process.argv[2]);

/** Names of behaviors that move particles. */
const BODIES = ["Cloth", "Rope", "Plant", "RigidBody"];

async function run(name: string): Promise<object> {
    const engine = new NullEngine();
    engine.getDeltaTime = () => 1000 / FRAMES_PER_SECOND;
    const scene = new Scene(engine);
    new FreeCamera("camera", new Vector3(0, 0, -5), scene);
    Object.assign(globalThis, { scene });
    const messages: unknown[] = [];
    Logger.Warn = Logger.Error = (message) => void messages.push(message);
    // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the blocks have types of their own; guides.test.ts checks them
    const names: any = await import(pathToFileURL(`${folder}/${name}.ts`).href);
    const bodies = scene.meshes.flatMap((mesh) =>
        BODIES.map((kind) => mesh.getBehaviorByName(kind) as unknown as BodyBehavior | null).filter((body) => body !== null),
    );
    for (const body of bodies) await body.whenReady();
    const before = bodies.map((body) => body.getParticlePositions().slice());
    const states: object[] = [];
    for (let frame = 1; frame <= SECONDS * FRAMES_PER_SECOND; frame++) scene.render();
    for (const [i, body] of bodies.entries()) {
        const after = body.getParticlePositions();
        const moved = Math.max(...before[i].map((value, k) => Math.abs(after[k] - value)));
        states.push({ isFinite: after.every(Number.isFinite), moved, lowest: Math.min(...after.filter((_, k) => k % 3 === 1)) });
    }
    const stretch = (cloth: ClothBehavior) => cloth.stats.meanStretch;
    const facts: Record<string, () => object> = {
        pins: () => ({ held: names.cloth.pins.length, lifted: names.lifted.particleCount, weak: names.weak.particleCount }),
        colliders: () => ({ friction: names.top.friction, margin: names.top.margin }),
        selfCollision: () => ({ gap: lowestGap(names.towels) }),
        rope: () => ({ length: names.winch.rope.length }),
        bodies: () => ({ crate: names.crate.position.asArray(), angle: names.hinge.angle }),
        tearing: () => ({ wasCut: names.wasCut, grew: names.cloth.particleCount - names.before }),
        baking: () => ({ targets: names.mesh.morphTargetManager.numTargets, bytes: 24 * names.mesh.getTotalVertices() * 45 }),
        pinsCurtain: () => ({ open: names.drapes.open, rings: spanOf(names.drapes.rings) }),
        migrated: () => ({
            stretch: stretch(names.cloth),
            pins: names.cloth.pins.map((pin: { particleCount: number }) => pin.particleCount),
            nearest: distanceFrom(names.ball.position, names.cloth),
        }),
        // Direction of the tail from its root.
        tail: () => ({ swing: names.tail[5].getAbsolutePosition().subtract(names.tail[0].getAbsolutePosition()).asArray() }),
        gettingStarted: () => ({ stretch: stretch(names.cloth) }),
    };
    const result = { bodies: states, messages, ...facts[name]?.() };
    engine.dispose();
    return result;
}

/** Smallest height of the upper cloth's middle above that of the lower one [m]. */
function lowestGap([lower, upper]: ClothBehavior[]): number {
    const middle = (cloth: ClothBehavior) => cloth.getParticlePositions()[3 * (cloth.particleCount >> 1) + 1];
    return middle(upper) - middle(lower);
}

/** Distance of a cloth's nearest particle from a point [m]. */
function distanceFrom(point: Vector3, cloth: ClothBehavior): number {
    const x = cloth.getParticlePositions();
    const distances = Array.from({ length: cloth.particleCount }, (_, i) => Vector3.Distance(point, Vector3.FromArray(x, 3 * i)));
    return Math.min(...distances);
}

/** Distance between the first and the last of the rings [m]. */
function spanOf(rings: { getAbsolutePosition(): Vector3 }[]): number {
    return Vector3.Distance(rings[0].getAbsolutePosition(), rings[rings.length - 1].getAbsolutePosition());
}

const results: Record<string, object> = {};
for (const file of readdirSync(folder).filter((each) => each.endsWith(".ts"))) {
    const name = file.replace(".ts", "");
    try {
        results[name] = await run(name);
    } catch (error) {
        results[name] = { error: (error as Error).stack };
    }
}
console.log(JSON.stringify(results));
process.exit(0);
