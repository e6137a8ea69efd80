import { afterEach, expect, test } from "@jest/globals";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { ClothBehavior } from "../../src/index";
import { disposeWorlds, FRAME, makeSquare, makeWorld } from "../unit/babylon/harness";

afterEach(disposeWorlds);

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

// A batch kept the bodies of its last step, and those its calls were recorded of: a cloth that slept held all that had been beside it.
test("a sleeping cloth does not hold cloths that are gone", async () => {
    const { scene, frame } = makeWorld();
    const sleeper = new ClothBehavior({ gravity: { x: 0, y: 0, z: 0 } });
    makeSquare(scene, 4).addBehavior(sleeper);
    const gone = ((): WeakRef<ClothBehavior> => {
        const cloth = new ClothBehavior({ gravity: { x: 0, y: 0, z: 0 }, sleepSpeed: 0 });
        const mesh = makeSquare(scene, 4);
        mesh.addBehavior(cloth);
        frame(FRAME, 60);
        expect(cloth.stats.isAsleep).toBe(false);
        mesh.dispose();
        return new WeakRef(cloth);
    })();
    expect(sleeper.stats.isAsleep).toBe(true);
    frame(FRAME, 3);
    await new Promise((resolve) => setTimeout(resolve, 10));
    collectGarbage();
    expect(gone.deref()).toBeUndefined();
});
