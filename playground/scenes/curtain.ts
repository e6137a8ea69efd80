import * as BABYLON from "../babylon/shapes";
import * as BABYLONCLOTH from "babylon-cloth";

/** Two curtains on a rail. Their rings are TransformNodes that carry the pins; moving the rings draws the curtains. */
export function create(scene: BABYLON.Scene) {
    const railHeight = 2.75;
    const ringCount = 13;
    const clothWidth = 2.5;
    const left = hangCurtain(scene, "left curtain", -1.3, clothWidth, railHeight, ringCount);
    const right = hangCurtain(scene, "right curtain", 1.3, clothWidth, railHeight, ringCount);

    /** Places the rings for a time [s]: from flat into pleats at first, then to and fro between closed and open. */
    function update(time: number) {
        const pleated = Math.min(time / 1.5, 1);
        const open = time < 2.5 ? 0 : 0.5 - 0.5 * Math.cos((time - 2.5) * 0.4);
        const width = clothWidth + (1.75 - 1.25 * open - clothWidth) * pleated;
        const depth = pleated * (0.1 + 0.06 * open);
        for (let i = 0; i < ringCount; i++) {
            const share = i / (ringCount - 1);
            const z = (i % 2 === 0 ? 0.5 : -0.5) * depth;
            left.rings[i].position.set(-1.8 - 0.75 * (1 - pleated) + share * width, railHeight, z);
            right.rings[i].position.set(1.8 + 0.75 * (1 - pleated) - (1 - share) * width, railHeight, z);
        }
    }

    return { cloths: [left.cloth, right.cloth], curtains: [left.curtain, right.curtain], rings: [...left.rings, ...right.rings], railHeight, update };
}

function hangCurtain(scene: BABYLON.Scene, name: string, centre: number, width: number, railHeight: number, ringCount: number) {
    const height = 2.65;
    const curtain = BABYLON.MeshBuilder.CreateGround(name, { width, height, subdivisionsX: 72, subdivisionsY: 60 }, scene);
    curtain.position.set(centre, railHeight - height / 2, 0);
    curtain.rotation.x = -Math.PI / 2;

    const cloth = new BABYLONCLOTH.ClothBehavior({
        fabric: { ...BABYLONCLOTH.Fabrics.cotton, damping: 1.5 },
        wind: new BABYLONCLOTH.Wind({ velocity: new BABYLON.Vector3(0, 0, -0.8), turbulence: 0.4 }),
    });
    const rings = Array.from({ length: ringCount }, (_, i) => {
        const x = (i / (ringCount - 1) - 0.5) * width;
        const ring = new BABYLON.TransformNode("ring", scene);
        ring.position.set(centre + x, railHeight, 0);
        cloth.pin(BABYLONCLOTH.select.near(new BABYLON.Vector3(x, 0, height / 2), 0.03), ring);
        return ring;
    });
    curtain.addBehavior(cloth);

    return { curtain, cloth, rings };
}
