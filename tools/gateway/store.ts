import { existsSync, rmSync } from "node:fs";
import sqlite, { type Database, type SQLiteValue, type Statement } from "node-sqlite3-wasm";
import { LABEL_STATUS, type LabelStatus } from "../../src/node/ports.ts";
import { DeviceError } from "../cli/exit.ts";
import { type Arrival, Arrivals, packed, unpacked } from "./arrivals.ts";
import type { LabelLog, LoggedLabel } from "./cluster/label-log.ts";

/** A received label. */
export interface GivenLabel {
  readonly sid: number;
  readonly seq: number;
  readonly y: number;
  readonly source: number;
  readonly confidence: number;
  /** Its labeller, by the operator's name. */
  readonly by: string;
  /** The labeller's tag, unless the gateway tags it. */
  readonly tag?: readonly [low: number, high: number];
}

/** A label with the number under which the node gets it. */
export interface NumberedLabel extends GivenLabel {
  readonly number: number;
}

/** A sample with its prediction and label. */
export interface ExportedSample {
  readonly node: string;
  readonly sid: number;
  readonly seq: number;
  /** Milliseconds since 1970-01-01 UTC. */
  readonly time: number;
  readonly x: Float32Array;
  readonly decision?: number;
  readonly label?: number;
  readonly source?: number;
  readonly confidence?: number;
  readonly by?: string;
  /** Its number at the node, and the node's answer; undefined: none yet. */
  readonly number?: number;
  readonly status?: number;
}

const EXPORT = `
  SELECT s.node, s.sid, s.seq, s.time, s.x, p.decision, l.y AS label, l.source, l.confidence, l.by, l.number, l.status
  FROM sample s LEFT JOIN prediction p USING (node, sid, seq) LEFT JOIN label l USING (node, sid, seq)`;
const EXPORT_NODE = `${EXPORT} WHERE s.node = ? ORDER BY s.ran, s.sid, s.seq`;
const EXPORT_SPAN = `${EXPORT}
  WHERE s.node IN (SELECT value FROM json_each(?)) AND s.ran >= ? AND s.ran < ? ORDER BY s.ran, s.node, s.sid, s.seq`;
/** The first span of an export, and about how many samples the others have. */
const EXPORT_MS = 10_000;
const EXPORT_ROWS = 20_000;

/** A copy of a node's memory: its state, then its counters, as in a checkpoint. */
export interface NodeCopyRow {
  readonly id: number;
  /** When it was read, milliseconds since 1970-01-01 UTC; after which sample and label. */
  readonly time: number;
  readonly sid: number;
  readonly seq: number;
  readonly labelled: number;
  readonly learner: string;
  readonly firmware: string;
  /**
   * The learner's hash, which the node confirmed; and whether the node also confirmed the whole state's hash.
   */
  readonly hash: string;
  readonly whole: boolean;
  /** Where the learner's state begins among the words. */
  readonly from: number;
  /** The schema hash of the node's checkpoints; null: the node keeps none, or an earlier gateway made the copy. */
  readonly checkpoint: string | null;
  readonly words: Uint32Array;
}

/** A label's status besides a node's answers: the node processed its number, but the answer never came. */
const UNANSWERED = -1;

