/*
 * Chains of as many links, four at once: what waits in one for the link before, in the others does not. Each gets what it would get alone, to the bit.
 */
import type { ChainTeamArrays } from "../chainLayout";
import { projectChain } from "./chain";

/** See kernels.ts. */
export function projectChains(team: ChainTeamArrays): void {
    projectChain(team.first, team.firstChain);
    if (team.memberCount > 1) projectChain(team.second, team.secondChain);
    if (team.memberCount > 2) projectChain(team.third, team.thirdChain);
    if (team.memberCount > 3) projectChain(team.fourth, team.fourthChain);
}
