/** Ropes that take their substeps together: see solver/teams/. */
import { describe, expect, test } from "@jest/globals";
import { WasmArena } from "../../../src/kernels/wasm/wasmArena";
import { ChainLimit } from "../../../src/kernels/chainLayout";
import { defaultRope } from "../../../src/solver/materials/ropeMaterial";
import type { Chain } from "../../../src/solver/methods/xpbd/chain";
import type { RopeMaterial } from "../../../src/solver/materials/ropeMaterial";
import { createRope } from "../../../src/solver/rope";
import type { Rope } from "../../../src/solver/rope";
import { World } from "../../../src/solver/world";
import { evenWind } from "../../physics/air";
import { line, makeRope } from "../../physics/ropes";
import { addCollider, kernelsOf, pinParticles, pose, settingsOf } from "../../physics/support";
import { seededRandom } from "../../random";

const FRAMES = [1 / 60, 0.4 / 60, 2.3 / 60];

/** How the ropes of a crowd differ: how many particles, and what they are made of. */
const KINDS: readonly (readonly [number, Partial<RopeMaterial>])[] = [
    [33, {}],
    [33, { bendStiffness: 1e-3 }],
    [32, {}],
    [32, { stretchStiffness: 200 }],
    [3, {}],
];

/** Ropes of all kinds by turns, bent at random; many fold. */
function makeCrowd(count: number): Rope[] {
    const random = seededRandom(5);
    return Array.from({ length: count }, (_, i) => {
        const [particles, rope] = KINDS[i % KINDS.length];
        const points = line([i, 2, 0], [i + random(), 2 + random(), 1], particles).map((x) => x + 0.02 * random());
        return makeRope(points, { pinned: i % 4 ? [0] : [], rope });
    });
}

function frame(world: World, ropes: readonly Rope[], seconds: number): void {
    for (const rope of ropes) {
        rope.clock.frameSeconds = seconds;
        rope.begin();
    }
    world.advance(ropes);
    for (const rope of ropes) rope.endFrame();
}

/** Whether it took its last step with its team. */
const isInTeam = ({ calm }: Rope): boolean => calm.isOn && calm.taken > 0;

/** Whether two ropes are and move alike, to the bit. */
function areSame({ state: a }: Rope, { state: b }: Rope): boolean {
    return (["positions", "previous", "residuals"] as const).every((name) =>
        Buffer.from(a[name].slice().buffer).equals(Buffer.from(b[name].slice().buffer)),
    );
}

/** What happens to a crowd on its way, by the frame. */
const EVENTS: Readonly<Record<number, (ropes: Rope[]) => void>> = {
    20: ([, kicked]) => kicked.applyImpulse(1, 2, 0.5, 0.01, 0.02, 0, 1),
    30: (ropes) => void addCollider(ropes[6], "halfSpace", pose([0, 1.2, 0], [1, 1, 1], -Math.PI / 2, "x")),
    31: (ropes) => void addCollider(ropes[1], "halfSpace", pose([0, -90, 0], [1, 1, 1], -Math.PI / 2, "x")),
    40: (ropes) => {
        (ropes[2].settings as unknown as { rope: RopeMaterial }).rope.length *= 1.1;
        ropes[2].invalidate();
    },
    50: (ropes) => pinParticles(ropes[11], [5]),
    60: (ropes) => void (ropes[3].winds = [evenWind([3, 0, 1])]),
    80: (ropes) => void (ropes[3].winds = []),
    85: (ropes) => void ropes.reverse(),
    90: (ropes) => ropes.splice(7, 1)[0].release(),
    100: (ropes) => void ropes.push(ropes.shift()!),
};

