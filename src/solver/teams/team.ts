import type { Calls, KernelFunctions, Kernels } from "../../kernels/kernels";
import { callSubstep } from "../motion/calm";
import type { Calmed } from "../motion/calm";
import { BendTeam } from "./bendTeam";
import type { BendMember } from "./bendTeam";
import { ChainColumns } from "./chainColumns";
import { ChainTeam } from "./chainTeam";
import type { ChainMember } from "./chainTeam";

/** A body that may go in a team. */
export interface TeamMember {
    /** The body, once its calls are recorded. */
    readonly body: Calmed | null;
    /** What its substep calls, in order: those of a team do the same. */
    readonly kind: string;
    /** Whether its present step is calm, as yet. */
    readonly isOn: boolean;
    team: Team | null;
    /** Substeps of the present step that it has taken with its team. */
    taken: number;
    /** Number of the meeting that it was at last, and of those in a row that it was at without its team. */
    met: number;
    alone: number;
}

/** A kernel's call. */
interface Call {
    readonly name: keyof KernelFunctions;
    readonly taken: readonly unknown[];
}

/** What a calm substep of a body calls. */
export function callsOf(kernels: KernelFunctions, body: Calmed): Call[] {
    const calls: Call[] = [];
    const names = Object.keys(kernels) as Call["name"][];
    const noting = names.map((name) => [name, (...taken: unknown[]): void => void calls.push({ name, taken })]);
    callSubstep(Object.fromEntries(noting) as KernelFunctions, body);
    return calls;
}

/** Makes calls side by side: the first of each, then the second. */
function callAll(kernels: KernelFunctions, calls: readonly Call[][], chains: ChainTeam, bends: BendTeam | null): void {
    calls[0].forEach(({ name }, i) => {
        if (name === "projectChain") kernels.projectChains(chains);
        else if (name === "bendChain") kernels.bendChains(bends!);
        else for (const each of calls) (kernels[name] as (...taken: readonly unknown[]) => void)(...each[i].taken);
    });
}

/** What the call of a kernel takes; undefined: there is none. */
function takenBy(kernel: Call["name"], calls: readonly Call[]): readonly unknown[] | undefined {
    return calls.find(({ name }) => name === kernel)?.taken;
}

/**
 * Bodies of one batch that take their calm substeps together: the first that is to take one has all of them take it, by calls that are recorded side by side,
 * in which those that project chains are one, and those that bend them. None of them asks the others for anything, so that their motion is what it would be alone.
 */
export class Team {
    private readonly _calls: Calls;
    /** What has memory of its own. */
    private readonly _held: { release(): void }[] = [];
    /** Substeps of the present step that have been taken. */
    private _turns = 0;

    /** @param members of one kind. @throws RangeError when there is no memory left */
    constructor(
        kernels: Kernels,
        readonly members: readonly TeamMember[],
    ) {
        const { arena } = kernels;
        const calls = members.map(({ body }) => callsOf(kernels, body!));
        const chains = calls.map((each): ChainMember => {
            const [particles, chain] = takenBy("projectChain", each)!;
            return { particles, chain } as ChainMember;
        });
        const bends = calls.flatMap((each): BendMember[] => {
            const taken = takenBy("bendChain", each);
            return taken ? [{ particles: taken[0], bend: taken[1] } as BendMember] : [];
        });
        const columns = ChainColumns.hold(arena, ChainTeam.rowsOf(chains[0].particles));
        this._held.push(columns);
        try {
            const chainTeam = new ChainTeam(arena, chains, columns);
            this._held.push(chainTeam);
            const bendTeam = bends.length > 0 ? new BendTeam(arena, bends, columns) : null;
            if (bendTeam) this._held.push(bendTeam);
            this._calls = kernels.record((recorded) => callAll(recorded, calls, chainTeam, bendTeam));
            this._held.push(this._calls);
        } catch (error) {
            this._release();
            throw error;
        }
        for (const member of members) {
            member.team?.disband();
            member.team = this;
        }
    }

    /** Begins a step. @returns whether all are at a meeting */
    begin(meeting: number): boolean {
        this._turns = 0;
        const { members } = this;
        for (let i = 0; i < members.length; i++) if (members[i].met !== meeting) return false;
        return true;
    }

    /** Has a member take its next substep, if all of them can; whether it has. */
    take(member: TeamMember): boolean {
        if (member.taken === this._turns) {
            const { members } = this;
            for (let i = 0; i < members.length; i++) if (members[i].met !== member.met || !members[i].isOn) return false;
            // All at once where nothing is asked between them: what four need stays near then.
            const { colliders, settings } = member.body!;
            const count = colliders.length > 0 ? 1 : settings.substepCount;
            for (let s = 0; s < count; s++) this._calls.run();
            this._turns += count;
        }
        member.taken++;
        return true;
    }

    /** Has its members go alone, and frees its memory. */
    disband(): void {
        for (const member of this.members) member.team = null;
        this._release();
    }

    private _release(): void {
        for (const held of this._held) held.release();
        this._held.length = 0;
    }
}
