// The live parameters of a cloth as Babylon's Inspector reads them: custom properties of its mesh.
import "@babylonjs/core/Materials/PBR/pbrMaterial";
import "@babylonjs/core/Materials/standardMaterial";
import { InspectableType } from "@babylonjs/core/Misc/iInspectable";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { ClothBehavior, ClothBuilder, ClothInspector, Fabrics, Wind } from "babylon-cloth";
import type { ClothMesh } from "babylon-cloth";
import { afterEach, expect, test } from "@jest/globals";
import { disposeWorlds, makeSquare, makeWorld, messageOf } from "./harness";

afterEach(disposeWorlds);

const TYPES = InspectableType;

function show(options: ConstructorParameters<typeof ClothBehavior>[0] = {}) {
    const { scene } = makeWorld();
    const mesh = makeSquare(scene) as Mesh & Record<string, unknown>;
    const cloth = new ClothBehavior(options);
    mesh.addBehavior(cloth);
    mesh.inspectableCustomProperties = [{ label: "mine", propertyName: "name", type: TYPES.String }];
    ClothInspector.show(cloth);
    const find = (label: string) => mesh.inspectableCustomProperties.find((entry) => entry.label === label)!;
    const read = (label: string) => mesh[find(label).propertyName];
    const write = (label: string, value: unknown) => ((mesh as Record<string, unknown>)[find(label).propertyName] = value);
    return { mesh, cloth, find, read, write };
}

test("shows all, grouped, with units, beside what others show", () => {
    const { mesh, find } = show({ wind: new Wind() });
    const labels = mesh.inspectableCustomProperties.map(({ label }) => label);
    expect(labels[0]).toBe("mine");
    const groups = mesh.inspectableCustomProperties.filter(({ type }) => type === TYPES.Tab).map(({ label }) => label);
    expect(groups).toEqual(["Cloth: Fabric", "Cloth: Wind", "Cloth: Solver", "Cloth: Readings"]);
    expect(new Set(labels).size).toBe(labels.length);
    expect(find("arealDensity [kg/m²]")).toMatchObject({ type: TYPES.Slider, min: 0.01, max: 2, step: 0.01 });
    expect(find("velocity [m/s]").type).toBe(TYPES.Vector3);
    expect(find("enabled").type).toBe(TYPES.Checkbox);
});

test("reads and writes the running cloth", () => {
    const { cloth, read, write, find } = show({ wind: new Wind(), fabric: Fabrics.silk });
    const { options } = find("preset");
    expect(options![1 + (read("preset") as number)].label).toBe("silk");
    write("preset", options!.find(({ label }) => label === "denim")!.value);
    expect(cloth.fabric).toEqual(Fabrics.denim);
    write("damping [1/s]", 3);
    expect(cloth.fabric).toEqual({ ...Fabrics.denim, damping: 3 });
    expect([read("damping [1/s]"), read("preset")]).toEqual([3, -1]);
    write("drag", 2);
    expect(cloth.wind!.drag).toBe(2);
    write("substepCount", 7);
    write("enabled", false);
    expect([cloth.substepCount, cloth.enabled]).toEqual([7, false]);
    expect(read("particles")).toBe("49");
    cloth.step(1 / 60);
    find("reset").callback!();
    expect(read("largest stretch [%]")).toBe("0.00");
});

test("without a wind there is no such group; once hidden nothing is left", () => {
    const { mesh, cloth } = show();
    expect(mesh.inspectableCustomProperties.some(({ label }) => label === "Cloth: Wind")).toBe(false);
    ClothInspector.show(cloth);
    mesh.removeBehavior(cloth);
    for (let i = 0; i < 2; i++) ClothInspector.hide(cloth);
    expect(mesh.inspectableCustomProperties.map(({ label }) => label)).toEqual(["mine"]);
    expect(Object.getOwnPropertyNames(mesh).filter((name) => name.startsWith("babylonCloth"))).toEqual([]);
});

