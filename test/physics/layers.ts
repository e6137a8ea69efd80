import type { Body } from "../../src/solver/body";
import type { LayerTier } from "../../src/solver/crowd/member";
import { World } from "../../src/solver/world";
import { countCrossings } from "./crossings";

/** More than any cloth measures [m]. */
const FAR = 1e3;

/** Cloths of one world that keep off themselves and each other. */
export class Heap {
    readonly world = new World();
    readonly warnings: string[] = [];
    /** Positions at rest, one cloth after the other; those of different cloths are far apart. */
    private readonly _rest: number[] = [];

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
            for (const x of restPositions) this._rest.push(x + FAR * i);
            this.world.join(cloth, { restPositions, groups, layers: { thickness }, tier, warn });
        });
    }

    /** Advances all in frames of 1/60 s. */
    run(frames: number): this {
        for (let f = 0; f < frames; f++) {
            for (const cloth of this.cloths) {
                cloth.clock.frameSeconds = 1 / 60;
                cloth.begin();
            }
            this.world.advance(this.cloths);
            for (const cloth of this.cloths) cloth.endFrame();
        }
        return this;
    }

    /** How often edges pierce triangles now. @param apart only where nothing of both is closer than this at rest [m] */
    crossingsOf(apart: number): number {
        const positions: number[] = [];
        const triangles: number[] = [];
        for (const cloth of this.cloths) {
            const first = positions.length / 3;
            const x = new Float32Array(3 * cloth.state.particleCount);
            cloth.readPositions(x);
            positions.push(...x);
            for (const t of cloth.triangles.triangles) triangles.push(first + t);
        }
        return countCrossings(positions, 3, triangles, (edge, triangle) =>
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
