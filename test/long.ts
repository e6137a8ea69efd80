// Tests that take long and guard what others guard more coarsely: run by `npm run test:all` only. Whole files of them end with .long.test.ts.
import { test } from "@jest/globals";

/** True in `npm run test:all`. */
export const isAll = process.env.CLOTH_TESTS === "all";

/** A test that only `npm run test:all` runs. */
export const longTest = isAll ? test : test.skip;
