import type { Arena, BlockLayout } from "../../../kernels/arena";
import { ROW, Uniform } from "../../../kernels/layout";
import { ArenaArrays } from "../../memory/arenaArrays";
import type { BodyState } from "../../state/state";

/** Coordinates of a particle. */
const DIMENSIONS = 3;

/**
 * The motion of a body's particles in 64 bits, for methods that have velocities of their own, beside the state that all else speaks of: places, and how far
 * each came in the last substep. What was done to those since the method gave them (by colliders, pins, air, impulses, teleports) is
 * taken into the velocities; what was not touched goes on to the last bit.
 */
export class SolverMotion extends ArenaArrays {
    /** Simulation space [m], shape [particleCount, 3]. */
    positions!: Float64Array;
    /** [m/s], shape [particleCount, 3]. */
    velocities!: Float64Array;
    /** Places and displacements that the state was last given; NaN: none. */
    private _lastPositions!: Float32Array;
    private _lastDisplacements!: Float64Array;
    /** The time in which particles came so far [s]. */
    private _substep = NaN;

    /** @throws RangeError when there is no memory left */
    constructor(
        arena: Arena,
        private readonly _particleCount: number,
    ) {
        super();
        this._allocate(arena);
        this._lastPositions.fill(NaN);
    }

    protected override _cut(layout: BlockLayout): void {
        const length = DIMENSIONS * this._particleCount;
        this.positions = layout.float64(length);
        this.velocities = layout.float64(length);
        this._lastDisplacements = layout.float64(length);
        this._lastPositions = layout.float32(length);
    }

    /** Takes in what the state is at the begin of a substep [s]. */
    readState({ positions: x, previous: p, residuals: r, particleCount }: BodyState, seconds: number): void {
        const { positions, velocities: v, _lastPositions: places, _lastDisplacements: before, _substep: past } = this;
        for (let i = 0; i < particleCount; i++) {
            const q = DIMENSIONS * i;
            const o = ROW * i;
            const isNew = !(places[q] === places[q]);
            let isMoving = false;
            let isTouched = isNew || seconds !== past;
            for (let c = 0; c < DIMENSIONS; c++) {
                const d = x[o + c] - p[o + c] + r[o + c];
                isMoving ||= d !== 0;
                isTouched ||= d !== before[q + c];
                if (x[o + c] !== places[q + c]) positions[q + c] = x[o + c];
            }
            for (let c = 0; isTouched && c < DIMENSIONS; c++) {
                const d = x[o + c] - p[o + c] + r[o + c];
                // What has been put to rest rests, whatever its displacement says of its speed.
                if (isNew || !isMoving) v[q + c] = d / seconds;
                else v[q + c] += d / seconds - before[q + c] / past;
            }
        }
    }

    /** Gives the state what has become of it. What is pinned stands still, for pins to move it. */
    writeState({ positions: x, previous: p, residuals: r, inverseMasses: w, particleCount }: BodyState, seconds: number): void {
        const { positions, _lastPositions: places, _lastDisplacements: displacements } = this;
        this._substep = seconds;
        for (let i = 0; i < particleCount; i++) {
            for (let c = 0; c < DIMENSIONS; c++) {
                const q = DIMENSIONS * i + c;
                const o = ROW * i + c;
                const before = x[o];
                // Less than what 64 bits have come from, by less than a place's last bit: only contacts read it.
                const moved = w[i] > 0 ? positions[q] - before : 0;
                x[o] = before + moved;
                p[o] = before;
                r[o] = moved - (x[o] - before);
                if (w[i] > 0) places[q] = x[o];
                displacements[q] = x[o] - p[o] + r[o];
            }
        }
    }

    /** Takes speed away. @param kept the share that is left */
    damp(kept: number): void {
        const { velocities } = this;
        for (let q = 0; q < velocities.length; q++) velocities[q] *= kept;
    }

    /** Stands still where the state is, and forgets its motion. */
    stop(state: BodyState): void {
        state.previous.set(state.positions);
        state.residuals.fill(0);
        this._lastPositions.fill(NaN);
    }

    /** True if all is finite, and no particle would go farther in a substep than the state may. */
    isValid({ positions: x, inverseMasses, uniforms, particleCount }: BodyState): boolean {
        const { positions } = this;
        const most = uniforms[Uniform.maxDisplacement];
        for (let i = 0; i < particleCount; i++) {
            if (inverseMasses[i] === 0) continue;
            for (let c = 0; c < DIMENSIONS; c++)
                if (!(Math.abs(positions[DIMENSIONS * i + c] - x[ROW * i + c]) <= most)) return false;
        }
        return true;
    }
}
