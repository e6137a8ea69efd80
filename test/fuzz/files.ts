import { NullEngine } from "@babylonjs/core/Engines/nullEngine";
import "@babylonjs/core/Materials/standardMaterial";
import { Scene } from "@babylonjs/core/scene";
import { ClothBuilder, ClothFiles } from "../../src/index";
import type { ClothBehavior, ClothMesh, FabricName } from "../../src/index";

/** What can be built, in small. */
const few = { subdivisions: 14 };
export const builderKinds = {
    Flag: few,
    Banner: few,
    Curtain: { ...few, pleats: 2 },
    Tablecloth: few,
    Cape: few,
    Sail: few,
    Net: few,
    Awning: few,
} as const;
export type BuilderKind = keyof typeof builderKinds;

/**
 * Takes what a builder makes through JSON onto a mesh of another scene, from rest and from the middle of its motion, and moves both.
 * @returns how far the two have been apart at most [m]
 */
export function roundTrips(kind: BuilderKind, fabric: FabricName, steps: number): { fromRest: number; fromMotion: number } {
    const engine = new NullEngine();
    const make = (): ClothMesh => {
        const options = { fabric, wind: "breeze" as const, ...builderKinds[kind] };
        return ClothBuilder[`Create${kind}`]("cloth", options, new Scene(engine));
    };
    const { cloth } = make();
    const [fromRest, fromMotion] = [false, true].map((state) => {
        const mesh = make();
        mesh.removeBehavior(mesh.cloth);
        const data = JSON.parse(JSON.stringify(ClothFiles.serialize(cloth, { state })));
        const other = ClothFiles.parse(data, mesh.getScene());
        mesh.addBehavior(other);
        return farthest(cloth, other, steps);
    });
    engine.dispose();
    return { fromRest, fromMotion };
}

/** Moves two cloths by hand. @returns how far their particles have been apart at most [m] */
export function farthest(a: ClothBehavior, b: ClothBehavior, steps: number): number {
    let most = 0;
    for (let step = 0; step < steps; step++) {
        for (const cloth of [a, b]) cloth.step(1 / 60);
        const [x, y] = [a, b].map((cloth) => cloth.getParticlePositions());
        for (let i = 0; i < x.length; i++) {
            const apart = Math.abs(x[i] - y[i]);
            if (!(apart <= most)) most = apart;
        }
    }
    return most;
}
