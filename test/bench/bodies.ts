/**
 * (i) What rigid bodies and ropes cost in a step: the fixed step of 1/60 s in 4 substeps, of many at once, from the begin of the frame to its end, without
 * Babylon's part.
 */
import type { Body } from "../../src/engine/index";
import { ContactSolver, World } from "../../src/engine/index";
import { line, makeRope } from "../physics/ropes";
import { box, makeRigidBody } from "../physics/rigidBodies";
import { addCollider, pose } from "../physics/support";
import { atMost, number, withSpread } from "./report";
import type { Section } from "./report";
import { summarize, takeTurns } from "./timing";

const BODIES = 200;
/** Particles of a rope. */
const PARTICLES = 64;
const SETTLING_STEPS = 90;
const FABRIC = { thickness: 0.001, friction: 0.5 };

/** Bodies of a world of their own, and a step of all of them. */
interface Stage {
    readonly name: string;
    readonly bodies: readonly Body[];
    run(): void;
}

/** Has bodies settle. */
export function stage(name: string, bodies: readonly Body[]): Stage {
    const world = new World();
    let end = 0;
    const run = (): void => {
        end += 1 / 60;
        for (let i = 0; i < bodies.length; i++) {
            const { clock } = bodies[i];
            clock.frameSeconds = 1 / 60;
            clock.frameEnd = end;
            bodies[i].beginFrame();
        }
        world.advance(bodies);
        for (let i = 0; i < bodies.length; i++) bodies[i].endFrame();
    };
    for (let s = 0; s < SETTLING_STEPS; s++) run();
    return { name, bodies, run };
}

function onGround<Kind extends Body>(body: Kind): Kind {
    addCollider(body, "halfSpace", pose([0, 0, 0], [1, 1, 1], -Math.PI / 2, "x"));
    return body;
}

/** Places of a square grid [m]. */
function placeOf(i: number, apart: number): readonly [number, number] {
    return [apart * (i % 15), apart * Math.floor(i / 15)];
}

function boxes(make: (i: number, pile: ContactSolver) => Body): Body[] {
    const pile = new ContactSolver();
    return Array.from({ length: BODIES }, (_, i) => make(i, pile));
}

/** Ropes that hang by one end and swing. */
function hang(bendStiffness: number): Body[] {
    return Array.from({ length: BODIES }, (_, i) => {
        const [x, z] = placeOf(i, 1);
        return makeRope(line([x, 2, z], [x + 1.5, 3, z], PARTICLES), { pinned: [0], rope: { bendStiffness } });
    });
}

/** What is measured. */
export const makers: Record<string, () => Body[]> = {
    "boxes, free": () =>
        boxes((i, pile) => {
            const [x, z] = placeOf(i, 1);
            const body = makeRigidBody(box([0.2, 0.1, 0.15], [x, 0, z]), { pile, gravity: [0, 0, 0] });
            body.addVelocity([x, 0.1, z], [0.01, 0, 0.02], [0, 0.01, 0]);
            return body;
        }),
    "boxes, each on a ground": () =>
        boxes((i, pile) => {
            const [x, z] = placeOf(i, 1);
            return onGround(makeRigidBody(box([0.2, 0.1, 0.15], [x, 0.101, z]), { pile, fabric: FABRIC }));
        }),
    "boxes, stacks of ten": () =>
        boxes((i, pile) => {
            const [x, z] = placeOf(Math.floor(i / 10), 1);
            const shape = box([0.2, 0.1, 0.15], [x, 0.101 + 0.201 * (i % 10), z]);
            return onGround(makeRigidBody(shape, { pile, fabric: FABRIC }));
        }),
    "ropes, limp, one end held": () => hang(0),
    "ropes, one end held": () => hang(1e-4),
    "ropes on a ground": () =>
        Array.from({ length: BODIES }, (_, i) => {
            const [x, z] = placeOf(i, 1);
            return onGround(makeRope(line([x, 0.0011, z], [x + 2, 0.0011, z], PARTICLES), { fabric: FABRIC }));
        }),
};

/** Measures them. */
export function bodiesSection(isFull: boolean): Section {
    const stages = Object.entries(makers).map(([name, make]) => stage(name, make()));
    const timings = takeTurns(stages, isFull ? 12000 : 4000);
    const each = timings.map(({ turns }) => summarize(turns.map((time) => (1000 * time) / BODIES)));
    return {
        tables: [
            {
                title: `Rigid bodies and ropes of ${PARTICLES} particles, ${BODIES} at once (µs of processor time a body and step)`,
                columns: ["", "µs"],
                rows: stages.map(({ name }, i) => [name, withSpread(each[i])]),
                note: "A step: 1/60 s in 4 substeps, from the begin of the frame to its end, without Babylon's part. Nothing sleeps.",
            },
        ],
        bars: [
            atMost("a rigid body, free, a step", each[0].median, 2, " µs"),
            atMost("a rigid body, in a stack of ten, a step", each[2].median, 2, " µs"),
            atMost(`a rope of ${PARTICLES} particles, limp, a step`, each[3].median, 4, " µs"),
            atMost(`a rope of ${PARTICLES} particles, a step`, each[4].median, 4, " µs"),
        ],
        data: Object.fromEntries(stages.map(({ name }, i) => [name, number(each[i].median)])),
    };
}
