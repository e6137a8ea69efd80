import { PinSet } from "./pins";

/** Pins whose particles keep their masses: they are moved in every substep, and what moves them elsewhere is felt. */
export abstract class FreePins extends PinSet {
    /** They hold nothing still, and leave alone what others do: that has no inverse mass. */
    override yieldTo(): void {}

    /** There is always something to do. */
    override get isSettled(): boolean {
        return false;
    }

    /** What they hold is drawn where it is. */
    override settle(): void {}
    override addLag(): void {}

    protected override _place(): void {}
}
