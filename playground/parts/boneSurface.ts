import * as BABYLON from "../babylon";

/** A vertex of {@link boneSurface}: its place in the parent's space, and where it is on the chains: across (0 to columns) and down (0 to joints). */
interface Vertex {
    at: BABYLON.Vector3;
    across: number;
    down: number;
    u: number;
    v: number;
}

/** A chain of nodes below a parent, of which each is so far from the one before. */
export function chain(scene: BABYLON.Scene, name: string, parent: BABYLON.TransformNode, offsets: BABYLON.Vector3[]) {
    return offsets.reduce((nodes: BABYLON.TransformNode[], offset, i) => {
        const node = new BABYLON.TransformNode(`${name}${i}`, scene);
        node.parent = nodes[i - 1] ?? parent;
        node.position = offset;
        node.rotationQuaternion = BABYLON.Quaternion.Identity();
        return [...nodes, node];
    }, []);
}

/** A mesh that is skinned to chains of nodes: `rows` of vertices, of which each is closed to a ring, on a child of what carries the chains. */
export function boneSurface(scene: BABYLON.Scene, name: string, chains: BABYLON.TransformNode[][], rows: Vertex[][]) {
    const skeleton = new BABYLON.Skeleton(name, name, scene);
    const boneOf = chains.map((nodes) =>
        nodes.reduce((bones: BABYLON.Bone[], node, i) => {
            const { x, y, z } = node.position;
            const bone = new BABYLON.Bone(node.name, skeleton, bones[i - 1] ?? null, BABYLON.Matrix.Translation(x, y, z));
            bone.linkTransformNode(node);
            return [...bones, bone];
        }, []),
    );
    const data = new BABYLON.VertexData();
    const vertices = rows.flat();
    data.positions = vertices.flatMap(({ at }) => at.asArray());
    data.uvs = vertices.flatMap(({ u, v }) => [u, v]);
    data.matricesIndices = [];
    data.matricesWeights = [];
    for (const { across, down } of vertices) {
        const last = chains[0].length - 1;
        const [column, row] = [Math.floor(across), Math.min(Math.floor(down), last)];
        const [right, below] = [across - column, Math.max(0, down - row)];
        for (const [c, r, weight] of [
            [column, row, (1 - right) * (1 - below)],
            [column, row + 1, (1 - right) * below],
            [column + 1, row, right * (1 - below)],
            [column + 1, row + 1, right * below],
        ]) {
            data.matricesIndices.push(boneOf[c % chains.length][Math.min(r, last)].getIndex());
            data.matricesWeights.push(weight);
        }
    }
    data.indices = [];
    const count = rows[0].length;
    for (let r = 0; r + 1 < rows.length; r++) {
        for (let i = 0; i + 1 < count; i++) {
            const [a, b] = [r * count + i, (r + 1) * count + i];
            data.indices.push(a, a + 1, b, a + 1, b + 1, b);
        }
    }
    data.normals = [];
    BABYLON.VertexData.ComputeNormals(data.positions, data.indices, data.normals);
    const mesh = new BABYLON.Mesh(name, scene);
    data.applyToMesh(mesh);
    mesh.parent = chains[0][0].parent;
    mesh.skeleton = skeleton;
    // Bones swing out of the box of the bind pose.
    mesh.alwaysSelectAsActiveMesh = true;
    return mesh;
}

/** A tube about one chain, thinner towards its end. */
export function boneTube(scene: BABYLON.Scene, name: string, nodes: BABYLON.TransformNode[], radii: (along: number) => number) {
    const middle = new BABYLON.Vector3();
    const steps = 3;
    const rows = nodes.flatMap((node, j) => {
        const next = nodes[j + 1]?.position ?? BABYLON.Vector3.Zero();
        middle.addInPlace(node.position);
        return Array.from({ length: j + 1 < nodes.length ? steps : 1 }, (_, k): Vertex[] => {
            const down = j + k / steps;
            const along = down / (nodes.length - 1);
            const centre = middle.add(next.scale(k / steps));
            return Array.from({ length: 13 }, (_, i): Vertex => {
                const angle = (2 * Math.PI * i) / 12;
                const at = centre.add(new BABYLON.Vector3(Math.cos(angle), 0, Math.sin(angle)).scale(radii(along)));
                return { at, across: 0, down, u: i / 12, v: 1 - along };
            });
        });
    });
    return boneSurface(scene, name, [nodes], rows);
}

/** A skirt about chains in a ring. */
export function boneSkirt(scene: BABYLON.Scene, name: string, chains: BABYLON.TransformNode[][]) {
    const per = 4;
    const steps = 3;
    const count = chains.length * per;
    const places = chains.map((nodes) =>
        nodes.reduce(
            (all: BABYLON.Vector3[], { position }, j) => [...all, (all[j - 1] ?? BABYLON.Vector3.Zero()).add(position)],
            [],
        ),
    );
    const last = chains[0].length - 1;
    const rows = Array.from({ length: last * steps + 1 }, (_, r) => {
        const down = r / steps;
        const row = Math.min(Math.floor(down), last - 1);
        const inRow = (c: number) => {
            const column = places[c % chains.length];
            return BABYLON.Vector3.Lerp(column[row], column[row + 1], down - row);
        };
        return Array.from({ length: count + 1 }, (_, i): Vertex => {
            const across = i / per;
            const column = Math.floor(across);
            const straight = BABYLON.Vector3.Lerp(inRow(column), inRow(column + 1), across - column);
            // Round between the chains.
            const round = Math.hypot(inRow(column).x, inRow(column).z) / Math.hypot(straight.x, straight.z);
            straight.x *= round;
            straight.z *= round;
            return { at: straight, across, down, u: i / count, v: 1 - down / last };
        });
    });
    return boneSurface(scene, name, chains, rows);
}
