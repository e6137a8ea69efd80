import * as BABYLON from "../babylon";
import * as BABYLONCLOTH from "babylon-cloth";
import { makeDisc } from "../parts/disc";
import { solid } from "../parts/fabric";
import { applyTiles, shade, studio } from "../parts/studio";

export const about = {
    title: "Fabrics",
    text: "A curtain and a disc of every named fabric. Discs of 30 cm on pedestals of 18 are Cusick's test of drape.",
    place: 11,
    group: "Tools",
};

type World = ReturnType<typeof create>;
type Name = keyof typeof BABYLONCLOTH.Fabrics;

/** From the softest to the stiffest, the soft ones in front and below. */
const ROWS: Name[][] = [
    ["chiffon", "rubber", "silk", "wool", "nylon", "cotton"],
    ["linen", "denim", "canvas", "leather", "paper"],
];
/** All in metres. Discs stand before the curtains, in rows of their own. */
const PITCH = 0.5;
const DISC = { radius: 0.15, held: 0.09, quads: 20, heights: [0.24, 0.52], behind: [0, 0.32] };
const CURTAIN = { width: 0.46, height: 0.6, gathered: 0.27, heights: [1.3, 2], behind: [0.75, 0.9] };
const RINGS = 7;

/** A curtain on rings and a disc on a pedestal of each named fabric. */
export function create(scene: BABYLON.Scene) {
    const swatches = ROWS.flatMap((names, row) =>
        names.map((name, i) => {
            const x = (i - (names.length - 1) / 2) * PITCH;
            return {
                name,
                x,
                ...stand(scene, name, x, DISC.heights[row], DISC.behind[row]),
                ...hang(scene, name, x, CURTAIN.heights[row], CURTAIN.behind[row]),
            };
        }),
    );

    /** Draws the curtains into pleats. */
    function update(time: number) {
        const share = Math.min(time / 1.2, 1);
        const width = CURTAIN.width + (CURTAIN.gathered - CURTAIN.width) * share;
        for (const { rings, x, depth } of swatches) {
            rings.forEach((ring, i) => {
                ring.position.x = x + (i / (RINGS - 1) - 0.5) * width;
                ring.position.z = depth + (i % 2 === 0 ? 0.03 : -0.03) * share;
            });
        }
    }

    return {
        cloths: swatches.flatMap(({ discCloth, curtainCloth }) => [discCloth, curtainCloth]),
        pedestals: swatches.map(({ pedestal }) => pedestal),
        swatches,
        update,
    };
}

/** A disc that is held by its middle. */
function stand(scene: BABYLON.Scene, name: Name, x: number, y: number, z: number) {
    const pedestal = BABYLON.MeshBuilder.CreateCylinder(
        `pedestal of ${name}`,
        { height: 0.008, diameter: 2 * DISC.held - 0.012 },
        scene,
    );
    pedestal.position.set(x, y - 0.006, z);
    const disc = makeDisc(`disc of ${name}`, DISC.radius, DISC.quads, 0.002, scene);
    disc.position.set(x, y, z);
    const discCloth = new BABYLONCLOTH.ClothBehavior({
        pins: [{ select: (position) => Math.hypot(position.x, position.z) < DISC.held }],
        fabric: { ...BABYLONCLOTH.Fabrics[name], damping: 2 },
    });
    disc.addBehavior(discCloth);
    return { pedestal, disc, discCloth };
}

/** A curtain on rings. */
function hang(scene: BABYLON.Scene, name: Name, x: number, y: number, z: number) {
    const { width, height } = CURTAIN;
    const curtain = BABYLON.MeshBuilder.CreateGround(
        `curtain of ${name}`,
        { width, height, subdivisionsX: 18, subdivisionsY: 20 },
        scene,
    );
    curtain.position.set(x, y - height / 2, z);
    curtain.rotation.x = -Math.PI / 2;
    const curtainCloth = new BABYLONCLOTH.ClothBehavior({ fabric: { ...BABYLONCLOTH.Fabrics[name], damping: 2 } });
    const rings = Array.from({ length: RINGS }, (_, i) => {
        const along = (i / (RINGS - 1) - 0.5) * width;
        const ring = new BABYLON.TransformNode("ring", scene);
        ring.position.set(x + along, y, z);
        curtainCloth.pin(BABYLONCLOTH.select.near(new BABYLON.Vector3(along, 0, height / 2), 0.01), ring);
        return ring;
    });
    curtain.addBehavior(curtainCloth);
    return { curtain, curtainCloth, rings, depth: z };
}

export function decorate(scene: BABYLON.Scene, world: World) {
    const right = 2.5 * PITCH + CURTAIN.width / 2;
    const shadows = studio(scene, {
        boxes: [
            [
                [-right, 0, -DISC.radius],
                [right, CURTAIN.heights[0], CURTAIN.behind[0]],
            ],
            [
                [-right + PITCH / 2, CURTAIN.heights[0], CURTAIN.behind[0]],
                [right - PITCH / 2, CURTAIN.heights[1] + 0.02, CURTAIN.behind[1] + 0.1],
            ],
        ],
        alpha: -1.62,
        beta: 1.3,
        extent: 4,
        sun: [-0.45, -1, 0.6],
    });
    const floor = BABYLON.MeshBuilder.CreateGround("floor", { width: 200, height: 200 }, scene);
    applyTiles(scene, floor);

    const wood = solid(scene, "#4b3a2d", 0.6, 0);
    const brass = solid(scene, "#c99b4b", 0.35, 0.7);
    const rails = ROWS.map((names, row) => {
        const rail = BABYLON.MeshBuilder.CreateCylinder("rail", { height: names.length * PITCH, diameter: 0.014 }, scene);
        rail.rotation.z = Math.PI / 2;
        rail.position.set(0, CURTAIN.heights[row] + 0.008, CURTAIN.behind[row]);
        rail.material = brass;
        return rail;
    });
    const stands = world.swatches.flatMap(({ name, pedestal, disc, curtain }) => {
        disc.material = curtain.material = BABYLONCLOTH.FabricMaterials.create(name, scene);
        pedestal.material = wood;
        const { x, y, z } = disc.position;
        const cap = BABYLON.MeshBuilder.CreateCylinder("cap", { height: 0.006, diameter: 2 * DISC.held - 0.006 }, scene);
        cap.position.set(x, y + 0.005, z);
        const stem = BABYLON.MeshBuilder.CreateCylinder("stem", { height: y, diameter: 0.03 }, scene);
        stem.position.set(x, y / 2, z);
        const foot = BABYLON.MeshBuilder.CreateCylinder("foot", { height: 0.02, diameterBottom: 0.16, diameterTop: 0.13 }, scene);
        foot.position.set(x, 0.01, z);
        for (const part of [cap, stem, foot]) part.material = wood;
        return [cap, stem, foot];
    });
    shade(shadows, [...rails, ...stands, ...world.swatches.flatMap(({ pedestal, disc, curtain }) => [pedestal, disc, curtain])]);
}
