import { forEachContact } from "../../engine/world/debugDraw";
import type { Colour, Drawing } from "./drawing";
import type { ShownCloth } from "./shownCloth";

const CONTACT: Colour = [1, 0.9, 0.1];
/** Length of a contact's line as a multiple of the distance kept, and at least [m]. */
const NORMAL_LENGTH = 4;
const MIN_NORMAL_LENGTH = 0.03;

/** A line along the normal from each particle, or point of a triangle, in contact. */
export function contacts({ body, points }: ShownCloth, drawing: Drawing): void {
    const from = new Float64Array(3);
    forEachContact(body, (particles, shares, reach, nx, ny, nz) => {
        const length = Math.max(MIN_NORMAL_LENGTH, NORMAL_LENGTH * reach);
        from.fill(0);
        particles.forEach((particle, k) => {
            for (let c = 0; c < 3; c++) from[c] += shares[k] * points[3 * particle + c];
        });
        const [x, y, z] = from;
        drawing.add(x, y, z, CONTACT);
        drawing.add(x + length * nx, y + length * ny, z + length * nz, CONTACT);
    });
}
