import type { StandardMaterial } from "@babylonjs/core/Materials/standardMaterial";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import type { Scene } from "@babylonjs/core/scene";

/** Red, green and blue, 0..1. */
export type Colour = readonly [number, number, number];

/** Babylon's Material.PointFillMode and Material.LineListDrawMode. */
const POINT_FILL_MODE = 2;
const LINE_LIST_DRAW_MODE = 4;

/** Initial capacity [vertices]. */
const INITIAL_CAPACITY = 256;

/** Drawn after the scene and over it: shows the inside of cloth and solids. */
const RENDERING_GROUP = 1;

/** Side of a point [pixels]. */
const POINT_SIZE = 3;

/**
 * Points or lines in one mesh, rewritten every frame. Buffers grow when full. Babylon's classes are taken from the user's objects: importing
 * Mesh and StandardMaterial would put both into every bundle.
 */
export class Drawing {
    private readonly _mesh: Mesh;
    private readonly _material: StandardMaterial;
    private _positions = new Float32Array(0);
    private _colours = new Float32Array(0);
    /** Vertices of this frame. */
    private _count = 0;
    private _hasGrown = false;

    /** @param model any mesh of the scene */
    constructor(name: string, scene: Scene, model: Mesh, kind: "points" | "lines") {
        const material = (this._material = scene.defaultMaterial.clone(name) as StandardMaterial);
        material.disableLighting = true;
        material.emissiveColor.set(1, 1, 1);
        material.backFaceCulling = false;
        material.fogEnabled = false;
        material.doNotSerialize = true;
        material.fillMode = kind === "points" ? POINT_FILL_MODE : LINE_LIST_DRAW_MODE;
        material.pointSize = POINT_SIZE;
        const mesh = (this._mesh = new (meshClassOf(model))(name, scene));
        mesh.material = material;
        mesh.renderingGroupId = RENDERING_GROUP;
        mesh.isPickable = false;
        mesh.doNotSerialize = true;
        mesh.alwaysSelectAsActiveMesh = true;
    }

    /** True if visible. */
    set isShown(value: boolean) {
        this._mesh.setEnabled(value);
    }

    /** True if its mesh was disposed. */
    get isDisposed(): boolean {
        return this._mesh.isDisposed();
    }

    /** Begins a frame. @param origin world position of the drawing's origin [m] */
    begin(origin: ArrayLike<number>): void {
        this._mesh.position.set(origin[0], origin[1], origin[2]);
        this._count = 0;
    }

    /** Adds a vertex: a point, or an end of a line. */
    add(x: number, y: number, z: number, [r, g, b]: Colour): void {
        if (this._count * 3 === this._positions.length) this._grow();
        const { _positions: positions, _colours: colours } = this;
        const p = 3 * this._count;
        const c = 4 * this._count++;
        positions[p] = x;
        positions[p + 1] = y;
        positions[p + 2] = z;
        colours[c] = r;
        colours[c + 1] = g;
        colours[c + 2] = b;
        colours[c + 3] = 1;
    }

    /** Adds a line between two points of an array of x y z. */
    join(points: ArrayLike<number>, a: number, b: number, colour: Colour): void {
        this.add(points[3 * a], points[3 * a + 1], points[3 * a + 2], colour);
        this.add(points[3 * b], points[3 * b + 1], points[3 * b + 2], colour);
    }

    /** Adds a cross of three lines, each of length 2 reach. */
    cross(points: ArrayLike<number>, i: number, reach: number, colour: Colour): void {
        for (let axis = 0; axis < 3; axis++) {
            for (let side = -1; side <= 1; side += 2) {
                const x = points[3 * i] + (axis === 0 ? side * reach : 0);
                const y = points[3 * i + 1] + (axis === 1 ? side * reach : 0);
                const z = points[3 * i + 2] + (axis === 2 ? side * reach : 0);
                this.add(x, y, z, colour);
            }
        }
    }

    /** Ends a frame: uploads the buffers. */
    end(): void {
        const { _mesh: mesh, _positions: positions, _colours: colours } = this;
        mesh.isVisible = this._count > 0;
        if (!mesh.isVisible) return;
        if (this._hasGrown) {
            this._hasGrown = false;
            mesh.setVerticesData("position", positions, true);
            mesh.setVerticesData("color", colours, true);
            mesh.setIndices(Uint32Array.from({ length: positions.length / 3 }, (_, i) => i));
        } else {
            mesh.getVertexBuffer("position")!.updateDirectly(positions, 0);
            mesh.getVertexBuffer("color")!.updateDirectly(colours, 0);
        }
        const [all] = mesh.subMeshes;
        all.indexCount = all.verticesCount = this._count;
    }

    private _grow(): void {
        const room = Math.max(INITIAL_CAPACITY, 2 * this._count);
        const { _positions: positions, _colours: colours } = this;
        this._positions = new Float32Array(3 * room);
        this._positions.set(positions);
        this._colours = new Float32Array(4 * room);
        this._colours.set(colours);
        this._hasGrown = true;
    }

    dispose(): void {
        this._mesh.dispose();
        this._material.dispose();
    }
}

/** Babylon's class Mesh, from an instance of it or of a subclass. */
function meshClassOf(model: Mesh): new (name: string, scene: Scene) => Mesh {
    let own = Object.getPrototypeOf(model) as Mesh;
    for (;;) {
        const base = Object.getPrototypeOf(own) as Mesh;
        if (base.getClassName() === "AbstractMesh") return own.constructor as new (name: string, scene: Scene) => Mesh;
        own = base;
    }
}
