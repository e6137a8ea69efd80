import { massPropertiesOf, tetrahedronOf, RigidBody, defaultRigidBody } from "../../src/engine/index";
import type { MassProperties } from "../../src/engine/rigidbody/massProperties";
import type { ContactSolver, RigidBodyMaterial, RigidBodySettings, Vector, World } from "../../src/engine/index";
import type { Sheet } from "./meshes";
import { at, kernelsOf, setVelocity, settingsOf } from "./support";
import type { ClothOptions } from "./support";

/** What a test sets about a rigid body; the rest is as in {@link ClothOptions}, 1 kg. */
export interface RigidBodyOptions extends Omit<ClothOptions, "tetherSlack" | "threads" | "pinned"> {
    body?: Partial<RigidBodyMaterial>;
    /** What it may touch. */
    pile?: ContactSolver;
}

/** A box of half extents about a centre, turned about z by an angle [rad]. */
export function box(half: Vector, centre: Vector = [0, 0, 0], angle = 0): Sheet {
    const positions = Float32Array.from({ length: 24 }, (_, k) => {
        const [i, c] = [Math.floor(k / 3), k % 3];
        const x = i & 1 ? half[0] : -half[0];
        const y = i & 2 ? half[1] : -half[1];
        const z = i & 4 ? half[2] : -half[2];
        const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
        return centre[c] + [x * cos - y * sin, x * sin + y * cos, z][c];
    });
    const faces = [
        [0, 2, 3, 1],
        [4, 5, 7, 6],
        [0, 1, 5, 4],
        [2, 6, 7, 3],
        [0, 4, 6, 2],
        [1, 3, 7, 5],
    ];
    return { positions, triangles: Uint32Array.from(faces.flatMap(([a, b, c, d]) => [a, b, c, a, c, d])) };
}

/** A ball of so many rings. */
export function ball(radius: number, centre: Vector, rings = 12): Sheet {
    const sectors = 2 * rings;
    const positions: number[] = [centre[0], centre[1] + radius, centre[2]];
    for (let i = 1; i < rings; i++)
        for (let j = 0; j < sectors; j++) {
            const [t, u] = [(Math.PI * i) / rings, (2 * Math.PI * j) / sectors];
            positions.push(
                centre[0] + radius * Math.sin(t) * Math.cos(u),
                centre[1] + radius * Math.cos(t),
                centre[2] + radius * Math.sin(t) * Math.sin(u),
            );
        }
    positions.push(centre[0], centre[1] - radius, centre[2]);
    const last = positions.length / 3 - 1;
    const triangles: number[] = [];
    const ring = (i: number, j: number): number => (i === 0 ? 0 : i === rings ? last : 1 + (i - 1) * sectors + (j % sectors));
    for (let i = 0; i < rings; i++)
        for (let j = 0; j < sectors; j++) {
            if (i > 0) triangles.push(ring(i, j), ring(i, j + 1), ring(i + 1, j));
            if (i < rings - 1) triangles.push(ring(i, j + 1), ring(i + 1, j + 1), ring(i + 1, j));
        }
    return { positions: Float32Array.from(positions), triangles: Uint32Array.from(triangles) };
}

/** A rigid body of a closed mesh; its point i is particle i + 4. */
export function makeRigidBody({ positions, triangles }: Sheet, options: RigidBodyOptions = {}): RigidBody {
    return makeBody(massPropertiesOf(positions, triangles), positions, triangles, options);
}

function makeBody(
    properties: MassProperties,
    positions: Float32Array,
    triangles: Uint32Array,
    options: RigidBodyOptions,
): RigidBody {
    const { body, pile, ...rest } = options;
    const volume = Math.abs(properties.volume);
    const settings: RigidBodySettings = { ...settingsOf(rest), body: { ...defaultRigidBody(), mass: 1, volume, ...body } };
    const particles = Float32Array.from([...tetrahedronOf(properties), ...positions]);
    const made = new RigidBody(
        kernelsOf(),
        particles,
        positions.length / 3,
        triangles.map((v) => v + 4),
        settings,
        undefined,
        pile,
    );
    made.prepare();
    return made;
}

/** A ball as a body: its middle, kept off by its radius. */
export function makeBall(radius: number, centre: Vector, options: RigidBodyOptions = {}): RigidBody {
    const r = radius / Math.sqrt(5);
    const properties = {
        volume: 1,
        centre: Float64Array.from(centre),
        axes: Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1),
        moments: Float64Array.of(r * r, r * r, r * r),
    };
    return makeBody(properties, Float32Array.from(centre), new Uint32Array(), {
        ...options,
        fabric: { thickness: radius, ...options.fabric },
    });
}

/** Centre of mass [m]. */
export function centreOf(body: RigidBody): Vector {
    const sum: [number, number, number] = [0, 0, 0];
    for (let i = 0; i < 4; i++) at(body, i).forEach((x, c) => (sum[c] += x / 4));
    return sum;
}

/** Sets it moving: velocity of the centre [m/s], and turning rate [rad/s]. */
export function setMotion(body: RigidBody, velocity: Vector, rate: Vector = [0, 0, 0]): void {
    const centre = centreOf(body);
    for (let i = 0; i < 4; i++) {
        const [x, y, z] = at(body, i).map((a, c) => a - centre[c]);
        setVelocity(body, i, [
            velocity[0] + rate[1] * z - rate[2] * y,
            velocity[1] + rate[2] * x - rate[0] * z,
            velocity[2] + rate[0] * y - rate[1] * x,
        ]);
    }
}

/** Takes steps of all bodies of a world together. */
export function runTogether(world: World, bodies: readonly RigidBody[], seconds: number): void {
    for (let step = 0; step < Math.round(60 * seconds); step++) {
        for (const body of bodies) {
            body.clock.frameSeconds = 1 / 60;
            body.beginFrame();
        }
        world.advance(bodies);
        for (const body of bodies) body.endFrame();
    }
}
