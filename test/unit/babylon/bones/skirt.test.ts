/** A skirt of linked chains over running legs. */
import type { Quaternion } from "@babylonjs/core/Maths/math.vector";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { Mesh } from "@babylonjs/core/Meshes/mesh";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { afterEach, expect, test } from "@jest/globals";
import { onNode } from "../../../../src/babylon/colliders/skeleton/boneShape";
import { BoneChainBehavior } from "../../../../src/index";
import type { BoneLinks } from "../../../../src/index";
import { disposeWorlds, makeWorld } from "../harness";
import { makeChain } from "./rigs";

afterEach(() => disposeWorlds());

const CHAINS = 12;
const LEG = 0.07;
const THIGH = 0.45;

/** Deepest that legs are in between the chains, over a few steps of a run [m]; legs swing ± 44°. */
function deepest(links: BoneLinks, rate: number): number {
    const { scene, frame } = makeWorld();
    const hips = new Mesh("hips", scene);
    const legs = [-0.09, 0.09].map((x) => {
        const leg = new TransformNode("leg", scene);
        leg.parent = hips;
        leg.position.set(x, -0.05, 0);
        return leg;
    });
    const chains = Array.from({ length: CHAINS }, (_, i) => {
        const angle = (2 * Math.PI * i) / CHAINS;
        const out = new Vector3(Math.cos(angle), 0, Math.sin(angle));
        return makeChain(scene, `skirt${i}`, hips, [
            out.scale(0.18),
            ...Array.from({ length: 4 }, () => out.scale(0.03).addInPlaceFromFloats(0, -0.12, 0)),
        ]);
    });
    const skirt = new BoneChainBehavior({
        links,
        chains: chains.map(([root]) => ({ root })),
        stiffness: 8,
        damping: 10,
        radius: 0.01,
        gravity: new Vector3(0, -9.81, 0),
        colliders: legs.map((leg) =>
            onNode({ name: "leg", carrier: leg, start: [0, 0, 0], end: [0, -THIGH, 0], startRadius: LEG, endRadius: LEG }, leg),
        ),
    });
    hips.addBehavior(skirt);
    let worst = 0;
    for (let i = 0; i < 3 * rate; i++) {
        const time = i / rate;
        legs.forEach(
            (leg, side) => (leg.rotation.x = (side ? 1 : -1) * Math.min(1, time) * 0.77 * Math.sin(2 * Math.PI * 1.4 * time)),
        );
        hips.position.z = time;
        frame(1000 / rate);
        for (const leg of legs) {
            leg.computeWorldMatrix(true);
            const top = leg.getAbsolutePosition();
            const foot = Vector3.TransformCoordinates(new Vector3(0, -THIGH, 0), leg.getWorldMatrix());
            for (let c = 0; c < CHAINS; c++) {
                const [own, next] = [chains[c], chains[(c + 1) % CHAINS]];
                for (let j = 1; j < own.length; j++) {
                    // The cross pieces between neighbours, and the bones.
                    const [a, b] = [own[j].getAbsolutePosition(), next[j].getAbsolutePosition()];
                    for (const share of [0, 0.25, 0.5, 0.75]) {
                        worst = Math.max(worst, LEG - distanceTo(Vector3.Lerp(a, b, share), top, foot));
                        if (j > 1)
                            worst = Math.max(
                                worst,
                                LEG - distanceTo(Vector3.Lerp(own[j - 1].getAbsolutePosition(), a, share), top, foot),
                            );
                    }
                }
            }
        }
    }
    expect(chains.every((chain) => chain.every(({ rotationQuaternion: q }) => Number.isFinite((q as Quaternion).w)))).toBe(true);
    return worst;
}

/** Distance of a point to a segment [m]. */
function distanceTo(point: Vector3, start: Vector3, end: Vector3): number {
    const axis = end.subtract(start);
    const share = Math.min(1, Math.max(0, Vector3.Dot(point.subtract(start), axis) / axis.lengthSquared()));
    return Vector3.Distance(point, start.add(axis.scale(share)));
}

test("no leg comes between linked chains: at most 5 mm inside; without links it does", () => {
    expect(deepest("loop", 60)).toBeLessThan(0.005);
    expect(deepest("loop", 30)).toBeLessThan(0.005);
    expect(deepest("none", 60)).toBeGreaterThan(0.02);
});
