/**
 * Solids turned inside out. A box is six half-spaces, which its walls bound; a sphere and any mesh are their triangles, which hold what is
 * on either side of them on its side.
 */
import { cross, dot, identity, reject } from "../../engine/index";
import type { Affine } from "../../engine/index";
import { OPEN_TWO_SIDED, withSides } from "./solidSides";
import type { ShapeProvider } from "./shapeProvider";

/** Subdivisions of an octahedron's faces: 2,048 triangles stand for a sphere, at most 0.3 % of the radius inside of it. */
const SUBDIVISIONS = 4;

/** The sphere's form as a mesh, see MeshGeometry in engine/collision/broadphase/meshBvh.ts; made when it is first asked for. */
let unitSphere: Float32Array | null = null;

/** Shapes that keep cloth within the source. @throws RangeError on a shape that has no inside */
export function containmentOf(source: ShapeProvider, owner: string): ShapeProvider[] {
    const { shape, form } = source;
    if (shape === "box") return Array.from({ length: 6 }, (_, face) => boxWall(source, face));
    if (shape === "mesh" || shape === "skin") return [{ ...source, form: withSides(form, OPEN_TWO_SIDED) }];
    if (shape !== "sphere") reject(owner, "inside", "false but for a sphere, a box or a mesh's own triangles", shape);
    unitSphere ??= Float32Array.from([0, ...sphere()]);
    return [{ ...source, shape: "mesh", form: unitSphere }];
}

/** Half space behind one wall of a box. */
function boxWall(source: ShapeProvider, face: number): ShapeProvider {
    const box = identity();
    const axis = face >> 1;
    const track = (pose: Affine, frame: number): boolean => {
        if (!source.readPose(box, frame)) return false;
        const [n, u, v] = [axis, (axis + 1) % 3, (axis + 2) % 3].map((a) => box.subarray(4 * a, 4 * a + 3));
        // Across both edges of the wall, towards the middle.
        const normal = cross(u, v);
        const side = face & 1 ? 1 : -1;
        const inward = dot(normal, n) * side > 0 ? -1 : 1;
        const scale = inward / Math.sqrt(dot(normal, normal));
        const along = 1 / Math.sqrt(dot(u, u));
        if (!(Number.isFinite(scale) && Number.isFinite(along))) return false;
        pose.fill(0);
        for (let c = 0; c < 3; c++) {
            pose[c] = u[c] * along;
            pose[8 + c] = normal[c] * scale;
            pose[12 + c] = box[12 + c] + side * n[c];
        }
        pose.set(cross(pose.subarray(8, 11), pose.subarray(0, 3)), 4);
        pose[15] = 1;
        return true;
    };
    return {
        shape: "halfSpace",
        form: [],
        fit: Float64Array.of(...Array.from(source.fit), face),
        carrier: source.node,
        readPose: track,
    };
}

type Triangle = readonly number[];

function sphere(): number[] {
    let triangles: Triangle[] = [];
    for (const x of [-1, 1]) for (const y of [-1, 1]) for (const z of [-1, 1]) triangles.push([x, 0, 0, 0, y, 0, 0, 0, z]);
    for (let cut = 0; cut < SUBDIVISIONS; cut++) triangles = triangles.flatMap(subdivideTriangle);
    return triangles.flat();
}

function subdivideTriangle(triangle: Triangle): Triangle[] {
    const [a, b, c] = [0, 3, 6].map((o) => triangle.slice(o, o + 3));
    const [ab, bc, ca] = [
        [a, b],
        [b, c],
        [c, a],
    ].map(([p, q]) => {
        const sum = p.map((x, i) => x + q[i]);
        return sum.map((x) => x / Math.hypot(...sum));
    });
    return [
        [...a, ...ab, ...ca],
        [...ab, ...b, ...bc],
        [...ca, ...bc, ...c],
        [...ab, ...bc, ...ca],
    ];
}
