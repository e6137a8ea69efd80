import type { Body, SpringLaw, RopeSettings } from "../../src/engine/index";
import { couplingIslandOf, ParticleTie, TieEnd, SpringEnd, SpringCoupling, World } from "../../src/engine/index";

/** A world of bodies that knots tie to each other. */
export class TiedWorld {
    readonly world = new World();

    constructor(readonly bodies: readonly Body[]) {}

    /** Ties a rope's particle to a cloth's. */
    tie(rope: Body, end: number, cloth: Body, particle: number): ParticleTie {
        const knot = new ParticleTie(new TieEnd(cloth, particle), new TieEnd(rope, end));
        (rope.settings as RopeSettings).leader = cloth.settings;
        rope.invalidate();
        couplingIslandOf(this.world).add(knot);
        return knot;
    }

    untie(knot: ParticleTie): void {
        couplingIslandOf(this.world).remove(knot);
        (knot.b.body.settings as RopeSettings).leader = null;
    }

    /** Puts a spring between two particles. */
    spring(first: Body, a: number, second: Body, b: number, law: SpringLaw): SpringCoupling {
        const tie = new SpringCoupling(new SpringEnd(first, a), new SpringEnd(second, b), law);
        couplingIslandOf(this.world).add(tie);
        return tie;
    }

    unspring(spring: SpringCoupling): void {
        couplingIslandOf(this.world).remove(spring);
    }

    run(steps: number, after?: (step: number) => void): void {
        for (let s = 0; s < steps; s++) {
            for (const body of this.bodies) {
                body.clock.frameSeconds = body.settings.fixedTimeStep;
                body.beginFrame();
            }
            this.world.advance(this.bodies);
            for (const body of this.bodies) body.endFrame();
            after?.(s);
        }
    }
}
