/**
 * Contacts of a rigid body with a collider: a point of it that is inside has an impulse there move the whole body out, one in turn after the other
 * (Jakobsen 2001, §5; friction and restitution as in Müller et al. 2020, "Detailed rigid body simulation with extended position based dynamics").
 *
 *     ┌─────────┐          Impulse of a depth: λ = depth / mobility. Friction takes back the motion across, by μ λ at most. Both are sums over passes (projected
 *     │    ●    │          Gauss–Seidel): what one pass has done too much the next takes back, and no contact pulls. Then the speed off the surface is what it
 *   ━━┷━●━━━━━●━┷━━        was to be: a contact pushes, it does not throw.
 */
import { Contact, ContactRecord, TriangleProgress, TriangleRecord } from "../contactLayout";
import type { ContactArrays, TriangleContactArrays } from "../contactLayout";
import { particleAt, rowAt, rowOf, Uniform } from "../layout";
import { StickBodyContact, StickBodyPose } from "../stickBodyLayout";
import type { StickBodyArrays } from "../stickBodyLayout";
import { ANSWERS, bounce, widen } from "./contacts";
import { along, arm, direction, impulse, kick, measureMobility, mobility, push, readSpin, writeBody } from "./stickBody";

/** How often all contacts are pushed out and held by friction in a call, there and back; and settled. */
const PASSES = 4;
const SETTLES = 2;
/** Share of the contacts from one to the next: 1 less the golden ratio. */
const GOLDEN = 0.382;

const { centre: C, axes: U, move: M, spin: S, inverseMass: W, moveBefore, given, moment } = StickBodyPose;
const { local, offset, normal, approach, pushed, held } = StickBodyContact;
/** Within a call: where the present contact is, its motion against the collider's material, and that along the normal [m]. */
const place = new Float64Array(3);
const slip = new Float64Array(3);
const away = new Float64Array(1);

/** Answers contacts of the points. */
export function answerStickBody(body: StickBodyArrays, collider: Float32Array, contacts: ContactArrays): void {
    const { positions: x } = body.particles;
    const { records, recordFloats } = contacts;
    const end = contacts.recordCount[0] * ContactRecord.count;
    let count = 0;
    for (let record = 0; record < end; record += ContactRecord.count) {
        const first = particleAt(records[record + ContactRecord.row]);
        // The first four carry the others.
        if (first === 0) continue;
        for (let lane = 0; lane < 4; lane++) {
            const depth = recordFloats[record + lane + ContactRecord.depths];
            if (!(depth > 0)) continue;
            const n = record + lane + ContactRecord.normals;
            const o = rowOf(first + lane);
            const row = count++ * StickBodyContact.count;
            for (let c = 0; c < 3; c++) {
                body.contacts[row + local + c] = body.locals[o + c];
                body.contacts[row + normal + c] = recordFloats[n + 4 * c];
            }
            body.contacts[row + offset] =
                depth + (x[o] * recordFloats[n] + x[o + 1] * recordFloats[n + 4] + x[o + 2] * recordFloats[n + 8]);
            touchSurface(body, row, collider);
        }
    }
    solve(body, collider, count * StickBodyContact.count);
}

/** Answers contacts of the triangles between the points. */
export function answerStickBodyTriangles(body: StickBodyArrays, collider: Float32Array, triangles: TriangleContactArrays): void {
    const { records, recordFloats, progress } = triangles;
    const end = progress[TriangleProgress.recordCount] * TriangleRecord.count;
    const full = body.contactCapacity * StickBodyContact.count;
    let row = 0;
    for (let record = 0; record < end; record += TriangleRecord.count) {
        for (let c = 0; c < 3; c++) {
            let sum = 0;
            for (let k = 0; k < 3; k++)
                sum += recordFloats[record + TriangleRecord.shares + k] * body.locals[rowAt(records[record + k]) + c];
            body.contacts[row + local + c] = sum;
            body.contacts[row + normal + c] = recordFloats[record + TriangleRecord.normal + c];
        }
        body.contacts[row + offset] = recordFloats[record + TriangleRecord.offset];
        touchSurface(body, row, collider);
        row += StickBodyContact.count;
        if (row < full) continue;
        solve(body, collider, row);
        row = 0;
    }
    solve(body, collider, row);
}

