// Hands: pointers and XR controllers that hold cloth.
import "@babylonjs/core/Culling/ray";
import { ArcRotateCamera } from "@babylonjs/core/Cameras/arcRotateCamera";
import type { Ray } from "@babylonjs/core/Culling/ray";
import { PointerEventTypes, PointerInfo } from "@babylonjs/core/Events/pointerEvents";
import "@babylonjs/core/Materials/standardMaterial";
import { Matrix, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { Observable } from "@babylonjs/core/Misc/observable";
import { afterEach, expect, jest, test } from "@jest/globals";
import { ClothBehavior, ClothPicker, ClothTearing, select } from "../../../src/index";
import type { ClothHover, ClothPickerOptions, XRHands } from "../../../src/index";
import { disposeWorlds, FRAME, makeWorld, messageOf } from "./harness";

afterEach(() => {
    disposeWorlds();
    jest.restoreAllMocks();
});

/** A square metre that hangs by its upper edge, seen from 10 m; pointers are told where they point in the plane of the cloth. */
function setUp(options: ClothPickerOptions = {}) {
    const world = makeWorld();
    const { scene, camera, frame } = world;
    const mesh = MeshBuilder.CreateGround("sheet", { width: 1, height: 1, subdivisions: 12 }, scene);
    mesh.rotation.x = -Math.PI / 2;
    const cloth = new ClothBehavior({ pins: [{ select: select.edge("+z") }] });
    mesh.addBehavior(cloth);
    const picker = new ClothPicker(scene, options);
    frame();
    const pointer = (type: number, x: number, y: number, pointerId = 1, button = 0): void => {
        const { width, height } = { width: 512, height: 256 };
        const seen = Vector3.Project(
            new Vector3(x, y, 0),
            Matrix.IdentityReadOnly,
            scene.getTransformMatrix(),
            camera.viewport.toGlobal(width, height),
        );
        scene.pointerX = seen.x;
        scene.pointerY = seen.y;
        const info = scene.pick(seen.x, seen.y);
        scene.onPointerObservable.notifyObservers(new PointerInfo(type, { pointerId, button } as PointerEvent, info));
    };
    const { POINTERDOWN: down, POINTERMOVE: move, POINTERUP: up } = PointerEventTypes;
    return { ...world, mesh, cloth, picker, pointer, down, move, up };
}

test("a pointer drags cloth, which follows, and lets it go with its speed", () => {
    const { pointer, picker, cloth, frame, down, move, up } = setUp();
    const told: string[] = [];
    picker.onGrabObservable.add(() => told.push("grab"));
    picker.onReleaseObservable.add(() => told.push("release"));
    pointer(down, 0.02, -0.4);
    expect(picker.grips).toHaveLength(1);
    const [grip] = picker.grips;
    expect(grip.cloth).toBe(cloth);
    for (let i = 1; i <= 30; i++) {
        pointer(move, 0.02 + 0.01 * i, -0.4 + 0.01 * i);
        frame();
    }
    expect(grip.point.x).toBeCloseTo(0.32, 1);
    expect(grip.point.y).toBeCloseTo(-0.1, 1);
    const { particleCount } = cloth;
    const before = cloth.getParticlePositions().slice();
    pointer(up, 0.32, -0.1);
    expect(picker.grips).toEqual([]);
    frame();
    const after = cloth.getParticlePositions();
    let fastest = 0;
    for (let p = 0; p < particleCount; p++) {
        const speed = (after[3 * p] - before[3 * p]) / (FRAME / 1000);
        fastest = Math.max(fastest, speed);
    }
    expect(fastest).toBeGreaterThan(0.4);
    expect(fastest).toBeLessThan(3);
    expect(cloth.pins).toHaveLength(1);
    expect(told).toEqual(["grab", "release"]);
});

test("pulled beyond its reach the hand lags behind, and the cloth stays sound; where it may, it tears", () => {
    const pull = (maxStretch: number, strain: number) => {
        const { pointer, picker, cloth, mesh, frame, down, move } = setUp({ maxStretch });
        const tearing = new ClothTearing({ strain });
        mesh.addBehavior(tearing);
        pointer(down, 0, -0.45);
        let largest = 0;
        for (let i = 0; i < 120; i++) {
            pointer(move, 0, -0.45 - 0.02 * i);
            frame();
            largest = Math.max(largest, cloth.stats.maxStretch);
        }
        return { largest, point: picker.grips[0]?.point, cloth };
    };
    const held = pull(0.1, 0.3);
    expect(held.largest).toBeLessThan(0.2);
    expect(held.point!.y).toBeGreaterThan(-0.75);
    expect(held.cloth.particleCount).toBe(169);
    const torn = pull(Infinity, 0.3);
    expect(torn.cloth.particleCount).toBeGreaterThan(169);
});

test("each finger holds for itself; other buttons and other meshes are passed over", () => {
    const { pointer, picker, scene, frame, down, up, move } = setUp();
    const box = MeshBuilder.CreateBox("box", { size: 0.4 }, scene);
    box.position.set(2, 0, 0);
    frame();
    pointer(down, 2, 0);
    pointer(down, 0, 0, 1, 2);
    expect(picker.grips).toEqual([]);
    pointer(down, -0.3, -0.3, 1);
    pointer(down, 0.3, -0.3, 2);
    expect(picker.grips).toHaveLength(2);
    pointer(move, 0.4, -0.2, 2);
    pointer(up, -0.3, -0.3, 1, 2);
    expect(picker.grips).toHaveLength(2);
    pointer(up, -0.3, -0.3, 1);
    expect(picker.grips).toHaveLength(1);
    picker.enabled = false;
    expect(picker.grips).toEqual([]);
    pointer(down, 0, 0);
    expect(picker.grips).toEqual([]);
    picker.enabled = true;
    pointer(down, 0, 0);
    picker.dispose();
    picker.dispose();
    expect(picker.grips).toEqual([]);
    pointer(down, 0, 0);
    expect(picker.grips).toEqual([]);
    expect(scene.transformNodes).toEqual([]);
});

test("hovering is told once for each cloth, and costs nothing while no one listens", () => {
    const { pointer, picker, cloth, move, scene } = setUp();
    const hovers: (ClothHover | null)[] = [];
    const observer = picker.onHoverObservable.add((hover) => hovers.push(hover));
    pointer(move, 0, 0);
    pointer(move, 0.1, 0);
    pointer(move, 3, 0);
    pointer(move, 3, 0.1);
    expect(hovers.map((hover) => hover?.cloth ?? null)).toEqual([cloth, null]);
    expect(hovers[0]!.point.x).toBeCloseTo(0, 2);
    picker.onHoverObservable.remove(observer);
    const info = new PointerInfo(move, { pointerId: 1 } as PointerEvent, null);
    const pick = jest.spyOn(scene, "pick");
    scene.onPointerObservable.notifyObservers(info);
    expect(pick).not.toHaveBeenCalled();
});

test("the camera waits while cloth is held", () => {
    const { pointer, scene, frame, down, up } = setUp();
    const camera = new ArcRotateCamera("orbit", -Math.PI / 2, Math.PI / 2, 10, Vector3.Zero(), scene);
    scene.activeCamera = camera;
    frame();
    let attached = true;
    Object.defineProperty(camera.inputs, "attachedToElement", { get: () => attached, set() {} });
    jest.spyOn(camera, "detachControl").mockImplementation(() => (attached = false));
    jest.spyOn(camera, "attachControl").mockImplementation(() => void (attached = true));
    pointer(down, 0, 0);
    expect(attached).toBe(false);
    pointer(up, 0, 0);
    expect(attached).toBe(true);
});

test("where another camera picks for the pointers, the hand moves in its plane", () => {
    const { pointer, picker, scene, camera, frame, down, move } = setUp();
    scene.cameraToUseForPointers = camera;
    const other = new ArcRotateCamera("other", -1, Math.PI / 2, 10, Vector3.Zero(), scene);
    frame();
    pointer(down, 0, 0);
    // A frame ends with another camera as the active one where there are several.
    scene.activeCamera = other;
    pointer(move, 0.02, 0);
    scene.activeCamera = camera;
    frame(FRAME, 30);
    expect(picker.grips[0].point.x / 0.02).toBeCloseTo(1, 1);
});

test("a controller's main button holds what its ray meets, and carries it", () => {
    const { picker, cloth, scene, frame } = setUp();
    const pointer = new TransformNode("pointer", scene);
    pointer.position.set(0.1, -0.3, -2);
    const onButtonStateChangedObservable = new Observable<{ pressed: boolean }>();
    const onMotionControllerInitObservable = new Observable<unknown>();
    const controller = {
        pointer,
        onMotionControllerInitObservable,
        getWorldPointerRayToRef(ray: Ray) {
            ray.origin.copyFrom(pointer.getAbsolutePosition());
            ray.direction.set(0, 0, 1);
            ray.length = 100;
        },
    };
    const [onControllerAddedObservable, onControllerRemovedObservable] = [new Observable<unknown>(), new Observable<unknown>()];
    picker.addXR({ controllers: [], onControllerAddedObservable, onControllerRemovedObservable } as unknown as XRHands);
    onControllerAddedObservable.notifyObservers(controller);
    onMotionControllerInitObservable.notifyObservers({ getMainComponent: () => ({ onButtonStateChangedObservable }) });
    onButtonStateChangedObservable.notifyObservers({ pressed: true });
    expect(picker.grips.map((grip) => grip.cloth)).toEqual([cloth]);
    for (let i = 0; i < 20; i++) {
        pointer.position.y += 0.01;
        frame();
    }
    expect(picker.grips[0].point.y).toBeCloseTo(-0.1, 2);
    expect(picker.grips[0].point.z).toBeCloseTo(0, 1);
    onButtonStateChangedObservable.notifyObservers({ pressed: false });
    expect(picker.grips).toEqual([]);
    onButtonStateChangedObservable.notifyObservers({ pressed: true });
    onControllerRemovedObservable.notifyObservers(controller);
    expect(picker.grips).toEqual([]);
    expect(onButtonStateChangedObservable.hasObservers()).toBe(false);
});

test("a mesh that goes takes the hand along; wrong input is told", () => {
    const { picker, cloth, mesh, scene, frame } = setUp();
    const grip = picker.grab(cloth, Vector3.Zero())!;
    expect(messageOf(() => grip.moveTo(new Vector3(NaN, 0, 0)))).toContain("ClothGrip: moveTo(point).x must be");
    expect(messageOf(() => picker.grab(cloth, new Vector3(NaN, 0, 0)))).toContain("ClothPicker: grab(point).x must be");
    expect(messageOf(() => picker.grab(mesh as never, Vector3.Zero()))).toContain(
        "ClothPicker: grab(cloth) must be a ClothBehavior",
    );
    expect(messageOf(() => picker.grab(cloth, Vector3.Zero(), {} as never))).toContain("ClothPicker: grab(carrier) must be");
    expect(picker.grips).toEqual([grip]);
    mesh.dispose();
    frame();
    expect(picker.grips).toEqual([]);
    expect(picker.grab(cloth, Vector3.Zero())).toBeNull();
    expect(messageOf(() => new ClothPicker({} as never))).toBe("ClothPicker: scene must be a Scene, got an object (Object)");
    expect(messageOf(() => new ClothPicker(scene, { radius: -1 }))).toContain("ClothPicker: radius must be");
    expect(messageOf(() => new ClothPicker(scene, { maxStretch: 0 }))).toContain("ClothPicker: maxStretch must be");
    expect(messageOf(() => new ClothPicker(scene, { hold: 1 } as never))).toContain('ClothPicker: unknown option "hold"');
});
