// Motion relative to an anchor: trains, lifts, turntables, at even and uneven frames.
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import type { Scene } from "@babylonjs/core/scene";
import { ClothBehavior, ClothFiles, PlantBehavior, RopeBehavior, select, Wind } from "babylon-cloth";
import type { InertiaOptions } from "babylon-cloth";
import { afterEach, describe, expect, test } from "@jest/globals";
import { seededRandom } from "../../random";
import { disposeWorlds, makeWorld, worldVertices } from "./harness";

afterEach(disposeWorlds);

const G = 9.81;
const DEGREE = Math.PI / 180;
const random = seededRandom(7);
/** Lengths of frames [s]. */
const PACES: readonly (readonly [string, () => number])[] = [
    ["60 Hz", () => 1 / 60],
    ["59.94 Hz", () => 1 / 59.94],
    ["144 Hz", () => 1 / 144],
    ["jitter", () => 0.004 + 0.03 * random()],
];

interface Ride {
    readonly scene: Scene;
    readonly train: TransformNode;
    readonly mesh: Mesh;
    readonly cloth: ClothBehavior;
    /** Lets time pass. @param move puts the train where it is at a time [s] since the start */
    run(seconds: number, pace: () => number, move: (time: number) => void, look?: () => void): void;
}

/** @param lay where the sheet lies or hangs */
async function ride(
    lay: (mesh: Mesh, train: TransformNode, cloth: ClothBehavior) => void,
    inertia: InertiaOptions | null = {},
    wind: Wind | null = null,
): Promise<Ride> {
    const { scene, frame } = makeWorld();
    const train = new TransformNode("train", scene);
    const mesh = MeshBuilder.CreateGround("sheet", { width: 1, height: 0.8, subdivisions: 8 }, scene);
    const cloth = new ClothBehavior({ wind, inertia: inertia && { anchor: train, ...inertia } });
    lay(mesh, train, cloth);
    mesh.addBehavior(cloth);
    await cloth.whenReady();
    let time = 0;
    return {
        scene,
        train,
        mesh,
        cloth,
        run(seconds, pace, move, look) {
            for (const end = time + seconds; time < end;) {
                const length = pace();
                time += length;
                move(time);
                frame(1000 * length);
                look?.();
            }
        },
    };
}

/** Hangs in the plane across x, 2 m up. */
function hang(mesh: Mesh, train: TransformNode, cloth: ClothBehavior): void {
    mesh.parent = train;
    mesh.rotation.z = -Math.PI / 2;
    mesh.position.y = 2;
    cloth.pin(select.edge("-x"), train);
}

/** Lies on a floor that goes along. */
function lie(mesh: Mesh, train: TransformNode, cloth: ClothBehavior): void {
    mesh.position.y = 0.01;
    const floor = MeshBuilder.CreateBox("floor", { width: 4, height: 0.2, depth: 4 }, mesh.getScene());
    floor.parent = train;
    floor.position.y = -0.1;
    cloth.addCollider(floor);
}

/** Mean place of the particles in the train's frame [m]. */
function middleOf({ cloth, train }: Ride): Vector3 {
    const points = cloth.getParticlePositions();
    const sum = new Vector3();
    for (let i = 0; i < points.length; i += 3) sum.addInPlaceFromFloats(points[i], points[i + 1], points[i + 2]);
    sum.scaleInPlace(3 / points.length);
    return Vector3.TransformCoordinates(sum, train.computeWorldMatrix(true).clone().invert());
}

/** Lean of what hangs from 2.5 m, towards -x [degrees]. */
function leanOf(trip: Ride): number {
    const { x, y } = middleOf(trip);
    return Math.atan2(-x, 2.5 - y) / DEGREE;
}

