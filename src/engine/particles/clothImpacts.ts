import { MAX_HITS, MAX_NEAR_TRIANGLES, SURFACE_OFFSET } from "../tunables";
import { rowOf, ROW } from "../../kernels/layout";
import { writeShares } from "./crossing";
import type { FreeParticles } from "./freeParticles";
import { BOX, overlap, NONE } from "./sweptCloth";
import type { SweptCloth } from "./sweptCloth";
import { SweptPath } from "./sweptPath";
import type { Body } from "../bodies/body";

/**
 * The impact of a particle on a triangle of cloth: an impulse along the normal by Newton's rule of restitution, and one along the cloth up to what Coulomb's
 * friction allows,
 *
 *     j_n = -(1 + restitution) u_n / W,    j_t = min(friction j_n, |u_t| / W),    W = w + Σ b_k² w_k,
 *
 * u the velocity of the particle against the cloth at that place. The three particles of the triangle take the opposite, by their barycentric shares b: what
 * all have together stays.
 */
export class TriangleImpact {
    /** The particle's velocity [m/s], in and out. */
    readonly velocity = new Float64Array(3);
    /** Unit normal of the triangle, towards the particle. */
    readonly normal = new Float64Array(3);
    /** Share of the speed that it leaves with; speeds below {@link restingSpeed} [m/s] leave none. */
    restitution = NaN;
    restingSpeed = NaN;
    friction = NaN;
    inverseMass = NaN;
    /** Impulse along the normal that the last one took [N s]. */
    impulse = NaN;
    private readonly _relative = new Float64Array(3);

    /** Gives one. @param corners the triangle's particles; `shares`, those of the place */
    apply({ state, settings }: Body, corners: Uint32Array, shares: Float64Array): void {
        const { velocity, normal, _relative: u } = this;
        const { positions: x, previous: p, residuals: r, inverseMasses } = state;
        const substep = settings.fixedTimeStep / settings.substepCount;
        let yielding = this.inverseMass;
        u.set(velocity);
        for (let k = 0; k < 3; k++) {
            const o = rowOf(corners[k]);
            yielding += shares[k] * shares[k] * inverseMasses[corners[k]];
            for (let c = 0; c < 3; c++) u[c] -= (shares[k] * (x[o + c] - p[o + c] + r[o + c])) / substep;
        }
        const closing = u[0] * normal[0] + u[1] * normal[1] + u[2] * normal[2];
        this.impulse = 0;
        if (!(closing < 0)) return;
        const bounce = -closing > this.restingSpeed ? this.restitution : 0;
        this.impulse = (-(1 + bounce) * closing) / yielding;
        for (let c = 0; c < 3; c++) u[c] -= closing * normal[c];
        const sliding = Math.sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
        const drag = sliding > 0 ? Math.min((this.friction * this.impulse) / sliding, 1 / yielding) : 0;
        for (let c = 0; c < 3; c++) {
            const j = this.impulse * normal[c] - drag * u[c];
            velocity[c] += this.inverseMass * j;
            for (let k = 0; k < 3; k++) {
                // To the residuals, which keep what 32 bits of a place would take from it.
                r[ROW * corners[k] + c] -= substep * shares[k] * inverseMasses[corners[k]] * j;
            }
        }
    }
}

/** A particle rests if it comes no faster than so many times the fall of a step. */
const RESTING_FALLS = 2;

/**
 * Two-way contact of free particles and cloths, once a step of both. Each particle's path over the step is swept against the paths of the triangles, so that
 * nothing passes however fast it is; a particle nearer to a cloth than its radius is then pushed out to that.
 */
export class ClothImpacts {
    readonly cloths: SweptCloth[] = [];
    /** True for each particle that has struck cloth since it was set back, shape [capacity]. */
    readonly hasHit: Uint8Array;
    /** True if a particle that strikes is parked at once. */
    parkOnHit = false;
    private readonly _path = new SweptPath();
    private readonly _pushedOut = new SweptPath();
    private readonly _impact = new TriangleImpact();
    /** Position of the cloth at an impact, and its motion over the step [m]. */
    private readonly _hitPoint = new Float64Array(3);
    private readonly _clothMotion = new Float64Array(3);

    constructor(private readonly _particles: FreeParticles) {
        this.hasHit = new Uint8Array(_particles.capacity);
    }

    /** A step has been taken. */
    sweep(): void {
        const { cloths, _particles: particles, _path: way } = this;
        const { origin, state, settings } = particles.body;
        for (let k = 0; k < cloths.length; k++) cloths[k].update();
        const { radius, restitution, friction } = particles.settings.particles;
        const { _impact: blow } = this;
        blow.restitution = restitution;
        blow.friction = friction;
        const g = settings.gravity;
        blow.restingSpeed = RESTING_FALLS * settings.fixedTimeStep * Math.sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
        for (let i = 0; i < particles.count; i++) {
            if (!particles.isMoving(i)) continue;
            for (let c = 0, o = rowOf(i); c < 3; c++, o++) {
                way.ends[c] = state.stepStart[o] + origin[c];
                way.ends[3 + c] = state.positions[o] + origin[c];
            }
            let isNear = false;
            way.writeBounds(radius, box);
            for (let k = 0; k < cloths.length; k++) isNear ||= overlap(box, 0, cloths[k].bounds, 0);
            if (isNear) this._resolve(i);
        }
    }

