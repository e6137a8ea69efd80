/** A running scene: engine, scene, world, and the one clock that drives what moves. */
import { Engine } from "@babylonjs/core/Engines/engine";
import { Scene } from "@babylonjs/core/scene";
import { PointerEventTypes } from "@babylonjs/core/Events/pointerEvents";
import "@babylonjs/core/Culling/ray";
import { ClothTime } from "babylon-cloth";
import type { ClothBehavior } from "babylon-cloth";
import skirt from "../assets/skirt.glb";
import walker from "../assets/walker.glb";
import { rewind, run } from "../gallery";
import type { Assets, Entry, World } from "../gallery";

/** URLs of the models as the page's own server has them. */
export const assets: Assets = { "skirt.glb": skirt, "walker.glb": walker };

/** Strength of a tap on the cloth [N s]. */
const POKE = 0.25;

/** Covered margins of the canvas [CSS pixels]. */
export interface Margins {
    left: number;
    right: number;
    top: number;
    bottom: number;
}

export class Stage {
    /** Time of the world since its start [s]. */
    time = 0;
    private _isPaused = false;

    private constructor(
        readonly engine: Engine,
        readonly scene: Scene,
        readonly world: World,
    ) {}

    /** Builds a scene on a canvas and draws it from now on. */
    static async open(entry: Entry, canvas: HTMLCanvasElement): Promise<Stage> {
        const engine = new Engine(canvas, true, { preserveDrawingBuffer: true, stencil: false, adaptToDeviceRatio: true });
        const scene = new Scene(engine);
        const world = await entry.create(scene, assets);
        const limbs = (world.ragdolls ?? []).flatMap((ragdoll) => ragdoll.limbs.map(({ body }) => body));
        await Promise.all([...world.cloths, ...(world.bodies ?? []), ...limbs].map((body) => body.whenReady()));
        entry.decorate(scene, world as never);
        const stage = new Stage(engine, scene, world);
        scene.onBeforeAnimationsObservable.add(() => stage._tick());
        stage._pokeOnTap();
        await scene.whenReadyAsync();
        engine.runRenderLoop(() => scene.render());
        return stage;
    }

    get cloths(): ClothBehavior[] {
        return this.world.cloths;
    }

    /** The camera frames the scene in what they leave free, see parts/framing.ts. */
    set margins(value: Margins) {
        this.scene.metadata = { margins: value };
    }

    /** While paused the scene is drawn, and nothing moves but by {@link advance}. */
    get isPaused(): boolean {
        return this._isPaused;
    }
    set isPaused(value: boolean) {
        this._isPaused = value;
        ClothTime.setScale(this.scene, value ? 0 : 1);
        for (const system of this.world.systems ?? []) system.paused = value;
    }

    /** Runs for a time [s] at once, without drawing. */
    advance(seconds: number): void {
        this.time = run(this.scene, this.world, this.time, seconds);
    }

    /** Back to the start. */
    rewind(): void {
        this.time = 0;
        rewind(this.scene, this.world);
    }

    /** Before every frame: what carries and what collides moves, for the cloths follow it in the same frame. */
    private _tick(): void {
        if (this._isPaused) return;
        const { maxStepsPerFrame, fixedTimeStep } = this.cloths[0];
        this.time += Math.min(this.engine.getDeltaTime() / 1000, maxStepsPerFrame * fixedTimeStep);
        this.world.update?.(this.time);
    }

    private _pokeOnTap(): void {
        this.scene.onPointerObservable.add(({ type, pickInfo }) => {
            const mesh = type === PointerEventTypes.POINTERTAP ? pickInfo?.pickedMesh : null;
            const cloth = this.cloths.find((candidate) => candidate.attachedNode === mesh);
            const direction = pickInfo?.ray?.direction;
            if (mesh && cloth && direction) cloth.applyImpulse(pickInfo.pickedPoint!, direction.scale(POKE), 0.4);
        });
    }
}
