import type { Mesh } from "@babylonjs/core/Meshes/mesh";

/** What a warm start asks of a cloth. */
export interface Warmed {
    readonly attachedNode: Mesh | null;
    readonly enabled: boolean;
    readonly fixedTimeStep: number;
    step(seconds: number): void;
}

/** What does not step the cloth meanwhile. */
export interface Warmer {
    /** What ends each of the warm starts that go on. */
    readonly warmStarts: Set<() => void>;
}

/**
 * Takes a cloth through a time, in slices: in each frame of its scene as many fixed steps as fit, at least one, judged by what those
 * before have taken.
 * @param milliseconds for a slice
 * @returns settled when the time has passed, or the cloth is no longer on its mesh; rejected by what a step throws
 */
export function warmStart(cloth: Warmed, mesh: Mesh, warmer: Warmer, seconds: number, milliseconds: number): Promise<void> {
    const { onBeforeRenderObservable } = mesh.getScene();
    let left = Math.round(seconds / cloth.fixedTimeStep);
    return new Promise((resolve, reject) => {
        const observer = onBeforeRenderObservable.add(() => {
            try {
                // The scene steps it again from the frame after the last slice on.
                if (left > 0 && cloth.attachedNode === mesh) left -= takeSlice(cloth, left, milliseconds);
                else end(resolve);
            } catch (error) {
                end(() => reject(error));
            }
        });
        const leave = (): void => end(resolve);
        const end = (settle: () => void): void => {
            onBeforeRenderObservable.remove(observer);
            warmer.warmStarts.delete(leave);
            settle();
        };
        warmer.warmStarts.add(leave);
    });
}

/** @returns how many steps it has taken, of at most `left` */
function takeSlice(cloth: Warmed, left: number, milliseconds: number): number {
    const start = performance.now();
    let done = 0;
    const fits = (): boolean => done === 0 || (1 + 1 / done) * (performance.now() - start) <= milliseconds;
    for (; done < left && cloth.enabled && fits(); done++) cloth.step(cloth.fixedTimeStep);
    return done;
}
