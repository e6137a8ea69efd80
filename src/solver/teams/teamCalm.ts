import type { Calls } from "../../kernels/kernels";
import { Calm } from "../motion/calm";
import type { Calmed } from "../motion/calm";
import { meeting } from "./meeting";
import { callsOf } from "./team";
import type { Team, TeamMember } from "./team";

/** The calm of a body whose substeps are cheaper in a team: it takes them so while all of that are calm, alone while one is not. */
export class TeamCalm extends Calm implements TeamMember {
    body: Calmed | null = null;
    kind = "";
    team: Team | null = null;
    taken = 0;
    met = 0;
    alone = 0;

    override begin(body: Calmed): void {
        super.begin(body);
        // What is tied to others waits for them in each substep.
        if (this.isOn && !body.company) meeting.add(this);
    }

    override release(): void {
        this.team?.disband();
        super.release();
    }

    protected override _record(body: Calmed, present: number): boolean {
        if (!super._record(body, present)) return false;
        this.body = body;
        this.kind = `${body.state.particleCount} ${callsOf(body.kernels, body)
            .map(({ name }) => name)
            .join(" ")}`;
        this._calls = new Shared(this, this._calls!);
        return true;
    }
}

/** Calls of a body, made with those of its team where that is whole. */
class Shared implements Calls {
    constructor(
        private readonly _calm: TeamCalm,
        private readonly _own: Calls,
    ) {}

    run(): void {
        const { _calm: calm } = this;
        meeting.end();
        if (!calm.team?.take(calm)) this._own.run();
    }

    release(): void {
        this._own.release();
    }
}
