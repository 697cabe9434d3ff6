import { Quota } from "../access/quota.ts";
import type { AuditEntry } from "../api/api.ts";
import type { FleetStore } from "../store/fleet-store.ts";

const REFUSED_PER_MINUTE = 100;
const ENTRIES = `SELECT time, who, whence AS "from", what, node, text FROM audit ORDER BY id DESC LIMIT ?`;

/** The audit trail in the fleet's database: labels, commands, logins and refusals. */
export class Audit {
  private readonly refusals: Quota;

  constructor(
    private readonly store: FleetStore,
    now: () => number,
  ) {
    this.refusals = new Quota(REFUSED_PER_MINUTE, 60_000, now);
  }

  add({ who, from, what, node, text }: Omit<AuditEntry, "time">): void {
    this.store.audit(who, from, what, node, text);
  }

  /**
   * Stores a refusal. Returns false beyond a limit a minute, so that they can't fill the disk; the next
   * stored one has the count of the others.
   */
  addRefusal(entry: Omit<AuditEntry, "time">): boolean {
    const unkept = this.refusals.pass();
    if (unkept === undefined) return false;
    const more = unkept > 0 ? ` (and ${unkept} before that weren't kept)` : "";
    this.add({ ...entry, text: `${entry.text}${more}` });
    return true;
  }

  newest(most: number): AuditEntry[] {
    return this.store.read(ENTRIES, [most]) as unknown as AuditEntry[];
  }
}
