import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { STANDARD_GRAVITY, finite } from "../../engine/index";
import { runtimeOf } from "../behaviors/bodyRuntime";
import type { ClothBehavior } from "../behaviors/clothBehavior";
import { fileCurtains } from "../files/format/fileFormat";
import type { CurtainData } from "../files/format/fileFormat";
import { CopiedHierarchy } from "../mesh/copiedHierarchy";
import { RailHold } from "../pins/railHold";
import { makeNode, onFrames } from "./babylonObjects";
import { Follower } from "./follower";
import type { FollowLimits } from "./follower";
import { Pleats } from "./pleats";

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

/** Curtains by their cloths. */
const curtains = new WeakMap<object, CurtainController>();

/**
 * Moves the rings and the band of a curtain as its `open` and `tied` say. The first ring is fixed, the last one is driven. Those between slide: stacked
 * neighbours push them, and cords and cloth pull them at the spacing of the closed curtain. The band pins the pleats where they are, and moves them to the side.
 */
export class CurtainController {
    readonly open: Follower;
    /** Gathering by the band. */
    readonly tied: Follower;
    private readonly _pleats: Pleats;
    private readonly _sign: number;
    private _rings: readonly TransformNode[];
    private _band: CurtainData<TransformNode>["band"];
    /** The curtain of which this is a copy, until the first frame. */
    private _original: CurtainController | null = null;
    private _hasOwnNodes = true;

    /** Gives the mesh `open`, `tied`, `rings` and `cloth`. */
    constructor(
        readonly mesh: Mesh,
        readonly cloth: ClothBehavior,
        private readonly _data: CurtainData<TransformNode>,
    ) {
        const { width, pleats: count, fullness, height, side, open, tied, rings, band } = _data;
        const pleats = (this._pleats = new Pleats(width, count, fullness));
        const limits = limitsOf(mesh, height, 2 * count * (pleats.spacing(0) - pleats.minSpacing));
        this.open = new Follower(open, limits);
        this.tied = new Follower(tied, limits);
        this._sign = side === "left" ? 1 : -1;
        this._rings = rings;
        this._band = band;
        curtains.set(cloth, this);
        Object.assign(runtimeOf(cloth)!.hooks, {
            onBeginFrame: (seconds: number) => this._follow(seconds),
            onReset: () => this._reset(),
            onCloned: (clone: Mesh, copy: object) => this._onCloned(clone, copy as ClothBehavior),
        });
        Object.assign(mesh, { cloth });
        this._showOn(mesh);
        if (_data.isOnRail) onFrames(mesh, () => this._syncRings());
    }

    /** Shape and present state. */
    get data(): CurtainData<TransformNode> {
        return { ...this._data, open: this.open.state, tied: this.tied.state, rings: this.rings, band: this._band };
    }

    get rings(): readonly TransformNode[] {
        this._findCopies();
        return this._rings;
    }

    /** Places the rings of a new curtain, and pins the cloth to them and to the rail; then the rings between the ends follow the cloth. */
    pinToRail(): void {
        const { mesh, cloth, rings, _pleats: pleats } = this;
        const { isOnRail, ringVertices: vertices } = this._data;
        this._spreadRings();
        if (!isOnRail) return;
        const half = pleats.width / 2;
        const ends = [new Vector3(-half, 0, 0), new Vector3(half, 0, 0)];
        const rail = makeNode(`${mesh.name} rail`, mesh, 0, 0, 0);
        const spacing = pleats.minSpacing;
        cloth.pin(vertices, rail, new RailHold(ends, { friction: RAIL_FRICTION, spacing, maxSpacing: pleats.spacing(0) }));
        for (const hook of [0, rings.length - 1]) cloth.pin([vertices[hook]], rings[hook]);
    }

    /** Defines the properties of a mesh that move this curtain. */
    private _showOn(mesh: Mesh): void {
        const define = (name: string, get: () => unknown, set?: (value: number) => void): void =>
            void Object.defineProperty(mesh, name, { configurable: true, get, set });
        define("rings", () => this.rings);
        define(
            "open",
            () => this.open.goal,
            (value) => (this.open.goal = share("open", value)),
        );
        define(
            "tied",
            () => this.tied.goal,
            (value) => this._setTied(share("tied", value)),
        );
    }

    /** A copy of the mesh is a curtain, too. */
    private _onCloned(clone: Mesh, cloth: ClothBehavior): void {
        // Babylon clones what a property lists, beside the children.
        for (const stray of (clone as { rings?: TransformNode[] }).rings ?? []) stray.dispose();
        const copy = new CurtainController(clone, cloth, this.data);
        copy._original = this;
        copy._hasOwnNodes = false;
        const { hooks } = runtimeOf(cloth)!;
        const { onFirstFrame } = hooks;
        hooks.onFirstFrame = () => {
            onFirstFrame?.();
            copy._beginCopy();
        };
    }

    /** Without copies of the rings, the copy hangs on those of the original, whose `open` and `tied` it then has. */
    private _beginCopy(): void {
        this._findCopies();
        if (this._hasOwnNodes) {
            this._original = null;
            if (this.tied.goal === 0) this._setTied(0);
            return;
        }
        curtains.delete(this.cloth);
        const { hooks } = runtimeOf(this.cloth)!;
        hooks.onBeginFrame = hooks.onReset = null;
        this._original!._showOn(this.mesh);
    }