    private _resolve(i: number): void {
        const { _path: way, _impact: blow, _particles: particles, cloths } = this;
        const { state, settings } = particles.body;
        const { fixedTimeStep: step, gravity } = settings;
        blow.inverseMass = state.inverseMasses[i];
        // Of its way: what else has stopped it within the step is in that.
        for (let c = 0; c < 3; c++) blow.velocity[c] = (way.ends[3 + c] - way.ends[c]) / step - 0.5 * gravity[c] * step;
        way.start = 0;
        let strikes = 0;
        for (way.search(cloths); way.cloth; way.search(cloths)) {
            this._resolveHit(i, ++strikes === MAX_HITS);
            if (strikes === MAX_HITS || !particles.isMoving(i)) break;
        }
        if (strikes > 0) this._write(i, way.ends, 3);
        else this._readVelocity(i);
        if (particles.isMoving(i)) this._depenetrate(i);
    }

    /** Answers the crossing that the way has found, and lays the rest of the way. @param isLast whether it stays there */
    private _resolveHit(i: number, isLast: boolean): void {
        const { _path: way, _impact: blow, _hitPoint: place, _clothMotion: carried, _particles: particles } = this;
        const { fixedTimeStep: step, gravity } = particles.body.settings;
        const { time, ends } = way;
        const { previous: before, current: now, cloth } = way.cloth!;
        for (let c = 0; c < 3; c++) blow.velocity[c] += gravity[c] * (time - way.start) * step;
        place.fill(0);
        carried.fill(0);
        for (let k = 0; k < 3; k++) {
            for (let c = 0, o = 3 * way.corners[k]; c < 3; c++, o++) {
                const moved = now[o] - before[o];
                corners[3 * k + c] = before[o] + time * moved;
                place[c] += way.shares[k] * corners[3 * k + c];
                carried[c] += way.shares[k] * moved;
            }
        }
        writeNormal(corners, blow.normal);
        const { normal } = blow;
        let side = way.side;
        if (side === 0) side = -(dot(blow.velocity, normal) - dot(carried, normal) / step);
        if (side < 0) for (let c = 0; c < 3; c++) normal[c] = -normal[c];
        blow.apply(cloth, way.corners, way.shares);
        this._recordHit(i);
        cloth.wake();
        const left = (1 - time) * step;
        // Cloth that constraints move otherwise than its velocity says takes it along within the step.
        const behind = Math.max(0, dot(carried, normal) / step - dot(blow.velocity, normal));
        for (let c = 0; c < 3; c++) {
            ends[c] = place[c] + SURFACE_OFFSET * normal[c];
            const gone = (blow.velocity[c] + behind * normal[c] + 0.5 * gravity[c] * left) * left;
            ends[3 + c] = this._round(c, ends[c] + (isLast ? (1 - time) * carried[c] : gone));
            blow.velocity[c] += gravity[c] * left;
        }
        way.start = time;
        if (this.parkOnHit) for (let c = 0; c < 3; c++) ends[3 + c] = ends[c];
    }

    /** A coordinate as the particle's state can hold it. */
    private _round(c: number, x: number): number {
        const origin = this._particles.body.origin[c];
        return Math.fround(x - origin) + origin;
    }

    private _recordHit(i: number): void {
        this.hasHit[i] = 1;
        if (this.parkOnHit) this._particles.park(i);
    }

    private _readVelocity(i: number): void {
        const { state, settings } = this._particles.body;
        const { positions: x, previous: p, residuals: r } = state;
        const substep = settings.fixedTimeStep / settings.substepCount;
        for (let c = 0, o = rowOf(i); c < 3; c++, o++) {
            this._impact.velocity[c] = (x[o] - p[o] + r[o]) / substep + 0.5 * settings.gravity[c] * substep;
        }
    }

    /** Puts a particle at a place [m], with the blow's velocity. */
    private _write(i: number, place: Float64Array, at: number): void {
        const { body } = this._particles;
        const { origin, settings, state } = body;
        const substep = settings.fixedTimeStep / settings.substepCount;
        const isMoving = this._particles.isMoving(i);
        for (let c = 0, o = rowOf(i); c < 3; c++, o++) {
            state.positions[o] = place[at + c] - origin[c];
            const displacement = substep * (this._impact.velocity[c] - 0.5 * settings.gravity[c] * substep);
            state.setDisplacement(o, isMoving ? displacement : 0);
        }
    }

