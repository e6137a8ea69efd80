import type { Body, Fabric } from "../../src/engine/index";
import type { SelfCollisionTier } from "../../src/engine/collision/self/collisionProxy";
import { World } from "../../src/engine/index";
import { ROW, rowOf } from "../../src/kernels/layout";
import { countCrossings } from "./crossings";
import { grid, gridIndex, topRow } from "./meshes";
import type { Sheet } from "./meshes";
import { makeCloth, pinParticles, pose } from "./support";
import type { ClothOptions } from "./support";

/** More than any cloth measures [m]. */
const FAR = 1e3;

/** Advances cloths of a world in frames. @param seconds how long each is; left out: 1/60 s */
export function advance(world: World, cloths: readonly Body[], frames: number, seconds = (_frame: number): number => 1 / 60): void {
    for (let f = 0; f < frames; f++) {
        for (const cloth of cloths) {
            cloth.clock.frameSeconds = seconds(f);
            cloth.beginFrame();
        }
        world.advance(cloths);
        for (const cloth of cloths) cloth.endFrame();
    }
}

/** Cloths of one world that keep off themselves and each other. */
export class Heap {
    readonly world = new World();
    readonly warnings: string[] = [];
    /** Positions at rest, one cloth after the other; those of different cloths are far apart. */
    private readonly _rest: number[] = [];
    private readonly _triangles: number[] = [];
    private readonly _positions: Float64Array;

    /** @param thickness of all, or of each [m]; null: the fabric's */
    constructor(
        readonly cloths: readonly Body[],
        thickness: number | null | readonly number[] = null,
        masks: readonly number[] = [],
        tier: SelfCollisionTier = "particles",
        isAdaptive = false,
    ) {
        const thicknesses = cloths.map((_, i) => (typeof thickness === "object" && thickness ? thickness[i] : thickness));
        cloths.forEach((cloth, i) => {
            const restPositions = new Float32Array(3 * cloth.state.particleCount);
            cloth.readPositions(restPositions);
            const groups = { group: 1, mask: masks[i] ?? -1 };
            const warn = (message: string): void => void this.warnings.push(message);
            for (const t of cloth.triangles.triangles) this._triangles.push(this._rest.length / 3 + t);
            for (const x of restPositions) this._rest.push(x + FAR * i);
            this.world.enableSelfCollision(cloth, {
                restPositions,
                groups,
                settings: { thickness: thicknesses[i], isAdaptive },
                tier,
                warn,
            });
        });
        this._positions = new Float64Array(this._rest.length);
    }

    /** Advances all in frames of 1/60 s. */
    run(frames: number): this {
        advance(this.world, this.cloths, frames);
        return this;
    }

    /** How often edges pierce triangles now. @param apart only where nothing of both is closer than this at rest [m] */
    crossingsOf(apart: number): number {
        return this._count((edge, triangle) => edge.every((p) => triangle.every((q) => this._restDistance(p, q) >= apart)));
    }

    private _count(counts: (edge: readonly number[], triangle: readonly number[]) => boolean): number {
        const { _positions: x } = this;
        let o = 0;
        for (const { state, origin } of this.cloths)
            for (let row = 0; row < rowOf(state.particleCount); row += ROW)
                for (let c = 0; c < 3; c++) x[o++] = state.positions[row + c] + origin[c];
        return countCrossings(x, 3, this._triangles, counts);
    }

    /** The same of what is more than so many edges away over the mesh. */
    crossingsBeyond(edges: number): number {
        const near = this._positions.map(() => 0);
        return this._count((edge, triangle) => {
            near.fill(0);
            for (const p of edge) near[p] = 1;
            for (let k = 0; k < edges; k++) this._spread(near);
            return triangle.every((q) => near[q] === 0);
        });
    }

    /** Marks what shares a triangle with what is marked. */
    private _spread(marks: Float64Array): void {
        const { _triangles: triangles } = this;
        const before = marks.slice();
        for (let t = 0; t < triangles.length; t += 3) {
            const corners = triangles.slice(t, t + 3);
            if (corners.some((q) => before[q] > 0)) for (const q of corners) marks[q] = 1;
        }
    }

