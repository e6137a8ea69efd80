// Lives of characters at random: walks, in which they are teleported, turned round, paused, disabled, scaled to nothing, scrubbed, copied and given another
// skeleton, in any order and at any frame rate. After each of it no particle is faster than 3 m/s relative to its place on the skin.
import { Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { ClothBehavior } from "../../../src/index";
import { getKernels } from "../../../src/engine/index";
import type { WasmArena } from "../../../src/kernels/wasmArena";
import { seededRandom } from "../../random";
import { disposeWorlds, listen, makeWorld, told } from "./harness";
import { makeSleeve } from "./skins";

beforeEach(() => listen("warn"));
afterEach(disposeWorlds);

const SEEDS = Array.from({ length: 6 }, (_, seed) => seed + 1);
const [COLUMNS, ROWS, SKIN_ROWS] = [12, 16, 5];

test.each(SEEDS)("character %i", (seed) => {
    const random = seededRandom(seed);
    const pick = <T>(...of: T[]): T => of[Math.floor(random() * of.length)];
    const { scene, frame } = makeWorld({ rightHanded: pick(true, false) });
    const { mesh, skeleton } = makeSleeve(scene, { columns: COLUMNS, rows: ROWS, isMorphed: pick(true, false) });
    const root = new TransformNode("root", scene);
    root.scaling.copyFrom(pick(Vector3.One(), new Vector3(1, 1, -1)));
    const plain = mesh.clone("plain");
    mesh.parent = plain.parent = root;
    const distance = 0.1 + 0.3 * random();
    const cloth = new ClothBehavior({
        maxDistance: Array.from({ length: COLUMNS * (ROWS + 1) }, (_, v) =>
            v < COLUMNS * SKIN_ROWS ? 0 : (distance * (v / COLUMNS - SKIN_ROWS)) / (ROWS - SKIN_ROWS),
        ),
        backstop: pick(null, { distance: 0.03 }),
        inertia: pick(null, { linear: 0.3, angular: 0.3 }),
        skinStiffness: pick(0, 30),
    });
    mesh.addBehavior(cloth);
    const rate = pick(30, 59.94, 60, 72, 144);
    let [clip, step] = [0, 1];
    /** Offsets of the vertices from their skinned places, in the mesh's local space [m], and the frame's time [s]. */
    const offsets = (): Float64Array => {
        plain.skeleton!.prepare(true);
        const places = plain.getPositionData(true, true)!;
        return Float64Array.from(mesh.getVerticesData("position")!, (x, i) => x - places[i]);
    };
    const copies: Mesh[] = [];
    const events: Record<string, () => void> = {
        teleport: () => root.position.addInPlaceFromFloats(pick(0.8, 5, 60), 0, pick(0, -20)),
        snap: () => (root.rotation.y += Math.PI),
        pause: () => (cloth.enabled = false),
        disable: () => mesh.setEnabled(false),
        scrub: () => (step = -step),
        copy() {
            for (let k = 0; k < 3; k++) {
                const copy = mesh.clone(`copy ${k}`);
                copy.skeleton = mesh.skeleton!.clone("other", "other");
                copies.push(copy);
            }
        },
        swapSkeleton() {
            mesh.skeleton = plain.skeleton = mesh.skeleton!.clone("swapped", "swapped");
        },
        blend: () => (cloth.skinBlend = 0),
    };
    const names = Object.keys(events);
    let isAfterEvent = false;
    let last: Float64Array | null = null;
    let lastEvent = "the begin";
    for (let f = 0; f < 240; f++) {
        const seconds = (0.7 + 0.6 * random()) / rate;
        clip += 60 * seconds * step;
        if (f % 24 === 12) {
            events[(lastEvent = names[Math.floor(random() * names.length)])]();
            isAfterEvent = true;
        }
        if (f % 24 === 18) {
            cloth.enabled = true;
            cloth.skinBlend = 1;
            mesh.setEnabled(true);
            isAfterEvent = true;
        }
        const { bones } = mesh.skeleton ?? skeleton;
        const swing = 0.4 * Math.sin(clip / 14);
        bones[0].setPosition(new Vector3(0, 0.03 * Math.sin(clip / 7), 0));
        bones[1].setRotationQuaternion(Quaternion.FromEulerAngles(swing, 0.3 * swing, 0));
        bones[2].setRotationQuaternion(Quaternion.FromEulerAngles(0.5 * swing, 0, 0.2 * swing));
        root.position.z += 1.4 * seconds;
        frame(1000 * seconds);
        const now = cloth.skinBlend > 0 && cloth.enabled && mesh.isEnabled() ? offsets() : null;
        if (now && last && !isAfterEvent) {
            // A late step moves the drawn state by up to a step more than the frame's time.
            const time = Math.max(seconds, 1 / 60);
            let fastest = 0;
            for (let i = 0; i < now.length; i += 3)
                fastest = Math.max(
                    fastest,
                    Math.hypot(now[i] - last[i], now[i + 1] - last[i + 1], now[i + 2] - last[i + 2]) / time,
                );
            expect([f, lastEvent, fastest < 3 || fastest]).toEqual([f, lastEvent, true]);
        }
        last = now;
        isAfterEvent = false;
    }
    for (const copy of copies) expect([copy.name, copy.getBehaviorByName("Cloth") !== null]).toEqual([copy.name, true]);
    for (const each of [mesh, ...copies]) each.dispose();
    expect(told("warn").filter((text) => text.startsWith("Cloth"))).toEqual([]);
});

test("fifty copies of a running garment, twice, leave no memory behind", () => {
    const { scene, frame } = makeWorld();
    const { mesh } = makeSleeve(scene, { columns: COLUMNS, rows: ROWS });
    mesh.addBehavior(new ClothBehavior({ maxDistance: 0.1 }));
    frame(undefined, 3);
    const { arena } = getKernels() as unknown as { arena: WasmArena };
    const before = [arena.blockCount, arena.usedBytes];
    for (let round = 0; round < 2; round++) {
        const copies = Array.from({ length: 50 }, (_, k) => {
            const copy = mesh.clone(`copy ${k}`);
            copy.skeleton = mesh.skeleton!.clone("other", "other");
            return copy;
        });
        frame(undefined, 2);
        expect(copies.every((copy) => copy.getBehaviorByName("Cloth"))).toBe(true);
        for (const copy of copies) {
            copy.skeleton!.dispose();
            copy.dispose();
        }
        expect([arena.blockCount, arena.usedBytes]).toEqual(before);
    }
});
