/** Silence after which a gateway counts as gone. */
export const GONE_MS = 5000;
/** Time without changes before nodes are taken, so that leaving gateways finish first. */
const SETTLED_MS = 2000;

/** A gateway's view of the cluster's members, and the owner of each node. */
export class Membership {
  private readonly heardAt = new Map<string, number>();
  private changedAt: number;
  private shown = "";
  private readonly owners = new Map<string, string>();

  constructor(
    readonly own: string,
    private readonly now: () => number,
  ) {
    this.changedAt = now();
  }

  /** A gateway announced itself. */
  heard(gateway: string): void {
    this.heardAt.set(gateway, this.now());
  }

  /** A gateway announced that it leaves. */
  left(gateway: string): void {
    this.heardAt.delete(gateway);
  }

  /** Forgets the other members: this gateway was suspended or cut off. */
  forget(): void {
    this.changedAt = this.now();
  }

  get gateways(): readonly string[] {
    const now = this.now();
    for (const [gateway, at] of this.heardAt) if (now - at >= GONE_MS) this.heardAt.delete(gateway);
    const all = [this.own, ...[...this.heardAt.keys()].filter((each) => each !== this.own)].sort();
    const shown = all.join(" ");
    if (shown !== this.shown) {
      this.changedAt = now;
      this.owners.clear();
    }
    this.shown = shown;
    return all;
  }

  /** The gateway that the node belongs to. */
  findOwner(node: string): string {
    const { gateways, owners } = this;
    const owner = owners.get(node) ?? chooseOwner(node, gateways);
    owners.set(node, owner);
    return owner;
  }

  /** True if the same gateways have been there for long enough to take nodes. */
  get settled(): boolean {
    return this.now() - this.changedAt >= SETTLED_MS;
  }
}

/** The gateway that a node belongs to; when one joins or leaves, no node moves between two others. */
export function chooseOwner(node: string, gateways: readonly string[]): string {
  let owner = "";
  let most = -1;
  for (const gateway of gateways) {
    const rank = mixHash(`${gateway} ${node}`);
    if (rank > most) [owner, most] = [gateway, rank];
  }
  return owner;
}

/** FNV-1a, with the finaliser of MurmurHash3: names that differ in one letter must not have like ranks. */
function mixHash(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
