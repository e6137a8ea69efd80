/** Clips of a model, played in step on all that is shown: to see the cloth as its character moves. */
import type { AnimationGroup } from "@babylonjs/core/Animations/animationGroup";

/** No clip: the pose of the file. */
export const NO_CLIP = "";

export class Clips {
    /** Share of the time at which it was made. */
    private _speed = 1;
    private _isRunning = true;
    private _name = NO_CLIP;
    private _all: readonly (readonly AnimationGroup[])[] = [];

    /** Goes on with the clips of what is shown now, one list for each cloth. */
    take(all: readonly (readonly AnimationGroup[])[]): void {
        this._all = all;
        if (this.names.includes(this._name)) this._play();
        else this._name = NO_CLIP;
    }

    get names(): string[] {
        return (this._all[0] ?? []).map(({ name }) => name);
    }

    /** The clip that plays, over and over; {@link NO_CLIP}: none. */
    get name(): string {
        return this._name;
    }
    set name(value: string) {
        for (const group of this._current) {
            group.goToFrame(group.from);
            group.stop();
        }
        this._name = value;
        this._play();
    }

    /** Multiple of the speed at which the clip was made, 0 to 3. Default 1. */
    get speed(): number {
        return this._speed;
    }
    set speed(value: number) {
        this._speed = value;
        for (const group of this._current) group.speedRatio = value;
    }

    /** Place in the clip, 0 to 1. */
    get place(): number {
        const [group] = this._current;
        return group && group.to > group.from
            ? Math.min(1, Math.max(0, (group.getCurrentFrame() - group.from) / (group.to - group.from)))
            : 0;
    }
    set place(value: number) {
        for (const group of this._current) group.goToFrame(group.from + value * (group.to - group.from));
    }

    set isRunning(value: boolean) {
        this._isRunning = value;
        for (const group of this._current) this._run(group);
    }

    private get _current(): AnimationGroup[] {
        return this._all.flatMap((groups) => groups.filter(({ name }) => name === this._name));
    }

    private _play(): void {
        for (const group of this._current) {
            group.start(true, this._speed);
            this._run(group);
        }
    }

    private _run(group: AnimationGroup): void {
        if (this._isRunning) group.play(true);
        else group.pause();
    }
}