    /** The same of all. */
    get crossings(): number {
        return this.crossingsOf(0);
    }

    private _restDistance(p: number, q: number): number {
        const { _rest: x } = this;
        return Math.hypot(x[3 * p] - x[3 * q], x[3 * p + 1] - x[3 * q + 1], x[3 * p + 2] - x[3 * q + 2]);
    }
}

/** Layers whose middles are held on each other's far side. */
export interface Forced {
    readonly heap: Heap;
    /** Ends that. */
    letGo(): void;
}

type Make = (sheet: Sheet, options: ClothOptions) => Body;

/** Hangs two curtains of 0.6 m and of so many quads each way 6 cm apart, and forces them through each other. */
export function pushThrough(make: Make, tier: SelfCollisionTier, quads: readonly [number, number]): Forced {
    const cloths = quads.map((n, k) =>
        make(
            grid(n, n, (u, v) => [0.6 * (u - 0.5), 0.6 * v, 0.06 * k]),
            { pinned: topRow(n, n) },
        ),
    );
    return force(
        new Heap(cloths, null, [], tier),
        cloths.map((cloth, k) => [cloth, middleOf(quads[k], quads[k] >> 1)]),
    );
}

/** The same of a sheet that hangs by both its ends, and so in two layers. */
export function forceThroughItself(make: Make, tier: SelfCollisionTier, quads: number): Forced {
    const rows = 2 * quads;
    const place = (u: number, v: number): [number, number, number] => [
        0.6 * (u - 0.5),
        1.2 * Math.abs(v - 0.5),
        v < 0.5 ? 0 : 0.06,
    ];
    const pinned = [0, rows].flatMap((row) => Array.from({ length: quads + 1 }, (_, i) => gridIndex(quads, i, row)));
    const cloth = make(grid(quads, rows, place), { pinned });
    return force(new Heap([cloth], null, [], tier), [
        [cloth, middleOf(quads, quads >> 1)],
        [cloth, middleOf(quads, rows - (quads >> 1))],
    ]);
}

/** Nine particles about the middle of a row. */
function middleOf(quads: number, row: number): number[] {
    return Array.from({ length: 9 }, (_, i) => gridIndex(quads, (quads >> 1) - 1 + (i % 3), row - 1 + Math.floor(i / 3)));
}

/** Has pins carry particles of two layers past each other along z, 15 cm too far, within half a second. */
function force(heap: Heap, held: readonly (readonly [Body, readonly number[]])[]): Forced {
    heap.run(10);
    const grips = held.map(([cloth, particles]) => pinParticles(cloth, particles));
    for (let f = 1; f <= 30; f++) {
        grips.forEach((grip, k) => grip.setTargets(pose([0, 0, ((0.5 - k) * 0.21 * f) / 30])));
        heap.run(1);
    }
    for (const grip of grips) grip.keepTargets();
    return { heap, letGo: () => held.forEach(([cloth], k) => cloth.removePins(grips[k])) };
}

/** A ribbon along z that both its ends turn against each other. */
export interface Twist {
    readonly cloth: Body;
    /** Turns each end by an angle [rad], and brings it so much nearer to the middle [m]. */
    carry(angle: number, nearer: number): void;
}

/** Makes a ribbon of so many quads, and of a size [m], across and along. */
export function twist(
    [across, along]: readonly [number, number],
    [width, length]: readonly [number, number],
    fabric: Partial<Fabric>,
): Twist {
    const cloth = makeCloth(
        grid(across, along, (u, v) => [width * (u - 0.5), 0, length * (v - 0.5)]),
        { fabric },
    );
    const ends = [0, along].map((row) =>
        pinParticles(
            cloth,
            Array.from({ length: across + 1 }, (_, i) => gridIndex(across, i, row)),
        ),
    );
    return {
        cloth,
        carry: (angle, nearer) =>
            ends.forEach((end, k) => end.setTargets(pose([0, 0, k ? -nearer : nearer], [1, 1, 1], k ? -angle : angle, "z"))),
    };
}
