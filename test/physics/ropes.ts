import type { Body, Rope, RopeMaterial, RopeSettings, Vector } from "../../src/engine/index";
import { createRope, polylineLength, defaultRope } from "../../src/engine/index";
import type { ClothOptions } from "./support";
import { addCollider, kernelsOf, pinParticles, pose, settingsOf } from "./support";

/** What a test sets about a rope; the rest is as in {@link ClothOptions}, 0.1 kg/m, inextensible and limp. */
export interface RopeOptions extends Omit<ClothOptions, "tetherSlack" | "threads"> {
    rope?: Partial<RopeMaterial>;
}

/** Points in a row from one to another, shape [count, 3]. */
export function line(from: Vector, to: Vector, count: number): Float32Array {
    return Float32Array.from({ length: 3 * count }, (_, k) => {
        const share = Math.floor(k / 3) / (count - 1);
        return from[k % 3] + share * (to[k % 3] - from[k % 3]);
    });
}

/** A rope through points, as long as those are apart. */
export function makeRope(points: Float32Array, options: RopeOptions = {}): Rope {
    const { rope, ...rest } = options;
    const { pinned } = options;
    const settings: RopeSettings = {
        ...settingsOf(rest),
        rope: { ...defaultRope(), length: polylineLength(points), linearDensity: 0.1, bendStiffness: 0, ...rope },
    };
    const body = createRope(kernelsOf(), points, settings);
    if (pinned) pinParticles(body, pinned);
    body.prepare();
    return body;
}

/** Adds the post of a radius along z that a rope hangs over. */
type AddPost = (rope: Body, radius: number) => void;

const addCylinder: AddPost = (rope, radius) =>
    void addCollider(rope, "cylinder", pose([0, 0, 0], [radius, 1, radius], Math.PI / 2, "x"));

/** Three metres of 50 g/m over a round post of 0.4 m, with a mass on either end [kg]. */
export function overPost(light: number, heavy: number, friction: number, substepCount: number, addPost = addCylinder): Body {
    const [count, length, radius, thickness] = [65, 3, 0.2, 0.01];
    const points = new Float32Array(3 * count);
    const around = radius + thickness;
    for (let i = 0; i < count; i++) {
        const along = (i / (count - 1) - 0.5) * length;
        const side = Math.sign(along);
        const down = Math.max(0, Math.abs(along) - (Math.PI / 2) * around);
        const turn = (along - side * down) / around;
        points.set([around * Math.sin(turn), around * Math.cos(turn) - down, 0], 3 * i);
    }
    const rope = makeRope(points, {
        substepCount,
        rope: { startMass: light, endMass: heavy, linearDensity: 0.05 },
        fabric: { friction, thickness },
    });
    addPost(rope, radius);
    return rope;
}
