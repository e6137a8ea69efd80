import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { adviceModule } from "../../engine/index";
import type { BodyInstance } from "./bodyInstance";

/** Warnings of mistakes that show in nothing else, once each. Their texts come in a file of their own, for which a body does not wait. */
export class BodyAdvice {
    /** Settled when they are loaded, or cannot be. */
    loaded = Promise.resolve();
    /** Time that attaching took [ms]. */
    attachMilliseconds = 0;
    private _isDue = false;
    /** Instance or impostor that shows or moves the mesh's vertices, as last warned of. */
    private _rival: string | null = null;

    constructor(private readonly _warn: (message: string) => void) {}

    /** Has the next frame warn of how a sheet begins. */
    request(): void {
        this._isDue = true;
        this.loaded = adviceModule.load().catch(() => {});
    }

    /** Gives what is due. @param hasSupport true if something else than pins may hold the body */
    give(instance: BodyInstance, hasSupport: boolean): void {
        const { cloth, mesh, binding } = instance;
        if (!binding.detectNodeMove) this._warnOfRival(mesh);
        if (!this._isDue || !adviceModule.isLoaded) return;
        this._isDue = false;
        adviceModule.module
            .adviceOn(cloth, mesh.name, instance.restPositions, hasSupport, this.attachMilliseconds)
            .forEach(this._warn);
    }

    private _warnOfRival(mesh: Mesh & { physicsImpostor?: unknown }): void {
        const rival =
            mesh.instances.length > 0
                ? "an instance, which shows the same drape: use clone()"
                : mesh.physicsImpostor
                  ? "a PhysicsImpostor, which moves it too: dispose that"
                  : null;
        if (rival === this._rival) return;
        this._rival = rival;
        if (rival) this._warn(`"${mesh.name}" has ${rival}`);
    }
}
