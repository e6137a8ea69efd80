import type { Ray } from "@babylonjs/core/Culling/ray";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import type { Observable } from "@babylonjs/core/Misc/observable";
import type { WebXRAbstractMotionController } from "@babylonjs/core/XR/motionController/webXRAbstractMotionController";
import type { WebXRInputSource } from "@babylonjs/core/XR/webXRInputSource";
import type { VectorLike } from "../../engine/index";
import type { ClothBehavior } from "../behaviors/clothBehavior";
import type { ClothGrip } from "./grip";

/** A session's controllers: what {@link ClothPicker.addXR} reads of Babylon's WebXRInput. */
export interface XRHands {
    readonly controllers: readonly WebXRInputSource[];
    readonly onControllerAddedObservable: Observable<WebXRInputSource>;
    readonly onControllerRemovedObservable: Observable<WebXRInputSource>;
}

/** Grip of an XR hand on cloth. */
interface HandPicker {
    grab(cloth: ClothBehavior, point: VectorLike, carrier: TransformNode): ClothGrip | null;
    release(grip: ClothGrip): void;
    pick(ray: Ray): { cloth: ClothBehavior; point: VectorLike } | null;
}

/** Has the controllers of a session hold cloth, those that come, too. @returns what ends it */
export function observeControllers(input: XRHands, picker: HandPicker): () => void {
    const hands = new Map<WebXRInputSource, () => void>();
    const add = (controller: WebXRInputSource): void => {
        if (!hands.has(controller)) hands.set(controller, observeController(controller, picker));
    };
    const remove = (controller: WebXRInputSource): void => {
        hands.get(controller)?.();
        hands.delete(controller);
    };
    input.controllers.forEach(add);
    const added = input.onControllerAddedObservable.add(add);
    const removed = input.onControllerRemovedObservable.add(remove);
    return () => {
        input.onControllerAddedObservable.remove(added);
        input.onControllerRemovedObservable.remove(removed);
        for (const controller of [...hands.keys()]) remove(controller);
    };
}

/** One controller: its main button holds what its ray meets, and its pointer carries that. */
function observeController(controller: WebXRInputSource, picker: HandPicker): () => void {
    let grip: ClothGrip | null = null;
    const letGo = (): void => {
        if (grip) picker.release(grip);
        grip = null;
    };
    const press = (isPressed: boolean): void => {
        if (!isPressed) return letGo();
        if (grip) return;
        const ray = controller.pointer.getScene().activeCamera!.getForwardRay();
        controller.getWorldPointerRayToRef(ray);
        const hover = picker.pick(ray);
        if (hover) grip = picker.grab(hover.cloth, hover.point, controller.pointer);
    };
    const ends: (() => void)[] = [letGo];
    const listen = (made: WebXRAbstractMotionController): void => {
        const button = made.getMainComponent();
        const observer = button.onButtonStateChangedObservable.add(({ pressed }) => press(pressed));
        ends.push(() => button.onButtonStateChangedObservable.remove(observer));
    };
    const { motionController } = controller;
    if (motionController) listen(motionController);
    else {
        const { onMotionControllerInitObservable: made } = controller;
        const observer = made.addOnce(listen);
        ends.push(() => made.remove(observer));
    }
    return () => {
        for (const end of ends) end();
    };
}
