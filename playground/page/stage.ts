/** A running scene: engine, scene, world, and the one clock that drives what moves. */
import { Engine } from "@babylonjs/core/Engines/engine";
import { Scene } from "@babylonjs/core/scene";
import { PointerEventTypes } from "@babylonjs/core/Events/pointerEvents";
import "@babylonjs/core/Culling/ray";
import type { ClothBehavior } from "babylon-cloth";
import skirt from "../assets/skirt.glb";
import { looks } from "../looks";
import { rewind, run, scenes } from "../scenes";
import type { Assets, World } from "../scenes";

/** URLs of the models as the page's own server has them. */
export const assets: Assets = { "skirt.glb": skirt };

/** Strength of a tap on the cloth [N s]. */
const POKE = 0.25;

export class Stage {
    /** Time of the world since its start [s]. */
    time = 0;
    private _isPaused = false;

    private constructor(
        readonly id: string,
        readonly engine: Engine,
        readonly scene: Scene,
        readonly world: World,
    ) {}

    /** Builds a scene on a canvas and draws it from now on. */
    static async open(id: string, canvas: HTMLCanvasElement): Promise<Stage> {
        const entry = scenes.find((candidate) => candidate.id === id);
        if (!entry) throw new Error(`Playground: there is no scene "${id}"; there are ${scenes.map((s) => s.id).join(", ")}`);
        const [definition, look] = await Promise.all([entry.load(), looks[id]()]);
        const engine = new Engine(canvas, true, { preserveDrawingBuffer: true, stencil: false, adaptToDeviceRatio: true });
        const scene = new Scene(engine);
        const world = await definition.create(scene, assets);
        look.decorate(scene, world as never);
        const stage = new Stage(id, engine, scene, world);
        scene.onBeforeAnimationsObservable.add(() => stage._tick());
        stage._pokeOnTap();
        await scene.whenReadyAsync();
        engine.runRenderLoop(() => scene.render());
        return stage;
    }

    get cloths(): ClothBehavior[] {
        return this.world.cloths;
    }

    /** While paused the scene is drawn, and nothing moves but by {@link advance}. */
    get isPaused(): boolean {
        return this._isPaused;
    }
    set isPaused(value: boolean) {
        this._isPaused = value;
        for (const cloth of this.cloths) cloth.autoStep = !value;
    }

    /** Runs for a time [s] at once, without drawing. */
    advance(seconds: number): void {
        this.time = run(this.world, this.time, seconds);
    }

    /** Back to the start. */
    rewind(): void {
        this.time = 0;
        rewind(this.world);
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
