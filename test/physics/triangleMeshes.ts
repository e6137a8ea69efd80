import type { Vector } from "../../src/engine/index";

/** Triangles for tests of mesh colliders: corners in [-1, 1]³, as MeshGeometry takes them. */
export type Soup = Float32Array;

/** A parametric surface of columns × rows quads; `wraps` closes it. */
export function surface(columns: number, rows: number, isClosed: boolean, place: (u: number, v: number) => Vector): Soup {
    const form: number[] = [isClosed ? 1 : 0];
    const at = (i: number, j: number): Vector =>
        place(isClosed ? (i % columns) / columns : i / columns, isClosed ? (j % rows) / rows : j / rows);
    for (let i = 0; i < columns; i++) {
        for (let j = 0; j < rows; j++) {
            form.push(...at(i, j), ...at(i + 1, j), ...at(i + 1, j + 1), ...at(i, j), ...at(i + 1, j + 1), ...at(i, j + 1));
        }
    }
    return Float32Array.from(form);
}

/** Radius of a torus' tube, as a share of that of its circle and tube. */
const TUBE = 0.3;

/** A torus around y that fills [-1, 1]³; its unit height is `TUBE`. */
export const torus = (columns: number, rows: number): Soup =>
    surface(columns, rows, true, (u, v) => {
        const r = 1 - TUBE + TUBE * Math.cos(2 * Math.PI * v);
        return [r * Math.cos(2 * Math.PI * u), Math.sin(2 * Math.PI * v), r * Math.sin(2 * Math.PI * u)];
    });

/** The cube [-1, 1]³, closed. */
export function cube(): Soup {
    const form: number[] = [1];
    for (let axis = 0; axis < 3; axis++) {
        for (const side of [1, -1]) {
            const corner = (u: number, v: number): readonly number[] => {
                const point = [0, 0, 0];
                point[axis] = side;
                point[(axis + 1) % 3] = side * u;
                point[(axis + 2) % 3] = v;
                return point;
            };
            form.push(...corner(-1, -1), ...corner(1, -1), ...corner(1, 1), ...corner(-1, -1), ...corner(1, 1), ...corner(-1, 1));
        }
    }
    return Float32Array.from(form);
}