describe.each(PACES)("at %s", (_, pace) => {
    test("a curtain in a train at a steady 30 m/s hangs straight and sleeps", async () => {
        const trip = await ride(hang);
        trip.run(20, pace, (t) => void (trip.train.position.x = 30 * t));
        expect(Math.abs(leanOf(trip))).toBeLessThan(0.5);
        expect(trip.cloth.stats.isAsleep).toBe(true);
        // And is carried along as it is.
        const before = middleOf(trip);
        trip.run(12, pace, (t) => void (trip.train.position.x = 30 * t));
        expect(Vector3.Distance(middleOf(trip), before)).toBeLessThan(2e-3);
        expect(trip.cloth.stats.isAsleep).toBe(true);
        // Until it brakes.
        const speed = (t: number): number => 30 * Math.min(t, 32) + (t > 32 ? 30 * (t - 32) - 2 * (t - 32) ** 2 : 0);
        trip.run(0.5, pace, (t) => void (trip.train.position.x = speed(t)));
        expect(trip.cloth.stats.isAsleep).toBe(false);
        expect(leanOf(trip)).toBeLessThan(-1);
        expect(Math.abs(leanOf(trip))).toBeLessThan(45);
    });

    test.each([
        [1, Math.atan(3 / G) / DEGREE],
        [0.5, Math.atan(1.5 / G) / DEGREE],
        [0, 0],
    ])("accelerating at 3 m/s² with linear %d it leans by %d degrees", async (linear, degrees) => {
        const trip = await ride(
            (mesh, train, cloth) => {
                hang(mesh, train, cloth);
                cloth.fabric = { ...cloth.fabric, damping: 3 };
            },
            { linear },
        );
        trip.run(14, pace, (t) => void (trip.train.position.x = 1.5 * t * t));
        expect(Math.abs(leanOf(trip) - degrees)).toBeLessThan(1);
    });

    test("a blanket stays on the floor of a train and of a lift, and sleeps", async () => {
        for (const velocity of [new Vector3(30, 0, 0), new Vector3(0, -20, 0)]) {
            const trip = await ride(lie);
            trip.run(1, pace, () => {});
            const before = middleOf(trip);
            // Drawn, too.
            let farthest = 0;
            const look = (): void => {
                const drawn = worldVertices(trip.mesh);
                const place = new Vector3(drawn[0], drawn[1], drawn[2]).subtractInPlace(trip.train.position);
                farthest = Math.max(farthest, Vector3.Distance(place, new Vector3(-0.5, place.y, 0.4)), Math.abs(place.y));
            };
            trip.run(10, pace, (t) => void trip.train.position.copyFrom(velocity.scale(t - 1)), look);
            expect(Vector3.Distance(middleOf(trip), before)).toBeLessThan(0.02);
            expect(farthest).toBeLessThan(0.03);
            expect(trip.cloth.stats.isAsleep).toBe(true);
        }
    });

    test("on a turntable it feels the share of the rotation that it is told", async () => {
        for (const angular of [0, 1]) {
            const trip = await ride(
                (mesh, train, cloth) => {
                    hang(mesh, train, cloth);
                    mesh.position.x = -0.9;
                    cloth.fabric = { ...cloth.fabric, damping: 3 };
                },
                { angular, linear: angular },
            );
            trip.run(14, pace, (t) => void (trip.train.rotation.y = 2 * Math.max(0, t - 0.5)));
            const { x, y } = middleOf(trip);
            // ω² r / g at its middle.
            const degrees = angular === 0 ? 0 : Math.atan((4 * Math.abs(x)) / G) / DEGREE;
            expect(Math.abs(Math.atan2(-0.9 - x, 2.5 - y) / DEGREE - degrees)).toBeLessThan(angular === 0 ? 0.5 : 3);
        }
    });

    test("the air goes along in a cabin, and not on a deck", async () => {
        const leans = [];
        for (const air of [1, 0]) {
            const trip = await ride(hang, { air }, new Wind());
            trip.run(20, pace, (t) => void (trip.train.position.x = 8 * t));
            leans.push(leanOf(trip));
        }
        expect(Math.abs(leans[0])).toBeLessThan(0.5);
        expect(leans[1]).toBeGreaterThan(20);
    });

    test("beyond the maxima motion carries and is not felt, with an anchor and without", async () => {
        const lean = async (speed: number, inertia: InertiaOptions | null): Promise<number> => {
            const trip = await ride(hang, inertia, new Wind());
            trip.run(12, pace, (t) => void (trip.train.position.x = speed * t));
            return leanOf(trip);
        };
        const slow = await lean(2, null);
        const fast = await lean(12, null);
        expect(fast).toBeGreaterThan(slow + 20);
        expect(Math.abs((await lean(12, { anchor: null, maxSpeed: 2 })) - slow)).toBeLessThan(3);
        expect(Math.abs((await lean(12, { air: 0, maxSpeed: 2 })) - slow)).toBeLessThan(3);
    });
});

test("what is attached in a moving train moves with it", async () => {
    const trip = await ride(hang, null);
    trip.run(1, PACES[0][1], (t) => void (trip.train.position.x = 20 * t));
    trip.mesh.removeBehavior(trip.cloth);
    trip.cloth.inertia = { anchor: trip.train };
    trip.mesh.addBehavior(trip.cloth);
    await trip.cloth.whenReady();
    let most = 0;
    trip.run(
        1,
        PACES[0][1],
        (t) => void (trip.train.position.x = 20 * t),
        () => (most = Math.max(most, Math.abs(leanOf(trip)))),
    );
    expect(most).toBeLessThan(3);
});

