import { expect, test } from "@jest/globals";
import { grid, hanging, lying, topRow } from "../physics/meshes";
import { addCollider, at, makeCloth, runSeconds } from "../physics/support";

const COTTON = { arealDensity: 0.2, shearStiffness: 200, bendStiffness: 5e-5, damping: 0.6, thickness: 0.01, friction: 0.4 };

/**
 * A door, hinged 0.2 m beside a hanging curtain, that turns by ±0.5 rad through where the curtain hangs.
 * @returns the share of the curtain that is on the other side of it, at worst
 */
function pushWithDoor(speed: number, substepCount: number, thickness: number, way: 1 | -1): number {
    const n = 12;
    const cloth = makeCloth(grid(n, n, hanging(1)), {
        fabric: { ...COTTON, thickness },
        pinned: topRow(n, n),
        tetherSlack: 0,
        substepCount,
    });
    // Upright, 1.4 m wide and 1.2 m high, from 0.15 m below the pins; its front towards +z at an angle of 0.
    const pose = (angle: number): Float64Array => {
        const [c, s] = [Math.cos(angle), Math.sin(angle)];
        return Float64Array.of(0.7 * c, 0, 0.7 * s, 0, 0, 0.6, 0, 0, -s, 0, c, 0, -0.2 + 0.7 * c, -0.75, 0.7 * s, 1);
    };
    const angleAt = (step: number): number => way * Math.min(0.25, -0.25 + (speed * step) / 60);
    const door = addCollider(cloth, "plane", pose(angleAt(0)));
    let worst = 0;
    runSeconds(cloth, 0.5 / speed + 0.3, (step) => {
        const [c, s] = [Math.cos(angleAt(step)), Math.sin(angleAt(step))];
        let behind = 0;
        for (let i = 0; i < cloth.state.particleCount; i++) {
            const [x, y, z] = at(cloth, i);
            if (y < -0.2 && way * (z * c - (x + 0.2) * s) < -2e-4) behind++;
        }
        worst = Math.max(worst, behind / cloth.state.particleCount);
        door.setPose(pose(angleAt(step + 1)));
    });
    return worst;
}

// How far the plane had come was known at the rectangle's centre only: far from the hinge a particle in front of the moved
// plane counted as behind it. With a thickness of 0 there is nothing else to tell the faces by.
test("a door that turns through a curtain pushes all of it, with either face", () => {
    const runs = [
        [2, 1, 0.01],
        [8, 4, 0.01],
        [8, 1, 0.01],
        [0.25, 4, 0],
        [2, 1, 0],
        [8, 4, 0],
    ] as const;
    for (const way of [1, -1] as const) {
        expect(runs.map(([speed, substepCount, thickness]) => pushWithDoor(speed, substepCount, thickness, way))).toEqual(
            runs.map(() => 0),
        );
    }
});

test("a tray that rocks holds the cloth on it, or under it", () => {
    for (const up of [1, -1]) {
        for (const [speed, substepCount, thickness, margin] of [
            [6, 4, 0.01, 0],
            [6, 1, 0.01, 0],
            [1.5, 4, 0, 0],
            [5, 2, 0.003, -0.02],
        ] as const) {
            const cloth = makeCloth(grid(12, 12, lying(0.6, 0.6, up * 0.012)), {
                fabric: { ...COTTON, thickness, friction: 2 },
                gravity: [0, -9.81 * up, 0],
                substepCount,
            });
            const pose = (angle: number): Float64Array =>
                Float64Array.of(
                    Math.cos(angle),
                    Math.sin(angle),
                    0,
                    0,
                    0,
                    0,
                    -1,
                    0,
                    -Math.sin(angle),
                    Math.cos(angle),
                    0,
                    0,
                    0,
                    0,
                    0,
                    1,
                );
            const angleAt = (step: number): number => 0.3 * Math.sin((speed / 0.3) * (step / 60));
            const tray = addCollider(cloth, "plane", pose(0));
            tray.settings.margin = margin;
            let lowest = Infinity;
            runSeconds(cloth, 2, (step) => {
                const angle = angleAt(step);
                for (let i = 0; i < cloth.state.particleCount; i++) {
                    const [x, y, z] = at(cloth, i);
                    const height = up * (y * Math.cos(angle) - x * Math.sin(angle));
                    // What has slid over an edge is free.
                    if (Math.max(Math.abs(x), Math.abs(z)) < 0.9) lowest = Math.min(lowest, height);
                }
                tray.setPose(pose(angleAt(step + 1)));
            });
            expect(lowest).toBeGreaterThan(Math.min(0, thickness + margin) - 2e-4);
        }
    }
});