test("shows the lines of a wind that comes later, and of another; what others add stays", () => {
    const { mesh, cloth, find, read, write } = show();
    const groups = () => mesh.inspectableCustomProperties.filter(({ type }) => type === TYPES.Tab).map(({ label }) => label);
    cloth.wind = new Wind({ velocity: new Vector3(3, 0, 0) });
    expect(groups()).toEqual(["Cloth: Fabric", "Cloth: Wind", "Cloth: Solver", "Cloth: Readings"]);
    mesh.inspectableCustomProperties.push({ label: "theirs", propertyName: "id", type: TYPES.String });
    write("drag", 2);
    expect(cloth.wind.drag).toBe(2);
    cloth.wind = new Wind({ velocity: new Vector3(0, 0, 7) });
    expect([(read("velocity [m/s]") as Vector3).z, read("drag")]).toEqual([7, cloth.wind.drag]);
    cloth.wind = null;
    expect(groups()).not.toContain("Cloth: Wind");
    expect(find("theirs").propertyName).toBe("id");
    mesh.removeBehavior(cloth);
    expect(mesh.inspectableCustomProperties.map(({ label }) => label)).toEqual(["mine", "theirs"]);
});

test.each(["CreateFlag", "CreateCurtain"] as const)("names the preset of a fabric that %s has fitted", (make) => {
    const { scene } = makeWorld();
    const mesh = ClothBuilder[make]("made", { fabric: "silk" }, scene) as ClothMesh & Record<string, unknown>;
    ClothInspector.show(mesh.cloth);
    const { propertyName, options } = mesh.inspectableCustomProperties.find(({ label }) => label === "preset")!;
    expect(options!.find(({ value }) => value === mesh[propertyName])!.label).toBe("silk");
    mesh.removeBehavior(mesh.cloth);
    expect(mesh.inspectableCustomProperties).toEqual([]);
});

test("follows a cloth to another mesh; no preset is no change", () => {
    const { mesh, cloth, write } = show();
    write("preset", -1);
    expect(cloth.fabric).toEqual(Fabrics.cotton);
    mesh.removeBehavior(cloth);
    const other = makeSquare(mesh.getScene(), 6, "other");
    other.addBehavior(cloth);
    ClothInspector.show(cloth);
    expect(mesh.inspectableCustomProperties.map(({ label }) => label)).toEqual(["mine"]);
    expect(other.inspectableCustomProperties.length).toBeGreaterThan(5);
});

test("each line has a property of its own, which the mesh has, as v2 asks for; a wind's plain vector is shown as a Vector3", () => {
    const { mesh, cloth, read, write } = show({ wind: new Wind({ velocity: { x: 1, y: 2, z: 3 } }) });
    const names = mesh.inspectableCustomProperties.map(({ propertyName }) => propertyName);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect([name, name in mesh]).toEqual([name, true]);
    const velocity = read("velocity [m/s]") as Vector3;
    expect(velocity.asArray()).toEqual([1, 2, 3]);
    expect(read("velocity [m/s]")).toBe(velocity);
    Object.assign(cloth.wind!.velocity, { x: 4 });
    expect((read("velocity [m/s]") as Vector3).asArray()).toEqual([4, 2, 3]);
    const own = new Vector3(0, 0, 5);
    write("velocity [m/s]", own);
    expect([cloth.wind!.velocity, read("velocity [m/s]")]).toEqual([own, own]);
});

test("the next cloth of a mesh takes the place of one that has left it", () => {
    const { mesh, cloth, read } = show();
    const count = mesh.inspectableCustomProperties.length;
    mesh.removeBehavior(cloth);
    const next = new ClothBehavior({ substepCount: 9 });
    mesh.addBehavior(next);
    ClothInspector.show(next);
    expect(mesh.inspectableCustomProperties).toHaveLength(count);
    expect(read("substepCount")).toBe(9);
    ClothInspector.hide(cloth);
    expect(read("substepCount")).toBe(9);
    expect(mesh.inspectableCustomProperties).toHaveLength(count);
    // A second cloth beside it is none.
    expect(messageOf(() => mesh.addBehavior(new ClothBehavior()))).toMatch(/a mesh can be one body only/);
    expect(read("substepCount")).toBe(9);
});

test("wrong", () => {
    expect(messageOf(() => ClothInspector.show(new ClothBehavior()))).toMatch(
        /^ClothInspector: show\(cloth\) must be a ClothBehavior that is on a mesh, got /,
    );
});

test("when the cloth leaves its mesh, its entries go", () => {
    const { mesh, cloth } = show();
    mesh.removeBehavior(cloth);
    expect(mesh.inspectableCustomProperties.map(({ label }) => label)).toEqual(["mine"]);
    expect(Object.getOwnPropertyNames(mesh).filter((name) => name.startsWith("babylonCloth"))).toEqual([]);
    mesh.addBehavior(cloth);
    ClothInspector.show(cloth);
    expect(mesh.inspectableCustomProperties.length).toBeGreaterThan(5);
    mesh.dispose();
    expect(() => ClothInspector.hide(cloth)).not.toThrow();
});
