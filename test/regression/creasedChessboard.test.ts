/**
 * Far limits pulled the particles of one colour of a grid's chessboard and no others: in a gale a flag was bent three times as much at those as beside them.
 */
import "@babylonjs/core/Materials/standardMaterial";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { afterEach, expect, test } from "@jest/globals";
import { ClothBuilder, Wind } from "../../src/index";
import { disposeWorlds, FRAME, makeWorld } from "../unit/babylon/harness";

afterEach(disposeWorlds);

/** Mean curvature along the rows of a grid at particles of either colour, the larger over the smaller. */
function creaseRatio(positions: Float32Array, columns: number, sums: [number, number]): number {
    const row = 3 * (columns + 1);
    for (let o = 0, j = 0; o < positions.length; o += row, j++)
        for (let i = 1; i < columns; i++) {
            const b = o + 3 * i;
            const bend = [0, 1, 2].map((c) => positions[b - 3 + c] - 2 * positions[b + c] + positions[b + 3 + c]);
            sums[(i + j) % 2] += Math.hypot(...bend);
        }
    return Math.max(sums[0] / sums[1], sums[1] / sums[0]);
}

test.each([
    [19, 1.4],
    [9.4, 1.3],
    [4.4, 1.45],
])("in a steady wind of %d m/s a flag is bent alike at the particles of both colours, within a factor of %d", (speed, bar) => {
    const { scene, frame } = makeWorld();
    const wind = new Wind({ velocity: new Vector3(speed, 0, 0.15 * speed), turbulence: 0 });
    const { cloth } = ClothBuilder.CreateFlag("flag", { wind }, scene);
    const columns = 44;
    const sums: [number, number] = [0, 0];
    let ratio = 0;
    for (let i = 0; i < 300; i++) {
        frame(FRAME);
        if (i >= 120) ratio = creaseRatio(cloth.getParticlePositions(), columns, sums);
    }
    expect(ratio).toBeLessThan(bar);
});
