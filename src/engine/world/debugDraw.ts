/** Looks into a running body, for pictures of it: nothing here changes its motion. */
import { DRAWN_CONTACT_SHARE, MIN_DRAWN_CONTACT } from "../tunables";
import { Contact, ContactRecord, SolidData, FaceContactRecord } from "../../kernels/contactLayout";
import { rowAt, ROW } from "../../kernels/layout";
import type { Body } from "../bodies/body";
import type { Collider } from "../collision/shapes/collider";
import type { Contacts } from "../collision/response/contactResolver";
import type { FaceContacts } from "../collision/response/faceContacts";

/** Writes the drawn positions of the particles, between the start and the end of the last step, simulation space [m], shape [particleCount, 3]. */
export function readRenderState({ state, clock, settings, isAsleep }: Body, target: Float32Array): void {
    const { positions: x, stepStart: s, particleCount } = state;
    const alpha = isAsleep ? 1 : clock.alpha(settings);
    for (let i = 0, o = 0, p = 0; i < particleCount; i++, o += ROW, p += 3) {
        for (let c = 0; c < 3; c++) target[p + c] = s[o + c] + (x[o + c] - s[o + c]) * alpha;
    }
}

/**
 * Hears of a contact of a point of the cloth: a particle, or one within a triangle.
 * @param particles those that the point lies between, one or three @param shares of each of them, 1 in all
 * @param reach distance that is kept [m] @param x unit normal out of the collider, x y z
 */
export type ContactCallback = (
    particles: readonly number[],
    shares: ArrayLike<number>,
    reach: number,
    x: number,
    y: number,
    z: number,
) => void;

/** Asks every collider that is near once more what it finds. What the question changes in it is put back. */
export function forEachContact(body: Body, tell: ContactCallback): void {
    const { contacts } = body;
    if (!contacts) return;
    for (const collider of body.colliders) {
        if (!collider.hasPose || !collider.isNear) continue;
        forEachParticleContact(body, contacts, collider, tell);
        if (contacts.faces && collider.core && collider.firstCandidate >= 0)
            forEachTriangleContact(body, contacts.faces, collider, collider.core, tell);
    }
}

const WHOLE = [1];

function forEachParticleContact({ kernels, state }: Body, contacts: Contacts, collider: Collider, tell: ContactCallback): void {
    const before = collider.data.slice();
    const reach = Math.max(0, collider.data[Contact.thickness]);
    const near = contactToleranceOf(reach);
    collider.data[Contact.supportDistance] = near;
    collider.detect(kernels, state, contacts);
    const { records, recordFloats: f, recordCount } = contacts;
    for (let r = 0, o = 0; r < recordCount[0]; r++, o += ContactRecord.count) {
        const first = rowAt(records[o + ContactRecord.row]) / ROW;
        for (let k = 0; k < 4; k++) {
            const depth = f[o + ContactRecord.depths + k];
            if (depth === 0 || depth <= -near) continue;
            const n = o + ContactRecord.normals + k;
            tell([first + k], WHOLE, reach, f[n], f[n + 4], f[n + 8]);
        }
    }
    collider.data.set(before);
}

/** Those of the triangles that were near in the last step: cloth may lie on them alone. */
function forEachTriangleContact(
    { kernels, state }: Body,
    triangles: FaceContacts,
    collider: Collider,
    core: Float32Array,
    tell: ContactCallback,
): void {
    const reach = core[SolidData.keptDistance];
    const { supportMode: areHeeded } = triangles.contacts;
    const isHeeded = areHeeded[0];
    areHeeded[0] = 0;
    core[SolidData.keptDistance] = reach + contactToleranceOf(reach);
    triangles.begin(collider);
    while (triangles.hasMore) {
        kernels.detectFaceContacts(state, core, triangles);
        const { records, recordFloats: f } = triangles;
        for (let r = 0, o = 0; r < triangles.contactCount; r++, o += FaceContactRecord.count) {
            const corners = [0, 1, 2].map((k) => rowAt(records[o + FaceContactRecord.rows + k]) / ROW);
            const n = o + FaceContactRecord.normal;
            const shares = f.subarray(o + FaceContactRecord.shares, o + FaceContactRecord.shares + 3);
            tell(corners, shares, reach, f[n], f[n + 1], f[n + 2]);
        }
    }
    core[SolidData.keptDistance] = reach;
    areHeeded[0] = isHeeded;
}

/** Distance at which a particle counts as in contact [m]. */
function contactToleranceOf(reach: number): number {
    return Math.max(MIN_DRAWN_CONTACT, DRAWN_CONTACT_SHARE * reach);
}
