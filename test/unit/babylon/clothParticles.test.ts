import { afterEach, describe, expect, jest, test } from "@jest/globals";
import "@babylonjs/core/Particles/particleSystemComponent";
import { NullEngine } from "@babylonjs/core/Engines/nullEngine";
import { FreeCamera } from "@babylonjs/core/Cameras/freeCamera";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { Logger } from "@babylonjs/core/Misc/logger";
import { ParticleSystem } from "@babylonjs/core/Particles/particleSystem";
import { Scene } from "@babylonjs/core/scene";
import { ClothBehavior, ClothParticles, Colliders, select } from "babylon-cloth";
import type { ClothParticlesOptions, Wind } from "babylon-cloth";

const engine = new NullEngine();
const FRAME = 1000 / 60;

/** A scene whose frames are a sixtieth of a second, or as long as said [ms]. */
function newScene(): Scene {
    const scene = new Scene(engine);
    scene.gravity = new Vector3(0, -9.81, 0);
    new FreeCamera("camera", new Vector3(0, 1, -5), scene);
    return scene;
}

/** Drops that fall from a place, so many a second, each for so long [s]. */
function newSystem(scene: Scene, place = new Vector3(0, 2, 0), rate = 60, life = 1, capacity = 200): ParticleSystem {
    const system = new ParticleSystem("drops", capacity, scene);
    system.emitter = place;
    system.createPointEmitter(new Vector3(0, -1, 0), new Vector3(0, -1, 0));
    system.minEmitPower = system.maxEmitPower = 1;
    system.minLifeTime = system.maxLifeTime = life;
    system.emitRate = rate;
    system.updateSpeed = 1 / 60;
    system.isReady = () => true;
    system.start();
    return system;
}

function run(scene: Scene, frames: number, milliseconds = FRAME, after?: (frame: number) => void): void {
    jest.spyOn(engine, "getDeltaTime").mockReturnValue(milliseconds);
    scene.getAnimationRatio = () => milliseconds / FRAME;
    for (let frame = 0; frame < frames; frame++) {
        engine.beginFrame();
        scene.render();
        engine.endFrame();
        after?.(frame);
    }
}

function newSheet(scene: Scene, z = 0): ClothBehavior {
    const mesh = MeshBuilder.CreateGround("sheet", { width: 2, height: 2, subdivisions: 12, updatable: true }, scene);
    mesh.position.set(0, 1, z);
    const cloth = new ClothBehavior({ wind: null, pins: [{ select: select.edge("-x") }, { select: select.edge("+x") }] });
    mesh.addBehavior(cloth);
    return cloth;
}

afterEach(() => void jest.restoreAllMocks());

