import type { Kernels } from "../../kernels/kernelTable";
import { Uniform } from "../../kernels/layout";
import type { AirArrays, ParticleArrays } from "../../kernels/layout";
import { identity, invert } from "../math/affine";
import type { Affine } from "../math/affine";
import { areEqual } from "../math/vector";

/** Volume of a wind as numbers. */
export interface WindZoneData {
    readonly shape: ZoneShape;
    /** Depth inside its edge from which a zone's wind has its full strength, as a share of the distance to the middle, (0, 1]. */
    readonly falloff: number;
    /** World matrix of the zone's unit shape now, row vectors; null: it is nowhere. */
    world(): ArrayLike<number> | null;
}

/** Adds a wind in a zone to the air; the uniforms hold both. */
type AddWind = (kernels: Kernels, particles: ParticleArrays, air: AirArrays) => void;

/** The shapes of zones, in their unit frames. A new shape is its kernel and one line here. */
export const zoneShapes = {
    /** Cube of side 1 about the origin. */
    box: (kernels, particles, air) => kernels.addBoxWind(particles, air),
    /** Ball of diameter 1 about the origin. */
    sphere: (kernels, particles, air) => kernels.addSphereWind(particles, air),
    /** A fan at the origin: its stream widens from a diameter of ½ there to 1 at z = 1, and slows from all of its speed to half of it. */
    cone: (kernels, particles, air) => kernels.addConeWind(particles, air),
} as const satisfies Record<string, AddWind>;

export type ZoneShape = keyof typeof zoneShapes;

/** Half the side of a box about the origin that holds every unit shape. */
const HALF_EXTENT = [0.5, 0.5, 1];

/** A zone in the world. */
export class WindZoneVolume {
    private readonly _toUnit = identity();
    private readonly _world = identity();

    /** True if it has a pose in this frame. */
    isPlaced = false;

    constructor(private readonly _data: WindZoneData) {}

    /** Takes in where it is, at the begin of a frame of a body that it may reach. */
    update(): void {
        const world = this._data.world();
        if (this.isPlaced && world && areEqual(world, this._world)) return;
        if (world) this._world.set(world);
        this.isPlaced = world !== null && invert(this._world, this._toUnit);
    }

    /** Turns a vector of the zone's axes to the world's. The zone's size does not count. */
    rotateToWorld(vector: Float64Array): void {
        const { _world: m } = this;
        const x = vector[0];
        const y = vector[1];
        const z = vector[2];
        vector.fill(0);
        for (let row = 0; row < 3; row++) {
            const o = 4 * row;
            const length = Math.sqrt(m[o] * m[o] + m[o + 1] * m[o + 1] + m[o + 2] * m[o + 2]);
            const share = (row === 0 ? x : row === 1 ? y : z) / length;
            for (let c = 0; c < 3; c++) vector[c] += share * m[o + c];
        }
    }

    /** True if it may reach a box of the world. Never a false no. @param bounds smallest coordinates x y z 0, largest x y z 0, relative to `origin` */
    mayOverlap(bounds: ArrayLike<number>, origin: ArrayLike<number>): boolean {
        const { _world: m } = this;
        for (let c = 0; c < 3; c++) {
            const reach =
                HALF_EXTENT[0] * Math.abs(m[c]) + HALF_EXTENT[1] * Math.abs(m[4 + c]) + HALF_EXTENT[2] * Math.abs(m[8 + c]);
            const middle = m[12 + c] - origin[c];
            if (middle - reach > bounds[4 + c] || middle + reach < bounds[c]) return false;
        }
        return true;
    }

    /** Writes it to the uniforms of a body. */
    writeUniforms(uniforms: Float32Array, origin: ArrayLike<number>): void {
        const m: Affine = this._toUnit;
        for (let i = 0; i < 16; i++) uniforms[Uniform.zone + i] = m[i];
        for (let c = 0; c < 3; c++) {
            uniforms[Uniform.zone + 12 + c] += origin[0] * m[c] + origin[1] * m[4 + c] + origin[2] * m[8 + c];
        }
        uniforms[Uniform.zoneEdge] = 1 / this._data.falloff;
    }

    /** Share of the wind's speed at a place, as its kernel has it, 0..1. @param place world x y z [m] */
    strengthAt(place: ArrayLike<number>): number {
        const { _toUnit: m } = this;
        if (!this.isPlaced) return 0;
        const u = place[0] * m[0] + place[1] * m[4] + place[2] * m[8] + m[12];
        const v = place[0] * m[1] + place[1] * m[5] + place[2] * m[9] + m[13];
        const w = place[0] * m[2] + place[1] * m[6] + place[2] * m[10] + m[14];
        const { shape, falloff } = this._data;
        const slowing = shape === "cone" ? 1 / (1 + Math.max(0, w)) : 1;
        let distance = 2 * Math.max(Math.abs(u), Math.abs(v), Math.abs(w));
        if (shape === "sphere") distance = 2 * Math.hypot(u, v, w);
        if (shape === "cone") distance = w < 0 ? 1 : Math.max(w, 4 * Math.hypot(u, v) * slowing);
        const s = Math.min(1, Math.max(0, (1 - distance) / falloff));
        return s * s * (3 - 2 * s) * slowing;
    }

    add(kernels: Kernels, particles: ParticleArrays, air: AirArrays): void {
        zoneShapes[this._data.shape](kernels, particles, air);
    }
}
