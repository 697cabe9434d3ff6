import type { SQLiteValue } from "node-sqlite3-wasm";
import { DeviceError } from "../../host/errors.ts";
import { ArrivalRows, SWEEP_MS } from "./arrival-rows.ts";
import { DatabaseFile } from "./database-file.ts";
import { type ExportedSample, exportedSamples } from "./exported-samples.ts";
import type { KeptCopy } from "./kept-copy.ts";
import { LabelRows } from "./label-rows.ts";
import { LessonRows } from "./lesson-rows.ts";
import { StoreClock } from "./store-clock.ts";
import { ARRIVED, BESIDE, LOGGED, type Row } from "./tables.ts";

/** A copy with its words: the state, then the counters, as in a checkpoint. */
export interface NodeCopyRow extends KeptCopy {
  readonly words: Uint32Array;
}

const COPY = "id, time, sid, seq, labelled, learner, firmware, hash, whole, first, checkpoint";

function copyFields({ first, whole, words: _, ...row }: Row): KeptCopy {
  return { ...row, from: Number(first), whole: Number(whole) === 1 } as unknown as KeptCopy;
}

/** What SQLite says of a file that is damaged, or never was a database. */
const DAMAGED = /malformed|not a database|^table |row .* missing from index|unsupported file format/;

/** Why the database can't be used, and what to do, in a line. */
function unusable(path: string, { message }: Error): string {
  if (!DAMAGED.test(message)) return `${path}: can't be used as a database: ${message}`;
  const remedy = `move it and ${path}-wal away to begin a new one, or rescue what it holds: sqlite3 ${path} .recover`;
  return `${path}: the database is damaged (${message}); ${remedy}`;
}

const deleteUnused = (table: (typeof BESIDE)[number]) => `
  DELETE FROM ${table} WHERE NOT EXISTS (
    SELECT 1 FROM label l WHERE l.node = ${table}.node AND l.sid = ${table}.sid AND l.seq = ${table}.seq)`;

/** Events of each node that are kept, the newest; and after how many more the others are removed. */
const EVENTS_MAX = 10_000;
const EVENTS_MORE = 1000;
const OLD_EVENTS = `
  DELETE FROM event WHERE node = ?1 AND id <= (SELECT id FROM event WHERE node = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)`;

/** Most rows of a node that are removed at once to make room. */
const SHRINK_ROWS = 512;

const DAY_MS = 86_400_000;

/**
 * The fleet's samples, predictions and labels in one SQLite file. Changes wait until `commit`, which returns when they are on disk; a
 * killed process loses the changes after the last commit.
 */
export class FleetStore {
  private readonly file: DatabaseFile;
  private readonly clock: StoreClock;
  private readonly arrivals: ArrivalRows;
  /** Each node's since it was opened. */
  private readonly events = new Map<string, number>();
  readonly labels: LabelRows;
  readonly lessons: LessonRows;
  /** The machine's time of the newest row when it was opened; undefined: there was none. */
  readonly newestTime: number | undefined;

  /** Opens or makes the file. Throws a DeviceError if it can't be used. The caller holds the folder's lock. */
  constructor(
    path: string,
    now?: () => number,
    elapsed?: () => number,
    /** Milliseconds in which each node's arrivals are moved to their tables once; 0: each commit moves all. */
    sweepMs = SWEEP_MS,
  ) {
    this.clock = new StoreClock(now, elapsed);
    try {
      this.file = new DatabaseFile(path);
      this.labels = new LabelRows(this.file, this.clock);
      this.lessons = new LessonRows(this.file, this.labels);
      this.arrivals = new ArrivalRows(this.file, this.clock, sweepMs);
      const newest = [this.newest, this.arrivals.recover()].flatMap((row) => row ?? []);
      newest.sort((a, b) => b.ran - a.ran);
      this.clock.ranBefore = newest[0]?.ran ?? 0;
      this.newestTime = newest[0]?.time;
    } catch (error) {
      throw new DeviceError(unusable(path, error as Error));
    }
  }

  /** Milliseconds for which the last commit waited for the disk. */
  get diskMs(): number {
    return this.file.diskMs;
  }

  /** Keeps a sample; a copy of one before changes nothing. */
  sample(node: string, sid: number, seq: number, x: Float32Array): void {
    const [time, ran] = this.clock.when;
    this.arrivals.add({ node, sid, seq, time, ran, x: x.slice() });
  }

