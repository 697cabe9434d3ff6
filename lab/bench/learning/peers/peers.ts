import { FOREST } from "./forest.ts";
import { HOEFFDING_TREE } from "./hoeffding-tree.ts";
import { MLP } from "./mlp.ts";
import { NAG } from "./nag.ts";
import type { PeerMethod } from "./peer.ts";

/** All methods of others. */
export const PEERS: readonly PeerMethod[] = [MLP, HOEFFDING_TREE, FOREST, NAG];

export function peerNamed(name: string): PeerMethod | undefined {
  return PEERS.find((peer) => peer.name === name);
}
