import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import type { Scene } from "@babylonjs/core/scene";
import { STANDARD_GRAVITY, finite, integer, reject } from "../../engine/index";
import type { Pin } from "../pins/pinHold";
import { RailHold } from "../pins/railHold";
import { checkScene } from "../support/validation";
import { runtimeOf } from "../behaviors/bodyRuntime";
import { makeNode, onFrames } from "./babylonObjects";
import { Follower } from "./follower";
import type { FollowLimits } from "./follower";
import { within } from "./hangingCloths";
import { makeCloth } from "./makeCloth";
import type { ClothMesh } from "./makeCloth";
import { cellsOf, checkOptions, subdivisionsOf, FOLD_DENSITY, node, size } from "./options";
import type { ClothBuilderOptions } from "./options";
import { boxOf, parentInPlace } from "./placement";
import { Pleats } from "./pleats";
import { gridSheet, gridVertex } from "./sheets";

/** Options of {@link ClothBuilder.CreateCurtain}. */
export interface CurtainOptions extends ClothBuilderOptions {
    /** Along the rail, closed [m]. Default 1.5, or the rail's length. */
    width?: number;
    /** From the rail down [m]. Default 2.4. */
    height?: number;
    /** Number of pleats, an integer from 1 to 60. Default 8. */
    pleats?: number;
    /** Width of the cloth, spread out, over that of the curtain, 1.1 to 3. Default 2. */
    fullness?: number;
    /** Initial opening, 0 to 1; see {@link CurtainMesh.open}. Default 0. */
    open?: number;
    /** To which side it opens, as seen along its z axis. Default `"left"`. */
    side?: "left" | "right";
    /** Height of the tie-back band above the hem, as a share of the curtain's height, 0.1 to 0.9; see {@link CurtainMesh.tied}. Default 0.4. */
    tieBack?: number;
    /** A rail along x or z; the curtain becomes its child, below its middle. */
    rail?: TransformNode;
}

/** A curtain: the mesh, its rings and its band. */
export interface CurtainMesh extends ClothMesh {
    /**
     * Opening, 0 to 1. It moves the last ring; the others slide on the rail, pushed and pulled by their neighbours. Set it to any value at any time, or animate it:
     * the ring follows at a speed that the cloth can follow (1.8 m wide and 2.4 m high: 1.1 s from side to side), in simulated time. Values are clamped to 0..1.
     */
    open: number;
    /** Gathering by the tie-back band, 0 (free) to 1. It follows as {@link open} does, but lets go at once at 0. Values are clamped to 0..1. */
    tied: number;
    /** The rings, from the side to which it opens: to hang something on, or to draw. Children of the mesh. */
    readonly rings: readonly TransformNode[];
}

/** Coulomb friction coefficient of the rings on the rail: hooks with wheels. */
const RAIL_FRICTION = 0.05;
/** Largest speed of the rings over √(g · height), and their acceleration over g. Larger: the cloth flies up behind them, and stretches. */
const RING_SPEED = 0.35;
const RING_ACCELERATION = 0.45;
/** Opening at the height of the band of a tied curtain, on the scale of `open`. */
const TIED_GATHERING = 0.93;
/** Slack of the cloth between band and rings, as a share of its length. */
const BAND_SLACK = 0.02;
/** Gauss-Seidel iterations over all pairs. */
const GATHER_ITERATIONS = 20;