const TABLES = `
  CREATE TABLE IF NOT EXISTS node (name TEXT PRIMARY KEY, durable INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS sample (
    node TEXT, sid INTEGER, seq INTEGER, time INTEGER, x BLOB, ran INTEGER, PRIMARY KEY (node, sid, seq)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS prediction (
    node TEXT, sid INTEGER, seq INTEGER, time INTEGER, decision REAL, remarks INTEGER, ran INTEGER,
    PRIMARY KEY (node, sid, seq)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS arrived (id INTEGER PRIMARY KEY, rows BLOB);
  CREATE TABLE IF NOT EXISTS label (
    id INTEGER PRIMARY KEY, node TEXT NOT NULL, number INTEGER, sid INTEGER, seq INTEGER, y REAL, source INTEGER,
    confidence INTEGER, by TEXT, time INTEGER, status INTEGER, durable INTEGER NOT NULL DEFAULT 0, ran INTEGER);
  CREATE TABLE IF NOT EXISTS label_tag (
    node TEXT, sid INTEGER, seq INTEGER, low INTEGER, high INTEGER, PRIMARY KEY (node, sid, seq)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS label_after (
    node TEXT, sid INTEGER, seq INTEGER, at INTEGER, after INTEGER, PRIMARY KEY (node, sid, seq)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS place (node TEXT, source TEXT, place TEXT, PRIMARY KEY (node, source)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS event (
    id INTEGER PRIMARY KEY, node TEXT, time INTEGER, kind TEXT, text TEXT, ran INTEGER);
  CREATE TABLE IF NOT EXISTS copy (
    id INTEGER PRIMARY KEY, node TEXT, sid INTEGER, seq INTEGER, labelled INTEGER, learner TEXT, firmware TEXT, hash TEXT,
    whole INTEGER, first INTEGER, words BLOB, checkpoint TEXT, time INTEGER, ran INTEGER);
  CREATE TABLE IF NOT EXISTS audit (
    id INTEGER PRIMARY KEY, time INTEGER, who TEXT, whence TEXT, what TEXT, node TEXT, text TEXT, ran INTEGER);
`;
const INDEXES = `
  DROP INDEX IF EXISTS label_number;
  CREATE INDEX IF NOT EXISTS label_waiting ON label (node, number) WHERE durable = 0;
  CREATE INDEX IF NOT EXISTS label_settled ON label (node, number) WHERE durable = 1;
  CREATE UNIQUE INDEX IF NOT EXISTS label_sample ON label (node, sid, seq);
  CREATE INDEX IF NOT EXISTS event_node ON event (node, id);
  CREATE INDEX IF NOT EXISTS copy_node ON copy (node, id);
  DROP INDEX IF EXISTS sample_time;
  DROP INDEX IF EXISTS sample_ran;
  CREATE INDEX IF NOT EXISTS sample_node_ran ON sample (node, ran);
  CREATE INDEX IF NOT EXISTS sample_node_time ON sample (node, time);
  DROP INDEX IF EXISTS prediction_time;
  DROP INDEX IF EXISTS prediction_ran;
  CREATE INDEX IF NOT EXISTS prediction_node_ran ON prediction (node, ran);
`;
/**
 * The tables whose old rows are removed. Each row has its time by the machine's clock, and `ran`. Those of what
 * a node sends arrive fast, and are moved to their tables late.
 */
const ARRIVED = ["sample", "prediction"] as const;
const LOGGED = ["label", "event", "audit", "copy"] as const;

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
/** Milliseconds of a sweep: in a longer one each commit changes the pages of fewer nodes. Until it ends they are in memory, too. */
export const SWEEP_MS = 20_000;

/** A sample of a node. */
interface Placed {
  readonly sid: number;
  readonly seq: number;
}

/** A row of the database, by its columns' names. */
export type Row = Record<string, SQLiteValue>;

/** Readings as a row has them. */
export function floatsOf(x: unknown): Float32Array {
  return new Float32Array((x as Uint8Array).slice().buffer);
}

function sampleOf({ x, ...row }: Row): ExportedSample {
  const known = Object.entries(row).filter(([, value]) => value !== null);
  return { ...Object.fromEntries(known), x: floatsOf(x) } as unknown as ExportedSample;
}

const COPY = "id, time, sid, seq, labelled, learner, firmware, hash, whole, first, checkpoint";

function copyOf({ first, whole, words: _, ...row }: Row): Omit<NodeCopyRow, "words"> {
  return { ...row, from: Number(first), whole: Number(whole) === 1 } as unknown as Omit<NodeCopyRow, "words">;
}

const ADOPT = `
  INSERT INTO label (node, number, sid, seq, y, source, confidence, by, time, ran, status, durable)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (node, sid, seq) DO UPDATE SET
    number = excluded.number, y = excluded.y, source = excluded.source, confidence = excluded.confidence, by = excluded.by,
    status = coalesce(status, excluded.status), durable = excluded.durable`;

/**
 * The labels of node ?1 under that number. Each index has part of the labels: those that wait for a checkpoint are few, so the index that
 * a new label changes stays small.
 */
const numbered = (columns: string, where: string) => `
  SELECT ${columns} FROM label o WHERE o.node = ?1 AND o.durable = 0 AND ${where}
  UNION ALL SELECT ${columns} FROM label o WHERE o.node = ?1 AND o.durable = 1 AND ${where}`;
/** The newest label of node ?1 that has the number of label `l`: a node that lost its checkpoint restarts its count. */
export const NEWEST_OF_NUMBER = `(SELECT max(id) FROM (${numbered("max(o.id) AS id", "o.number = l.number")}))`;
const LACKS_ANSWER = `
  ${numbered("1", `o.number > ?2 AND o.number <= ?3 AND (o.status IS NULL OR o.status = ?4)`)} LIMIT 1`;
const NEWEST_NUMBERED = `
  ${numbered("o.id, o.sid, o.seq, o.status, o.durable", "o.number = ?2")} ORDER BY durable, id DESC LIMIT 1`;

/** What is kept beside labels, a row each. */
const BESIDE = ["label_tag", "label_after"] as const;
const unused = (table: (typeof BESIDE)[number]) => `
  DELETE FROM ${table} WHERE NOT EXISTS (
    SELECT 1 FROM label l WHERE l.node = ${table}.node AND l.sid = ${table}.sid AND l.seq = ${table}.seq)`;

