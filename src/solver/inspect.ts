/** Looks into a running body, for pictures of it: nothing here changes its motion. */
import { Contact, ContactRecord } from "../kernels/contactLayout";
import { rowAt, ROW } from "../kernels/layout";
import type { Body } from "./body";

/** Particles so near to where they are held are in contact, as a share of the distance kept, and at least [m]. */
const TOUCHING = 0.1;
const LEAST_TOUCHING = 5e-4;

/** Writes where the picture has the particles, between the start and the end of the last step, simulation space [m], shape [particleCount, 3]. */
export function readPicture({ state, clock, settings, isAsleep }: Body, target: Float32Array): void {
    const { positions: x, stepStart: s, particleCount } = state;
    const alpha = isAsleep ? 1 : clock.alpha(settings.fixedTimeStep);
    for (let i = 0, o = 0, p = 0; i < particleCount; i++, o += ROW, p += 3) {
        for (let c = 0; c < 3; c++) target[p + c] = s[o + c] + (x[o + c] - s[o + c]) * alpha;
    }
}

/** Hears of a contact. @param reach distance that is kept [m] @param x unit normal out of the collider, x y z */
export type TellContact = (particle: number, reach: number, x: number, y: number, z: number) => void;

/** Asks every collider that is near once more what it finds. What the question changes in it is put back. */
export function tellContacts({ contacts, colliders, kernels, state }: Body, tell: TellContact): void {
    if (!contacts) return;
    for (const collider of colliders) {
        if (!collider.isKnown || !collider.isNear) continue;
        const before = collider.data.slice();
        const reach = Math.max(0, collider.data[Contact.thickness]);
        const near = Math.max(LEAST_TOUCHING, TOUCHING * reach);
        collider.data[Contact.near] = near;
        collider.find(kernels, state, contacts);
        const { records, recordFloats: f, recordCount } = contacts;
        for (let r = 0, o = 0; r < recordCount[0]; r++, o += ContactRecord.count) {
            const first = rowAt(records[o + ContactRecord.row]) / ROW;
            for (let k = 0; k < 4; k++) {
                const depth = f[o + ContactRecord.depths + k];
                if (depth === 0 || depth <= -near) continue;
                const n = o + ContactRecord.normals + k;
                tell(first + k, reach, f[n], f[n + 4], f[n + 8]);
            }
        }
        collider.data.set(before);
    }
}
