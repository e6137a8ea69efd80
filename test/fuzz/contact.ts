/** Random solids, thrown and spun through a sheet: what of it ends a frame inside of them, and whether they pierce it. */
import { identity, invert } from "../../src/engine/index";
import type { Affine, Body, Collider, Vector } from "../../src/engine/index";
import { colliderShapes } from "../../src/engine/collision/shapes/registry";
import { grid, hanging, lying, topRow } from "../physics/meshes";
import { at, makeCloth, runSteps } from "../physics/support";
import { seededRandom } from "../random";
import { KNOWN_SOLIDS } from "./solids";
import type { KnownSolid } from "./solids";

/** What a run has come to. */
export interface ContactRun {
    /** The solids' names. */
    readonly name: string;
    /** Frames at whose end a particle was more than {@link DEEP} inside of a solid, no other being near that may have squeezed it. */
    inside: number;
    /** The same of particles that another solid is near to. */
    squeezed: number;
    /** How deep the deepest of the first was [m]. */
    deepest: number;
    /** Whether, two seconds after the last of them has stopped, some edge of a free sheet goes through the core of a solid. */
    pierced: boolean;
    /** Whether all positions were numbers. */
    isFinite: boolean;
}

/** Deeper than this counts [m]. */
export const DEEP = 1e-3;
/** So near to a second solid a particle may be squeezed [m]. */
const NEAR = 0.05;
const FASTEST = 50;
const FASTEST_SPIN = 20;
/** Frames of a flight in one direction. */
const LEG = 10;
const COTTON = { arealDensity: 0.2, shearStiffness: 200, bendStiffness: 5e-5, damping: 0.6, thickness: 0.01, friction: 0.4 };

/** One of the solids on its way. */
class Flyer {
    readonly pose = identity();
    private readonly _inverse = identity();
    private _velocity: Vector = [0, 0, 0];
    private _axis: Vector = [0, 1, 0];
    private _spin = 0;
    private readonly _turn = identity();
    private readonly _centre: [number, number, number];
    readonly half: Vector;
    readonly collider: Collider;

    constructor(
        readonly solid: KnownSolid,
        cloth: Body,
        private readonly _random: () => number,
        private readonly _fastest: number,
    ) {
        this.half = solid.size(_random(), _random());
        this._centre = [4 * _random() - 2, 2.5 + 2 * _random(), 4 * _random() - 2];
        this._write();
        this.collider = colliderShapes[solid.shape](cloth.kernels, cloth.state.particleCount, solid.form, null);
        this.collider.setPose(this.pose);
        cloth.addCollider(this.collider);
        this.collider.beginStep({ fraction: 1 });
    }

    /** Heads for a point of the sheet, or thereabouts. */
    aim(target: Vector): void {
        const { _random: random, _centre: centre } = this;
        const way = target.map((x, c) => x - centre[c] + 0.4 * (random() - 0.5));
        const pace = (this._fastest * random()) / Math.hypot(...way);
        this._velocity = way.map((x) => x * pace) as unknown as Vector;
        const axis = [random() - 0.5, random() - 0.5, random() - 0.5];
        const length = Math.hypot(...axis);
        this._axis = axis.map((x) => x / length) as unknown as Vector;
        this._spin = FASTEST_SPIN * random();
    }

    stop(): void {
        this._velocity = [0, 0, 0];
        this._spin = 0;
    }

    move(seconds: number): void {
        for (let c = 0; c < 3; c++) this._centre[c] += this._velocity[c] * seconds;
        const [x, y, z] = this._axis;
        const angle = this._spin * seconds;
        const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
        const m = this._turn;
        for (let row = 0; row < 12; row += 4) {
            const [a, b, c] = [m[row], m[row + 1], m[row + 2]];
            const along = (a * x + b * y + c * z) * (1 - cos);
            m[row] = a * cos + (y * c - z * b) * sin + along * x;
            m[row + 1] = b * cos + (z * a - x * c) * sin + along * y;
            m[row + 2] = c * cos + (x * b - y * a) * sin + along * z;
        }
        this._write();
        this.collider.setPose(this.pose);
    }

    private _write(): void {
        for (let row = 0; row < 3; row++) {
            for (let c = 0; c < 3; c++) this.pose[4 * row + c] = this._turn[4 * row + c] * this.half[row];
        }
        this.pose.set(this._centre, 12);
    }