    /** Pushes a particle out of the cloths that it is nearer to than its radius. */
    private _depenetrate(i: number): void {
        const { cloths, _path: way, _particles: particles } = this;
        const { radius } = particles.settings.particles;
        for (let c = 0; c < 3; c++) {
            box[c] = way.ends[3 + c] - radius;
            box[3 + c] = way.ends[3 + c] + radius;
        }
        for (let k = 0; k < cloths.length; k++) {
            if (!overlap(box, 0, cloths[k].bounds, 0)) continue;
            // A push searches, too.
            let count = 0;
            cloths[k].search();
            for (let t = cloths[k].next(box); t !== NONE && count < MAX_NEAR_TRIANGLES; t = cloths[k].next(box))
                nearTriangles[count++] = t;
            for (let n = 0; n < count && particles.isMoving(i); n++) this._push(i, cloths[k], nearTriangles[n]);
        }
    }

    private _push(i: number, swept: SweptCloth, triangle: number): void {
        const { _path: way, _pushedOut: pushed, _impact: blow, _clothMotion: carried, _particles: particles, cloths } = this;
        const { current: now, previous: before, cloth } = swept;
        const { triangles } = cloth.triangles;
        const { radius, friction } = particles.settings.particles;
        for (let k = 0; k < 3; k++) {
            pushed.corners[k] = triangles[3 * triangle + k];
            for (let c = 0; c < 3; c++) corners[3 * k + c] = now[3 * pushed.corners[k] + c];
        }
        writeNormal(corners, blow.normal);
        const { normal } = blow;
        for (let c = 0; c < 3; c++) {
            edgeVectors[c] = way.ends[3 + c] - corners[c];
            edgeVectors[3 + c] = corners[3 + c] - corners[c];
            edgeVectors[6 + c] = corners[6 + c] - corners[c];
        }
        let distance = edgeVectors[0] * normal[0] + edgeVectors[1] * normal[1] + edgeVectors[2] * normal[2];
        if (distance < 0) for (let c = 0; c < 3; c++) normal[c] = -normal[c];
        distance = Math.abs(distance);
        if (!(distance < radius)) return;
        writeShares(edgeVectors, 3, 6, pushed.shares, 0);
        if (!(pushed.shares[0] >= 0 && pushed.shares[1] >= 0 && pushed.shares[2] >= 0)) return;
        carried.fill(0);
        for (let k = 0; k < 3; k++) {
            for (let c = 0, o = 3 * pushed.corners[k]; c < 3; c++, o++) carried[c] += pushed.shares[k] * (now[o] - before[o]);
        }
        // How far it has slid over the cloth in this step, of which friction takes back what the depth allows.
        const depth = radius - distance;
        for (let c = 0; c < 3; c++) slideVector[c] = way.ends[3 + c] - way.ends[c] - (1 - way.start) * carried[c];
        const rise = dot(slideVector, normal);
        for (let c = 0; c < 3; c++) slideVector[c] -= rise * normal[c];
        const length = Math.sqrt(dot(slideVector, slideVector));
        const back = length > 0 && rise < 0 ? Math.min(1, (friction * Math.min(depth, -rise)) / length) : 0;
        for (let c = 0; c < 3; c++) {
            pushed.ends[c] = way.ends[3 + c];
            pushed.ends[3 + c] = this._round(c, way.ends[3 + c] + depth * normal[c] - back * slideVector[c]);
        }
        blow.apply(cloth, pushed.corners, pushed.shares);
        if (blow.impulse > 0) {
            this._recordHit(i);
            cloth.wake();
        }
        // Another layer may lie closer than the radius.
        pushed.start = 1;
        pushed.search(cloths);
        if (!pushed.cloth) for (let c = 3; c < 6; c++) way.ends[c] = pushed.ends[c];
        this._write(i, way.ends, 3);
    }
}

/** Within a call: a triangle's corners, ways from the first of them, how far a particle has slid; x y z each [m]. */
const corners = new Float64Array(9);
const edgeVectors = new Float64Array(9);
const slideVector = new Float64Array(3);
/** A box about what is asked for, and the triangles that were found in it. */
const box = new Float64Array(BOX);
const nearTriangles = new Uint32Array(MAX_NEAR_TRIANGLES);

function dot(a: Float64Array, b: Float64Array): number {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/** Writes the unit normal of a triangle; not a number where it has no area. @param x its corners, shape [3, 3] */
function writeNormal(x: Float64Array, target: Float64Array): void {
    const ax = x[3] - x[0];
    const ay = x[4] - x[1];
    const az = x[5] - x[2];
    const bx = x[6] - x[0];
    const by = x[7] - x[1];
    const bz = x[8] - x[2];
    const nx = ay * bz - az * by;
    const ny = az * bx - ax * bz;
    const nz = ax * by - ay * bx;
    const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
    target[0] = nx / length;
    target[1] = ny / length;
    target[2] = nz / length;
}
