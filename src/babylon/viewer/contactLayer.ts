import { tellContacts } from "../../solver/inspect";
import type { Colour, Drawing } from "./drawing";
import type { ShownCloth } from "./shownCloth";

const CONTACT: Colour = [1, 0.9, 0.1];
/** Length of a contact's line as a multiple of the distance kept, and at least [m]. */
const LENGTH = 4;
const LEAST_LENGTH = 0.03;

/** A line along the normal from each particle in contact. */
export function contacts({ body, points }: ShownCloth, drawing: Drawing): void {
    tellContacts(body, (particle, reach, nx, ny, nz) => {
        const length = Math.max(LEAST_LENGTH, LENGTH * reach);
        const x = points[3 * particle];
        const y = points[3 * particle + 1];
        const z = points[3 * particle + 2];
        drawing.add(x, y, z, CONTACT);
        drawing.add(x + length * nx, y + length * ny, z + length * nz, CONTACT);
    });
}