    /** How deep points are inside from now on, where it stands. */
    depthNow(): (point: Vector) => number {
        const { half, solid, _inverse: m } = this;
        invert(this.pose, m);
        return ([x, y, z]) => solid.depth(mapped(m, half, x, y, z), half);
    }
}

function mapped(m: Affine, half: Vector, x: number, y: number, z: number): Vector {
    return [
        (x * m[0] + y * m[4] + z * m[8] + m[12]) * half[0],
        (x * m[1] + y * m[5] + z * m[9] + m[13]) * half[1],
        (x * m[2] + y * m[6] + z * m[10] + m[14]) * half[2],
    ];
}

/**
 * A free or a hung sheet, and so many random solids that are thrown at it, again and again, and at last stop.
 * @param only names of the solids to draw from; left out: all
 * @param fastest their largest speed [m/s]
 */
export function throwSolids(
    seed: number,
    count: number,
    frames: number,
    { substepCount = 4, only, fastest = FASTEST }: { substepCount?: number; only?: readonly string[]; fastest?: number } = {},
): ContactRun {
    const random = seededRandom(seed);
    const isHung = seed % 2 === 1;
    const columns = 16;
    const sheet = grid(columns, columns, isHung ? hanging(1.5, 1.5) : lying(1.5, 1.5));
    const cloth = makeCloth(sheet, {
        fabric: COTTON,
        substepCount,
        pinned: isHung ? topRow(columns, columns) : undefined,
        tetherSlack: isHung ? 0.02 : Infinity,
    });
    const solids = KNOWN_SOLIDS.filter(({ name }) => !only || only.includes(name));
    const flyers = Array.from({ length: count }, (_, i) => {
        return new Flyer(solids[(i * 3 + Math.floor(seed / 2)) % solids.length], cloth, random, fastest);
    });
    const run: ContactRun = {
        name: `${seed}: ${flyers.map(({ solid }) => solid.name).join(", ")}${isHung ? ", hung" : ""}`,
        inside: 0,
        squeezed: 0,
        deepest: -Infinity,
        pierced: false,
        isFinite: true,
    };
    runSteps(cloth, frames + 1, (frame) => {
        if (frame > 0) examine(cloth, flyers, run);
        for (const flyer of flyers) {
            if (frame % LEG === 0) flyer.aim(at(cloth, Math.floor(random() * cloth.state.particleCount)));
            flyer.move(1 / 60);
        }
    });
    for (const flyer of flyers) flyer.stop();
    runSteps(cloth, 120, () => flyers.forEach((flyer) => flyer.move(1 / 60)));
    // What is pinned is not asked where it may go.
    run.pierced = !isHung && isPierced(cloth, sheet.triangles, flyers);
    cloth.release();
    return run;
}

function examine(cloth: Body, flyers: readonly Flyer[], run: ContactRun): void {
    const depths = flyers.map((flyer) => flyer.depthNow());
    let isInside = false;
    let isSqueezed = false;
    for (let i = 0; i < cloth.state.particleCount; i++) {
        if (!(cloth.state.inverseMasses[i] > 0)) continue;
        const point = at(cloth, i);
        run.isFinite &&= point.every(Number.isFinite);
        const found = depths.map((depth) => depth(point));
        const deepest = Math.max(...found);
        const nearCount = found.filter((depth) => depth > -NEAR).length;
        if (nearCount > 1) isSqueezed ||= deepest > DEEP;
        else {
            run.deepest = Math.max(run.deepest, deepest);
            isInside ||= deepest > DEEP;
        }
    }
    if (isInside) run.inside++;
    if (isSqueezed) run.squeezed++;
}

/** Whether an edge of the cloth goes through the core of a solid: the sheet is on both of its sides. */
function isPierced(cloth: Body, triangles: Uint32Array, flyers: readonly Flyer[]): boolean {
    return flyers.some((flyer) => {
        const depth = flyer.depthNow();
        const deep = 0.5 * flyer.solid.core(flyer.half);
        for (let t = 0; t < triangles.length; t++) {
            const a = at(cloth, triangles[t]);
            const b = at(cloth, triangles[t % 3 === 2 ? t - 2 : t + 1]);
            for (let s = 1; s < 12; s++) {
                if (depth(a.map((x, c) => x + ((b[c] - x) * s) / 12) as unknown as Vector) > deep) return true;
            }
        }
        return false;
    });
}