export function createCurtain(name: string, options: CurtainOptions, scene: Scene): CurtainMesh {
    const owner = "ClothBuilder: CreateCurtain";
    checkScene(owner, scene);
    checkOptions(owner, options, ["width", "height", "pleats", "fullness", "open", "side", "tieBack", "rail"]);
    const rail = node(owner, "rail", options.rail);
    const railBox = rail && boxOf(rail);
    const railSize = railBox ? [0, 1, 2].map((axis) => railBox.high[axis] - railBox.low[axis]) : [1.5, 0, 0];
    const width = size(owner, "width", options.width, Math.max(railSize[0], railSize[2]) || 1.5);
    const height = size(owner, "height", options.height, 2.4);
    const count = integer(owner, "pleats", 1, options.pleats ?? 8, 60);
    const fullness = within(owner, "fullness", options.fullness ?? 2, 1.1, 3);
    const open = within(owner, "open", options.open ?? 0, 0, 1);
    const tieBack = within(owner, "tieBack", options.tieBack ?? 0.4, 0.1, 0.9);
    const { side = "left" } = options;
    if (side !== "left" && side !== "right") reject(owner, "side", '"left" or "right"', side);

    const pleats = new Pleats(width, count, fullness);
    const length = fullness * width;
    const along = subdivisionsOf(owner, options, Math.max(length, height), FOLD_DENSITY);
    const perHook = Math.max(3, Math.round(cellsOf(length, height, along)[0] / (2 * count)));
    const columns = 2 * count * perHook;
    const rows = Math.max(4, Math.round((columns * height) / length));
    // From the side to which it opens; the other way about, columns run the other way.
    const sign = side === "left" ? 1 : -1;
    const columnOf = (hook: number): number => (side === "left" ? hook * perHook : columns - hook * perHook);
    const header = pleats.points(open, perHook);
    const curtain = makeCloth(
        {
            ...{ owner, name, options, colliderNodes: [] },
            edge: Math.max(length / columns, height / rows),
            fabric: "cotton",
            sheet: gridSheet(columns, rows, (u, v, x) => {
                const i = Math.round(side === "left" ? u * columns : (1 - u) * columns);
                x[0] = sign * (header[2 * i] - width / 2);
                x[1] = (v - 1) * height;
                x[2] = header[2 * i + 1];
            }),
            pins: [],
            place: (mesh) => rail && hangBelow(mesh, rail, railSize, 0.015 * height),
        },
        scene,
    );
    const limits = limitsOf(curtain, height, 2 * count * (pleats.spacing(0) - pleats.minSpacing));
    const hooks = new Hooks(curtain, pleats, sign, (hook) => gridVertex(columns, columnOf(hook), 0), new Follower(open, limits));
    if (options.pins === undefined) hooks.pinToRail();
    const band = new Band(curtain, hooks, (hook) => gridVertex(columns, columnOf(hook), Math.round(rows * (1 - tieBack))), limits);
    Object.assign(runtimeOf(curtain.cloth)!.hooks, {
        onBeginFrame(seconds: number) {
            const isOpening = hooks.follow(seconds);
            if (band.follow(seconds) || isOpening) band.gather();
        },
        onReset() {
            hooks.reset();
            band.reset();
        },
    });
    return Object.defineProperties(Object.assign(curtain, { rings: hooks.rings }), {
        open: { get: () => hooks.open.goal, set: (value: number) => (hooks.open.goal = share("open", value)) },
        tied: { get: () => band.tied.goal, set: (value: number) => band.setTied(share("tied", value)) },
    }) as unknown as CurtainMesh;
}

/** Limits of `open` and `tied` for a curtain of a height whose rings go a distance [m]: in shares of the speed of a wave along hanging cloth, √(g · height), and of g. */
function limitsOf(curtain: Mesh, height: number, distance: number): FollowLimits {
    const { x, y, z } = curtain.getScene().gravity;
    const gravity = Math.max(STANDARD_GRAVITY, Math.hypot(x, y, z));
    return { speed: (RING_SPEED * Math.sqrt(gravity * height)) / distance, acceleration: (RING_ACCELERATION * gravity) / distance };
}

/** A value clamped to 0..1: animations may overshoot. @throws RangeError if it is not a finite number */
function share(name: string, value: number): number {
    return Math.min(1, Math.max(0, finite("Curtain", name, value)));
}

/**
 * The rings on the rail. The first one is fixed, the last one is driven. Those between slide: stacked neighbours push them, and cords and cloth pull them at
 * the spacing of the closed curtain.
 */
class Hooks {
    readonly rings: readonly TransformNode[];
    private _isAttached = false;

    /** @param open opening, as it is now and where it goes */
    constructor(
        readonly mesh: ClothMesh,
        readonly pleats: Pleats,
        readonly sign: number,
        private readonly _vertexOf: (hook: number) => number,
        readonly open: Follower,
    ) {
        this.rings = Array.from({ length: pleats.hookCount }, (_, i) => makeNode(`${mesh.name} ring ${i}`, mesh, 0, 0, 0));
        this._place();
    }

    /** Pins the cloth to the rail; the rings then follow the cloth. */
    pinToRail(): void {
        const { mesh, rings, pleats } = this;
        const half = pleats.width / 2;
        const ends = [new Vector3(-half, 0, 0), new Vector3(half, 0, 0)];
        const spacing = pleats.minSpacing;
        const vertices = rings.map((_, hook) => this._vertexOf(hook));
        const rail = makeNode(`${mesh.name} rail`, mesh, 0, 0, 0);
        this._isAttached = true;
        mesh.cloth.pin(vertices, rail, new RailHold(ends, { friction: RAIL_FRICTION, spacing, maxSpacing: pleats.spacing(0) }));
        for (const hook of [0, rings.length - 1]) mesh.cloth.pin([vertices[hook]], rings[hook]);
        onFrames(mesh, () => this._syncRings(vertices));
    }

    /** Back to the opening of the cloth's rest shape. */
    reset(): void {
        this.open.restart();
        this._place();
    }

    /** Goes on towards the opening that is asked for. @returns true if rings have moved */
    follow(seconds: number): boolean {
        if (!this.open.advance(seconds)) return false;
        this._place();
        return true;
    }

    /** Moves the last ring along the rail; without pins on the rail, all rings. */
    private _place(): void {
        const { rings } = this;
        for (let hook = this._isAttached ? rings.length - 1 : 0; hook < rings.length; hook++) {
            rings[hook].position.x = this.along(hook, this.open.value);
        }
    }

    /** Moves the sliding rings to the cloth. */
    private _syncRings(vertices: readonly number[]): void {
        const x = this.mesh.getVerticesData("position");
        for (let hook = 1; x && hook < vertices.length - 1; hook++) {
            const v = 3 * vertices[hook];
            this.rings[hook].position.set(x[v], x[v + 1], x[v + 2]);
        }
    }

