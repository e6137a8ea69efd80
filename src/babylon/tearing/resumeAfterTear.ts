import type { PinSet, TornMesh } from "../../engine/index";
import type { BodyInstance } from "../behaviors/bodyInstance";
import type { BodyRuntime, PinnedVertices } from "../behaviors/bodyRuntime";

/** Origin of a mesh's vertices in the mesh before it was torn, see {@link TornMesh}. */
export type VertexSources = Pick<TornMesh, "from" | "to" | "shares">;

/**
 * Gives the mesh of a running cloth other vertices; particles go on as those did from which they come, pins hold what they held.
 * @param change changes the mesh while the cloth is off it
 * @throws what building the cloth throws; it is then off its mesh
 */
export function resumeAfterTear(runtime: BodyRuntime, sources: VertexSources, change: () => void): void {
    const before = runtime.instance!;
    const motion = before.saveMotion();
    const clock = before.cloth.clock.saveMotion();
    const sets = pinSetsOf(before);
    const after = runtime.rebuildWith(() => {
        change();
        return pinnedVerticesAfter(before, sources);
    });
    const { from, to, shares } = sources;
    const particleOf = (v: number): number => motion.particleOfVertex[v];
    const particles = from.map(particleOf);
    const blend = { others: to.map(particleOf), weights: shares };
    after.restoreMotion({ ...motion, particleOfVertex: particles, blend }, runtime.pins);
    pinSetsOf(after).forEach((set, i) => resumePinMotion(set, sets[i], after, { particles, shares }));
    after.cloth.clock.restoreMotion(clock);
    after.cloth.inertia = before.cloth.inertia;
    after.write();
}

/** Pin sets but those of couplings, which are made anew. */
function pinSetsOf({ cloth }: BodyInstance): PinSet[] {
    return cloth.pins.filter(({ isCoupling }) => !isCoupling);
}

/** Vertices that each pin holds afterwards: those it held, and new ones between two of them. */
function pinnedVerticesAfter(before: BodyInstance, { from, to, shares }: VertexSources): PinnedVertices {
    return (pin) => {
        const held = new Set(before.pinnedVertices(pin, null));
        const isHeld = (v: number): boolean => held.has(from[v]) && (shares[v] === 0 || held.has(to[v]));
        return Array.from(from.keys()).filter(isHeld);
    };
}

/** @param particles the particle before from which each vertex's comes; what lies between two stays where it is grabbed */
function resumePinMotion(
    set: PinSet,
    before: PinSet,
    after: BodyInstance,
    { particles, shares }: { readonly particles: Uint32Array; readonly shares: Float32Array },
): void {
    const places = new Map(Array.from(before.particles, (particle, i) => [particle, i]));
    const placeOf = new Map<number, number>();
    after.binding.particleOfVertex.forEach((particle, v) => {
        const place = places.get(particles[v]);
        if (place !== undefined && shares[v] === 0) placeOf.set(particle, place);
    });
    set.continueMotionOf(
        before,
        Int32Array.from(set.particles, (particle) => placeOf.get(particle) ?? -1),
    );
}