/** Each node's rows go to pages of their own, seven in all: of a thousand nodes they stay in memory. */
const CACHE_KB = 32_768;
/** Pages of 4 KB in the journal before they are copied into the file: a page that changes again meanwhile is copied once. */
const JOURNAL_PAGES = 8000;

/** Most rows of a node that are removed at once to make room. */
const SHRINK_ROWS = 512;

const DAY_MS = 86_400_000;

/** A monotonic clock, from 0. */
function millisecondsFromNow(): () => number {
  const start = performance.now();
  return () => performance.now() - start;
}

/**
 * The fleet's samples, predictions and labels in one SQLite file. Changes wait in a transaction until
 * `commit`, which returns when they are on disk; a killed process loses the changes after the last commit.
 *
 * The machine's clock may be set, forward or back. So each row also has `ran`: milliseconds that count while a gateway runs. Order and
 * age follow from it.
 */
export class FleetStore {
  private readonly database: Database;
  private open = false;
  /** Whether labels, their numbers, or voided answers wait for `commit`. */
  private labelsWait = false;
  /** Why the waiting transaction can't be written; the next commit throws it. */
  private broken: Error | undefined;
  /** Why changes were lost since `takeLoss`. */
  private loss: string | undefined;
  /** Prepared statements: SQLite takes longer to parse one than to run it. */
  private readonly statements = new Map<string, Statement>();
  /** `ran` when it was opened, and the machine's time then of the newest row; undefined: there was none. */
  private readonly ranBefore: number;
  readonly newestTime: number | undefined;
  /** Milliseconds for which the last commit waited for the disk. */
  diskMs = 0;
  /** Samples and predictions on their way to their tables, and which nodes' are moved next. */
  private readonly arrivals = new Arrivals();
  private sweep: Sweep = { began: 0, nodes: [], moved: 0, last: 0 };
  /** The last row of `arrived`, and the last that was removed. */
  private newestArrived = 0;
  private droppedArrived = 0;

  /** Opens or makes the file. Throws a DeviceError if it can't be used. The caller holds the folder's lock. */
  constructor(
    private readonly file: string,
    private readonly now: () => number = Date.now,
    private readonly elapsed: () => number = millisecondsFromNow(),
    /** Milliseconds in which each node's arrivals are moved to their tables once; 0: each commit moves all. */
    private readonly sweepMs = SWEEP_MS,
  ) {
    // This SQLite locks by a folder, which a killed process leaves behind; the caller ensures that no one
    // else has the file open.
    const lock = `${file}.lock`;
    if (existsSync(lock)) rmSync(lock, { recursive: true });
    try {
      this.database = new sqlite.Database(file);
      // A write-ahead log takes one wait for the disk a commit; with one process it needs no shared memory.
      this.database.exec(
        "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;",
      );
      this.database.exec(`PRAGMA cache_size = -${CACHE_KB}; PRAGMA wal_autocheckpoint = ${JOURNAL_PAGES};`);
      this.database.exec(TABLES);
      this.addRan();
      this.addCheckpoint();
      this.database.exec(INDEXES);
      const newest = [this.newest, this.recover()].flatMap((row) => row ?? []);
      newest.sort((a, b) => b.ran - a.ran);
      this.ranBefore = newest[0]?.ran ?? 0;
      this.newestTime = newest[0]?.time;
    } catch (error) {
      throw new DeviceError(`${file}: not a database that can be used: ${(error as Error).message}`);
    }
  }

  /** Keeps a sample; a copy of one before changes nothing. */
  sample(node: string, sid: number, seq: number, x: Float32Array): void {
    const [time, ran] = this.when;
    this.arrivals.add({ node, sid, seq, time, ran, x: x.slice() });
  }

  prediction(node: string, sid: number, seq: number, decision: number, remarks: number): void {
    const [time, ran] = this.when;
    this.arrivals.add({ node, sid, seq, time, ran, decision, remarks });
  }

  event(node: string, kind: string, text: string): void {
    const sql = "INSERT INTO event (node, kind, text, time, ran) VALUES (?, ?, ?, ?, ?)";
    this.run(sql, [node, kind, text, ...this.when]);
  }

