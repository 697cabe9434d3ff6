import { Random } from "../../host/random.ts";
import { KEY_BYTES, KeyedNode } from "../../src/wire/keyed.ts";

/** The key and nonces for both ends of a keyed line. */
export interface LineKeys {
  readonly peer: { readonly key: Uint8Array; readonly random: () => number };
  /** Makes the node's end, at each of its starts. */
  readonly makeKeyed: () => KeyedNode;
}

/** A key for a simulated line, and both ends' nonces, by seed: each from a random stream of its own. */
export function lineKeys(seed: number, name: string): LineKeys {
  const drawn = new Random(seed, `${name}/key`);
  const key = Uint8Array.from({ length: KEY_BYTES }, () => drawn.below(256));
  const nonces = (end: string) => {
    const random = new Random(seed, `${name}/nonces/${end}`);
    return () => random.uint32();
  };
  const ofNode = nonces("node");
  return { peer: { key, random: nonces("peer") }, makeKeyed: () => new KeyedNode(key, ofNode) };
}