/** Puts a contact where the surface is: points are balls as large as the distance that is kept. */
function touchSurface({ pose, contacts }: StickBodyArrays, row: number, collider: Float32Array): void {
    const thickness = collider[Contact.thickness];
    const n = row + normal;
    for (let k = 0; k < 3; k++) {
        const u = U + 4 * k;
        const lean = pose[u] * contacts[n] + pose[u + 1] * contacts[n + 1] + pose[u + 2] * contacts[n + 2];
        contacts[row + local + k] -= thickness * lean;
    }
    contacts[row + offset] -= thickness;
}

function solve(body: StickBodyArrays, collider: Float32Array, end: number): void {
    if (end === 0) return;
    const { particles, pose, contacts } = body;
    const { uniforms } = particles;
    const step = StickBodyContact.count;
    for (let c = 0; c < 16; c++) pose[moveBefore + c] = pose[M + c];
    for (let c = 0; c < 6; c++) pose[given + c] = 0;
    readSpin(pose);
    for (let row = 0; row < end; row += step) {
        reach(pose, contacts, row, collider);
        contacts[row + approach] = away[0];
        contacts[row + pushed] = contacts[row + held] = contacts[row + held + 1] = contacts[row + held + 2] = 0;
    }
    const stride = step * strideOf(end / step);
    for (let pass = 0; pass < PASSES; pass++) {
        const last = pass % 2 > 0 ? end - step : 0;
        for (let k = 0, row = 0; k < end; k += step, row = (row + stride) % end)
            pushOut(pose, contacts, Math.abs(last - row), collider);
        for (let k = 0, row = 0; k < end; k += step, row = (row + stride) % end)
            rub(pose, contacts, Math.abs(last - row), collider);
    }
    for (let pass = 0; pass < SETTLES; pass++) {
        const last = pass % 2 > 0 ? end - step : 0;
        for (let k = 0, row = 0; k < end; k += step, row = (row + stride) % end)
            settle(pose, contacts, Math.abs(last - row), collider, uniforms);
    }
    if (collider[Contact.takerMass] > 0) giveBack(uniforms, pose, collider);
    writeBody(body);
    for (let i = 0; i < body.particleCount; i++) widen(particles, rowOf(i));
}

/**
 * From one of so many contacts to the next in turn: all are met, those that follow far from each other. Answered round a rim, one after its neighbour, they would have
 * the body creep and turn.
 */
function strideOf(count: number): number {
    let stride = Math.max(1, Math.floor(count * GOLDEN));
    while (dividerOf(count, stride) > 1) stride++;
    return stride;
}

