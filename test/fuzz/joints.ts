/** Rigid bodies joined in rows and trees at random: their masses, kinds of joints, substeps, begins and frames. Seeded. */
import "../parts";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { RigidBodyBallJoint, RigidBodyBehavior, RigidBodyHinge } from "../../src/index";
import { seededRandom } from "../random";
import { pick, vector } from "./lifeEvents";
import { makeStage } from "./lifeStage";
import { Dice } from "./randomMeshes";

/** How a tree of joints fared. */
export interface JointRun {
    readonly name: string;
    readonly isFinite: boolean;
    /** How far the highest rose above where all began, in the tree's reach: nothing moved there, so all of it is energy from nothing. */
    readonly rise: number;
    /** How far it is from where it hangs at most, in its reach. */
    readonly farthest: number;
}

/** Frames [ms]; null: at random. */
const RHYTHMS = [1000 / 144, 1000 / 60, 10, 33, null];

/** Bodies that are hung up and let go, all at one height. */
export function hangAtRandom(seed: number, seconds = 4): JointRun {
    const dice = new Dice(seededRandom(seed));
    const { engine, scene } = makeStage();
    try {
        const rhythm = pick(dice, RHYTHMS);
        const frame = (): number => {
            const milliseconds = rhythm ?? dice.range(2, 40);
            engine.getDeltaTime = () => milliseconds;
            scene.render();
            return milliseconds / 1000;
        };
        const count = dice.count(2, 6);
        const meshes: Mesh[] = [];
        const bodies: RigidBodyBehavior[] = [];
        const masses: number[] = [];
        for (let i = 0; i < count; i++) {
            const mesh = MeshBuilder.CreateBox(
                "body",
                { width: 0.3, height: dice.range(0.05, 0.3), depth: dice.range(0.05, 0.3) },
                scene,
            );
            mesh.position.x = 0.2 + 0.4 * i;
            masses.push(dice.size(1e-3, 10));
            const body = new RigidBodyBehavior({
                mass: masses[i],
                substepCount: dice.chance(0.3) ? dice.count(1, 12) : 4,
                gravity: Vector3.Zero(),
            });
            mesh.addBehavior(body);
            meshes.push(mesh);
            bodies.push(body);
            // Some begin later than others.
            if (dice.chance(0.3)) frame();
        }
        bodies.forEach((body, i) => {
            const point = new Vector3(0.4 * i, 0, 0);
            const before = i > 0 ? bodies[i - 1] : null;
            if (dice.chance(0.5)) new RigidBodyHinge(body, before, { point, axis: vector(dice, 1) });
            else
                new RigidBodyBallJoint(body, before, {
                    point,
                    ...(dice.chance(0.5) && { axis: new Vector3(1, 0, 0), swing: dice.range(0.1, 2) }),
                });
            body.gravity = new Vector3(0, -9.81, 0);
        });
        const reach = 0.4 * count;
        let [isSound, rise, farthest] = [true, 0, 0];
        for (let time = 0; time < seconds;) {
            time += frame();
            let [moment, mass] = [0, 0];
            meshes.forEach(({ position: { x, y, z } }, i) => {
                isSound &&= Number.isFinite(x + y + z);
                moment += masses[i] * y;
                mass += masses[i];
                farthest = Math.max(farthest, Math.hypot(x, y, z) / reach);
            });
            // Of their common centre: one may be thrown up while the others fall.
            rise = Math.max(rise, moment / mass / reach);
        }
        const name = `${count} bodies of ${masses.map((mass) => mass.toPrecision(2)).join(", ")} kg, frames of ${rhythm ?? "any"} ms`;
        return { name: `${seed}: ${name}`, isFinite: isSound, rise, farthest };
    } finally {
        engine.dispose();
    }
}