    /** Place of a hook along the mesh's x axis, evenly spread, and how far pleats stand off [m]. */
    along(hook: number, open: number): number {
        return this.sign * (hook * this.pleats.spacing(open) - this.pleats.width / 2);
    }
    across(hook: number, open: number): number {
        return (hook % 2 === 0 ? 1 : -1) * this.pleats.depth(open);
    }
}

/** The band of a tied curtain: pins the pleats where they are, and moves them to the side. */
class Band {
    /** Gathering, as it is now and where it goes. */
    readonly tied: Follower;
    private _nodes: TransformNode[] = [];
    private _pins: Pin[] = [];
    /** Positions of the nodes when they were pinned, mesh-local [m]. */
    private _from: number[][] = [];
    /** Distance of the band from the rail along the cloth [m]. */
    private readonly _below: number;

    /** @param vertexOf vertex that the band holds below a hook */
    constructor(
        private readonly _curtain: ClothMesh,
        private readonly _hooks: Hooks,
        private readonly _vertexOf: (hook: number) => number,
        limits: FollowLimits,
    ) {
        this.tied = new Follower(0, limits);
        this._below = -_curtain.getVerticesData("position")![3 * _vertexOf(0) + 1];
    }

    setTied(tied: number): void {
        this.tied.goal = tied;
        if (this._curtain.isDisposed()) return;
        if (tied > 0) return;
        this._unpin();
        this.tied.restart();
    }

    /** Back to the cloth's rest shape, which no band holds. The band takes hold again in the next frame. */
    reset(): void {
        this._unpin();
        this.tied.restart();
    }

    /** Goes on towards the gathering that is asked for. @returns true if it has changed */
    follow(seconds: number): boolean {
        if (this.tied.goal > 0 && this._nodes.length === 0) this._pin();
        return this.tied.advance(seconds);
    }

    private _pin(): void {
        const x = this._curtain.getVerticesData("position")!;
        for (let hook = 0; hook < this._hooks.rings.length; hook++) {
            const v = 3 * this._vertexOf(hook);
            const from = [x[v], x[v + 1], x[v + 2]];
            const held = makeNode(`${this._curtain.name} band ${hook}`, this._curtain, from[0], from[1], from[2]);
            this._from.push(from);
            this._nodes.push(held);
            this._pins.push(this._curtain.cloth.pin([v / 3], held));
        }
    }

    private _unpin(): void {
        for (const pin of this._pins) this._curtain.cloth.unpin(pin);
        for (const held of this._nodes) held.dispose();
        this._nodes = [];
        this._pins = [];
        this._from = [];
    }

    /**
     * Moves the nodes to their places between where they were pinned and the gathered pleats. Each stays within the cloth's length of every ring and of every
     * other node: pairs farther apart are pulled together one after the other (Gauss-Seidel).
     */
    gather(): void {
        const { tied, _nodes: nodes, _hooks: hooks } = this;
        const places = nodes.map((_, hook) => this._placeOf(hook, tied.value));
        const slack = 1 - BAND_SLACK * tied.value;
        for (let sweep = 0; sweep < GATHER_ITERATIONS; sweep++) {
            for (let i = 0; i < nodes.length; i++) {
                for (let j = 0; j < nodes.length; j++) {
                    const aside = hooks.pleats.length * (i - j);
                    pullWithin(places[i], hooks.rings[j].position.asArray(), slack * Math.hypot(aside, this._below), 1);
                    if (i !== j) pullWithin(places[i], places[j], slack * Math.abs(aside), 0.5);
                }
            }
        }
        nodes.forEach((held, hook) => held.position.fromArray(places[hook]));
    }

    /** Place of a node, mesh-local [m], at a gathering, were the cloth of any length. */
    private _placeOf(hook: number, tied: number): number[] {
        const hooks = this._hooks;
        const to = [hooks.along(hook, TIED_GATHERING), -this._below, 0.6 * hooks.across(hook, TIED_GATHERING)];
        return this._from[hook].map((from, c) => from + (to[c] - from) * tied);
    }
}

/** Moves a point towards another by a share of the excess over a distance [m]. */
function pullWithin(point: number[], other: number[], most: number, share: number): void {
    const distance = Math.hypot(point[0] - other[0], point[1] - other[1], point[2] - other[2]);
    if (distance <= most) return;
    const step = (share * (distance - most)) / distance;
    for (let c = 0; c < 3; c++) point[c] += (other[c] - point[c]) * step;
}

/** Places a mesh below a rail and makes it the rail's child. */
function hangBelow(mesh: Mesh, rail: TransformNode, railSize: readonly number[], gap: number): void {
    const { low, high } = boxOf(rail);
    mesh.position.set((low[0] + high[0]) / 2, low[1] - gap, (low[2] + high[2]) / 2);
    if (railSize[2] > railSize[0]) mesh.rotation.y = Math.PI / 2;
    parentInPlace(mesh, rail);
}
