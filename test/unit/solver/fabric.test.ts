import { describe, expect, test } from "@jest/globals";
import { Fabrics, resolveFabric } from "../../../src/engine/index";
import type { Fabric } from "../../../src/engine/index";

const NAMES = Object.keys(Fabrics.cotton) as (keyof Fabric)[];

describe("named fabrics", () => {
    test.each(Object.keys(Fabrics) as (keyof typeof Fabrics)[])("%s is whole and valid", (name) => {
        expect(Object.keys(Fabrics[name])).toEqual(NAMES);
        expect(resolveFabric("Owner", Fabrics[name])).toEqual(Fabrics[name]);
    });

    test("are what users have tuned their scenes by: density, stretch, shear and bend stiffness, damping, thickness, friction", () => {
        const table = Object.fromEntries(Object.entries(Fabrics).map(([name, fabric]) => [name, Object.values(fabric)]));
        expect(table).toEqual({
            chiffon: [0.045, Infinity, 20, 1e-6, 0.6, 0.005, 0.2],
            rubber: [0.5, 750, 250, 2e-5, 1.5, 0.012, 0.9],
            silk: [0.08, Infinity, 30, 5e-6, 0.6, 0.006, 0.2],
            wool: [0.25, Infinity, 40, 2e-5, 0.6, 0.012, 0.5],
            nylon: [0.12, Infinity, 30, 2e-5, 0.4, 0.008, 0.3],
            cotton: [0.2, Infinity, 200, 5e-5, 0.6, 0.01, 0.4],
            linen: [0.18, Infinity, 120, 6e-5, 0.6, 0.01, 0.4],
            denim: [0.4, Infinity, 300, 2e-4, 0.8, 0.012, 0.6],
            canvas: [0.45, Infinity, 600, 4.5e-4, 0.8, 0.012, 0.5],
            leather: [0.7, Infinity, 3000, 1.2e-3, 1, 0.015, 0.6],
            paper: [0.08, Infinity, 5000, 3.5e-4, 0.6, 0.005, 0.4],
        });
    });
});

describe("a partial fabric", () => {
    test.each(NAMES)("%s overrides the default, the rest stays", (name) => {
        expect(resolveFabric("Owner", { [name]: 3 })).toEqual({ ...Fabrics.cotton, [name]: 3 });
        expect(resolveFabric("Owner", { [name]: undefined })).toEqual(Fabrics.cotton);
        expect(resolveFabric("Owner", { [name]: 3 }, Fabrics.silk)).toEqual({ ...Fabrics.silk, [name]: 3 });
    });

    test("is copied: neither the argument nor the named fabric is changed or kept", () => {
        const partial = { damping: 1 };
        const fabric = resolveFabric("Owner", partial);
        partial.damping = 2;
        expect(fabric).toEqual({ ...Fabrics.cotton, damping: 1 });
        expect(() => Object.assign(fabric, { friction: 3 })).toThrow(TypeError);
    });

    test.each<[Partial<Record<keyof Fabric, unknown>>, string]>([
        [{ arealDensity: 0 }, "fabric.arealDensity must be a finite number > 0, got 0"],
        [{ arealDensity: Infinity }, "fabric.arealDensity must be a finite number > 0, got Infinity"],
        [{ arealDensity: 1e-40 }, "fabric.arealDensity must be a number from 0.000001 to 1000000, got 1e-40"],
        [{ stretchStiffness: -1 }, "fabric.stretchStiffness must be a number >= 0 (Infinity = inextensible), got -1"],
        [{ shearStiffness: NaN }, "fabric.shearStiffness must be a number >= 0 (Infinity = inextensible), got NaN"],
        [{ bendStiffness: "1" }, 'fabric.bendStiffness must be a number >= 0 (Infinity = inextensible), got "1"'],
        [{ damping: -0.1 }, "fabric.damping must be a finite number >= 0, got -0.1"],
        [{ thickness: Infinity }, "fabric.thickness must be a finite number >= 0, got Infinity"],
        [{ friction: null }, "fabric.friction must be a finite number >= 0, got null"],
    ])("wrong: %p", (partial, message) => {
        expect(() => resolveFabric("Owner", partial as Partial<Fabric>)).toThrow(new RangeError(`Owner: ${message}`));
    });
});
