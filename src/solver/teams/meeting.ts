import { STEADY } from "../motion/calm";
import { MOST_MEMBERS } from "./chainTeam";
import { Team } from "./team";
import type { TeamMember } from "./team";

/** In a list, a place that is free. */
const NOBODY = undefined as unknown as TeamMember;

/**
 * Who begins a step calm, until the first of them goes on: those of one batch, which has begun them all by then. They find their teams, and new ones where they have been without
 * for a while.
 */
class Meeting {
    private readonly _members: TeamMember[] = [];
    private _count = 0;
    private _number = 0;

    add(member: TeamMember): void {
        if (this._count === 0) this._number++;
        member.met = this._number;
        member.taken = 0;
        this._members[this._count++] = member;
    }

    /** Ends it, where it has not ended yet. */
    end(): void {
        const { _members: members, _count: count } = this;
        if (count === 0) return;
        this._count = 0;
        let lonely = 0;
        for (let i = 0; i < count; i++) {
            const member = members[i];
            if (member.team?.begin(member.met)) member.alone = 0;
            else if (++member.alone > STEADY) lonely++;
        }
        if (lonely > 0 && count > 1) this._makeTeams(count);
        // The list keeps its length: one that is emptied gives its memory back, and asks for it anew.
        members.fill(NOBODY, 0, count);
    }

    /** Has those that have been alone for a while go together, and with teams that have room. */
    private _makeTeams(count: number): void {
        const { _members: members } = this;
        for (let i = 0; i < count; i++) {
            const first = members[i];
            if (!(first.alone > STEADY)) continue;
            // Who finds none looks again after as long.
            first.alone = 0;
            let others = 0;
            for (let k = 0; k < count; k++) if (mayJoin(first, members[k])) others++;
            if (others > 0) makeTeam(first, members.slice(0, count));
        }
    }
}

/** Whether another may come into a team with one that is alone. */
function mayJoin(first: TeamMember, other: TeamMember): boolean {
    if (other === first || other.kind !== first.kind) return false;
    return other.team && other.alone === 0 ? other.team.members.length < MOST_MEMBERS : other.alone > STEADY;
}

function makeTeam(first: TeamMember, members: readonly TeamMember[]): void {
    const joining = [first, ...members.filter((other) => mayJoin(first, other))].slice(0, MOST_MEMBERS);
    for (const member of joining) member.alone = 0;
    try {
        new Team(first.body!.kernels, joining);
    } catch {
        // Without memory they go alone.
    }
}

/** That of the page: bodies of a batch begin a step with nothing between them. */
export const meeting = new Meeting();
