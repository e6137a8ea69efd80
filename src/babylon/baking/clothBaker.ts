import { Animation } from "@babylonjs/core/Animations/animation";
import { AnimationGroup } from "@babylonjs/core/Animations/animationGroup";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { MorphTarget } from "@babylonjs/core/Morph/morphTarget";
import { MorphTargetManager } from "@babylonjs/core/Morph/morphTargetManager";
import { knownOptions, positive, reject } from "../../engine/index";
import { createBakedCopy } from "./bakedCopy";
import { findLoop } from "./loops";
import type { ClothRecording } from "./bakedCopy";
import type { ClothBehavior } from "../behaviors/clothBehavior";
import { runtimeOf } from "../behaviors/bodyRuntime";

/** Options of {@link ClothBaker.record}. */
export interface BakeOptions {
    /** Frames a second. Default 15: what lies between is interpolated. */
    framesPerSecond?: number;
}

/** A motion that needs no simulation. */
export interface BakedMesh {
    /** A copy of the mesh, which is no cloth. */
    readonly mesh: Mesh;
    /** Its motion, which loops once it is started: `group.start(true)`. glTF's exporters write it. */
    readonly group: AnimationGroup;
}

/** Options of {@link ClothBaker.loop}. */
export interface LoopOptions {
    /** Shortest length of the loop [s], > 0. Default: half of the recording's. */
    seconds?: number;
    /** Time at its end over which it is mixed into what was before its begin [s], > 0. Default 0.3. */
    blend?: number;
}

const OWNER = "ClothBaker";

/**
 * Takes motion off a cloth: for what is far away, for many copies, for files. Bundlers drop it where no one asks for it. A recording is played by morph
 * targets, or by textures: {@link VertexAnimation}.
 */
export const ClothBaker = {
    /**
     * Has a cloth move by hand, at once, and takes down its vertices. The scene's poses stand still meanwhile, its winds blow on.
     * @param seconds how long, > 0 [s]
     * @throws RangeError when it is no cloth, on no mesh or not enabled, or on an option that is not known or out of range
     */
    record(cloth: ClothBehavior, seconds: number, options: BakeOptions = {}): ClothRecording {
        const mesh = runtimeOf(cloth)?.instance?.mesh;
        if (!mesh) return reject(OWNER, "record(cloth)", "a ClothBehavior that is on a mesh", cloth);
        if (cloth.parts.length > 0) reject(OWNER, "record(cloth)", "without parts", cloth.parts.map(({ name }) => name).join(", "));
        if (!cloth.enabled) reject(OWNER, "record(cloth)", "enabled, to move", "enabled: false");
        if (runtimeOf(cloth)!.pendingModules.isLoading)
            reject(OWNER, "record(cloth)", "ready: await cloth.whenReady()", "what is being loaded");
        positive(OWNER, "record(seconds)", seconds);
        knownOptions(`${OWNER}: record`, options, ["framesPerSecond"]);
        const framesPerSecond = positive(OWNER, "framesPerSecond", options.framesPerSecond ?? 15);
        const positions: Float32Array[] = [];
        const normals: Float32Array[] = [];
        const count = Math.max(1, Math.round(seconds * framesPerSecond));
        for (let f = 0; f <= count; f++) {
            if (f > 0) stepInParts(cloth, 1 / framesPerSecond);
            positions.push(Float32Array.from(mesh.getVerticesData("position")!));
            const normal = mesh.getVerticesData("normal");
            if (normal) normals.push(Float32Array.from(normal));
        }
        return { framesPerSecond, positions, normals };
    },

    /**
     * Cuts the part out of a recording that repeats best, and mixes its end into what was before its begin, so that it loops without a jump. Record at least
     * twice as long as the loop is to be.
     * @throws RangeError when the recording is none or too short, or on an option that is not known or out of range
     */
    loop(recording: ClothRecording, options: LoopOptions = {}): ClothRecording {
        if (!Array.isArray(recording?.positions)) return reject(OWNER, "loop(recording)", "what record() has returned", recording);
        knownOptions(`${OWNER}: loop`, options, ["seconds", "blend"]);
        const { positions, framesPerSecond } = recording;
        const framesOf = (seconds: number): number => Math.max(1, Math.round(seconds * framesPerSecond));
        const blend = framesOf(positive(OWNER, "loop: blend", options.blend ?? 0.3));
        const shortest = options.seconds ? framesOf(positive(OWNER, "loop: seconds", options.seconds)) : positions.length >> 1;
        if (shortest < blend || blend + shortest >= positions.length)
            reject(OWNER, "loop(recording)", `longer than ${blend + shortest} frames, of which ${shortest} loop`, positions.length);
        return findLoop(recording, shortest, blend);
    },

    /**
     * Makes a copy of a cloth's mesh that moves by morph targets, one for each frame of a recording, and an animation of their influences.
     * @param recording of {@link record}, of the same mesh
     * @throws RangeError when it is no cloth, on no mesh, or the recording is of another mesh
     */
    toMorphTargets(cloth: ClothBehavior, recording: ClothRecording, name = "baked"): BakedMesh {
        const mesh = createBakedCopy(`${OWNER}: toMorphTargets`, cloth, recording, name);
        const { positions, normals, framesPerSecond } = recording;
        const scene = mesh.getScene();
        const manager = new MorphTargetManager(scene);
        const group = new AnimationGroup(name, scene);
        // The base is the first frame; a loop ends in it.
        const last = recording.isLoop ? positions.length : positions.length - 1;
        for (let f = 1; f < positions.length; f++) {
            const target = new MorphTarget(`${name} ${f}`, 0, scene);
            target.setPositions(positions[f]);
            if (normals.length > 0) target.setNormals(normals[f]);
            manager.addTarget(target);
            group.addTargetedAnimation(influenceOf(f, last, framesPerSecond), target);
        }
        mesh.morphTargetManager = manager;
        group.normalize(0, last);
        // Its bounds are the first frame's, and it moves beyond them.
        mesh.alwaysSelectAsActiveMesh = true;
        return { mesh, group };
    },
};

/** By hand, in parts that no cap of steps cuts short. */
function stepInParts(cloth: ClothBehavior, seconds: number): void {
    const longest = cloth.fixedTimeStep * cloth.maxStepsPerFrame;
    const parts = Math.ceil(seconds / longest - 1e-6);
    for (let i = 0; i < parts; i++) cloth.step(seconds / parts);
}

/** 1 at its frame, 0 at all others. All targets have the same key frames: glTF has one list of times for all of a mesh's targets. */
function influenceOf(frame: number, last: number, framesPerSecond: number): Animation {
    const animation = new Animation(`influence ${frame}`, "influence", framesPerSecond, Animation.ANIMATIONTYPE_FLOAT);
    animation.setKeys(Array.from({ length: last + 1 }, (_, f) => ({ frame: f, value: f === frame ? 1 : 0 })));
    return animation;
}
