import * as BABYLON from "../babylon";
import * as BABYLONCLOTH from "babylon-cloth";
import { fabric, solid } from "../parts/fabric";
import { paint } from "../parts/paint";
import { applyTiles, shade, studio } from "../parts/studio";

export const about = {
    title: "Rain and confetti",
    text: "Babylon's particles in the cloth's world: drops bounce off an awning, run down it in the wind and lie on the stones; confetti flutters down and stays where it falls.",
    place: 20,
    group: "Ropes and plants",
};

type World = ReturnType<typeof create>;

const [WIDTH, DEPTH, HEIGHT] = [3.2, 1.7, 2.6];
/** Emitter of the drops: above the visible scene. */
const CLOUD = 4.4;

/** An awning over a shop front, and a shower. */
export function create(scene: BABYLON.Scene) {
    const floor = BABYLON.MeshBuilder.CreateGround("floor", { width: 200, height: 200 }, scene);
    const wall = BABYLON.MeshBuilder.CreateBox("wall", { width: WIDTH + 1, height: 3.2, depth: 0.3 }, scene);
    wall.position.set(0, 1.6, 0.17);
    const breeze = new BABYLONCLOTH.Wind({ velocity: new BABYLON.Vector3(1.2, 0, 0.6), turbulence: 0.8, gustLength: 2 });
    const awning = BABYLONCLOTH.ClothBuilder.CreateAwning(
        "awning",
        { width: WIDTH, height: DEPTH, fabric: { ...BABYLONCLOTH.Fabrics.nylon, arealDensity: 0.15 }, wind: breeze },
        scene,
    );
    awning.position.y = HEIGHT;
    awning.cloth.reset();

    const rain = new BABYLON.ParticleSystem("rain", 3000, scene);
    rain.emitter = new BABYLON.Vector3(-0.4, CLOUD, -DEPTH / 2 - 0.3);
    rain.createBoxEmitter(
        new BABYLON.Vector3(0.1, -1, 0),
        new BABYLON.Vector3(0.1, -1, 0),
        new BABYLON.Vector3(-WIDTH / 2 - 0.3, 0, -1.2),
        new BABYLON.Vector3(WIDTH / 2 + 0.3, 0.4, 1.1),
    );
    // In seconds and metres a second.
    rain.updateSpeed = 1 / 60;
    rain.minEmitPower = rain.maxEmitPower = 7;
    rain.minLifeTime = 1.4;
    rain.maxLifeTime = 2.4;
    rain.emitRate = 1100;
    new BABYLONCLOTH.ClothParticles(rain, {
        radius: 0.004,
        mass: 2.7e-4,
        restitution: 0.12,
        friction: 0.03,
        wind: breeze,
        cloths: [awning.cloth],
        colliders: [floor, wall],
    });
    rain.start();

    const confetti = new BABYLON.ParticleSystem("confetti", 600, scene);
    confetti.emitter = new BABYLON.Vector3(0, 3.3, -0.5);
    confetti.createBoxEmitter(
        new BABYLON.Vector3(-0.6, 0.6, -1),
        new BABYLON.Vector3(0.6, 1, -0.2),
        new BABYLON.Vector3(-WIDTH / 2, -0.1, 0),
        new BABYLON.Vector3(WIDTH / 2, 0.1, 0.3),
    );
    confetti.updateSpeed = 1 / 60;
    confetti.minEmitPower = 1;
    confetti.maxEmitPower = 3;
    confetti.minLifeTime = 5;
    confetti.maxLifeTime = 8;
    confetti.emitRate = 60;
    // Paper of 80 g/m², 2 cm across: falls at 1 m/s.
    new BABYLONCLOTH.ClothParticles(confetti, {
        radius: 0.01,
        mass: 2.5e-5,
        drag: 1.2,
        restitution: 0,
        friction: 0.8,
        wind: breeze,
        cloths: [awning.cloth],
        colliders: [floor, wall],
    });
    confetti.start();

    return { cloths: [awning.cloth], systems: [rain, confetti], awning, floor, wall, rain, confetti };
}

export function decorate(scene: BABYLON.Scene, { awning, floor, wall, rain, confetti }: World) {
    const shadows = studio(scene, {
        boxes: [
            [
                [-WIDTH / 2 - 0.5, 0, -DEPTH - 0.2],
                [WIDTH / 2 + 0.5, 3.3, 0.4],
            ],
        ],
        alpha: -2.1,
        beta: 1.35,
        extent: 6,
    });
    applyTiles(scene, floor);
    awning.material = fabric(
        scene,
        paint(scene, 512, 16, (u) => (Math.floor(u * 14) % 2 ? [0.93, 0.9, 0.84] : [0.12, 0.33, 0.36])),
        [40, 24],
        0.5,
    );
    wall.material = solid(scene, "#b9aa94", 0.9, 0);
    shade(shadows, [awning, wall]);

    rain.particleTexture = paint(scene, 16, 32, (u, v) => {
        const [x, y] = [2 * u - 1, 2 * v - 1];
        return [1, 1, 1, Math.max(0, 1 - x * x - y * y)];
    });
    rain.billboardMode = BABYLON.ParticleSystem.BILLBOARDMODE_STRETCHED;
    rain.blendMode = BABYLON.ParticleSystem.BLENDMODE_STANDARD;
    rain.color1 = new BABYLON.Color4(0.9, 0.95, 1, 0.9);
    rain.color2 = new BABYLON.Color4(0.7, 0.8, 0.93, 0.8);
    rain.colorDead = new BABYLON.Color4(0.8, 0.88, 1, 0);
    rain.minSize = rain.maxSize = 0.025;
    rain.minScaleY = rain.maxScaleY = 3;

    confetti.particleTexture = paint(scene, 4, 4, () => [1, 1, 1, 1]);
    confetti.blendMode = BABYLON.ParticleSystem.BLENDMODE_STANDARD;
    confetti.color1 = new BABYLON.Color4(0.95, 0.25, 0.2, 1);
    confetti.color2 = new BABYLON.Color4(0.98, 0.82, 0.15, 1);
    confetti.colorDead = new BABYLON.Color4(0.9, 0.5, 0.2, 0);
    confetti.minSize = 0.03;
    confetti.maxSize = 0.045;
    confetti.minScaleY = 0.4;
    confetti.minAngularSpeed = -6;
    confetti.maxAngularSpeed = 6;
}