  prediction(node: string, sid: number, seq: number, decision: number, remarks: number): void {
    const [time, ran] = this.clock.when;
    this.arrivals.add({ node, sid, seq, time, ran, decision, remarks });
  }

  event(node: string, kind: string, text: string): void {
    const sql = "INSERT INTO event (node, kind, text, time, ran) VALUES (?, ?, ?, ?, ?)";
    this.file.run(sql, [node, kind, text, ...this.clock.when]);
    const count = 1 + (this.events.get(node) ?? 0);
    this.events.set(node, count);
    if (count % EVENTS_MORE === 0) this.file.run(OLD_EVENTS, [node, EVENTS_MAX]);
  }

  /** Keeps the state of a node's machine in place of the one before. */
  keepMachine(node: string, state: string): void {
    this.file.run("INSERT OR REPLACE INTO machine (node, state) VALUES (?, ?)", [node, state]);
  }

  /** Undefined: none was kept. */
  readMachine(node: string): string | undefined {
    const [row] = this.read("SELECT state FROM machine WHERE node = ?", [node]);
    return row && String(row.state);
  }

  /** Stores a copy of the node's memory, and keeps the newest `most` copies. */
  copy(node: string, copied: Omit<NodeCopyRow, "id" | "time">, most: number): void {
    const { sid, seq, labelled, learner, firmware, hash, whole, from, checkpoint, words } = copied;
    const bytes = new Uint8Array(words.buffer, words.byteOffset, words.byteLength).slice();
    const columns =
      "(node, sid, seq, labelled, learner, firmware, hash, whole, first, words, checkpoint, time, ran)";
    this.file.run(`INSERT INTO copy ${columns} VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, [
      ...[node, sid, seq, labelled, learner, firmware, hash, Number(whole), from, bytes, checkpoint],
      ...this.clock.when,
    ]);
    const kept = "SELECT id FROM copy WHERE node = ? ORDER BY id DESC LIMIT ?";
    this.file.run(`DELETE FROM copy WHERE node = ? AND id NOT IN (${kept})`, [node, node, most]);
  }

  /** Removes the newest copy, which the node never had as its memory. */
  dropCopy(node: string): void {
    this.file.run("DELETE FROM copy WHERE id = (SELECT max(id) FROM copy WHERE node = ?)", [node]);
  }

  /** The copies of the node's memory, the newest first, without their words. */
  copies(node: string): KeptCopy[] {
    return this.read(`SELECT ${COPY} FROM copy WHERE node = ? ORDER BY id DESC`, [node]).map(copyFields);
  }

  /** One of them; undefined: there is none any more. */
  readCopy(node: string, id: number): NodeCopyRow | undefined {
    const [row] = this.read(`SELECT ${COPY}, words FROM copy WHERE node = ? AND id = ?`, [node, id]);
    if (!row) return undefined;
    const bytes = (row.words as Uint8Array).slice();
    return { ...copyFields(row), words: new Uint32Array(bytes.buffer) };
  }

  /** Milliseconds for which a gateway ran since the last copy of the node's memory; infinite: there is none. */
  sinceCopy(node: string): number {
    const last = this.read("SELECT max(ran) AS last FROM copy WHERE node = ?", [node])[0]?.last;
    return last === null || last === undefined ? Number.POSITIVE_INFINITY : this.clock.ran - Number(last);
  }

  /** Stores an action with its user and address. */
  audit(who: string, whence: string, what: string, node: string, text: string): void {
    const sql = "INSERT INTO audit (who, whence, what, node, text, time, ran) VALUES (?, ?, ?, ?, ?, ?, ?)";
    this.file.run(sql, [who, whence, what, node, text, ...this.clock.when]);
  }

  /** The last sample of that session that was predicted; 0: none. */
  lastSeq(node: string, sid: number): number {
    const sql = "SELECT max(seq) AS last FROM prediction WHERE node = ? AND sid = ?";
    const last = Number(this.read(sql, [node, sid])[0]?.last ?? 0);
    return this.arrivals.predictedLately(node, sid).reduce((most, { seq }) => Math.max(most, seq), last);
  }

  /** True if the node predicted that sample. */
  knows(node: string, sid: number, seq: number): boolean {
    if (this.arrivals.predictedLately(node, sid).some((each) => each.seq === seq)) return true;
    const sql = "SELECT 1 AS one FROM prediction WHERE node = ? AND sid = ? AND seq = ?";
    return this.read(sql, [node, sid, seq]).length > 0;
  }

  /** Rows of a table of a node, or of all, in the order in which they came. */
  *rows(table: "sample" | "prediction" | "label", node?: string): Generator<Row> {
    this.moveArrivals();
    this.commit();
    const where = node === undefined ? "" : "WHERE node = ?";
    yield* this.file.each(`SELECT * FROM ${table} ${where} ORDER BY ran`, node === undefined ? [] : [node]);
  }

  /** The samples of a node, or of all, in the order in which they came. */
  *samples(node?: string): Generator<ExportedSample> {
    this.moveArrivals();
    this.commit();
    yield* exportedSamples(this.file, this.arrivals, node);
  }

  /**
   * A query's rows, with changes that wait for `commit`.
   * @param samplesOf the node whose samples or predictions it reads; those of others may lack the last ones.
   */
  read(sql: string, values: SQLiteValue[], samplesOf?: string): Row[] {
    if (samplesOf !== undefined) this.arrivals.move(samplesOf);
    return this.file.read(sql, values);
  }

  /** Removes samples and predictions older than so many days of running, with their answered labels. */
  forget(days: number): void {
    const before = this.clock.ran - days * DAY_MS;
    if (this.arrivals.oldest < before) this.moveArrivals();
    this.arrivals.remove("ran < ?", before);
    for (const table of LOGGED)
      this.file.run(`DELETE FROM ${table} WHERE ran < ?${table === "label" ? " AND durable = 1" : ""}`, [
        before,
      ]);
    for (const table of BESIDE) this.file.run(deleteUnused(table), []);
  }

  /** Used bytes of the file; removed rows leave pages for reuse. */
  get bytes(): number {
    return this.file.bytes;
  }

  /** Removes the oldest samples and predictions until so many bytes suffice, or none is left. Labels stay. */
  shrink(bytes: number): void {
    if (this.bytes > bytes) this.moveArrivals();
    for (let rows = 1; this.bytes > bytes; rows = Math.min(2 * rows, SHRINK_ROWS)) {
      const until = this.arrivals.ranOfRow(rows);
      if (until === undefined) return;
      this.arrivals.remove("ran <= ?", until);
    }
  }

  /** Moves all arrivals to their tables, where a query finds them. */
  moveArrivals(): void {
    this.arrivals.moveAll();
  }

  /** Writes waiting changes to disk. Throws a DeviceError if the disk refuses them: then none is stored. */
  commit(): void {
    this.arrivals.keep();
    const broken = this.file.commit();
    this.labels.unsaved = false;
    if (!broken) {
      this.arrivals.confirm();
      return;
    }
    this.arrivals.rollBack();
    throw broken;
  }

  /** Writes waiting labels, their numbers and voided answers to disk. Without any it costs nothing. */
  commitLabels(): void {
    if (this.labels.unsaved) this.commit();
  }

  /** Why data since the last call are lost; undefined: none are. */
  takeLoss(): string | undefined {
    return this.file.takeLoss();
  }

  close(): void {
    this.commit();
    try {
      this.moveArrivals();
      this.commit();
    } catch {} // the disk is full: they stay in `arrived` until the next start
    this.file.close();
  }

  /** When the newest row of the tables came; undefined: there is none. */
  private get newest(): { readonly time: number; readonly ran: number } | undefined {
    const last = (table: string, where: string, values: SQLiteValue[], order: string) =>
      this.read(`SELECT time, ran FROM ${table} ${where} ORDER BY ${order} DESC LIMIT 1`, values);
    const rows = [
      ...LOGGED.flatMap((table) => last(table, "", [], "id")),
      ...ARRIVED.flatMap((table) =>
        this.arrivals.nodesIn(table).flatMap((node) => last(table, "WHERE node = ?", [node], "ran")),
      ),
    ];
    const newest = rows.sort((a, b) => Number(b.ran) - Number(a.ran))[0];
    return newest && { time: Number(newest.time), ran: Number(newest.ran) };
  }
}