test("a late frame on an anchor flings nothing", async () => {
    for (const late of [0.25, 1, 3]) {
        const trip = await ride(lie);
        const move = (t: number): void => void (trip.train.position.x = 15 * t);
        trip.run(2, PACES[0][1], move);
        const before = middleOf(trip);
        trip.run(late, () => late, move);
        trip.run(1, PACES[0][1], move);
        expect(Vector3.Distance(middleOf(trip), before)).toBeLessThan(0.02);
    }
});

test("an anchor that jumps takes along what has no pins", async () => {
    const trip = await ride(lie);
    trip.run(1, PACES[0][1], () => {});
    const before = middleOf(trip);
    trip.run(0.5, PACES[0][1], () => void trip.train.position.set(500, 3, -80));
    expect(Vector3.Distance(middleOf(trip), before)).toBeLessThan(0.005);
});

test("ropes and plants ride, too", async () => {
    const { scene, frame } = makeWorld();
    const train = new TransformNode("train", scene);
    const ropeMesh = MeshBuilder.CreateTube("rope", { path: [new Vector3(0, 2, 0), new Vector3(0, 1, 0)], radius: 0.02 }, scene);
    const rope = new RopeBehavior({ start: train, wind: null, inertia: { anchor: train } });
    ropeMesh.addBehavior(rope);
    const stalk = MeshBuilder.CreateCylinder("stalk", { height: 1, diameter: 0.03, subdivisions: 8 }, scene);
    stalk.position.set(0, 0.5, 0);
    const plant = new PlantBehavior({
        pins: [{ select: select.edge("-y"), target: train }],
        wind: null,
        inertia: { anchor: train },
    });
    stalk.addBehavior(plant);
    await Promise.all([rope.whenReady(), plant.whenReady()]);
    for (let f = 1; f < 900; f++) {
        train.position.x = (25 * f) / 60;
        frame();
    }
    for (const body of [rope, plant]) {
        const points = body.getParticlePositions();
        for (let i = 0; i < points.length; i += 3) expect(Math.abs(points[i] - train.position.x)).toBeLessThan(0.06);
    }
});

test("a copied train has its own curtain, which rides on the copy", async () => {
    const trip = await ride(hang);
    const copy = trip.train.clone("train2", null)!;
    trip.run(0.1, PACES[0][1], () => {});
    const mesh = copy.getChildMeshes()[0];
    const cloth = mesh.getBehaviorByName("Cloth") as unknown as ClothBehavior;
    expect(cloth.inertia!.anchor).toBe(copy);
    expect(trip.cloth.inertia!.anchor).toBe(trip.train);
});

test("files keep it", async () => {
    const { cloth, scene, train } = await ride(hang, { linear: 0.5, maxSpeed: 4 });
    const data = JSON.parse(JSON.stringify(ClothFiles.serialize(cloth)));
    const read = ClothFiles.parse(data, scene) as ClothBehavior;
    expect(read.inertia).toEqual({ anchor: train, linear: 0.5, angular: 1, air: 1, maxSpeed: 4, maxAngularSpeed: Infinity });
});

test("errors name the option, and a disposed anchor is the world", async () => {
    const make = (inertia: unknown) => () => new ClothBehavior({ inertia: inertia as InertiaOptions });
    expect(make({ anker: null })).toThrow(
        'ClothBehavior: inertia: unknown option "anker"; the options are anchor, linear, angular, air, maxSpeed, maxAngularSpeed',
    );
    expect(make({ linear: 2 })).toThrow("ClothBehavior: inertia.linear must be a number from 0 to 1, got 2");
    expect(make({ maxSpeed: -1 })).toThrow("ClothBehavior: inertia.maxSpeed must be a number >= 0");
    expect(make({ anchor: {} })).toThrow("ClothBehavior: inertia.anchor must be a TransformNode");
    expect(make(3)).toThrow("ClothBehavior: inertia must be an object or null, got 3");
    const trip = await ride(lie);
    trip.run(1, PACES[0][1], (t) => void (trip.train.position.x = t));
    trip.train.dispose();
    trip.run(0.2, PACES[0][1], () => {});
    expect(trip.cloth.getParticlePositions().every(Number.isFinite)).toBe(true);
});
