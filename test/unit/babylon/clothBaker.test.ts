// Motion taken off a cloth: recorded, and as morph targets.
import "@babylonjs/core/Animations/animatable";
import { StandardMaterial } from "@babylonjs/core/Materials/standardMaterial";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { ClothBaker, ClothBehavior, VertexAnimation, Wind, select } from "babylon-cloth";
import type { ClothRecording } from "babylon-cloth";
import { afterEach, describe, expect, test } from "@jest/globals";
import { difference, disposeWorlds, FRAME, makeSquare, makeWorld, messageOf } from "./harness";

afterEach(disposeWorlds);

function fly() {
    const world = makeWorld();
    const mesh = makeSquare(world.scene, 8, "flag");
    mesh.position.x = 2;
    const cloth = new ClothBehavior({ pins: [{ select: select.edge("-x") }], wind: new Wind({ velocity: new Vector3(4, 0, 1) }) });
    mesh.addBehavior(cloth);
    world.frame(FRAME, 30);
    return { ...world, mesh, cloth };
}

test("a recording has the vertices of each frame, from the present one on", () => {
    const { mesh, cloth } = fly();
    const now = Float32Array.from(mesh.getVerticesData("position")!);
    const { positions, normals, framesPerSecond } = ClothBaker.record(cloth, 1, { framesPerSecond: 10 });
    expect([positions.length, normals.length, framesPerSecond]).toEqual([11, 11, 10]);
    expect(difference(positions[0], now)).toBe(0);
    expect(difference(positions[10], mesh.getVerticesData("position")!)).toBe(0);
    expect(difference(positions[5], positions[6])).toBeGreaterThan(0.01);
    // A tenth of a second is more than a frame may hold: none of it is lost.
    const other = fly();
    for (let i = 0; i < 60; i++) other.cloth.step(1 / 60);
    expect(difference(positions[10], other.mesh.getVerticesData("position")!)).toBeLessThan(1e-3);
});

test("as morph targets a copy shows each frame at its time, and mixes between", () => {
    const { scene, mesh, cloth, frame } = fly();
    const recording = ClothBaker.record(cloth, 1, { framesPerSecond: 10 });
    const { mesh: baked, group } = ClothBaker.toMorphTargets(cloth, recording, "baked");
    expect(baked.behaviors).toEqual([]);
    expect(baked.position.x).toBe(2);
    expect(cloth.attachedNode).toBe(mesh);
    mesh.removeBehavior(cloth);
    group.start(true);
    group.pause();
    /** What is drawn at a frame: the base and the targets' shares. */
    const drawnAt = (at: number) => {
        group.goToFrame(at);
        frame(0);
        return baked.getPositionData(false, true)!;
    };
    for (const f of [0, 1, 4, 9, 10]) expect(difference(drawnAt(f), recording.positions[f])).toBeLessThan(1e-5);
    const half = recording.positions[3].map((x, k) => (x + recording.positions[4][k]) / 2);
    expect(difference(drawnAt(3.5), half)).toBeLessThan(1e-5);
    expect(scene.animationGroups).toEqual([group]);
});

/** Largest distance of a vertex between frames that follow each other; of a loop, its last and its first too. */
function largestStep({ positions, isLoop }: ClothRecording): number {
    const next = [...positions.slice(1), ...(isLoop ? [positions[0]] : [])];
    return Math.max(...next.map((frame, f) => difference(frame, positions[f])));
}

test("a loop is the period of what repeats", () => {
    // Two waves of 1.5 s and 0.5 s, with noise that has no period.
    const at = (f: number) =>
        Float32Array.from({ length: 30 }, (_, q) => {
            const turn = (2 * Math.PI * f) / 30;
            return Math.sin(turn + q) + 0.3 * Math.sin(3 * turn) + 0.01 * Math.sin(f * f * (q + 1));
        });
    const positions = Array.from({ length: 100 }, (_, f) => at(f));
    const loop = ClothBaker.loop({ framesPerSecond: 20, positions, normals: [] }, { seconds: 1 });
    expect([loop.positions.length, loop.isLoop]).toEqual([30, true]);
    expect(largestStep(loop)).toBeLessThan(1.1 * largestStep({ framesPerSecond: 20, positions, normals: [] }));
});

