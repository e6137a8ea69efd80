/**
 * Triangulates a simple polygon by clipping ears, with the signature of `earcut`, which CreatePolygon asks for.
 * Input: x0, y0, x1, y1, ... of one outline; output: three vertex indices a triangle. Quadratic, for small outlines.
 */
export function clipEars(points: number[]) {
    const ring = Array.from({ length: points.length / 2 }, (_, i) => i);
    if (doubleArea(points, ring) < 0) ring.reverse();
    const triangles = [];
    for (let i = 0, misses = 0; ring.length > 2 && misses <= ring.length;) {
        const count = ring.length;
        const a = ring[(i + count - 1) % count];
        const b = ring[i % count];
        const c = ring[(i + 1) % count];
        const others = ring.filter((p) => p !== a && p !== b && p !== c);
        const isEar = doubleArea(points, [a, b, c]) > 0 && !others.some((p) => isInside(points, p, a, b, c));
        if (isEar) {
            triangles.push(a, b, c);
            ring.splice(i % count, 1);
            misses = 0;
        } else {
            misses++;
        }
        i = (i + 1) % Math.max(ring.length, 1);
    }
    return triangles;
}

function doubleArea(points: number[], ring: number[]) {
    let area = 0;
    ring.forEach((p, i) => {
        const q = ring[(i + 1) % ring.length];
        area += points[2 * p] * points[2 * q + 1] - points[2 * q] * points[2 * p + 1];
    });
    return area;
}

function isInside(points: number[], p: number, a: number, b: number, c: number) {
    return doubleArea(points, [a, b, p]) >= 0 && doubleArea(points, [b, c, p]) >= 0 && doubleArea(points, [c, a, p]) >= 0;
}
