import type { Body } from "../../src/solver/body";
import { bondOf } from "../../src/solver/knots/bond";
import { Knot, KnotSide } from "../../src/solver/knots/knot";
import { SpringEnd } from "../../src/solver/knots/springEnd";
import { SpringTie } from "../../src/solver/knots/springTie";
import type { SpringLaw } from "../../src/solver/knots/springTie";
import type { RopeSettings } from "../../src/solver/materials/ropeMaterial";
import { World } from "../../src/solver/world";

/** A world of bodies that knots tie to each other. */
export class TiedWorld {
    readonly world = new World();

    constructor(readonly bodies: readonly Body[]) {}

    /** Ties a rope's particle to a cloth's. */
    tie(rope: Body, end: number, cloth: Body, particle: number): Knot {
        const knot = new Knot(new KnotSide(cloth, particle), new KnotSide(rope, end));
        (rope.settings as RopeSettings).lead = cloth.settings;
        rope.invalidate();
        bondOf(this.world).add(knot);
        return knot;
    }

    untie(knot: Knot): void {
        bondOf(this.world).remove(knot);
        (knot.b.body.settings as RopeSettings).lead = null;
    }

    /** Puts a spring between two particles. */
    spring(first: Body, a: number, second: Body, b: number, law: SpringLaw): SpringTie {
        const tie = new SpringTie(new SpringEnd(first, a), new SpringEnd(second, b), law);
        bondOf(this.world).add(tie);
        return tie;
    }

    unspring(spring: SpringTie): void {
        bondOf(this.world).remove(spring);
    }

    run(steps: number, after?: (step: number) => void): void {
        for (let s = 0; s < steps; s++) {
            for (const body of this.bodies) {
                body.clock.frameSeconds = body.settings.fixedTimeStep;
                body.begin();
            }
            this.world.advance(this.bodies);
            for (const body of this.bodies) body.endFrame();
            after?.(s);
        }
    }
}