test("a flag's loop has no jump, as morph targets too", () => {
    const { cloth, frame, mesh } = fly();
    const recording = ClothBaker.record(cloth, 4, { framesPerSecond: 30 });
    const loop = ClothBaker.loop(recording, { seconds: 1.5 });
    expect(loop.positions.length).toBeGreaterThanOrEqual(45);
    expect(loop.normals.length).toBe(loop.positions.length);
    expect(largestStep(loop)).toBeLessThan(1.25 * largestStep(recording));
    // Nor does the velocity jump: each frame is near the middle of its neighbours.
    const bend = (frames: readonly Float32Array[], f: number) => {
        const at = (i: number) => frames[(i + frames.length) % frames.length];
        return difference(
            at(f),
            at(f - 1).map((x, q) => (x + at(f + 1)[q]) / 2),
        );
    };
    const inner = recording.positions.slice(1, -1).map((_, f) => bend(recording.positions, f + 1));
    const seam = [-2, -1, 0, 1].map((f) => bend(loop.positions, f));
    expect(Math.max(...seam)).toBeLessThan(1.25 * Math.max(...inner));
    expect(bend(recording.positions, 0)).toBeGreaterThan(1.25 * Math.max(...inner));
    for (const rows of loop.normals)
        for (let q = 0; q < rows.length; q += 3) expect(Math.hypot(rows[q], rows[q + 1], rows[q + 2])).toBeCloseTo(1, 5);
    const { mesh: baked, group } = ClothBaker.toMorphTargets(cloth, loop, "loop");
    expect([baked.morphTargetManager!.numTargets, group.to]).toEqual([loop.positions.length - 1, loop.positions.length]);
    mesh.removeBehavior(cloth);
    group.start(true);
    group.pause();
    const drawnAt = (at: number) => {
        group.goToFrame(at);
        frame(0);
        return baked.getPositionData(false, true)!;
    };
    expect(difference(drawnAt(loop.positions.length), loop.positions[0])).toBeLessThan(1e-5);
});

test("a recording that is too short has no loop", () => {
    const { cloth } = fly();
    const recording = ClothBaker.record(cloth, 0.5);
    expect(messageOf(() => ClothBaker.loop(recording, { seconds: 2 }))).toContain(
        "ClothBaker: loop(recording) must be longer than",
    );
    expect(messageOf(() => ClothBaker.loop(null as never))).toContain("what record() has returned");
    expect(messageOf(() => ClothBaker.loop(recording, { second: 2 } as never))).toContain("seconds");
});

test("wrong", () => {
    const { cloth } = fly();
    const other = makeSquare(makeWorld().scene, 3);
    const small = new ClothBehavior();
    other.addBehavior(small);
    expect(messageOf(() => ClothBaker.record(new ClothBehavior(), 1))).toMatch(
        /^ClothBaker: record\(cloth\) must be a ClothBehavior that is on/,
    );
    expect(messageOf(() => ClothBaker.record(cloth, 0))).toMatch(
        /^ClothBaker: record\(seconds\) must be a finite number > 0, got 0/,
    );
    expect(messageOf(() => ClothBaker.record(cloth, 1, { framesPerSecond: -1 }))).toMatch(
        /framesPerSecond must be a finite number > 0/,
    );
    for (const none of [undefined, null, NaN, {}, { positions: [] }]) {
        const rule = "recording must be what ClothBaker.record has returned, got";
        expect(messageOf(() => ClothBaker.toMorphTargets(cloth, none as never))).toContain(`ClothBaker: toMorphTargets: ${rule}`);
        expect(messageOf(() => new VertexAnimation(cloth, none as never))).toContain(`VertexAnimation: ${rule}`);
    }
    expect(messageOf(() => ClothBaker.toMorphTargets(cloth, ClothBaker.record(small, 0.1)))).toBe(
        'ClothBaker: toMorphTargets: recording must be of "flag": 243 numbers a frame, got 48',
    );
    expect(messageOf(() => new VertexAnimation(small, ClothBaker.record(cloth, 0.1)))).toBe(
        'VertexAnimation: recording must be of "square": 48 numbers a frame, got 243',
    );
    expect(messageOf(() => new VertexAnimation(new ClothBehavior(), ClothBaker.record(cloth, 0.1)))).toMatch(
        /^VertexAnimation: cloth must be a ClothBehavior that is on a mesh/,
    );
    const { scene } = fly();
    const before = scene.meshes.length;
    const bare = makeSquare(scene, 3);
    const unlit = new ClothBehavior();
    bare.addBehavior(unlit);
    expect(messageOf(() => new VertexAnimation(unlit, ClothBaker.record(unlit, 0.1)))).toBe(
        "VertexAnimation: cloth must be on a mesh with a material that can be copied, got null",
    );
    expect(scene.meshes).toHaveLength(before + 1);
});