/** The greatest common one (Euclid). */
function dividerOf(a: number, b: number): number {
    while (b > 0) {
        const rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/** Tells where a contact is ({@link arm}), its motion against the material ({@link slip}), and that along the normal ({@link away}). */
function reach(pose: Float32Array, contacts: Float32Array, row: number, collider: Float32Array): void {
    for (let c = 0; c < 3; c++) {
        arm[c] = along(pose, U, contacts, row + local, c);
        place[c] = pose[C + c] + arm[c];
    }
    away[0] = 0;
    for (let c = 0; c < 3; c++) {
        const d = (c + 1) % 3;
        const e = (c + 2) % 3;
        const m = Contact.motion + c;
        const carried = place[0] * collider[m] + place[1] * collider[m + 4] + place[2] * collider[m + 8] + collider[m + 12];
        slip[c] = pose[M + c] + (pose[S + d] * arm[e] - pose[S + e] * arm[d]) - carried;
        away[0] += slip[c] * contacts[row + normal + c];
    }
}

/** Moves the body by what a contact is inside. */
function pushOut(pose: Float32Array, contacts: Float32Array, row: number, collider: Float32Array): void {
    reach(pose, contacts, row, collider);
    let depth = contacts[row + offset];
    for (let c = 0; c < 3; c++) {
        direction[c] = contacts[row + normal + c];
        depth -= place[c] * direction[c];
    }
    measureMobility(pose);
    // What was pushed too far, since others push too, comes back.
    const size = Math.max(-contacts[row + pushed], depth / mobility[0]);
    contacts[row + pushed] += size;
    for (let c = 0; c < 3; c++) impulse[c] = size * direction[c];
    note(pose, collider);
    push(pose);
}

/** Takes back by friction what a contact moves across, by so much in all as it is pressed. */
function rub(pose: Float32Array, contacts: Float32Array, row: number, collider: Float32Array): void {
    reach(pose, contacts, row, collider);
    for (let c = 0; c < 3; c++) slip[c] -= away[0] * contacts[row + normal + c];
    const slide = Math.sqrt(slip[0] * slip[0] + slip[1] * slip[1] + slip[2] * slip[2]);
    if (!(slide > 0)) return;
    for (let c = 0; c < 3; c++) direction[c] = slip[c] / slide;
    measureMobility(pose);
    let squared = 0;
    for (let c = 0; c < 3; c++) {
        impulse[c] = contacts[row + held + c] - slip[c] / mobility[0];
        squared += impulse[c] * impulse[c];
    }
    const grip = collider[Contact.friction] * contacts[row + pushed];
    const share = squared > grip * grip ? grip / Math.sqrt(squared) : 1;
    for (let c = 0; c < 3; c++) {
        const sum = impulse[c] * share;
        impulse[c] = sum - contacts[row + held + c];
        contacts[row + held + c] = sum;
    }
    note(pose, collider);
    push(pose);
}

/** Gives a contact that was pushed the speed off the surface that it is to have. No contact pulls. */
function settle(pose: Float32Array, contacts: Float32Array, row: number, collider: Float32Array, uniforms: Float32Array): void {
    const limit = contacts[row + pushed];
    if (!(limit > 0)) return;
    reach(pose, contacts, row, collider);
    const wanted = bounce(uniforms, contacts[row + approach], collider[Contact.restitution]);
    for (let c = 0; c < 3; c++) direction[c] = contacts[row + normal + c];
    measureMobility(pose);
    const size = Math.max(-limit, (wanted - away[0]) / mobility[0]);
    contacts[row + pushed] = limit + size;
    for (let c = 0; c < 3; c++) impulse[c] = size * direction[c];
    note(pose, collider);
    kick(pose);
}

/** Adds {@link impulse} at {@link place} to what contacts have done. */
function note(pose: Float32Array, collider: Float32Array): void {
    for (let c = 0; c < 3; c++) {
        const d = (c + 1) % 3;
        const e = (c + 2) % 3;
        pose[given + c] += impulse[c];
        const y = place[d] - collider[Contact.centre + d];
        const z = place[e] - collider[Contact.centre + e];
        pose[moment + c] += y * impulse[e] - z * impulse[d];
    }
}

/** Has the collider take what contacts have done; the body's speed takes its share of that only, see answerContacts. */
function giveBack(uniforms: Float32Array, pose: Float32Array, collider: Float32Array): void {
    const mass = collider[Contact.takerMass];
    const own = 1 / pose[W];
    const share = mass / (mass + (ANSWERS / uniforms[Uniform.substepShare]) * own);
    for (let c = 0; c < 16; c++) pose[M + c] = pose[moveBefore + c] + (pose[M + c] - pose[moveBefore + c]) * share;
    for (let c = 0; c < 3; c++) {
        collider[Contact.push + c] += pose[given + c] * share;
        collider[Contact.twist + c] += pose[moment + c] * share;
    }
    collider[Contact.pushedMass] = own;
}
