/** What the physics is worth: known answers over whole ranges of settings, of which test/physics/ holds a few. */
import type { Section } from "../report";
import { airSection } from "./air";
import { bendingSection } from "./bending";
import { freeClothSection } from "./freeCloth";
import { stretchSection } from "./stretch";

/** The chapters. */
const chapters: Record<string, () => Section> = {
    air: airSection,
    bending: bendingSection,
    freeCloth: freeClothSection,
    stretch: stretchSection,
};

export function physicsSection(): Section {
    const sections = Object.entries(chapters).map(([name, run]) => [name, run()] as const);
    return {
        tables: sections.flatMap(([, { tables }]) => tables),
        bars: sections.flatMap(([, { bars }]) => bars),
        data: Object.fromEntries(sections.map(([name, { data }]) => [name, data])),
    };
}
