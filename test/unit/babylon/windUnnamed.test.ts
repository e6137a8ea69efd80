// An app that names ClothBehavior alone has no class Wind in it: a wind's name then says what to import.
import { expect, test } from "@jest/globals";
import { ClothBehavior } from "../../../src/babylon/behaviors/clothBehavior";
import { messageOf } from "./harness";

test("a wind's name in an app without Wind names the import", async () => {
    expect(messageOf(() => new ClothBehavior({ wind: "breeze" }))).toBe(
        'ClothBehavior: wind must be new Wind(name), by import { Wind } from "babylon-cloth", got "breeze"',
    );
    await import("../../../src/babylon/wind/wind");
    expect(new ClothBehavior({ wind: "breeze" }).wind!.velocity.x).toBeCloseTo(4.27, 2);
});
