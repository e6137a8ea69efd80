/** In which groups something is, and which it meets: one bit each of 32. */
export interface Groups {
    group: number;
    mask: number;
}

/** In the first group; meets all. As Babylon's masks, -1 has all bits. */
export function defaultGroups(): Groups {
    return { group: 1, mask: -1 };
}

/** True if two meet: each is in a group that the other's mask has. */
export function canCollide(a: Groups, b: Groups): boolean {
    return (a.group & b.mask) !== 0 && (b.group & a.mask) !== 0;
}
