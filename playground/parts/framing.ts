import * as BABYLON from "../babylon";

/** A box [m]: its lowest and its highest corner. */
export type Box = [low: number[], high: number[]];

/**
 * Keeps boxes in sight, whatever the shape of the canvas. A page that covers its edges says so in `scene.metadata.margins`: left,
 * right, top and bottom in CSS pixels. The lens is shifted so that the camera's axis meets the middle of what is left free, and
 * the distance is chosen so that the boxes fill it. Turning and zooming stay the user's; a new shape keeps both.
 */
export function frame(scene: BABYLON.Scene, camera: BABYLON.ArcRotateCamera, boxes: Box[]) {
    const canvas = scene.getEngine().getRenderingCanvas()!;
    const corners = boxes.flatMap((box) =>
        Array.from({ length: 8 }, (_, i) => new BABYLON.Vector3(box[i & 1][0], box[(i >> 1) & 1][1], box[i >> 2][2])),
    );
    const low = corners.reduce((least, corner) => BABYLON.Vector3.Minimize(least, corner));
    const high = corners.reduce((most, corner) => BABYLON.Vector3.Maximize(most, corner));
    camera.target = low.add(high).scale(0.5);

    // Seen from the camera's first direction, target in the middle: to the right, upwards, away.
    const away = new BABYLON.Vector3(
        -Math.cos(camera.alpha) * Math.sin(camera.beta),
        -Math.cos(camera.beta),
        -Math.sin(camera.alpha) * Math.sin(camera.beta),
    );
    const right = BABYLON.Vector3.Cross(BABYLON.Vector3.Up(), away).normalize();
    const up = BABYLON.Vector3.Cross(away, right);
    const points = corners.map((corner) => {
        const arm = corner.subtract(camera.target);
        return [BABYLON.Vector3.Dot(arm, right), BABYLON.Vector3.Dot(arm, up), BABYLON.Vector3.Dot(arm, away)];
    });

    let shape = "";
    let fitted = { distance: camera.radius, x: 0, y: 0 };
    scene.onBeforeRenderObservable.add(() => {
        const { clientWidth: width, clientHeight: height } = canvas;
        const { left = 0, right = 0, top = 0, bottom = 0 } = scene.metadata?.margins ?? {};
        const now = [width, height, left, right, top, bottom].join();
        if (now !== shape && left + right < width && top + bottom < height) {
            const zoom = shape ? camera.radius / fitted.distance : 1;
            shape = now;
            const wide = 1 - (left + right) / width;
            const high = 1 - (top + bottom) / height;
            fitted = fit(points, [wide, high], width / height, camera.fov);
            shiftLens(camera, (left - right) / width, (bottom - top) / height);
            camera.lowerRadiusLimit = 0.3 * fitted.distance;
            camera.upperRadiusLimit = 3 * fitted.distance;
            camera.radius = zoom * fitted.distance;
        }
        const scale = camera.radius / fitted.distance;
        camera.targetScreenOffset.set(scale * fitted.x, scale * fitted.y);
    });
}

/** Moves the middle of the picture, from where it was: x to the right, y upwards, in halves of the canvas. */
function shiftLens(camera: BABYLON.Camera, x: number, y: number) {
    camera.unfreezeProjectionMatrix();
    const lens = camera.getProjectionMatrix(true).clone();
    lens.addAtIndex(8, x);
    lens.addAtIndex(9, y);
    camera.freezeProjectionMatrix(lens);
}

/**
 * The least distance from the target at which points are seen within the middle of the picture, and how far the camera is shifted.
 * A point x, y, z (right, up, away) is seen at s (x + shift) / (distance + z), where s is the picture's scale: linear in both unknowns.
 * @param limits how far from the middle points may be seen, over x and y, each 0 to 1
 * @param fov angle from the picture's bottom to its top [radians]
 */
export function fit(points: number[][], limits: number[], aspect: number, fov: number) {
    const scaleY = 1 / Math.tan(fov / 2);
    const ends = [scaleY / aspect, scaleY].map((scale, axis) => {
        // -limit (distance + z) <= scale (p + shift) <= limit (distance + z)
        const least = Math.min(...points.map((point) => scale * point[axis] + limits[axis] * point[2]));
        const most = Math.max(...points.map((point) => scale * point[axis] - limits[axis] * point[2]));
        return { distance: (most - least) / (2 * limits[axis]), shift: -(least + most) / (2 * scale) };
    });
    const [x, y] = ends.map(({ shift }) => shift);
    return { distance: Math.max(...ends.map(({ distance }) => distance)), x, y };
}
