import { existsSync, rmSync } from "node:fs";
import sqlite, { type Database, type SQLiteValue, type Statement } from "node-sqlite3-wasm";
import { LABEL_STATUS, type LabelStatus } from "../../src/node/ports.ts";
import { DeviceError } from "../cli/exit.ts";
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
    whole INTEGER, first INTEGER, words BLOB, time INTEGER, ran INTEGER);
  CREATE TABLE IF NOT EXISTS audit (
    id INTEGER PRIMARY KEY, time INTEGER, who TEXT, whence TEXT, what TEXT, node TEXT, text TEXT, ran INTEGER);
`;
const INDEXES = `
  CREATE INDEX IF NOT EXISTS label_number ON label (node, durable, number);
  CREATE UNIQUE INDEX IF NOT EXISTS label_sample ON label (node, sid, seq);
  CREATE INDEX IF NOT EXISTS event_node ON event (node, id);
  CREATE INDEX IF NOT EXISTS copy_node ON copy (node, id);
  DROP INDEX IF EXISTS sample_time;
  CREATE INDEX IF NOT EXISTS sample_ran ON sample (ran);
  CREATE INDEX IF NOT EXISTS sample_node_time ON sample (node, time);
  DROP INDEX IF EXISTS prediction_time;
  CREATE INDEX IF NOT EXISTS prediction_ran ON prediction (ran);
