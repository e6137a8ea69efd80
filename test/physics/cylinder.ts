/** Bending energy of cloth wound onto a cylinder: a plate's is ½ B κ² A, whichever way the cylinder lies. */
import { withRestSurface } from "../../src/engine/topology/restSurface";
import { runAll } from "../../src/engine/time/slices";
import { buildTopology } from "../../src/engine/topology/topology";
import type { Sheet } from "./meshes";

/**
 * Energy of the stencils over `span` edges of a sheet in the plane y = 0 as a share of a plate's, where it is bent about the direction
 * `degrees` off the z axis; of the particles within 0.4 m of the origin along x and z, since the border has fewer, in a smooth window: rows, of which
 * every other one has stencils, are alike in it.
 */
export function shareOfPlate({ positions: x, triangles }: Sheet, degrees: number, span: number): number {
    const { areas } = buildTopology(x, triangles);
    const window = (v: number): number => (Math.abs(v) < 0.4 ? Math.cos((v * Math.PI) / 0.8) ** 2 : 0);
    const inside = (p: number): number => window(x[3 * p]) * window(x[3 * p + 2]);
    const { particles, weights, areas: shares } = runAll(withRestSurface(x, triangles, (rest) => rest.findStencils(areas, span)));
    const angle = (degrees * Math.PI) / 180;
    const curvature = 0.1;
    const height = (p: number): number => (curvature / 2) * (x[3 * p] * Math.cos(angle) + x[3 * p + 2] * Math.sin(angle)) ** 2;
    let energy = 0;
    shares.forEach((area, s) => {
        const [b, a, c, e] = particles.subarray(4 * s, 4 * s + 4);
        const [ka, kc, ke] = weights.subarray(3 * s, 3 * s + 3);
        const d = ka * (height(a) - height(b)) + kc * (height(c) - height(b)) + ke * (height(e) - height(b));
        energy += inside(b) * 0.5 * area * d * d;
    });
    return energy / (0.5 * curvature ** 2 * areas.reduce((sum, area, p) => sum + inside(p) * area, 0));
}
