// The order of Jest's test files. The longest come first, so that no worker is left with one at the end; of these, what builds
// something for the others (test/browser/builds.ts) begins before they ask for it. The others as Jest orders them.
import Sequencer from "@jest/test-sequencer";

const first = [
    "browser/playground",
    "browser/package",
    "browser/page",
    "browser/studio",
    "docs/adding.long",
    "browser/site.long",
    "browser/studioHands.long",
    "browser/declarations.long",
    "browser/bundlers",
    "browser/fewLines.long",
    "unit/babylon/allocation",
    "browser/determinism",
    "browser/umdFile",
    "docs/programs",
    "playground/framing.long",
].map((name) => `/${name}.test.ts`);

function placeOf({ path }) {
    const place = first.findIndex((end) => path.replaceAll("\\", "/").endsWith(end));
    return place < 0 ? first.length : place;
}

export default class extends Sequencer {
    sort(tests) {
        return [...super.sort(tests)].sort((a, b) => placeOf(a) - placeOf(b));
    }
}