  /** Stores a copy of the node's memory, and keeps the newest `most` copies. */
  copy(node: string, copied: Omit<NodeCopyRow, "id" | "time">, most: number): void {
    const { sid, seq, labelled, learner, firmware, hash, whole, from, checkpoint, words } = copied;
    const bytes = new Uint8Array(words.buffer, words.byteOffset, words.byteLength).slice();
    const columns =
      "(node, sid, seq, labelled, learner, firmware, hash, whole, first, words, checkpoint, time, ran)";
    this.run(`INSERT INTO copy ${columns} VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, [
      ...[node, sid, seq, labelled, learner, firmware, hash, Number(whole), from, bytes, checkpoint],
      ...this.when,
    ]);
    const kept = "SELECT id FROM copy WHERE node = ? ORDER BY id DESC LIMIT ?";
    this.run(`DELETE FROM copy WHERE node = ? AND id NOT IN (${kept})`, [node, node, most]);
  }

  /** The copies of the node's memory, the newest first, without their words. */
  copies(node: string): Omit<NodeCopyRow, "words">[] {
    return this.read(`SELECT ${COPY} FROM copy WHERE node = ? ORDER BY id DESC`, [node]).map(copyOf);
  }

  /** One of them; undefined: there is none any more. */
  copyOf(node: string, id: number): NodeCopyRow | undefined {
    const [row] = this.read(`SELECT ${COPY}, words FROM copy WHERE node = ? AND id = ?`, [node, id]);
    if (!row) return undefined;
    const bytes = (row.words as Uint8Array).slice();
    return { ...copyOf(row), words: new Uint32Array(bytes.buffer) };
  }

  /** Milliseconds for which a gateway ran since the last copy of the node's memory; infinite: there is none. */
  sinceCopy(node: string): number {
    const last = this.read("SELECT max(ran) AS last FROM copy WHERE node = ?", [node])[0]?.last;
    return last === null || last === undefined ? Number.POSITIVE_INFINITY : this.ran - Number(last);
  }

  /** Stores an action with its user and address. */
  audit(who: string, whence: string, what: string, node: string, text: string): void {
    const sql = "INSERT INTO audit (who, whence, what, node, text, time, ran) VALUES (?, ?, ?, ?, ?, ?, ?)";
    this.run(sql, [who, whence, what, node, text, ...this.when]);
  }

  /** Stores a label; it has no number until `number` assigns one. A node takes one label a sample. */
  label(node: string, { sid, seq, y, source, confidence, by, tag }: GivenLabel): void {
    const columns = "(node, sid, seq, y, source, confidence, by, time, ran)";
    const sql = `INSERT INTO label ${columns} VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`;
    this.run(sql, [node, sid, seq, y, source, confidence, by, ...this.when]);
    this.labelsWait = true;
    if (tag) this.run("INSERT OR REPLACE INTO label_tag VALUES (?, ?, ?, ?, ?)", [node, sid, seq, ...tag]);
  }

  /** The sample's label; undefined: none. */
  labelOf(node: string, sid: number, seq: number): { readonly y: number; readonly by: string } | undefined {
    const sql = "SELECT y, by FROM label WHERE node = ? AND sid = ? AND seq = ?";
    const row = this.read(sql, [node, sid, seq])[0];
    return row ? { y: Number(row.y), by: String(row.by) } : undefined;
  }

  /** The labeller's tag; undefined: none. */
  tagOf(node: string, sid: number, seq: number): readonly [number, number] | undefined {
    const sql = "SELECT low, high FROM label_tag WHERE node = ? AND sid = ? AND seq = ?";
    const row = this.read(sql, [node, sid, seq])[0];
    return row ? [Number(row.low), Number(row.high)] : undefined;
  }

  /** The place from which a source of the node's labels resumes, as the source writes it. It is on disk together with the labels before it. */
  keepPlace(node: string, source: string, place: string): void {
    this.run("INSERT OR REPLACE INTO place VALUES (?, ?, ?)", [node, source, place]);
  }

  placeOf(node: string, source: string): string | undefined {
    const row = this.database.get("SELECT place FROM place WHERE node = ? AND source = ?", [node, source]);
    return row ? String(row.place) : undefined;
  }

  /** The place from which each source of the node's labels resumes. */
  placesOf(node: string): Record<string, string> {
    const rows = this.read("SELECT source, place FROM place WHERE node = ?", [node]);
    return Object.fromEntries(rows.map(({ source, place }) => [String(source), String(place)]));
  }

  /** The last sample of that session that was predicted; 0: none. */
  lastSeq(node: string, sid: number): number {
    const sql = "SELECT max(seq) AS last FROM prediction WHERE node = ? AND sid = ?";
    const last = Number(this.read(sql, [node, sid])[0]?.last ?? 0);
    return this.predictedLately(node, sid).reduce((most, { seq }) => Math.max(most, seq), last);
  }

  /** Labels that aren't in a checkpoint, or have another number than before, get the numbers after `labelled`, in their order. */
  renumber(node: string, labelled: number): void {
    const rows = this.read(
      "SELECT id FROM label WHERE node = ? AND durable = 0 ORDER BY number IS NULL, number, id",
      [node],
    );
    let number = labelled;
    this.labelsWait = true;
    for (const { id } of rows)
      this.run("UPDATE label SET number = ?, status = NULL WHERE id = ?", [++number, id]);
  }

  /** Gives those without a number the next ones, after the highest of the node's and `labelled`. */
  number(node: string, labelled: number): void {
    const [{ top }] = this.read("SELECT max(number) AS top FROM label WHERE node = ? AND durable = 0", [
      node,
    ]);
    let next = Math.max(Number(top ?? 0), labelled) + 1;
    const numberless = "SELECT id FROM label WHERE node = ? AND durable = 0 AND number IS NULL ORDER BY id";
    const without = this.read(numberless, [node]);
    for (const { id } of without) this.run("UPDATE label SET number = ? WHERE id = ?", [next++, id]);
    if (without.length > 0) this.labelsWait = true;
  }

  /** Labels of the node that aren't in a checkpoint, by number. */
  waiting(node: string): NumberedLabel[] {
    const rows = this.read(
      "SELECT number, sid, seq, y, source, confidence, by FROM label WHERE node = ? AND durable = 0 AND number IS NOT NULL ORDER BY number",
      [node],
    );
    return rows as unknown as NumberedLabel[];
  }

  /** Labels of the node that aren't in a checkpoint, up to the one that `newestLabel` was: those without a number last. */
  unsettled(node: string, newest: number): LoggedLabel[] {
    const rows = this.read(
      `SELECT l.number, l.sid, l.seq, l.y, l.source, l.confidence, l.by, t.low, t.high
       FROM label l LEFT JOIN label_tag t USING (node, sid, seq)
       WHERE l.node = ? AND l.durable = 0 AND l.id <= ? ORDER BY l.number IS NULL, l.number, l.id`,
      [node, newest],
    );
    return rows.map(({ low, high, ...row }) => ({
      ...(row as unknown as LoggedLabel),
      ...(low !== null && { tag: [Number(low), Number(high)] as const }),
    }));
  }

  /** The node's newest label; 0: none. */
  newestLabel(node: string): number {
    return Number(this.read("SELECT max(id) AS newest FROM label WHERE node = ?", [node])[0]?.newest ?? 0);
  }

  /** Sets labels' numbers. */
  numbered(node: string, labels: readonly LoggedLabel[]): void {
    const sql =
      "UPDATE label SET number = ?, status = NULL WHERE node = ? AND sid = ? AND seq = ? AND number IS NOT ?";
    for (const { number, sid, seq } of labels) this.run(sql, [number, node, sid, seq, number]);
  }

  /** Replaces the node's labels by its log's, which another gateway may have written. */
  adopt(node: string, { durable, labels, recent, places }: LabelLog): void {
    this.run("DELETE FROM label WHERE node = ? AND durable = 0", [node]);
    this.labelsWait = true;
    this.run("DELETE FROM place WHERE node = ?", [node]);
    for (const [source, place] of Object.entries(places)) this.keepPlace(node, source, place);
    const put = (settled: number) => (label: LoggedLabel) => {
      const { number, sid, seq, y, source, confidence, by, tag } = label;
      const status = settled ? UNANSWERED : null;
      this.run(ADOPT, [node, number, sid, seq, y, source, confidence, by, ...this.when, status, settled]);
      if (tag) this.run("INSERT OR REPLACE INTO label_tag VALUES (?, ?, ?, ?, ?)", [node, sid, seq, ...tag]);
    };
    recent.forEach(put(1));
    labels.forEach(put(0));
    this.settle(node, durable);
  }

  /**
   * Stores the node's answer to a label. An applied label stays applied: a forged label with its number
   * causes another answer.
   */
  answered(node: string, number: number, status: LabelStatus): void {
    if (status === LABEL_STATUS.duplicate || status === LABEL_STATUS.held || status === LABEL_STATUS.ahead)
      return;
    const sql =
      "UPDATE label SET status = ? WHERE node = ? AND durable = 0 AND number = ? AND status IS NOT ?";
    this.run(sql, [status, node, number, LABEL_STATUS.applied]);
  }

  /** Whether the answer to a label of the node after number `from`, up to `to`, is missing. */
  lacksAnswer(node: string, from: number, to: number): boolean {
    return this.read(LACKS_ANSWER, [node, from, to, UNANSWERED]).length > 0;
  }

  /** The node repeats its answer to a label. Stores it if it was missing, and returns the label's sample then. */
  answeredAgain(node: string, number: number, status: LabelStatus): Placed | undefined {
    const [row] = this.read(NEWEST_NUMBERED, [node, number]);
    if (!row || (row.status !== null && row.status !== UNANSWERED)) return undefined;
    this.run("UPDATE label SET status = ? WHERE id = ?", [status, row.id]);
    return { sid: Number(row.sid), seq: Number(row.seq) };
  }

  /** The node answered the label of that sample after it had predicted sample `after` of session `at`. */
  answeredAfter(node: string, { sid, seq }: Placed, { sid: at, seq: after }: Placed): void {
    this.run("INSERT OR REPLACE INTO label_after VALUES (?, ?, ?, ?, ?)", [node, sid, seq, at, after]);
  }

  /** The node restarted and resumes after that label: voids its answers to later labels. */
  unanswer(node: string, labelled: number): void {
    const where = "node = ? AND durable = 0 AND number > ? AND status IS NOT NULL";
    if (this.read(`SELECT 1 FROM label WHERE ${where} LIMIT 1`, [node, labelled]).length === 0) return;
    this.run(`UPDATE label SET status = NULL WHERE ${where}`, [node, labelled]);
    this.labelsWait = true;
  }

  /** Labels up to that number lie in a checkpoint; those whose answer never came are `UNANSWERED`. */
  durable(node: string, number: number): void {
    this.run(
      "UPDATE label SET durable = 1, status = coalesce(status, ?) WHERE node = ? AND durable = 0 AND number <= ?",
      [UNANSWERED, node, number],
    );
    this.settle(node, number);
  }

  /** The node's checkpoint holds the labels up to that number. */
  settle(node: string, durable: number): void {
    this.run("INSERT OR REPLACE INTO node VALUES (?, ?)", [node, durable]);
  }

  /** The last label that is known to lie in a checkpoint of the node; 0: none. */
  durableOf(node: string): number {
    return Number(this.read("SELECT durable FROM node WHERE name = ?", [node])[0]?.durable ?? 0);
  }

  /** Whether the node predicted that sample. */
  knows(node: string, sid: number, seq: number): boolean {
    if (this.predictedLately(node, sid).some((each) => each.seq === seq)) return true;
    const sql = "SELECT 1 AS one FROM prediction WHERE node = ? AND sid = ? AND seq = ?";
    return this.read(sql, [node, sid, seq]).length > 0;
  }

  /** Predictions of a session that aren't in their table yet. */
  private predictedLately(node: string, sid: number): readonly Arrival[] {
    return this.arrivals.of(node).filter((each) => each.sid === sid && !("x" in each));
  }

  /** Rows of a table of a node, or of all, in the order in which they came. */
  *rows(table: "sample" | "prediction" | "label", node?: string): Generator<Row> {
    this.moveArrivals();
    this.commit();
    const where = node === undefined ? "" : "WHERE node = ?";
    yield* this.each(`SELECT * FROM ${table} ${where} ORDER BY ran`, node === undefined ? [] : [node]);
  }

  /** The samples of a node, or of all, in the order in which they came. */
  *samples(node?: string): Generator<ExportedSample> {
    this.moveArrivals();
    this.commit();
    for (const row of node === undefined ? this.samplesOfAll() : this.each(EXPORT_NODE, [node]))
      yield sampleOf(row);
  }

  /**
   * Index `ran` is by node, so all nodes' samples are read by spans of time. SQLite sorts each span. A span's
   * length follows from the number of samples in the one before.
   */
  private *samplesOfAll(): Generator<Row> {
    const nodes = JSON.stringify(this.nodesIn("sample"));
    let length = EXPORT_MS;
    for (let from = this.firstSample(0); from !== undefined; ) {
      let count = 0;
      for (const row of this.each(EXPORT_SPAN, [nodes, from, from + length])) {
        count++;
        yield row;
      }
      from = this.firstSample(from + length);
      if (count > EXPORT_ROWS) length = Math.max(1, Math.ceil(length / 2));
      else length *= 2;
    }
  }

  private *each(sql: string, values: SQLiteValue[]): Generator<Row> {
    const statement = this.database.prepare(sql);
    try {
      yield* statement.iterate(values) as IterableIterator<Row>;
    } finally {
      statement.finalize();
    }
  }

  /**
   * A query's rows, with changes that wait for `commit`.
   * @param samplesOf the node whose samples or predictions it reads; those of others may lack the last ones.
   */
  read(sql: string, values: SQLiteValue[], samplesOf?: string): Row[] {
    if (samplesOf !== undefined) this.move(samplesOf);
    return this.prepared(sql).all(values) as Row[];
  }

  /** Removes samples and predictions older than so many days of running, with their answered labels. */
  forget(days: number): void {
    const before = this.ran - days * DAY_MS;
    if (this.arrivals.oldest < before) this.moveArrivals();
    this.removeArrived("ran < ?", before);
    for (const table of LOGGED)
      this.run(`DELETE FROM ${table} WHERE ran < ?${table === "label" ? " AND durable = 1" : ""}`, [before]);
    for (const table of BESIDE) this.run(unused(table), []);
  }

  /** Used bytes of the file; removed rows leave pages for reuse. */
  get bytes(): number {
    const pragma = (name: string) => Number(this.database.get(`PRAGMA ${name}`)?.[name]);
    return (pragma("page_count") - pragma("freelist_count")) * pragma("page_size");
  }

  /** Removes the oldest samples and predictions until so many bytes suffice, or none is left. Labels stay. */
  shrink(bytes: number): void {
    if (this.bytes > bytes) this.moveArrivals();
    for (let rows = 1; this.bytes > bytes; rows = Math.min(2 * rows, SHRINK_ROWS)) {
      const until = this.ranOfRow(rows);
      if (until === undefined) return;
      this.removeArrived("ran <= ?", until);
    }
  }

  /** When a node's row of that number came, of the node whose came first; undefined: there are no rows. */
  private ranOfRow(number: number): number | undefined {
    let first: number | undefined;
    for (const table of ARRIVED) {
      const sql = `SELECT ran FROM ${table} WHERE node = ? ORDER BY ran LIMIT 1 OFFSET ?`;
      for (const node of this.nodesIn(table)) {
        const [row] = this.read(sql, [node, number - 1]);
        first = Math.min(first ?? this.ran, Number(row?.ran ?? this.ran));
      }
    }
    return first;
  }

  /** Removes samples and predictions, node by node, since their index is by node. */
  private removeArrived(which: string, ran: number): void {
    for (const table of ARRIVED)
      for (const node of this.nodesIn(table))
        this.run(`DELETE FROM ${table} WHERE node = ? AND ${which}`, [node, ran]);
  }

  /** When the first sample from `from` on came; undefined: there is none. */
  private firstSample(from: number): number | undefined {
    const sql = "SELECT min(ran) AS first FROM sample WHERE node = ? AND ran >= ?";
    const firsts = this.nodesIn("sample").flatMap((node) => this.read(sql, [node, from])[0].first ?? []);
    return firsts.length === 0 ? undefined : Math.min(...firsts.map(Number));
  }

  /** The nodes that the table has rows of. */
  private nodesIn(table: (typeof ARRIVED)[number]): string[] {
    return this.read(NODES_IN(table), []).map(({ name }) => String(name));
  }

  /** Moves the node's samples and predictions to their tables. */
  private move(node: string): void {
    for (const each of this.arrivals.take(node)) {
      const { sid, seq, time, ran } = each;
      if ("x" in each) {
        const bytes = new Uint8Array(each.x.buffer, each.x.byteOffset, each.x.byteLength);
        this.run(PUT_SAMPLE, [node, sid, seq, time, bytes, ran]);
      } else {
        const decision = Number.isNaN(each.decision) ? null : each.decision;
        this.run(PUT_PREDICTION, [node, sid, seq, time, decision, each.remarks, ran]);
      }
    }
  }

  /** Moves all to their tables, where a query finds them. */
  moveArrivals(): void {
    for (const node of this.arrivals.nodes) this.move(node);
    this.arrivals.takeFresh();
    this.dropArrived(this.newestArrived);
  }

  /**
   * Writes what came as one row, at the end of a table without an index: that changes few pages. In its table
   * a node's rows lie on pages of their own, as in the indexes. So they are moved there node by node, all of
   * a sweep's time at once.
   */
  private keepArrived(): void {
    if (this.sweepMs === 0) {
      this.moveArrivals();
      return;
    }
    const fresh = this.arrivals.takeFresh();
    if (fresh.length > 0)
      this.run("INSERT INTO arrived (id, rows) VALUES (?, ?)", [++this.newestArrived, packed(fresh)]);
    this.sweepOn();
  }

  /** Moves as many nodes' rows as the time since the sweep began asks for. */
  private sweepOn(): void {
    const { sweep } = this;
    const share = Math.min(1, (this.elapsed() - sweep.began) / this.sweepMs);
    const until = Math.floor(share * sweep.nodes.length);
    while (sweep.moved < until) this.move(sweep.nodes[sweep.moved++]);
    if (share < 1) return;
    this.dropArrived(sweep.last);
    this.sweep = this.nextSweep();
  }

  private nextSweep(): Sweep {
    return { began: this.elapsed(), nodes: this.arrivals.nodes, moved: 0, last: this.newestArrived };
  }

  /** Reads what a killed gateway had not moved yet. Returns the newest of it. */
  private recover(): Arrival | undefined {
    let newest: Arrival | undefined;
    for (const { id, rows } of this.database.all("SELECT id, rows FROM arrived ORDER BY id")) {
      this.newestArrived = Number(id);
      for (const arrival of unpacked(rows as Uint8Array)) {
        this.arrivals.put(arrival);
        newest = arrival;
      }
    }
    return newest;
  }

  /** Removes rows whose samples and predictions are all in their tables. */
  private dropArrived(last: number): void {
    if (last <= this.droppedArrived) return;
    this.run("DELETE FROM arrived WHERE id <= ?", [last]);
    this.droppedArrived = last;
  }

  /** Writes waiting changes to disk. Throws a DeviceError if the disk refuses them: then none is stored. */
  commit(): void {
    this.keepArrived();
    const began = performance.now();
    if (this.open && !this.broken) this.attempt(() => this.database.exec("COMMIT"));
    this.diskMs = performance.now() - began;
    this.open = this.labelsWait = false;
    const { broken } = this;
    this.broken = undefined;
    if (!broken) {
      this.arrivals.kept();
      return;
    }
    this.arrivals.undone();
    this.droppedArrived = 0; // what the transaction removed is there again
    this.sweep = this.nextSweep();
    throw broken;
  }

  /** Writes waiting labels, their numbers and voided answers to disk. Without any it costs nothing. */
  commitLabels(): void {
    if (this.labelsWait) this.commit();
  }

  /** Why data since the last call are lost; undefined: none are. */
  takeLoss(): string | undefined {
    const { loss } = this;
    this.loss = undefined;
    return loss;
  }

  close(): void {
    this.commit();
    try {
      this.moveArrivals();
      this.commit();
    } catch {} // the disk is full: they stay in `arrived` until the next start
    for (const sql of [...this.statements.keys()]) this.discard(sql);
    this.database.close();
  }

  private get ran(): number {
    return Math.round(this.ranBefore + this.elapsed());
  }

  /** The present time by the machine's clock, and `ran`. */
  private get when(): readonly [time: number, ran: number] {
    return [this.now(), this.ran];
  }

  /** When the newest row of the tables came; undefined: there is none. */
  private get newest(): { readonly time: number; readonly ran: number } | undefined {
    const last = (table: string, where: string, values: SQLiteValue[], order: string) =>
      this.read(`SELECT time, ran FROM ${table} ${where} ORDER BY ${order} DESC LIMIT 1`, values);
    const rows = [
      ...LOGGED.flatMap((table) => last(table, "", [], "id")),
      ...ARRIVED.flatMap((table) =>
        this.nodesIn(table).flatMap((node) => last(table, "WHERE node = ?", [node], "ran")),
      ),
    ];
    const newest = rows.sort((a, b) => Number(b.ran) - Number(a.ran))[0];
    return newest && { time: Number(newest.time), ran: Number(newest.ran) };
  }

  /** Gives the rows of a database that was made before there was `ran` their time for it. */
  private addRan(): void {
    for (const table of [...ARRIVED, ...LOGGED]) {
      if (this.has(table, "ran")) continue;
      this.database.exec(`ALTER TABLE ${table} ADD COLUMN ran INTEGER; UPDATE ${table} SET ran = time;`);
    }
  }

  /** Copies of an earlier gateway have no schema. */
  private addCheckpoint(): void {
    if (!this.has("copy", "checkpoint")) this.database.exec("ALTER TABLE copy ADD COLUMN checkpoint TEXT;");
  }

  private has(table: string, column: string): boolean {
    return this.database.all(`PRAGMA table_info(${table})`).some(({ name }) => name === column);
  }

  /** Makes a change. If the disk refuses it, the whole transaction fails, and `commit` reports that. */
  private run(sql: string, values: SQLiteValue[]): void {
    if (this.broken) return;
    this.attempt(() => {
      if (!this.open) this.database.exec("BEGIN IMMEDIATE");
      this.open = true;
      try {
        this.prepared(sql).run(values);
      } catch (error) {
        this.discard(sql); // it would give its error to its next use, too
        throw error;
      }
    });
  }

  private discard(sql: string): void {
    try {
      this.statements.get(sql)?.finalize();
    } catch {} // it says its last error once more
    this.statements.delete(sql);
  }

  private attempt(write: () => void): void {
    try {
      write();
    } catch (error) {
      this.broken = new DeviceError(`${this.file}: can't be written: ${(error as Error).message}`);
      this.loss = this.broken.message;
      try {
        this.database.exec("ROLLBACK");
      } catch {} // SQLite did it by itself
    }
  }

  private prepared(sql: string): Statement {
    let statement = this.statements.get(sql);
    if (!statement) {
      statement = this.database.prepare(sql);
      this.statements.set(sql, statement);
    }
    return statement;
  }
}
