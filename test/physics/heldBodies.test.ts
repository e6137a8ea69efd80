/** Rigid bodies that pins hold by some of their points: fast, on rails and planes, by springs and leashes. */
import { afterEach, describe, expect, test } from "@jest/globals";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import type { Scene } from "@babylonjs/core/scene";
import { MaxDistanceHold, PlaneHold, RailHold, select, SoftHold, RigidBodyBehavior } from "babylon-cloth";
import type { PinHold, PinOptions, RigidBodyOptions } from "babylon-cloth";
import { disposeWorlds, makeWorld } from "../unit/babylon/harness";

afterEach(disposeWorlds);

const G = 9.81;
const STEP = 1 / 60;
const MASS = 2;

/** A body of 2 kg of a mesh, and the frame of what holds it. */
function hold(
    make: (scene: Scene, frame: TransformNode) => Mesh,
    pins: (frame: TransformNode) => PinOptions[],
    options: RigidBodyOptions = {},
) {
    const { scene } = makeWorld();
    const frame = new TransformNode("frame", scene);
    const mesh = make(scene, frame);
    const body = new RigidBodyBehavior({ mass: MASS, autoStep: false, pins: pins(frame), ...options });
    mesh.addBehavior(body);
    const centre = (): Vector3 => {
        const p = body.getParticlePositions();
        return new Vector3(...[0, 1, 2].map((c) => (p[c] + p[3 + c] + p[6 + c] + p[9 + c]) / 4));
    };
    /** What is read after each step. */
    const run = (seconds: number, read: (step: number) => number = () => 0): number[] =>
        Array.from({ length: Math.round(seconds / STEP) }, (_, step) => {
            body.step(STEP);
            return read(step);
        });
    return { body, frame, centre, run };
}

/** A cone of 1 m that hangs by its tip from the frame's origin, off by an angle. */
const cone = (angle: number) => (scene: Scene) => {
    const mesh = MeshBuilder.CreateCylinder("cone", { height: 1, diameterTop: 0, diameterBottom: 0.1 }, scene);
    mesh.rotation.z = angle;
    mesh.position.set(0.5 * Math.sin(angle), -0.5 * Math.cos(angle), 0);
    return mesh;
};
const TIP = ({ y }: Vector3): boolean => y > 0.499;
/** Its centre from the tip [m], and its moment about that per mass [m²]. */
const DOWN = 0.75;
const MOMENT = (3 / 80) * (4 * 0.05 ** 2 + 1);

/** A plank of which the lower face is in the frame's plane. */
const plank = (scene: Scene): Mesh => {
    const mesh = MeshBuilder.CreateBox("plank", { width: 0.4, height: 0.1, depth: 0.2 }, scene);
    mesh.position.y = 0.05;
    return mesh;
};
const FACE = ({ y }: Vector3): boolean => y < 0;

const periodOf = (x: readonly number[]): number => {
    const times = x.flatMap((now, k) => (k > 0 && x[k - 1] < 0 && now >= 0 ? [k - now / (now - x[k - 1])] : []));
    return ((times[times.length - 1] - times[0]) / (times.length - 1)) * STEP;
};

/** Gravity on a slope down to +x. */
const downhill = (slope: number): Vector3 => new Vector3(G * Math.sin(slope), -G * Math.cos(slope), 0);

