import * as BABYLON from "../babylon";

/**
 * A level disc of a grid of quads, so many across; what lies next to the rim is moved onto it. Real cloth is never quite even: its points lie up or
 * down by up to half of `unevenness` [m].
 */
export function makeDisc(name: string, radius: number, quads: number, unevenness: number, scene: BABYLON.Scene) {
    const side = (2 * radius) / quads;
    const half = Math.ceil(quads / 2) + 1;
    const positions: number[] = [];
    const uvs: number[] = [];
    const indices: number[] = [];
    const known = new Map<string, number>();
    const vertex = (i: number, j: number) => {
        const key = `${i} ${j}`;
        if (!known.has(key)) {
            const distance = side * Math.hypot(i, j);
            const isNearRim = Math.abs(distance - radius) < 0.45 * side;
            const scale = isNearRim ? radius / distance : 1;
            const isInside = isNearRim || distance < radius;
            known.set(key, isInside ? positions.length / 3 : -1);
            if (isInside) {
                const noise = Math.sin(12.9898 * i + 78.233 * j) * 43758.5453;
                const [x, z] = [i * side * scale, j * side * scale];
                positions.push(x, unevenness * (noise - Math.floor(noise) - 0.5), z);
                uvs.push(0.5 + (0.5 * x) / radius, 0.5 + (0.5 * z) / radius);
            }
        }
        return known.get(key)!;
    };
    for (let j = -half; j < half; j++) {
        for (let i = -half; i < half; i++) {
            const corners = [vertex(i, j), vertex(i + 1, j), vertex(i + 1, j + 1), vertex(i, j + 1)];
            const there = corners.filter((corner) => corner >= 0);
            if (there.length < 3) continue;
            // Cut in turns, so that the disc is alike in all directions.
            const isOdd = there.length === 4 && (i + j) % 2 !== 0;
            const [a, b, c, d] = isOdd ? [...there.slice(1), there[0]] : there;
            indices.push(a, b, c);
            if (there.length === 4) indices.push(a, c, d);
        }
    }
    const disc = new BABYLON.Mesh(name, scene);
    disc.setVerticesData("position", positions, true);
    disc.setVerticesData(
        "normal",
        positions.map((_, i) => (i % 3 === 1 ? 1 : 0)),
        true,
    );
    disc.setVerticesData("uv", uvs);
    disc.setIndices(indices);
    return disc;
}
