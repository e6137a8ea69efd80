import type { Body } from "../../src/solver/body";
import type { LayerTier } from "../../src/solver/crowd/member";
import { World } from "../../src/solver/world";
import type { BackendName } from "../../src/kernels/kernels";
import { ROW, rowOf } from "../../src/kernels/layout";
import type { Fabric } from "../../src/solver/fabric";
import { countCrossings } from "./crossings";
import { grid, gridIndex } from "./meshes";
import { makeCloth, pinParticles, pose } from "./support";

/** More than any cloth measures [m]. */
const FAR = 1e3;

/** Advances cloths of a world in frames. @param seconds how long each is; left out: 1/60 s */
export function advance(world: World, cloths: readonly Body[], frames: number, seconds = (_frame: number): number => 1 / 60): void {
    for (let f = 0; f < frames; f++) {
        for (const cloth of cloths) {
            cloth.clock.frameSeconds = seconds(f);
            cloth.begin();
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

    constructor(
        readonly cloths: readonly Body[],
        thickness: number | null = null,
        masks: readonly number[] = [],
        tier: LayerTier = "particles",
    ) {
        cloths.forEach((cloth, i) => {
            const restPositions = new Float32Array(3 * cloth.state.particleCount);
            cloth.readPositions(restPositions);
            const groups = { group: 1, mask: masks[i] ?? -1 };
            const warn = (message: string): void => void this.warnings.push(message);
            for (const t of cloth.triangles.triangles) this._triangles.push(this._rest.length / 3 + t);
            for (const x of restPositions) this._rest.push(x + FAR * i);
            this.world.join(cloth, { restPositions, groups, layers: { thickness }, tier, warn });
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
        const { _positions: x } = this;
        let o = 0;
        for (const { state, origin } of this.cloths)
            for (let row = 0; row < rowOf(state.particleCount); row += ROW)
                for (let c = 0; c < 3; c++) x[o++] = state.positions[row + c] + origin[c];
        return countCrossings(x, 3, this._triangles, (edge, triangle) =>
            edge.every((p) => triangle.every((q) => this._restDistance(p, q) >= apart)),
        );
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

/** A ribbon along z that both its ends turn against each other. */
export interface Twist {
    readonly cloth: Body;
    /** Turns each end by an angle [rad], and brings it so much nearer to the middle [m]. */
    carry(angle: number, nearer: number): void;
}

/** Makes a ribbon of so many quads, and of a size [m], across and along. */
export function twist(
    backend: BackendName,
    [across, along]: readonly [number, number],
    [width, length]: readonly [number, number],
    fabric: Partial<Fabric>,
): Twist {
    const cloth = makeCloth(
        backend,
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
            ends.forEach((end, k) => end.carry(pose([0, 0, k ? -nearer : nearer], [1, 1, 1], k ? -angle : angle, "z"))),
    };
}