describe("ClothParticles", () => {
    test("are moved by ours, aged and ended by Babylon", () => {
        const scene = newScene();
        const system = newSystem(scene);
        const particles = new ClothParticles(system, { drag: 0 });
        run(scene, 90);
        // A second's births, each where its age says; the picture is a frame behind what is born in it.
        expect(system.particles.length).toBeGreaterThan(55);
        expect(system.particles.length).toBeLessThan(63);
        expect(Math.abs(particles.particleCount - system.particles.length)).toBeLessThan(3);
        for (const { age, position, direction } of system.particles.slice(0, -2)) {
            expect(Math.abs(position.y - (2 - age - 4.905 * age * age))).toBeLessThan(1e-4);
            expect(Math.abs(direction.y + 1 + 9.81 * age)).toBeLessThan(0.05);
        }
        scene.dispose();
    });

    test("that die in any order keep their motion", () => {
        const scene = newScene();
        const system = newSystem(scene);
        new ClothParticles(system, { drag: 0 });
        system.minLifeTime = 0.05;
        run(scene, 200, FRAME, () => {
            for (const { age, position } of system.particles) {
                expect(Math.abs(position.y - (2 - age - 4.905 * age * age))).toBeLessThan(1e-4);
            }
        });
        expect(system.particles.length).toBeGreaterThan(10);
        system.reset();
        run(scene, 20);
        for (const { age, position } of system.particles) {
            expect(Math.abs(position.y - (2 - age - 4.905 * age * age))).toBeLessThan(1e-4);
        }
        scene.dispose();
    });

    test("the same motion at 30 and at 60 frames a second, with cloth", () => {
        const at = (milliseconds: number): number[] => {
            const scene = newScene();
            const cloth = newSheet(scene);
            const system = newSystem(scene, new Vector3(0.1, 2, 0.2), 0, 10);
            new ClothParticles(system, { restitution: 0.5, mass: 0.005, radius: 0.01, cloths: [cloth] });
            system.manualEmitCount = 1;
            run(scene, 1, 0);
            run(scene, 1, 0);
            run(scene, 3600 / (60 * milliseconds) > 3 ? 120 : 60, milliseconds);
            const { x, y, z } = system.particles[0].position;
            scene.dispose();
            return [x, y, z];
        };
        const [slow, fast] = [at(2 * FRAME), at(FRAME)];
        slow.forEach((x, c) => expect(Math.abs(x - fast[c])).toBeLessThan(1e-4));
        expect(fast[1]).toBeLessThan(1.2);
    });

    test("drops end on cloth, on their colliders and on the scene's, and push the cloth", () => {
        const scene = newScene();
        const cloth = newSheet(scene);
        const dry = newSheet(scene, -5);
        const sag = (sheet: ClothBehavior): number =>
            sheet.getParticlePositions().reduce((sum, x, i) => sum + (i % 3 === 1 ? x : 0), 0) / sheet.particleCount;
        const options: ClothParticlesOptions = { mass: 1e-3, radius: 0.006, dieOnImpact: true, cloths: [cloth] };
        const over = newSystem(scene, new Vector3(0, 2, 0), 60, 5);
        const beside = newSystem(scene, new Vector3(0, 2, 3), 60, 5);
        new ClothParticles(over, options);
        new ClothParticles(beside, { ...options, colliders: [MeshBuilder.CreateGround("ground", { width: 9, height: 9 }, scene)] });
        let lowest = Infinity;
        run(scene, 200, FRAME, (frame) => {
            if (frame < 120) return;
            for (const { position } of over.particles) lowest = Math.min(lowest, position.y);
        });
        expect(lowest).toBeGreaterThan(0.5);
        // It takes 0.36 s to the sheet, 0.55 s to the ground.
        expect(Math.abs(over.particles.length - 0.36 * 60)).toBeLessThan(5);
        expect(Math.abs(beside.particles.length - 0.55 * 60)).toBeLessThan(5);
        expect(sag(cloth)).toBeLessThan(sag(dry) - 2e-4);
        Colliders.add(scene, MeshBuilder.CreateBox("roof", { width: 9, height: 0.2, depth: 9 }, scene));
        scene.getMeshByName("roof")!.position.y = 1.8;
        run(scene, 120);
        expect(over.particles.length).toBeLessThan(12);
        expect(beside.particles.length).toBeLessThan(12);
        scene.dispose();
    });

    test("cost nothing and stand still while the system is paused, and give its motion back", () => {
        const scene = newScene();
        const system = newSystem(scene);
        const update = system.updateFunction;
        const particles = new ClothParticles(system);
        run(scene, 30);
        system.paused = true;
        const y = system.particles.map(({ position }) => position.y);
        run(scene, 30);
        expect(system.particles.map(({ position }) => position.y)).toEqual(y);
        system.paused = false;
        run(scene, 1);
        expect(Math.abs(system.particles[0].position.y - y[0])).toBeLessThan(0.2);
        particles.dispose();
        particles.dispose();
        expect(system.updateFunction).toBe(update);
        expect(particles.particleCount).toBe(0);
        run(scene, 10);
        const again = new ClothParticles(system);
        system.dispose();
        expect(again.particleCount).toBe(0);
        run(scene, 2);
        scene.dispose();
    });

    test("drop what was disposed, with one warning each, and go on", () => {
        const warn = jest.spyOn(Logger, "Warn").mockImplementation(() => undefined);
        const scene = newScene();
        const cloth = newSheet(scene);
        const ball = MeshBuilder.CreateSphere("ball", {}, scene);
        const system = newSystem(scene);
        const particles = new ClothParticles(system, { cloths: [cloth], colliders: [ball] });
        run(scene, 30);
        cloth.attachedNode!.dispose();
        ball.dispose();
        run(scene, 30);
        expect(particles.cloths).toEqual([]);
        expect(particles.colliders).toEqual([]);
        expect(warn).toHaveBeenCalledTimes(2);
        expect(system.particles.length).toBeGreaterThan(40);
        scene.dispose();
    });

    test("those born where nothing is, or in gravity that is none, are left alone", () => {
        const scene = newScene();
        const system = newSystem(scene);
        new ClothParticles(system, { drag: 0, gravity: new Vector3(0, 0, 0) }).gravity!.y = NaN;
        run(scene, 10);
        system.emitter = new Vector3(NaN, 0, 0);
        run(scene, 10);
        system.emitter = new Vector3(0, 2, 0);
        run(scene, 10);
        const finite = system.particles.filter(({ position }) => Number.isFinite(position.y));
        expect(finite.length).toBeGreaterThan(15);
        for (const { position, age } of finite.slice(0, 8)) expect(Math.abs(position.y - (2 - age))).toBeLessThan(0.02);
        scene.dispose();
    });

    const scene = newScene();
    const good = newSystem(scene);
    test.each<[string, () => unknown, RegExp]>([
        [
            "no system",
            () => new ClothParticles(null as never),
            /ClothParticles: system must be a ParticleSystem, computed by the CPU, got null/,
        ],
        ["a GPU system", () => new ClothParticles({ particles: undefined, isGPU: true } as never), /computed by the CPU/],
        ["no capacity", () => new ClothParticles(newSystem(scene, undefined, 1, 1, 0)), /system must be of a capacity > 0, got 0/],
        [
            "a disposed system",
            () => {
                const system = newSystem(scene);
                system.dispose();
                return new ClothParticles(system);
            },
            /in a scene, and not disposed/,
        ],
        [
            "a local system",
            () => {
                const system = newSystem(scene);
                system.isLocal = true;
                return new ClothParticles(system);
            },
            /world space, not isLocal/,
        ],
        ["NaN mass", () => new ClothParticles(good, { mass: NaN }), /ClothParticles: mass must be a finite number > 0, got NaN/],
        ["restitution", () => new ClothParticles(good, { restitution: 1.1 }), /restitution must be a number from 0 to 1, got 1.1/],
        ["wind", () => new ClothParticles(good, { wind: {} as Wind }), /wind must be a Wind or null/],
        [
            "a mesh for a cloth",
            () => new ClothParticles(good, { cloths: [scene as never] }),
            /cloths must be an array of ClothBehaviors/,
        ],
        [
            "an unknown option",
            () => new ClothParticles(good, { bounce: 1 } as never),
            /unknown option "bounce"; the options are mass/,
        ],
        [
            "two of one system",
            () => {
                const system = newSystem(scene);
                new ClothParticles(system);
                return new ClothParticles(system);
            },
            /particles of "drops" are moved by another/,
        ],
    ])("refuse %s", (_, make, message) => {
        expect(make).toThrow(message);
    });
});
