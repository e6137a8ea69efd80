/** Physics bodies that carry cloth, that are given twice, and that change. */
import { Matrix, Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import "@babylonjs/core/Meshes/thinInstanceMesh";
import { PhysicsMotionType, PhysicsShapeType } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import { PhysicsBody } from "@babylonjs/core/Physics/v2/physicsBody";
import { PhysicsShapeBox, PhysicsShapeContainer } from "@babylonjs/core/Physics/v2/physicsShape";
import { afterEach, expect, test } from "@jest/globals";
import { runtimeOf } from "../../src/babylon/behaviors/bodyRuntime";
import { ClothBehavior, Colliders, select } from "../../src/index";
import { makeBody, makePhysicalWorld } from "../physics/havok";
import { disposeWorlds, FRAME, makeSquare, messageOf } from "../unit/babylon/harness";

afterEach(disposeWorlds);

/** Of what the solids are that a cloth meets. */
function metBy(cloth: ClothBehavior): (string | undefined)[] {
    return runtimeOf(cloth)!.instance!.activeColliders.all.map(({ provider }) => provider.node?.name);
}

/** The cloth met its own mesh: it lay flat in the air. */
test("cloth does not meet itself where a body of several meshes carries it", () => {
    const { scene, frame } = makePhysicalWorld();
    const root = new TransformNode("root", scene);
    const pole = MeshBuilder.CreateBox("pole", { size: 0.2, height: 3 }, scene);
    const flag = makeSquare(scene, 8);
    pole.parent = flag.parent = root;
    flag.position.x = 1;
    const body = new PhysicsBody(root, PhysicsMotionType.ANIMATED, false, scene);
    const shape = new PhysicsShapeContainer(scene);
    shape.addChildFromParent(
        root,
        new PhysicsShapeBox(Vector3.Zero(), Quaternion.Identity(), new Vector3(0.2, 3, 0.2), scene),
        pole,
    );
    body.shape = shape;
    const cloth = new ClothBehavior({ pins: [{ select: select.edge("-x") }], collideWithPhysics: true });
    flag.addBehavior(cloth);
    frame(FRAME, 30);
    expect(metBy(cloth)).toEqual(["pole"]);
    expect(Math.min(...cloth.getParticlePositions())).toBeLessThan(-0.4);
});

test("the body of the cloth's own mesh is refused, and is passed over among the scene's", () => {
    const { scene, frame } = makePhysicalWorld();
    const mesh = makeSquare(scene, 8);
    const body = makeBody(mesh, PhysicsShapeType.BOX, 0);
    const cloth = new ClothBehavior();
    mesh.addBehavior(cloth);
    expect(messageOf(() => cloth.addCollider(body))).toBe(
        'ClothBehavior: addCollider: source must be another mesh than the one that is cloth, got "square"',
    );
    Colliders.add(scene, body);
    frame(FRAME, 3);
    expect(metBy(cloth)).toEqual([]);
});

/** It was refused as no solid, though Babylon's own examples give grounds boxes. */
test("a box around a ground, of no thickness, is the plane that the ground shows", () => {
    const { scene, frame } = makePhysicalWorld();
    const ground = MeshBuilder.CreateGround("ground", { width: 4, height: 4 }, scene);
    ground.position.y = -0.3;
    const cloth = new ClothBehavior();
    makeSquare(scene, 8).addBehavior(cloth);
    expect(cloth.addCollider(makeBody(ground, PhysicsShapeType.BOX, 0)).shape).toBe("plane");
    frame(FRAME, 60);
    expect(Math.min(...cloth.getParticlePositions().filter((_, i) => i % 3 === 1))).toBeGreaterThan(-0.3);
});

/** Contact and impulses counted twice. */
test("a body that is near, and a collider of the cloth or its scene, is met once", () => {
    const { scene, frame } = makePhysicalWorld();
    const ball = MeshBuilder.CreateSphere("ball", { diameter: 0.5 }, scene);
    ball.position.y = -0.3;
    const body = makeBody(ball, PhysicsShapeType.SPHERE, 0);
    const cloth = new ClothBehavior({ collideWithPhysics: true });
    makeSquare(scene, 8).addBehavior(cloth);
    const met = (): number => (frame(FRAME, 2), metBy(cloth).length);
    expect(met()).toBe(1);
    const own = cloth.addCollider(body);
    expect(met()).toBe(1);
    cloth.removeCollider(own);
    expect(met()).toBe(1);
    const all = Colliders.add(scene, ball);
    expect(met()).toBe(1);
    Colliders.remove(scene, all);
    expect(met()).toBe(1);
});

/** The solids were those of the moment in which the body was given. */
test("thin instances of a body come and go, and meshes of a compound one", () => {
    const { scene, engine, frame } = makePhysicalWorld();
    engine.getCaps().instancedArrays = true;
    const ball = MeshBuilder.CreateSphere("ball", { diameter: 0.5 }, scene);
    const root = new TransformNode("root", scene);
    const compound = new PhysicsBody(root, PhysicsMotionType.STATIC, false, scene);
    const [box] = ["box", "other"].map((name) => {
        const mesh = MeshBuilder.CreateBox(name, { size: 0.2 }, scene);
        mesh.parent = root;
        return mesh;
    });
    const cloth = new ClothBehavior({ colliders: [makeBody(ball, PhysicsShapeType.SPHERE, 0), compound] });
    makeSquare(scene, 8).addBehavior(cloth);
    const met = (): string => (frame(FRAME, 2), metBy(cloth).sort().join(" "));
    expect(met()).toBe("ball box other");
    ball.thinInstanceAdd([Matrix.Identity(), Matrix.Translation(1, 0, 0)]);
    expect(met()).toBe("ball ball box other");
    box.dispose();
    expect(met()).toBe("ball ball other");
});
