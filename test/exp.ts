import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { Engine } from "@babylonjs/core/Engines/engine";
import { ClothBehavior } from "../src/babylon/clothBehavior";
import { select } from "../src/babylon/select";
import { Wind } from "../src/babylon/wind";
import { createWorld, attachmentOf } from "./bench/world";
import { SceneFrames } from "../src/babylon/sceneFrames";
const what = process.argv[2] ?? "flags";
const scene = createWorld();
const cloths: ClothBehavior[] = [];
const wind = new Wind({ velocity: new Vector3(6, 0, 2) });
if (what === "flags")
    for (let i = 0; i < 200; i++) {
        const mesh = MeshBuilder.CreateGround(`flag ${i}`, { width: 1.5, height: 1, subdivisionsX: 23, subdivisionsY: 15 }, scene);
        mesh.position.set((i % 20) * 2, 3, Math.floor(i / 20) * 2);
        mesh.rotation.x = -Math.PI / 2;
        const c = new ClothBehavior({ pins: [{ select: select.edge("-x") }], wind });
        mesh.addBehavior(c);
        cloths.push(c);
    }
if (what === "small")
    for (let i = 0; i < 1000; i++) {
        const mesh = MeshBuilder.CreateGround(`c ${i}`, { width: 1, height: 0.5, subdivisionsX: 4, subdivisionsY: 1 }, scene);
        mesh.position.set((i % 40) * 2, 3, Math.floor(i / 40) * 2);
        const c = new ClothBehavior({ pins: [{ select: select.edge("-x") }], wind });
        mesh.addBehavior(c);
        cloths.push(c);
    }
if (what === "sleep")
    for (let i = 0; i < 40; i++) {
        const mesh = MeshBuilder.CreateGround(`c ${i}`, { width: 2, height: 2, subdivisions: 63 }, scene);
        mesh.position.set((i % 40) * 2, 3, Math.floor(i / 40) * 2);
        mesh.rotation.x = -Math.PI / 2;
        const c = new ClothBehavior({ pins: [{ select: select.edge("+z") }], fabric: { damping: 3 } });
        mesh.addBehavior(c);
        cloths.push(c);
    }
const engine = scene.getEngine();
(engine as any).getDeltaTime = () => 1000 / 60;
const frame = () => {
    engine.beginFrame();
    scene.render();
    engine.endFrame();
};
for (let i = 0; i < 120; i++) frame();
const frames = SceneFrames.of(scene) as any;
function time(n: number, f: () => void) {
    const t: number[] = [];
    for (let i = 0; i < n; i++) {
        const a = process.cpuUsage();
        const t0 = performance.now();
        f();
        t.push(performance.now() - t0);
    }
    t.sort((a, b) => a - b);
    return t[n >> 1];
}
// whole frames, our own observers' parts
let own = 0;
const tell = frames._tell.bind(frames);
frames._tell = (s: number) => {
    const t = performance.now();
    tell(s);
    own += performance.now() - t;
};
let draw = 0;
for (const l of frames._listeners) {
    const d = l.onDraw.bind(l);
    l.onDraw = () => {
        const t = performance.now();
        d();
        draw += performance.now() - t;
    };
}
if (process.argv[3]) {
    for (let i = 0; i < 400; i++) frame();
    process.exit(0);
}
const N = 60;
own = draw = 0;
const total = time(N, frame);
console.log(
    what,
    "frame",
    total.toFixed(2),
    "step",
    (own / N).toFixed(2),
    "draw",
    (draw / N).toFixed(2),
    "asleep",
    cloths.filter((c) => c.stats.isAsleep).length,
);
if (what === "sleep") {
    for (let i = 0; i < 1500; i++) frame();
    own = draw = 0;
    const t2 = time(N, frame);
    console.log(
        "later: frame",
        t2.toFixed(3),
        "step",
        (own / N).toFixed(3),
        "draw",
        (draw / N).toFixed(3),
        "asleep",
        cloths.filter((c) => c.stats.isAsleep).length,
        attachmentOf(cloths[0]).cloth.state.uniforms[28] * 60,
    );
}
// kernels alone
const bodies = cloths.map((c) => attachmentOf(c).cloth);
const k = time(N, () => {
    for (const b of bodies) {
        const { kernels, state } = b;
        if (b.settings.wind) kernels.applyWind(state, b.triangles);
        for (let s = 0; s < 4; s++) {
            kernels.integrate(state);
            for (const p of b.passes) p.project(kernels, state);
        }
    }
});
console.log("kernels alone", k.toFixed(2));