`;
/** The tables whose old rows are removed. Each row has its time by the machine's clock, and `ran`. */
const AGING = ["sample", "prediction", "label", "event", "audit", "copy"] as const;

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

const COPY = "id, time, sid, seq, labelled, learner, firmware, hash, whole, first";

function copyOf({ first, whole, words: _, ...row }: Row): Omit<NodeCopyRow, "words"> {
  return { ...row, from: Number(first), whole: Number(whole) === 1 } as unknown as Omit<NodeCopyRow, "words">;
}

const ADOPT = `
  INSERT INTO label (node, number, sid, seq, y, source, confidence, by, time, ran, status, durable)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (node, sid, seq) DO UPDATE SET
    number = excluded.number, y = excluded.y, source = excluded.source, confidence = excluded.confidence, by = excluded.by,
    status = coalesce(status, excluded.status), durable = excluded.durable`;

/** What is kept beside labels, a row each. */
const BESIDE = ["label_tag", "label_after"] as const;
const unused = (table: (typeof BESIDE)[number]) => `
  DELETE FROM ${table} WHERE NOT EXISTS (
    SELECT 1 FROM label l WHERE l.node = ${table}.node AND l.sid = ${table}.sid AND l.seq = ${table}.seq)`;

/** Each node's rows go to pages of their own, three in all: of a thousand nodes they stay in memory. */
const CACHE_KB = 32_768;
/** Pages of 4 KB in the journal before they are copied into the file: a page that changes again meanwhile is copied once. */
const JOURNAL_PAGES = 8000;

/** Rows removed at once to make room. */
const SHRINK_ROWS = 2000;

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
  /** `ran` when it was opened. */
  private readonly ranBefore: number;

  /** Opens or makes the file. Throws a DeviceError if it can't be used. The caller holds the folder's lock. */
  constructor(
    private readonly file: string,
    private readonly now: () => number = Date.now,
    private readonly elapsed: () => number = millisecondsFromNow(),
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
      this.database.exec(INDEXES);
      this.ranBefore = this.newest("ran") ?? 0;
    } catch (error) {
      throw new DeviceError(`${file}: not a database that can be used: ${(error as Error).message}`);
    }
  }

  sample(node: string, sid: number, seq: number, x: Float32Array): void {
    const bytes = new Uint8Array(x.buffer, x.byteOffset, x.byteLength).slice();
    const sql = "INSERT OR IGNORE INTO sample (node, sid, seq, x, time, ran) VALUES (?, ?, ?, ?, ?, ?)";
    this.run(sql, [node, sid, seq, bytes, ...this.when]);
  }

  prediction(node: string, sid: number, seq: number, decision: number, remarks: number): void {
    const said = Number.isNaN(decision) ? null : decision;
    const columns = "(node, sid, seq, decision, remarks, time, ran)";
    const sql = `INSERT OR IGNORE INTO prediction ${columns} VALUES (?, ?, ?, ?, ?, ?, ?)`;
    this.run(sql, [node, sid, seq, said, remarks, ...this.when]);
  }

  event(node: string, kind: string, text: string): void {
    const sql = "INSERT INTO event (node, kind, text, time, ran) VALUES (?, ?, ?, ?, ?)";
    this.run(sql, [node, kind, text, ...this.when]);
  }

  /** Stores a copy of the node's memory, and keeps the newest `most` copies. */
  copy(node: string, copied: Omit<NodeCopyRow, "id" | "time">, most: number): void {
    const { sid, seq, labelled, learner, firmware, hash, whole, from, words } = copied;
    const bytes = new Uint8Array(words.buffer, words.byteOffset, words.byteLength).slice();
    const columns = "(node, sid, seq, labelled, learner, firmware, hash, whole, first, words, time, ran)";
    this.run(`INSERT INTO copy ${columns} VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, [
      ...[node, sid, seq, labelled, learner, firmware, hash, Number(whole), from, bytes],
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
    return Number(this.database.get(sql, [node, sid])?.last ?? 0);
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
    const sql = `
      SELECT 1 FROM label WHERE node = ? AND durable IN (0, 1) AND number > ? AND number <= ?
      AND (status IS NULL OR status = ?) LIMIT 1`;
    return this.read(sql, [node, from, to, UNANSWERED]).length > 0;
  }

  /** The node repeats its answer to a label. Stores it if it was missing, and returns the label's sample then. */
  answeredAgain(node: string, number: number, status: LabelStatus): Placed | undefined {
    const sql = `
      SELECT id, sid, seq, status FROM label WHERE node = ? AND durable IN (0, 1) AND number = ?
      ORDER BY durable, id DESC LIMIT 1`;
    const [row] = this.read(sql, [node, number]);
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
    const sql = "SELECT 1 AS one FROM prediction WHERE node = ? AND sid = ? AND seq = ?";
    return this.read(sql, [node, sid, seq]).length > 0;
  }

  /** Rows of a table of a node, or of all, in the order in which they came. */
  *rows(table: "sample" | "prediction" | "label", node?: string): Generator<Row> {
    this.commit();
    const where = node === undefined ? "" : "WHERE node = ?";
    const statement = this.database.prepare(`SELECT * FROM ${table} ${where} ORDER BY ran`);
    try {
      yield* statement.iterate(node === undefined ? [] : [node]) as IterableIterator<Row>;
    } finally {
      statement.finalize();
    }
  }

  /** The samples of a node, or of all, in the order in which they came. */
  *samples(node?: string): Generator<ExportedSample> {
    this.commit();
    const where = node === undefined ? "" : "WHERE s.node = ?";
    const statement = this.database.prepare(`${EXPORT} ${where} ORDER BY s.ran, s.node, s.sid, s.seq`);
    try {
      for (const row of statement.iterate(node === undefined ? [] : [node])) yield sampleOf(row as Row);
    } finally {
      statement.finalize();
    }
  }

  /** A query's rows, with changes that wait for `commit`. */
  read(sql: string, values: SQLiteValue[]): Row[] {
    return this.prepared(sql).all(values) as Row[];
  }

  /** Removes samples and predictions older than so many days of running, with their answered labels. */
  forget(days: number): void {
    const before = this.ran - days * DAY_MS;
    for (const table of AGING)
      this.run(`DELETE FROM ${table} WHERE ran < ?${table === "label" ? " AND durable = 1" : ""}`, [before]);
    for (const table of BESIDE) this.run(unused(table), []);
  }

  /** The machine's time when the newest row came; undefined: there is none. */
  get newestTime(): number | undefined {
    return this.newest("time");
  }

  /** Used bytes of the file; removed rows leave pages for reuse. */
  get bytes(): number {
    const pragma = (name: string) => Number(this.database.get(`PRAGMA ${name}`)?.[name]);
    return (pragma("page_count") - pragma("freelist_count")) * pragma("page_size");
  }

  /** Removes the oldest samples and predictions until so many bytes suffice, or none is left. Labels stay. */
  shrink(bytes: number): void {
    const newest =
      "SELECT ran FROM sample UNION ALL SELECT ran FROM prediction ORDER BY ran LIMIT 1 OFFSET ?";
    while (this.bytes > bytes) {
      const before = (this.database.get(newest, [SHRINK_ROWS]) ?? { ran: Number.MAX_SAFE_INTEGER }).ran;
      if (
        Number(
          this.database.get(
            "SELECT EXISTS (SELECT 1 FROM sample) OR EXISTS (SELECT 1 FROM prediction) AS some",
          )?.some,
        ) === 0
      )
        return;
      this.run("DELETE FROM sample WHERE ran <= ?", [Number(before)]);
      this.run("DELETE FROM prediction WHERE ran <= ?", [Number(before)]);
    }
  }

  /** Writes waiting changes to disk. Throws a DeviceError if the disk refuses them: then none is stored. */
  commit(): void {
    if (this.open && !this.broken) this.attempt(() => this.database.exec("COMMIT"));
    this.open = this.labelsWait = false;
    const { broken } = this;
    this.broken = undefined;
    if (broken) throw broken;
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
    for (const statement of this.statements.values()) {
      try {
        statement.finalize();
      } catch {} // it says its last error once more
    }
    this.statements.clear();
    this.database.close();
  }

  private get ran(): number {
    return Math.round(this.ranBefore + this.elapsed());
  }

  /** The present time by the machine's clock, and `ran`. */
  private get when(): readonly [time: number, ran: number] {
    return [this.now(), this.ran];
  }

  /** Of the row that came last; undefined: there is none. */
  private newest(column: "time" | "ran"): number | undefined {
    const last = (table: string, order: string) =>
      `SELECT * FROM (SELECT ${column}, ran FROM ${table} ORDER BY ${order} DESC LIMIT 1)`;
    const each = AGING.map((table) =>
      last(table, table === "sample" || table === "prediction" ? "ran" : "id"),
    );
    const row = this.database.get(`${each.join(" UNION ALL ")} ORDER BY ran DESC LIMIT 1`);
    return row ? Number(row[column]) : undefined;
  }

  /** Gives the rows of a database that was made before there was `ran` their time for it. */
  private addRan(): void {
    for (const table of AGING) {
      const columns = this.database.all(`PRAGMA table_info(${table})`);
      if (columns.some(({ name }) => name === "ran")) continue;
      this.database.exec(`ALTER TABLE ${table} ADD COLUMN ran INTEGER; UPDATE ${table} SET ran = time;`);
    }
  }

  /** Makes a change. If the disk refuses it, the whole transaction fails, and `commit` reports that. */
  private run(sql: string, values: SQLiteValue[]): void {
    if (this.broken) return;
    this.attempt(() => {
      if (!this.open) this.database.exec("BEGIN IMMEDIATE");
      this.open = true;
      this.prepared(sql).run(values);
    });
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
