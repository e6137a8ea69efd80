/** All peers of the benchmark. */
import { bulletPeer } from "./bullet";
import { cannonPeer } from "./cannon";
import { joltPeer } from "./jolt";
import type { Peer } from "./peer";
import { plainPeer } from "./plain";

export const peers: readonly Peer[] = [joltPeer, bulletPeer, cannonPeer, plainPeer];
