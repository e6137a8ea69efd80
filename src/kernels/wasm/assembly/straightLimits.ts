/** Long limits; specification: scalar/straightLimits.ts. In doubles, to the bit. */
import { RestArrays, StraightLimitArrays } from "./layout.generated";
import { askew, count, end, endX, endY, first, go, turnTo } from "./marches";
import { double, put, putReal, word } from "./words";

const SHORTEST: f64 = 0.8;
const ASKEW: f64 = 0.2;

export function findStraightLimits(limits: StraightLimitArrays): void {
    const rest = limits.rest;
    const capacity = limits.capacity;
    const particlesB = limits.particlesB;
    let found: u32 = 0;
    for (let from: u32 = 0; from < rest.particleCount; from += limits.every) {
        const begin = found;
        if (!turnTo(rest, from)) continue;
        for (let i = first; i < first + count; i++) {
            if (!isEdge(rest, from, word(rest.neighbours, i))) continue;
            const length = <f64>limits.span * double(rest.lengths, i);
            if (!go(rest, double(rest.angles, i), length)) continue;
            const way = sqrt<f64>(endX * endX + endY * endY);
            if (way < SHORTEST * length || askew > ASKEW * way) continue;
            let k = begin;
            while (k < found && k < capacity && word(particlesB, k) != end) k++;
            if (k < found && k < capacity) continue;
            if (found < capacity) {
                put(limits.particlesA, found, from);
                put(particlesB, found, end);
                putReal(limits.restLengths, found, way);
            }
            found++;
        }
    }
    store<u32>(limits.found, found);
}

function isEdge(rest: RestArrays, low: u32, high: u32): bool {
    for (let e = word(rest.firstPair, low); e > 0; e = word(rest.nextPair, e - 1)) {
        if (word(rest.pairs, 2 * e - 1) == high) return word(rest.isStructural, e - 1) == 1;
    }
    return false;
}