describe("as textures", () => {
    function play(subdivisions = 8) {
        const world = makeWorld();
        const mesh = makeSquare(world.scene, subdivisions, "flag");
        mesh.material = new StandardMaterial("cloth", world.scene);
        const cloth = new ClothBehavior({ pins: [{ select: select.edge("-x") }] });
        mesh.addBehavior(cloth);
        const recording = ClothBaker.record(cloth, 0.4, { framesPerSecond: 10 });
        return { ...world, mesh, recording, animation: new VertexAnimation(cloth, recording) };
    }

    /** A vertex in a frame, as the shader looks it up. */
    function texel({ width, rowsPerFrame, positions }: VertexAnimation, vertex: number, frame: number): number[] {
        const texels = positions.getInternalTexture()!._bufferView as Float32Array;
        const o = 4 * ((frame * rowsPerFrame + Math.floor(vertex / width)) * width + (vertex % width));
        return Array.from(texels.subarray(o, o + 3));
    }

    test.each([8, 40])("hold each vertex of each frame (%s edges along a side)", (subdivisions) => {
        const { animation, recording, mesh } = play(subdivisions);
        const count = mesh.getTotalVertices();
        expect(animation.rowsPerFrame).toBe(Math.ceil(count / 1024));
        expect(animation.positions.getSize()).toEqual({ width: animation.width, height: 5 * animation.rowsPerFrame });
        for (const frame of [0, 2, 4]) {
            for (const vertex of [0, 17, count - 1]) {
                expect(texel(animation, vertex, frame)).toEqual(
                    Array.from(recording.positions[frame].subarray(3 * vertex, 3 * vertex + 3)),
                );
            }
        }
        const { minimum } = animation.mesh.getBoundingInfo();
        expect(minimum.y).toBeCloseTo(
            Math.min(...recording.positions.flatMap((rows) => [...rows].filter((_, i) => i % 3 === 1))),
            6,
        );
        expect(animation.mesh.behaviors).toEqual([]);
    });

    test("may be moved: what is out of view is so by all of its frames", () => {
        const { animation, frame } = play();
        const { boundingBox } = animation.mesh.getBoundingInfo();
        const { y } = boundingBox.minimumWorld;
        animation.mesh.position.set(100, 5, 0);
        frame();
        expect(boundingBox.minimumWorld.asArray().map((value) => Number(value.toFixed(4)))).toEqual([
            99.5,
            Number((y + 5).toFixed(4)),
            -0.5,
        ]);
    });

    test("loops, or holds its ends, at any speed", () => {
        const { animation, frame, scene, mesh } = play();
        frame(250);
        expect(animation.frame).toBeCloseTo(2.5);
        frame(350);
        // Five frames, then the first again.
        expect(animation.frame).toBeCloseTo(1);
        animation.speed = -2;
        frame(100);
        expect(animation.frame).toBeCloseTo(4);
        animation.loop = false;
        animation.time = 7;
        expect(animation.frame).toBe(4);
        animation.time = -1;
        expect(animation.frame).toBe(0);
        expect(messageOf(() => (animation.time = NaN))).toBe("VertexAnimation: time must be a finite number, got NaN");
        const { material } = animation.mesh;
        expect(material).not.toBe(mesh.material);
        for (let i = 0; i < 2; i++) animation.dispose();
        expect(scene.meshes).toEqual([mesh]);
        expect(scene.materials).not.toContain(material);
        expect(scene.textures).toEqual([]);
    });
});
