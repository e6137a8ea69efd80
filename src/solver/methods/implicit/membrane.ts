/**
 * Stretch and shear of triangles (Baraff & Witkin 1998, §4.1 and 4.2). A triangle has coordinates u, v at rest, along warp and weft; of its places x,
 *
 *     w_u = ∂x/∂u = Σ α_i x_i,   w_v = Σ β_i x_i,      C_u = √a (|w_u| - 1),   C_v = √a (|w_v| - 1),   C_s = √a w_u · w_v
 *
 * with the root of its area a in place of the paper's a, so that ½ k C² is an energy of the sheet, k [N/m], on any mesh. What is pressed
 * together is not stiffened across (Choi & Ko 2002, §3: its second derivative is what makes matrices indefinite).
 */
import type { Material } from "../forces";
import { alongThreads, finiteStiffness } from "../forces";
import type { ClothSettings } from "../../settings";
import type { BlockSystem } from "./blockSystem";
import { restAxes } from "./restAxes";
import { addCondition } from "./step";
import type { Conditions, Step } from "./step";

/** See the top of the file. */
export class Membrane implements Conditions {
    readonly particles: Uint32Array;
    readonly size = 3;
    /** α of each corner, then β; shape [triangleCount, 6]. */
    private _weights = new Float64Array(0);
    private readonly _areas: Float64Array;
    private _slots: Uint32Array = new Uint32Array(0);
    private _warp = 0;
    private _weft = 0;
    private _shear = 0;
    private readonly _gradient = new Float64Array(9);
    /** w_u and w_v of the triangle at hand. */
    private readonly _w = new Float64Array(6);

    constructor(private readonly _material: Material) {
        const { triangles, positions } = _material.topology;
        this.particles = triangles;
        this._areas = new Float64Array(triangles.length / 3);
        this._weights = new Float64Array(2 * triangles.length);
        this._lay(positions, false);
    }

    /** Finds rest coordinates. @param isWoven whether along the threads, else along the sides that are nearest to a right angle */
    private _lay(positions: Float32Array, isWoven: boolean): void {
        const threads = isWoven ? this._material.threads() : null;
        this._areas.forEach((_, t, areas) => {
            areas[t] = restAxes(positions, this.particles, t, threads, this._weights);
        });
    }

    /** To be called once the pattern is known. */
    place(system: BlockSystem): void {
        this._slots = system.slotsOf(this.particles, this.size);
    }

    prepare({ fabric }: ClothSettings): void {
        const { warp, weft } = alongThreads(fabric.stretchStiffness, finiteStiffness);
        if (warp !== weft) this._lay(this._material.topology.positions, true);
        this._warp = warp;
        this._weft = weft;
        this._shear = finiteStiffness(fabric.shearStiffness);
    }

    add(step: Step): void {
        const { particles, _weights: weights, _areas: areas, _w: w } = this;
        const { x } = step;
        for (let t = 0; t < areas.length; t++) {
            w.fill(0);
            for (let i = 0; i < 3; i++) {
                const q = 3 * particles[3 * t + i];
                for (let c = 0; c < 3; c++) {
                    w[c] += weights[6 * t + i] * x[q + c];
                    w[3 + c] += weights[6 * t + 3 + i] * x[q + c];
                }
            }
            this._stretch(step, t, 0, this._warp);
            this._stretch(step, t, 3, this._weft);
            this._addShear(step, t);
        }
    }

    /** @param axis 0: warp, 3: weft */
    private _stretch(step: Step, t: number, axis: number, stiffness: number): void {
        const { _weights: weights, _areas: areas, _w: w, _gradient: gradient } = this;
        const length = Math.sqrt(w[axis] ** 2 + w[axis + 1] ** 2 + w[axis + 2] ** 2);
        if (!(length > 0) || stiffness === 0) return;
        const root = Math.sqrt(areas[t]);
        const value = root * (length - 1);
        for (let i = 0; i < 3; i++) {
            const share = (root * weights[6 * t + axis + i]) / length;
            for (let c = 0; c < 3; c++) gradient[3 * i + c] = share * w[axis + c];
        }
        addCondition(step, this, this._slots, t, stiffness, value, gradient);
        if (value > 0) this._stiffenAcross(step, t, axis, (stiffness * value * root) / length, length);
    }

    /** Adds what tension T does across: h² T α_i α_j (I - n nᵀ), n = w / |w|. */
    private _stiffenAcross({ system, v, seconds: h }: Step, t: number, axis: number, tension: number, length: number): void {
        const { values, right } = system;
        const { particles, _slots: slots, _weights: weights, _w: w } = this;
        for (let i = 0; i < 3; i++) {
            for (let j = 0; j < 3; j++) {
                const stiffness = h * h * tension * weights[6 * t + axis + i] * weights[6 * t + axis + j];
                for (let r = 0; r < 3; r++) {
                    for (let c = 0; c < 3; c++) {
                        const across = (r === c ? 1 : 0) - (w[axis + r] * w[axis + c]) / (length * length);
                        values[slots[9 * t + 3 * i + j] + 3 * r + c] += stiffness * across;
                        right[3 * particles[3 * t + i] + r] -= stiffness * across * v[3 * particles[3 * t + j] + c];
                    }
                }
            }
        }
    }

    private _addShear(step: Step, t: number): void {
        const { _weights: weights, _areas: areas, _w: w, _gradient: gradient, _shear: stiffness } = this;
        if (stiffness === 0) return;
        const root = Math.sqrt(areas[t]);
        for (let i = 0; i < 3; i++) {
            for (let c = 0; c < 3; c++)
                gradient[3 * i + c] = root * (weights[6 * t + i] * w[3 + c] + weights[6 * t + 3 + i] * w[c]);
        }
        const value = root * (w[0] * w[3] + w[1] * w[4] + w[2] * w[5]);
        addCondition(step, this, this._slots, t, stiffness, value, gradient);
    }
}
