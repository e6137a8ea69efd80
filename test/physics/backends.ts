import { backendNames } from "../../src/kernels/backend";
import type { BackendName } from "../../src/kernels/kernels";

/**
 * Backends of the tests that take longest: the default one. The scalar one takes five times as long, and moves layers, contacts and all else
 * as it does to the bit (test/browser/determinism.test.ts, test/unit/kernels). With ALL_BACKENDS=1 it goes along.
 */
export const fastBackends: readonly BackendName[] = process.env.ALL_BACKENDS === "1" ? backendNames : backendNames.slice(0, 1);
