/*
 * Bending of chains of as many particles, four at once, as chainTeam.ts has their lengths. Each gets what it would get alone, to the bit.
 */
import type { ChainBendTeamArrays } from "../chainLayout";
import { bendChain } from "./chainBend";

/** See kernels.ts. */
export function bendChains(team: ChainBendTeamArrays): void {
    bendChain(team.first, team.firstBend);
    if (team.memberCount > 1) bendChain(team.second, team.secondBend);
    if (team.memberCount > 2) bendChain(team.third, team.thirdBend);
    if (team.memberCount > 3) bendChain(team.fourth, team.fourthBend);
}
