import { backendNames } from "../../src/kernels/backend";
import type { BackendName } from "../../src/kernels/kernels";

/**
 * Backends of the tests that take longest: the default one. The scalar one takes five times as long; each of its kernels agrees with the other's
 * but for rounding (test/unit/kernels/conformance.test.ts), and all other physics is tested on both. With ALL_BACKENDS=1 it goes along.
 */
export const fastBackends: readonly BackendName[] = process.env.ALL_BACKENDS === "1" ? backendNames : backendNames.slice(0, 1);