    /** Finds the copies of the original's nodes, as soon as there are some. */
    private _findCopies(): void {
        if (!this._original || this._hasOwnNodes) return;
        const hierarchy = new CopiedHierarchy(this._original.mesh, this.mesh);
        const copyOf = (node: TransformNode) => hierarchy.copyOf(node) as TransformNode | null;
        const rings = this._rings.map(copyOf);
        const band = this._band.map(({ node, from }) => ({ node: copyOf(node), from }));
        if (![...rings, ...band.map(({ node }) => node)].every(Boolean)) return;
        this._rings = rings as TransformNode[];
        this._band = band as CurtainData<TransformNode>["band"];
        this._hasOwnNodes = true;
    }

    private _setTied(tied: number): void {
        this.tied.goal = tied;
        if (tied > 0 || this._original || this.mesh.isDisposed()) return;
        this._unpinBand();
        this.tied.restart();
    }

    /** Back to the opening of the cloth's rest shape, which no band holds. The band takes hold again in the next frame. */
    private _reset(): void {
        if (this._original) {
            const { hooks } = runtimeOf(this.cloth)!;
            hooks.onFirstFrame?.();
            hooks.onFirstFrame = null;
            if (!this._hasOwnNodes) return;
        }
        this.open.restart();
        this.tied.restart();
        this._unpinBand();
        this._spreadRings();
    }

    /** Goes on towards the opening and gathering that are asked for. */
    private _follow(seconds: number): void {
        const isOpening = this.open.advance(seconds);
        if (isOpening && this._data.isOnRail) this._rings.at(-1)!.position.x = this._along(this._rings.length - 1, this.open.value);
        else if (isOpening) this._spreadRings();
        if (this.tied.goal > 0 && this._band.length === 0) this._pinBand();
        if (this.tied.advance(seconds) || isOpening) this._gather();
    }

    /** Moves all rings to their places, evenly spread. */
    private _spreadRings(): void {
        this._rings.forEach(({ position }, hook) => {
            position.x = this._along(hook, this.open.value);
            if (this._data.isOnRail) position.y = position.z = 0;
        });
    }

    /** Moves the sliding rings to the cloth. */
    private _syncRings(): void {
        if (this._original || this.cloth.attachedNode !== this.mesh) return;
        const { _rings: rings } = this;
        const vertices = this._data.ringVertices;
        const x = this.mesh.getVerticesData("position");
        for (let hook = 1; x && hook < vertices.length - 1; hook++) {
            const v = 3 * vertices[hook];
            rings[hook].position.set(x[v], x[v + 1], x[v + 2]);
        }
    }

    /** Place of a hook along the mesh's x axis, evenly spread, and how far pleats stand off [m]. */
    private _along(hook: number, open: number): number {
        return this._sign * (hook * this._pleats.spacing(open) - this._pleats.width / 2);
    }
    private _across(hook: number, open: number): number {
        return (hook % 2 === 0 ? 1 : -1) * this._pleats.depth(open);
    }

    private _pinBand(): void {
        const { mesh, cloth } = this;
        const x = mesh.getVerticesData("position")!;
        this._band = this._data.bandVertices.map((v, hook) => {
            const from = [x[3 * v], x[3 * v + 1], x[3 * v + 2]];
            const node = makeNode(`${mesh.name} band ${hook}`, mesh, from[0], from[1], from[2]);
            cloth.pin([v], node);
            return { node, from };
        });
    }

    private _unpinBand(): void {
        if (this._band.length === 0) return;
        const nodes = new Set<unknown>(this._band.map(({ node }) => node));
        for (const pin of this.cloth.pins) if (nodes.has(pin.target)) this.cloth.unpin(pin);
        for (const { node } of this._band) node.dispose();
        this._band = [];
    }

    /**
     * Moves the nodes to their places between where they were pinned and the gathered pleats. Each stays within the cloth's length of every ring and of every
     * other node: pairs farther apart are pulled together one after the other (Gauss-Seidel).
     */
    private _gather(): void {
        const { tied, _band: band, _pleats: pleats, _rings: rings } = this;
        const drop = this._data.bandDrop;
        const places = band.map(({ from }, hook) => this._gatheredPlace(hook, from));
        const slack = 1 - BAND_SLACK * tied.value;
        for (let sweep = 0; sweep < GATHER_ITERATIONS; sweep++) {
            for (let i = 0; i < band.length; i++) {
                for (let j = 0; j < band.length; j++) {
                    const aside = pleats.length * (i - j);
                    pullWithin(places[i], rings[j].position.asArray(), slack * Math.hypot(aside, drop), 1);
                    if (i !== j) pullWithin(places[i], places[j], slack * Math.abs(aside), 0.5);
                }
            }
        }
        band.forEach(({ node }, hook) => node.position.fromArray(places[hook]));
    }

    /** Place of a node of the band, mesh-local [m], at the present gathering, were the cloth of any length. */
    private _gatheredPlace(hook: number, start: readonly number[]): number[] {
        const to = [this._along(hook, TIED_GATHERING), -this._data.bandDrop, 0.6 * this._across(hook, TIED_GATHERING)];
        return start.map((from, c) => from + (to[c] - from) * this.tied.value);
    }
}

fileCurtains.read = (cloth) => curtains.get(cloth)?.data;
fileCurtains.make = (mesh, cloth, data) => void new CurtainController(mesh, cloth as ClothBehavior, data);

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

/** Moves a point towards another by a share of the excess over a distance [m]. */
function pullWithin(point: number[], other: number[], most: number, share: number): void {
    const distance = Math.hypot(point[0] - other[0], point[1] - other[1], point[2] - other[2]);
    if (distance <= most) return;
    const step = (share * (distance - most)) / distance;
    for (let c = 0; c < 3; c++) point[c] += (other[c] - point[c]) * step;
}
