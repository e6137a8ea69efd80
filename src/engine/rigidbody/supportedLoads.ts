import { JointSlots } from "../../kernels/rigidBodyLayout";
import type { SolverBody } from "./solverBody";
import type { Joint } from "./joint";

const { local, localOther: other } = JointSlots;

/**
 * Notes what joints may have a body bear: the mass of the heaviest that hangs together with it, times its arms. A pull at an arm is a spring across it (Tournier et al.
 * 2015), of a light body too stiff for any substep: so it counts as turning no more easily than RigidConstraint.prepare allows for these.
 */
export function writeSupportedLoads(bodies: readonly SolverBody[], joints: readonly Joint[]): void {
    const heaviest = new Map<SolverBody, number>();
    for (const body of bodies) heaviest.set(body, body.mass);
    // Once from joint to joint for each that may lie between two.
    for (let isNew = true; isNew;) {
        isNew = false;
        for (const { first, second } of joints) {
            if (!second) continue;
            const most = Math.max(heaviest.get(first)!, heaviest.get(second)!);
            for (const body of [first, second]) {
                isNew ||= heaviest.get(body)! < most;
                heaviest.set(body, most);
            }
        }
    }
    const before = bodies.map(({ supportedLoad }) => supportedLoad.slice());
    for (const { supportedLoad } of bodies) supportedLoad.fill(0);
    for (const { first, second, data } of joints)
        for (const [body, o] of [
            [first, local],
            [second, other],
        ] as const) {
            if (!body) continue;
            const squared = data[o] ** 2 + data[o + 1] ** 2 + data[o + 2] ** 2;
            for (let k = 0; k < 3; k++)
                body.supportedLoad[k] = Math.max(
                    body.supportedLoad[k],
                    heaviest.get(body)! * Math.sqrt(squared - data[o + k] ** 2),
                );
        }
    bodies.forEach((body, i) => {
        if (body.supportedLoad.some((value, k) => value !== before[i][k])) body.body.invalidate();
    });
}
