/** Geometry of a sheet, mesh-local: x y z and u v of its vertices, and their triangles, which face -z (or up) as Babylon's own planes do. */
export interface Sheet {
    readonly positions: Float32Array;
    readonly uvs: Float32Array;
    readonly indices: Uint32Array;
}

/** Maps u (to the right) and v (upwards), each 0 to 1, to x y z. */
export type SurfaceFunction = (u: number, v: number, out: number[]) => void;

/** Number of a grid's vertex: column from the left, row from the top. */
export function gridVertex(columns: number, column: number, row: number): number {
    return row * (columns + 1) + column;
}

/** A grid of quads, each cut in two. */
export function gridSheet(columns: number, rows: number, form: SurfaceFunction): Sheet {
    const positions: number[] = [];
    const uvs: number[] = [];
    const indices: number[] = [];
    const x = [0, 0, 0];
    for (let row = 0; row <= rows; row++) {
        for (let column = 0; column <= columns; column++) {
            form(column / columns, 1 - row / rows, x);
            positions.push(...x);
            uvs.push(column / columns, 1 - row / rows);
            if (row === rows || column === columns) continue;
            const a = gridVertex(columns, column, row);
            const b = a + columns + 1;
            indices.push(a, b, a + 1, b, b + 1, a + 1);
        }
    }
    return sheetOf(positions, uvs, indices);
}

/** Number of a triangle's vertex, see {@link triangleSheet}. @param row from the top, with row + 1 vertices */
export function triangleVertex(column: number, row: number): number {
    return (row * (row + 1)) / 2 + column;
}

/** A triangle with a right angle at its lower left: u and v run over the square of which it is the half below the diagonal. */
export function triangleSheet(rows: number, form: SurfaceFunction): Sheet {
    const positions: number[] = [];
    const uvs: number[] = [];
    const indices: number[] = [];
    const x = [0, 0, 0];
    for (let row = 0; row <= rows; row++) {
        for (let column = 0; column <= row; column++) {
            form(column / rows, 1 - row / rows, x);
            positions.push(...x);
            uvs.push(column / rows, 1 - row / rows);
            if (row === rows) continue;
            const a = triangleVertex(column, row);
            const b = triangleVertex(column, row + 1);
            indices.push(a, b, b + 1);
            if (column < row) indices.push(a, b + 1, a + 1);
        }
    }
    return sheetOf(positions, uvs, indices);
}

/** A disc across x and z, of rings of nearly equilateral triangles; u and v run over the square around it. */
export function discSheet(rings: number, radius: number): Sheet {
    const positions: number[] = [];
    const uvs: number[] = [];
    const indices: number[] = [];
    const first = (ring: number): number => (ring === 0 ? 0 : 1 + 3 * ring * (ring - 1));
    for (let ring = 0; ring <= rings; ring++) {
        const count = Math.max(1, 6 * ring);
        for (let i = 0; i < count; i++) {
            const angle = (2 * Math.PI * i) / count;
            const x = (Math.cos(angle) * ring) / rings;
            const z = (Math.sin(angle) * ring) / rings;
            positions.push(radius * x, 0, radius * z);
            uvs.push((1 + x) / 2, (1 + z) / 2);
        }
        // A sixth of this ring has one edge more than the sixth inside it.
        for (let sixth = 0; ring > 0 && sixth < 6; sixth++) {
            const outer = (k: number): number => first(ring) + ((sixth * ring + k) % (6 * ring));
            const inner = (k: number): number => first(ring - 1) + (ring === 1 ? 0 : (sixth * (ring - 1) + k) % (6 * (ring - 1)));
            for (let k = 0; k < ring; k++) {
                indices.push(inner(k), outer(k), outer(k + 1));
                if (k < ring - 1) indices.push(inner(k), outer(k + 1), inner(k + 1));
            }
        }
    }
    return sheetOf(positions, uvs, indices);
}

function sheetOf(positions: number[], uvs: number[], indices: number[]): Sheet {
    return { positions: Float32Array.from(positions), uvs: Float32Array.from(uvs), indices: Uint32Array.from(indices) };
}
