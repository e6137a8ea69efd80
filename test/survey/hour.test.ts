import { expect, test } from "@jest/globals";
import { HOURS, passTime } from "./hour";

test.each(Object.keys(HOURS))("two minutes of cloth on, or as, a %s: it does not stir, nor gain energy", (name) => {
    const { rise, fastest } = passTime(name, 1);
    expect(rise).toBeLessThan(1e-4);
    expect(fastest).toBeLessThan(1e-3);
});
