import { Uniform } from "../../kernels/layout";
import type { Body } from "./body";

/** Sleep of a body and what its next step reads of the last one, as numbers for {@link restoreSleep} of another body. */
export function saveSleep({ state, contactDamping, hasWind, sleep }: Body): Float64Array {
    const flags = (contactDamping.isTouched ? 1 : 0) + (hasWind ? 2 : 0);
    return Float64Array.of(state.uniforms[Uniform.motion], flags, ...sleep.saveState());
}

/** Has a body sleep on, or fall asleep, as another one did. */
export function restoreSleep(body: Body, numbers: Float64Array): void {
    body.state.uniforms[Uniform.motion] = numbers[0];
    body.contactDamping.isTouched = numbers[1] % 2 === 1;
    body.hasWind = numbers[1] >= 2;
    body.sleep.restoreState(numbers.subarray(2));
}
