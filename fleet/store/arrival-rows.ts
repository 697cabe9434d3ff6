import { type Arrival, Arrivals, packArrivals, unpackArrivals } from "./arrivals.ts";
import type { DatabaseFile } from "./database-file.ts";
import type { StoreClock } from "./store-clock.ts";
import { ARRIVED } from "./tables.ts";

const PUT_SAMPLE = "INSERT OR IGNORE INTO sample (node, sid, seq, time, x, ran) VALUES (?, ?, ?, ?, ?, ?)";
const PUT_PREDICTION = `
  INSERT OR IGNORE INTO prediction (node, sid, seq, time, decision, remarks, ran) VALUES (?, ?, ?, ?, ?, ?, ?)`;
/** The nodes of a table, by one look into its primary key for each. */
const NODES_IN = (table: (typeof ARRIVED)[number]) => `
  WITH RECURSIVE each(name) AS (
    SELECT min(node) FROM ${table}
    UNION ALL SELECT (SELECT min(node) FROM ${table} WHERE node > each.name) FROM each WHERE each.name IS NOT NULL)
  SELECT name FROM each WHERE name IS NOT NULL`;

/** A turn in which each node's samples and predictions are moved to their tables once. */
interface Sweep {
  readonly began: number;
  readonly nodes: readonly string[];
  /** How many of them are moved. */
  moved: number;
  /** Rows of `arrived` up to this one are no longer needed after it. */
  readonly last: number;
}
/** Most numbers of one node that wait in memory beyond a commit, 4 MB: a node that sends more is moved before its turn. */
const WAITING_MAX = 1 << 20;
/** Milliseconds of a sweep: in a longer one each commit changes the pages of fewer nodes. Until it ends they are in memory, too. */
export const SWEEP_MS = 20_000;

/**
 * The samples and predictions of all nodes, which come fast, and are moved to their tables late. Until then they are in memory, and packed in
 * the table `arrived`.
 */
export class ArrivalRows {
  /** Samples and predictions on their way to their tables, and which nodes' are moved next. */
  private readonly arrivals = new Arrivals();
  private sweep: Sweep = { began: 0, nodes: [], moved: 0, last: 0 };
  /** The last row of `arrived`, and the last that was removed. */
  private newestArrived = 0;
  private droppedArrived = 0;

  constructor(
    private readonly file: DatabaseFile,
    private readonly clock: StoreClock,
    /** Milliseconds in which each node's arrivals are moved to their tables once; 0: each commit moves all. */
    private readonly sweepMs: number,
  ) {}

  add(arrival: Arrival): void {
    this.arrivals.add(arrival);
  }

  /** When the first that isn't in its table came; infinite: all are. */
  get oldest(): number {
    return this.arrivals.oldest;
  }

  /** Predictions of a session that aren't in their table yet. */
  predictedLately(node: string, sid: number): readonly Arrival[] {
    return this.arrivals.of(node).filter((each) => each.sid === sid && !("x" in each));
  }

  /** The transaction in which `keep` wrote is on the disk. */
  confirm(): void {
    this.arrivals.confirm();
  }

  /** It failed. */
  rollBack(): void {
    this.arrivals.rollBack();
    this.droppedArrived = 0; // what the transaction removed is there again
    this.sweep = this.nextSweep();
  }

  /** Moves the node's samples and predictions to their tables. */
  move(node: string): void {
    for (const each of this.arrivals.take(node)) {
      const { sid, seq, time, ran } = each;
      if ("x" in each) {
        const bytes = new Uint8Array(each.x.buffer, each.x.byteOffset, each.x.byteLength);
        this.file.run(PUT_SAMPLE, [node, sid, seq, time, bytes, ran]);
      } else {
        const decision = Number.isNaN(each.decision) ? null : each.decision;
        this.file.run(PUT_PREDICTION, [node, sid, seq, time, decision, each.remarks, ran]);
      }
    }
  }

  /** Moves all to their tables, where a query finds them. */
  moveAll(): void {
    for (const node of this.arrivals.nodes) this.move(node);
    this.arrivals.takeFresh();
    this.dropArrived(this.newestArrived);
  }

  /**
   * Writes what came as one row, at the end of a table without an index: that changes few pages. In its table
   * a node's rows lie on pages of their own, as in the indexes. So they are moved there node by node, all of
   * a sweep's time at once.
   */
  keep(): void {
    if (this.sweepMs === 0) {
      this.moveAll();
      return;
    }
    const fresh = this.arrivals.takeFresh();
    if (fresh.length > 0)
      this.file.run("INSERT INTO arrived (id, rows) VALUES (?, ?)", [
        ++this.newestArrived,
        packArrivals(fresh),
      ]);
    for (const node of this.arrivals.heavier(WAITING_MAX)) this.move(node);
    this.sweepOn();
  }

  /** Moves as many nodes' rows as the time since the sweep began asks for. */
  private sweepOn(): void {
    const { sweep } = this;
    const share = Math.min(1, (this.clock.elapsed() - sweep.began) / this.sweepMs);
    const until = Math.floor(share * sweep.nodes.length);
    while (sweep.moved < until) this.move(sweep.nodes[sweep.moved++]);
    if (share < 1) return;
    this.dropArrived(sweep.last);
    this.sweep = this.nextSweep();
  }

  private nextSweep(): Sweep {
    return { began: this.clock.elapsed(), nodes: this.arrivals.nodes, moved: 0, last: this.newestArrived };
  }

  /** Reads what a killed gateway had not moved yet. Returns the newest of it. */
  recover(): Arrival | undefined {
    let newest: Arrival | undefined;
    for (const { id, rows } of this.file.read("SELECT id, rows FROM arrived ORDER BY id", [])) {
      this.newestArrived = Number(id);
      for (const arrival of unpackArrivals(rows as Uint8Array)) {
        this.arrivals.put(arrival);
        newest = arrival;
      }
    }
    return newest;
  }

  /** Removes rows whose samples and predictions are all in their tables. */
  private dropArrived(last: number): void {
    if (last <= this.droppedArrived) return;
    this.file.run("DELETE FROM arrived WHERE id <= ?", [last]);
    this.droppedArrived = last;
  }

  nodesIn(table: (typeof ARRIVED)[number]): string[] {
    return this.file.read(NODES_IN(table), []).map(({ name }) => String(name));
  }

  /** When a node's row of that number came, of the node whose came first; undefined: there are no rows. */
  ranOfRow(number: number): number | undefined {
    let first: number | undefined;
    for (const table of ARRIVED) {
      const sql = `SELECT ran FROM ${table} WHERE node = ? ORDER BY ran LIMIT 1 OFFSET ?`;
      for (const node of this.nodesIn(table)) {
        const [row] = this.file.read(sql, [node, number - 1]);
        first = Math.min(first ?? this.clock.ran, Number(row?.ran ?? this.clock.ran));
      }
    }
    return first;
  }

  /** Removes samples and predictions, node by node, since their index is by node. */
  remove(which: string, ran: number): void {
    for (const table of ARRIVED)
      for (const node of this.nodesIn(table))
        this.file.run(`DELETE FROM ${table} WHERE node = ? AND ${which}`, [node, ran]);
  }
}