describe("a rigid body", () => {
    test.each<[string, PinHold | null, number]>([
        ["a point", null, MOMENT + DOWN * DOWN],
        ["a rail across", new RailHold([new Vector3(0, 0, -1), new Vector3(0, 0, 1)], { friction: 0 }), MOMENT + DOWN * DOWN],
        // On which nothing holds its centre from the side.
        ["a rail along", new RailHold([new Vector3(-1, 0, 0), new Vector3(1, 0, 0)], { friction: 0 }), MOMENT],
    ])("swings on %s by 2π √(I / m g d), and keeps its swing", (_, by, moment) => {
        const { centre, run } = hold(cone(0.03), (target) => [{ select: TIP, target, hold: by }]);
        const start = centre();
        const lower = run(10, () => centre().y);
        const theory = 2 * Math.PI * Math.sqrt(moment / (G * DOWN));
        // Twice as often is it lowest.
        const middle = (Math.max(...lower) + Math.min(...lower)) / 2;
        expect(Math.abs((2 * periodOf(lower.map((y) => y - middle))) / theory - 1)).toBeLessThan(0.01);
        const swing = (from: number): number =>
            Math.max(...lower.slice(from, from + 150)) - Math.min(...lower.slice(from, from + 150));
        expect(Math.abs(swing(450) / swing(0) - 1)).toBeLessThan(0.05);
        if (moment === MOMENT) expect(Math.abs(centre().x - start.x)).toBeLessThan(1e-5);
    });

    test("held at a corner and in a plane turns as a door", () => {
        const a = 0.2;
        const make = (scene: Scene): Mesh => {
            const mesh = MeshBuilder.CreateBox("door", { size: a }, scene);
            mesh.rotation.z = Math.PI / 4 + 0.05;
            return mesh;
        };
        const { centre, run } = hold(make, (target) => [
            { select: ({ x, y, z }) => x > 0 && y > 0 && z > 0 },
            { select: ({ z }) => z > 0, target, hold: new PlaneHold(new Vector3(0, 0, 1), { point: new Vector3(0, 0, a / 2) }) },
        ]);
        const x = run(4, () => centre().x);
        const middle = (Math.max(...x) + Math.min(...x)) / 2;
        const theory = 2 * Math.PI * Math.sqrt((a * a * (1 / 6 + 1 / 2)) / (G * a * Math.SQRT1_2));
        expect(Math.abs(periodOf(x.map((at) => at - middle)) / theory - 1)).toBeLessThan(0.01);
        expect(Math.abs(centre().z)).toBeLessThan(1e-6);
    });

    test.each([
        [0.5, 0],
        [0.8, 0.6],
        [0.5, 1.05 * Math.tan(0.5)],
    ])("slides down a slope of %s in a plane as theory has it, at friction %s", (slope, friction) => {
        const { centre, run } = hold(
            plank,
            (target) => [{ select: FACE, target, hold: new PlaneHold(Vector3.Up(), { friction }) }],
            {
                gravity: downhill(slope),
            },
        );
        run(1);
        const way = (G / 2) * Math.max(0, Math.sin(slope) - friction * Math.cos(slope));
        expect(Math.abs(centre().x - way)).toBeLessThan(0.01 * way + 1e-5);
        expect(Math.abs(centre().y - 0.05)).toBeLessThan(1e-5);
    });

    test("is taken along by a belt", () => {
        const { frame, centre, run } = hold(plank, (target) => [
            { select: FACE, target, hold: new PlaneHold(Vector3.Up(), { friction: 0.5 }) },
        ]);
        for (let step = 1; step <= 120; step++) {
            frame.position.x = step * STEP;
            run(STEP);
        }
        // It lags by what it took to be as fast.
        expect(Math.abs(centre().x - 2 + 1 / (2 * 0.5 * G))).toBeLessThan(0.005);
    });

    test("swings on a spring by 2π √(m / k), with its damping", () => {
        const [stiffness, damping] = [50, 0.4];
        const { body, centre, run } = hold(
            plank,
            (target) => [{ select: select.all(), target, hold: new SoftHold({ stiffness, damping }) }],
            { gravity: Vector3.Zero() },
        );
        run(STEP);
        body.applyImpulse(centre(), new Vector3(MASS, 0, 0));
        const x = run(6, () => centre().x);
        const rate = damping / (2 * MASS);
        const theory = (2 * Math.PI) / Math.sqrt(stiffness / MASS - rate * rate);
        expect(Math.abs(periodOf(x) / theory - 1)).toBeLessThan(0.01);
        const most = (from: number): number => Math.max(...x.slice(from, from + Math.round(theory / STEP)));
        expect(Math.abs(Math.log(most(0) / most(225)) - rate * Math.round(3.75 / theory) * theory)).toBeLessThan(0.03);
    });

    test.each([
        ["as a whole", select.all()],
        ["by its tip", TIP],
    ])("held %s is let go by what bears less than it weighs, and not by what bears more", (_, selected) => {
        for (const share of [0.9, 1.1]) {
            const by = new SoftHold({ maxForce: share * MASS * G });
            // As a whole by a plank, of which all points bear the same.
            const { body, centre, run } = hold(selected === TIP ? cone(0) : plank, (target) => [
                { select: selected, target, hold: by },
            ]);
            const start = centre().y;
            run(0.5);
            expect(body.pins[0].particleCount > 0).toBe(share > 1);
            expect(start - centre().y > 0.5).toBe(share < 1);
            disposeWorlds();
        }
    });

    test("goes as far as its leash, and no farther", () => {
        const { centre, run } = hold(plank, (target) => [{ select: select.all(), target, hold: new MaxDistanceHold(0.1) }]);
        run(0.1);
        expect(0.05 - centre().y).toBeCloseTo((G / 2) * 0.01, 2);
        run(0.5);
        expect(0.05 - centre().y).toBeCloseTo(0.1, 4);
    });

    test.each<[string, PinHold | null]>([
        ["fast", null],
        ["in a plane", new PlaneHold(Vector3.Up())],
        ["on a leash", new MaxDistanceHold(0.001)],
    ])("held %s by what is nowhere for a while, flat, or larger, stays as it is, and falls when that is gone", (_, by) => {
        const { body, frame, centre, run } = hold(plank, (target) => [{ select: FACE, target, hold: by }]);
        const apart = (): number => {
            const p = body.getParticlePositions();
            return Math.hypot(p[0] - p[9], p[1] - p[10], p[2] - p[11]);
        };
        const before = apart();
        const [scales, places] = [
            [1, 1, 0, 1, 3, 1],
            [NaN, 0, 0, 0, 0, 0],
        ];
        scales.forEach((scale, i) => {
            frame.scaling.setAll(scale);
            frame.position.x = places[i];
            run(0.2);
            expect(apart()).toBeCloseTo(before, 4);
        });
        const { y } = centre();
        expect(Math.abs(y - 0.05)).toBeLessThan(0.002);
        frame.dispose();
        run(0.5);
        expect(y - centre().y).toBeCloseTo((G / 2) * 0.25, 1);
    });
});
