import { JointSlots } from "../../kernels/jointLayout";
import type { PileMember } from "../rigid/pileMember";
import type { Joint } from "./joint";

const { local, other } = JointSlots;

/**
 * Notes what joints may have a body bear: the mass of the heaviest that hangs together with it, times its arms. A pull at an arm is a spring across it (Tournier et al.
 * 2015), of a light body too stiff for any substep: so it counts as turning no more easily than SixSticks.prepare allows for these.
 */
export function noteBurdens(bodies: readonly PileMember[], joints: readonly Joint[]): void {
    const heaviest = new Map<PileMember, number>();
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
    const before = bodies.map(({ burden }) => burden.slice());
    for (const { burden } of bodies) burden.fill(0);
    for (const { first, second, data } of joints)
        for (const [body, o] of [
            [first, local],
            [second, other],
        ] as const) {
            if (!body) continue;
            const squared = data[o] ** 2 + data[o + 1] ** 2 + data[o + 2] ** 2;
            for (let k = 0; k < 3; k++)
                body.burden[k] = Math.max(body.burden[k], heaviest.get(body)! * Math.sqrt(squared - data[o + k] ** 2));
        }
    bodies.forEach((body, i) => {
        if (body.burden.some((value, k) => value !== before[i][k])) body.body.invalidate();
    });
}