describe("teams of ropes", () => {
    test("move as each would alone, to the bit, whatever comes between", () => {
        const together = makeCrowd(23);
        const alone = makeCrowd(23);
        // What is being measured goes alone.
        for (const rope of alone) rope.stopwatch.isOn = true;
        const worlds = [new World(), new World()] as const;
        const teams = new Set<unknown>();
        let inTeams = 0;
        let apart = 0;
        for (let f = 0; f < 120; f++) {
            for (const crowd of [together, alone]) EVENTS[f]?.(crowd);
            frame(worlds[0], together, FRAMES[f % 3]);
            frame(worlds[1], alone, FRAMES[f % 3]);
            expect(together.findIndex((rope, i) => !areSame(rope, alone[i]))).toBe(-1);
            for (const rope of together) {
                const { team } = rope.calm;
                if (team) teams.add(team);
                if (isInTeam(rope)) inTeams++;
                else if (team && rope.clock.steps > 0) apart++;
            }
        }
        // 23 ropes of five kinds, in batches of about 500 particles; most of them most of the time.
        expect(teams.size).toBeGreaterThan(5);
        expect(inTeams).toBeGreaterThan(1000);
        // One of them was near something.
        expect(apart).toBeGreaterThan(0);
        for (const rope of [...together, ...alone]) rope.release();
    });

    test("go alone from where a gust drives one of them into something in a later substep", () => {
        let ended = 0;
        for (let i = 0; i < 40; i++) {
            const crowds = [0, 1].map((index) =>
                Array.from({ length: 4 }, () => {
                    const rope = makeRope(line([0, 0, 0], [0.5, 0, 0], 9), {
                        gravity: [0, 0, 0],
                        fabric: { thickness: 0.01 },
                    });
                    rope.stopwatch.isOn = index === 1;
                    addCollider(rope, "box", pose([0, 0, 0.0122 + 0.5], [2, 2, 0.5]));
                    return rope;
                }),
            );
            for (const ropes of crowds) {
                const world = new World();
                // Until they are known to be steady, in no wind to speak of.
                for (const rope of ropes) rope.winds = [evenWind([0, 0, 1e-9])];
                for (let f = 0; f < 15; f++) frame(world, ropes, 1 / 60);
                ropes[i % 4].winds = [evenWind([0, 0, 5 + i])];
                for (let f = 0; f < 3; f++) frame(world, ropes, 1 / 60);
            }
            const [together, alone] = crowds;
            expect(together.findIndex((rope, k) => !areSame(rope, alone[k]))).toBe(-1);
            if (together[0].calm.team && !together.every(isInTeam)) ended++;
            for (const rope of crowds.flat()) rope.release();
        }
        expect(ended).toBeGreaterThan(5);
    });

    test("take as many substeps as a step has, where both are told anew in one proportion", () => {
        const crowds = [0, 1].map((index) =>
            [0, 1].map((i) => {
                const steps = { fixedTimeStep: 1 / 30, substepCount: 8 };
                const settings = { ...settingsOf(steps), rope: { ...defaultRope(), length: 1 } };
                const rope = createRope(kernelsOf(), line([i, 2, 0], [i + 1, 2, 0], 9), settings);
                pinParticles(rope, [0]);
                rope.stopwatch.isOn = index === 1;
                return { rope, settings };
            }),
        );
        for (const crowd of crowds) {
            const world = new World();
            const ropes = crowd.map(({ rope }) => rope);
            for (let f = 0; f < 15; f++) frame(world, ropes, 1 / 30);
            for (const { settings } of crowd) Object.assign(settings, { fixedTimeStep: 1 / 60, substepCount: 4 });
            for (let f = 0; f < 3; f++) frame(world, ropes, 1 / 60);
            for (const { settings } of crowd) Object.assign(settings, { fixedTimeStep: 1 / 15, substepCount: 16 });
            frame(world, ropes, 1 / 15);
        }
        const [together, alone] = crowds.map((crowd) => crowd.map(({ rope }) => rope));
        expect(together.every(isInTeam)).toBe(true);
        expect(together.findIndex((rope, i) => !areSame(rope, alone[i]))).toBe(-1);
        for (const rope of [...together, ...alone]) rope.release();
    });

    test("end at their lengths where they grow for many steps", () => {
        const [together, alone] = [0, 1].map((index) =>
            [0, 1].map((i) => {
                const steps = { fixedTimeStep: 1 / 240, substepCount: 1, maxStepsPerFrame: 24 };
                const rope = makeRope(line([i, 2, 0], [i + 1, 2, 0], 9), { pinned: [0], ...steps });
                rope.stopwatch.isOn = index === 1;
                return rope;
            }),
        );
        for (const ropes of [together, alone]) {
            const world = new World();
            for (const rope of ropes) {
                (rope.settings as unknown as { rope: RopeMaterial }).rope.length = 1.1371;
                rope.invalidate();
            }
            for (let f = 0; f < 2; f++) frame(world, ropes, 0.1);
            for (const rope of ropes) {
                const chain = rope.constraints.find(({ name }) => name === "chain") as Chain;
                expect(chain.limits[ChainLimit.length]).toBe(Math.fround(1.1371));
            }
        }
        expect(together.every(isInTeam)).toBe(true);
        expect(together.findIndex((rope, i) => !areSame(rope, alone[i]))).toBe(-1);
        for (const rope of [...together, ...alone]) rope.release();
    });

    test("go on once one that was disturbed is calm again, and find another where it is not", () => {
        const ropes = makeCrowd(20).filter((_, i) => i % 5 === 0);
        const world = new World();
        const run = (count: number): void => {
            for (let f = 0; f < count; f++) frame(world, ropes, 1 / 60);
        };
        run(20);
        const { team } = ropes[0].calm;
        expect(team!.members).toEqual(ropes.map(({ calm }) => calm));
        ropes[1].stopwatch.isOn = true;
        run(2);
        expect(ropes.map(isInTeam)).toEqual([false, false, false, false]);
        ropes[1].stopwatch.isOn = false;
        run(2);
        expect(ropes[0].calm.team).toBe(team);
        expect(ropes.every(isInTeam)).toBe(true);
        ropes[1].stopwatch.isOn = true;
        run(10);
        expect(ropes[0].calm.team!.members).toEqual([0, 2, 3].map((i) => ropes[i].calm));
        ropes[1].stopwatch.isOn = false;
        run(10);
        expect(ropes[0].calm.team!.members).toHaveLength(4);
        expect(ropes.every(isInTeam)).toBe(true);
        for (const rope of ropes) rope.release();
    });

    test("give back all memory", () => {
        const { arena } = kernelsOf();
        const used = (): number => (arena instanceof WasmArena ? arena.usedBytes : 0);
        const before = used();
        const ropes = makeCrowd(20);
        const world = new World();
        for (let f = 0; f < 20; f++) frame(world, ropes, 1 / 60);
        expect(ropes.filter(({ calm }) => calm.team).length).toBeGreaterThan(15);
        for (const rope of ropes) rope.release();
        expect(ropes.every(({ calm }) => calm.team === null)).toBe(true);
        expect(used()).toBe(before);
    });
});
