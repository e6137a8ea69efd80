import { Plane } from "@babylonjs/core/Maths/math.plane";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { afterEach, describe, expect, test } from "@jest/globals";
import { ClothBehavior } from "../../src/index";
import { difference, disposeWorlds, FRAME, makeSquare, makeWorld, worldVertices } from "../unit/babylon/harness";

afterEach(disposeWorlds);

describe("sleep", () => {
    // The motion of the step in which it came to rest was forgotten: at 2 m/s the picture was 17 mm off for as long as it slept.
    test.each([0.1, 2])("what comes to rest at up to %d m/s is drawn where it is", (sleepSpeed) => {
        const { scene, frame } = makeWorld();
        const mesh = makeSquare(scene, 6);
        const cloth = new ClothBehavior({ pins: [{ select: [0, 1] }], fabric: { damping: 2 }, sleepSpeed });
        mesh.addBehavior(cloth);
        for (let i = 0; i < 2000 && !cloth.stats.isAsleep; i++) frame();
        expect(cloth.stats.isAsleep).toBe(true);
        expect(difference(worldVertices(mesh), cloth.getParticlePositions())).toBeLessThan(3e-5);
    });

    // It was put down where the frame that woke the cloth ended, without the motion of that frame.
    test("a ball that jumps while the cloth sleeps sweeps it when it comes as if it had been watched", () => {
        const play = (height: number, sleepSpeed: number): Float32Array => {
            const { scene, frame } = makeWorld();
            const mesh = makeSquare(scene, 8);
            mesh.position.y = height;
            const ball = MeshBuilder.CreateSphere("ball", { diameter: 0.5 }, scene);
            ball.position.set(50, 0.25, 0);
            const colliders = [new Plane(0, 1, 0, 0), ball];
            const cloth = new ClothBehavior({ colliders, sleepSpeed, fabric: { damping: 5 } });
            mesh.addBehavior(cloth);
            frame(FRAME, 200);
            expect(cloth.stats.isAsleep).toBe(sleepSpeed > 0);
            ball.position.x = 2;
            frame();
            expect(cloth.stats.isAsleep).toBe(sleepSpeed > 0);
            for (let i = 0; i < 8; i++) {
                ball.position.x -= 0.4;
                frame();
            }
            return cloth.getParticlePositions();
        };
        // The ball comes at 24 m/s: of twelve starts half end a tenth apart, by rounding, and which ones is chance.
        const differences = [0.0198, 0.0204, 0.021, 0.0216, 0.0222, 0.0228].map((height) =>
            difference(play(height, 0), play(height, 1e-3)),
        );
        expect(Math.min(...differences)).toBeLessThan(1e-4);
    });

    // Between two steps, what the sleeper had not watched was ahead of time by what had passed since the last one.
    test("a ball that grows until it wakes the cloth acts as if it had been watched, between steps too", () => {
        const play = (sleepSpeed: number): { places: Float32Array; drawn: Float64Array } => {
            const { scene, frame } = makeWorld();
            const mesh = makeSquare(scene, 8);
            mesh.position.y = 0.03;
            const ball = MeshBuilder.CreateSphere("ball", { diameter: 0.5 }, scene);
            ball.position.y = 0.9;
            const colliders = [new Plane(0, 1, 0, 0), ball];
            const cloth = new ClothBehavior({ colliders, sleepSpeed, fabric: { damping: 8, friction: 0.6 } });
            mesh.addBehavior(cloth);
            frame(FRAME, 240);
            for (let f = 0; f < 27; f++) {
                ball.scaling.setAll(1 + 0.1 * f);
                frame(f % 2 ? FRAME : 0.6 * FRAME);
                if (f === 25) expect(cloth.stats.isAsleep).toBe(sleepSpeed > 0);
            }
            expect(cloth.stats.isAsleep).toBe(false);
            return { places: cloth.getParticlePositions(), drawn: worldVertices(mesh) };
        };
        const [watched, asleep] = [0, 1e-3].map(play);
        expect(difference(watched.places, asleep.places)).toBeLessThan(1e-5);
        expect(difference(watched.drawn, asleep.drawn)).toBeLessThan(1e-5);
    });
});
