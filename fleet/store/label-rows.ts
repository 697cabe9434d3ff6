import { LABEL_STATUS, type Label, type LabelStatus } from "../../src/node/ports.ts";
import { PASSING } from "../../tools/session/label-status.ts";
import type { DatabaseFile } from "./database-file.ts";
import type { LabelLog, LoggedLabel } from "./label-log.ts";
import type { StoreClock } from "./store-clock.ts";

export interface GivenLabel extends Required<Omit<Label, "number" | "tag">> {
  /** Its labeller, by the operator's name. */
  readonly by: string;
  /** The labeller's tag, unless the gateway tags it. */
  readonly tag?: readonly [low: number, high: number];
}

/** A label with the number under which the node gets it. */
interface NumberedLabel extends GivenLabel {
  readonly number: number;
}

/** A stored label of a sample. */
export interface StoredLabel {
  readonly y: number;
  readonly by: string;
  /** The node's answer; undefined: none yet. */
  readonly status: number | undefined;
  /** True if a checkpoint of the node holds its number. */
  readonly durable: boolean;
}

/** A label's status besides a node's answers: the node processed its number, but the answer never came. */
export const UNANSWERED = -1;

/** The session of labels in whose place a node gets a model: no sample has it. Their `seq` counts the node's models. */
export const MODELS = 0;

interface SamplePlace {
  readonly sid: number;
  readonly seq: number;
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
const selectUndurable = (columns: string, where: string) => `
  SELECT ${columns} FROM label o WHERE o.node = ?1 AND o.durable = 0 AND ${where}
  UNION ALL SELECT ${columns} FROM label o WHERE o.node = ?1 AND o.durable = 1 AND ${where}`;
/** The newest label of node ?1 that has the number of label `l`: a node that lost its checkpoint restarts its count. */
export const NEWEST_OF_NUMBER = `(SELECT max(id) FROM (${selectUndurable("max(o.id) AS id", "o.number = l.number")}))`;
const MODELS_UNTIL = `
  SELECT count(*) AS count FROM label l
  WHERE l.node = ?1 AND l.sid = ${MODELS} AND l.number <= ?2 AND l.id = ${NEWEST_OF_NUMBER}`;
const LACKS_ANSWER = `
  ${selectUndurable("1", `o.number > ?2 AND o.number <= ?3 AND (o.status IS NULL OR o.status = ?4)`)} LIMIT 1`;
const NEWEST_NUMBERED = `
  ${selectUndurable("o.id, o.sid, o.seq, o.status, o.durable", "o.number = ?2")} ORDER BY durable, id DESC LIMIT 1`;

/**
 * The labels of all nodes, with their numbers and answers, and the places from which their sources resume. A label that the node's
 * checkpoint doesn't hold yet waits; one that it holds is durable.
 */
export class LabelRows {
  /** True if labels, their numbers, or voided answers wait for a commit. */
  unsaved = false;

  constructor(
    private readonly file: DatabaseFile,
    private readonly clock: StoreClock,
  ) {}

  /**
   * Stores a label; it has no number until `number` assigns one. A node takes one label a sample: a further one replaces the label that the node
   * refused.
   */
  add(node: string, { sid, seq, y, source, confidence, by, tag }: GivenLabel): void {
    const columns = "(node, sid, seq, y, source, confidence, by, time, ran)";
    const sql = `INSERT OR REPLACE INTO label ${columns} VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`;
    this.file.run("DELETE FROM label_tag WHERE node = ? AND sid = ? AND seq = ?", [node, sid, seq]);
    this.file.run(sql, [node, sid, seq, y, source, confidence, by, ...this.clock.when]);
    this.unsaved = true;
    this.keepTag(node, { sid, seq, tag });
  }

  private keepTag(node: string, { sid, seq, tag }: Pick<GivenLabel, "sid" | "seq" | "tag">): void {
    const sql = "INSERT OR REPLACE INTO label_tag VALUES (?, ?, ?, ?, ?)";
    if (tag) this.file.run(sql, [node, sid, seq, ...tag]);
  }

  /** Removes a label that the node hasn't taken, and closes the gap after number `labelled`. */
  withdraw(node: string, { sid, seq }: SamplePlace, labelled: number): void {
    this.file.run("DELETE FROM label WHERE node = ? AND sid = ? AND seq = ?", [node, sid, seq]);
    this.closeGaps(node, labelled);
    this.unsaved = true;
  }

  /** The sample's label; undefined: none. */
  of(node: string, sid: number, seq: number): StoredLabel | undefined {
    const sql = "SELECT y, by, status, durable FROM label WHERE node = ? AND sid = ? AND seq = ?";
    const row = this.file.read(sql, [node, sid, seq])[0];
    if (!row) return undefined;
    const status = row.status === null ? undefined : Number(row.status);
    return { y: Number(row.y), by: String(row.by), status, durable: row.durable === 1 };
  }

  /** The labeller's tag; undefined: none. */
  readTag(node: string, sid: number, seq: number): readonly [number, number] | undefined {
    const sql = "SELECT low, high FROM label_tag WHERE node = ? AND sid = ? AND seq = ?";
    const row = this.file.read(sql, [node, sid, seq])[0];
    return row ? [Number(row.low), Number(row.high)] : undefined;
  }

  /** The place from which a source of the node's labels resumes, as the source writes it. It is on disk together with the labels before it. */
  keepPlace(node: string, source: string, place: string): void {
    this.file.run("INSERT OR REPLACE INTO place VALUES (?, ?, ?)", [node, source, place]);
  }

  readPlace(node: string, source: string): string | undefined {
    const [row] = this.file.read("SELECT place FROM place WHERE node = ? AND source = ?", [node, source]);
    return row ? String(row.place) : undefined;
  }

  /** The place from which each source of the node's labels resumes. */
  readPlaces(node: string): Record<string, string> {
    const rows = this.file.read("SELECT source, place FROM place WHERE node = ?", [node]);
    return Object.fromEntries(rows.map(({ source, place }) => [String(source), String(place)]));
  }

  /** Labels that aren't in a checkpoint, or have another number than before, get the numbers after `labelled`, in their order. */
  renumber(node: string, labelled: number): void {
    const rows = this.file.read(
      "SELECT id FROM label WHERE node = ? AND durable = 0 ORDER BY number IS NULL, number, id",
      [node],
    );
    let number = labelled;
    this.unsaved = true;
    for (const { id } of rows)
      this.file.run("UPDATE label SET number = ?, status = NULL WHERE id = ?", [++number, id]);
  }

  /** The labels after number `labelled` get the numbers that follow it: corrected labels left gaps, for which the node would wait. */
  closeGaps(node: string, labelled: number): void {
    const sql = "SELECT id, number FROM label WHERE node = ? AND durable = 0 AND number > ? ORDER BY number";
    this.file.read(sql, [node, labelled]).forEach(({ id, number }, i) => {
      if (number === labelled + 1 + i) return;
      this.file.run("UPDATE label SET number = ? WHERE id = ?", [labelled + 1 + i, id]);
      this.unsaved = true;
    });
  }

  /** Gives those without a number the next ones, after the highest of the node's and `labelled`. */
  number(node: string, labelled: number): void {
    const [{ top }] = this.file.read("SELECT max(number) AS top FROM label WHERE node = ? AND durable = 0", [
      node,
    ]);
    let next = Math.max(Number(top ?? 0), labelled) + 1;
    const numberless = "SELECT id FROM label WHERE node = ? AND durable = 0 AND number IS NULL ORDER BY id";
    const without = this.file.read(numberless, [node]);
    for (const { id } of without) this.file.run("UPDATE label SET number = ? WHERE id = ?", [next++, id]);
    if (without.length > 0) this.unsaved = true;
  }

  /** Labels of the node that aren't in a checkpoint, by number. */
  waiting(node: string): NumberedLabel[] {
    const rows = this.file.read(
      "SELECT number, sid, seq, y, source, confidence, by FROM label WHERE node = ? AND durable = 0 AND number IS NOT NULL ORDER BY number",
      [node],
    );
    return rows as unknown as NumberedLabel[];
  }

  /** How many labels of each node aren't in a checkpoint, by the nodes' names. */
  get waitingByNode(): ReadonlyMap<string, number> {
    const rows = this.file.read(
      "SELECT node, count(*) AS count FROM label WHERE durable = 0 AND sid <> ? GROUP BY node",
      [MODELS],
    );
    return new Map(rows.map(({ node, count }) => [String(node), Number(count)]));
  }

  /** Labels of the node that aren't in a checkpoint, up to the one that `newest` was: those without a number last. */
  readUnsettled(node: string, newest: number): LoggedLabel[] {
    const rows = this.file.read(
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
  newest(node: string): number {
    return Number(
      this.file.read("SELECT max(id) AS newest FROM label WHERE node = ?", [node])[0]?.newest ?? 0,
    );
  }

  setNumbers(node: string, labels: readonly LoggedLabel[]): void {
    const sql =
      "UPDATE label SET number = ?, status = NULL WHERE node = ? AND sid = ? AND seq = ? AND number IS NOT ?";
    for (const { number, sid, seq } of labels) this.file.run(sql, [number, node, sid, seq, number]);
  }

  /** Replaces the node's labels by its log's, which another gateway may have written. */
  adopt(node: string, { durable, labels, recent, places }: LabelLog): void {
    this.file.run("DELETE FROM label WHERE node = ? AND durable = 0", [node]);
    this.unsaved = true;
    this.file.run("DELETE FROM place WHERE node = ?", [node]);
    for (const [source, place] of Object.entries(places)) this.keepPlace(node, source, place);
    const put = (resolved: number) => (label: LoggedLabel) => {
      const { number, sid, seq, y, source, confidence, by } = label;
      const status = resolved ? UNANSWERED : null;
      const its = [node, number, sid, seq, y, source, confidence, by];
      this.file.run(ADOPT, [...its, ...this.clock.when, status, resolved]);
      this.keepTag(node, label);
    };
    recent.forEach(put(1));
    labels.forEach(put(0));
    this.confirm(node, durable);
  }

  /**
   * Stores the node's answer to a label. An applied label stays applied: a forged label with its number
   * causes another answer.
   */
  storeAnswer(node: string, number: number, status: LabelStatus): void {
    if (PASSING.includes(status)) return;
    const sql =
      "UPDATE label SET status = ? WHERE node = ? AND durable = 0 AND number = ? AND status IS NOT ?";
    this.file.run(sql, [status, node, number, LABEL_STATUS.applied]);
  }

  /** True if the answer to a label of the node after number `from`, up to `to`, is missing. */
  lacksAnswer(node: string, from: number, to: number): boolean {
    return this.file.read(LACKS_ANSWER, [node, from, to, UNANSWERED]).length > 0;
  }

  /** The node repeats its answer to a label. Stores it if it was missing, and returns the label's sample then. */
  answeredAgain(node: string, number: number, status: LabelStatus): SamplePlace | undefined {
    const [row] = this.file.read(NEWEST_NUMBERED, [node, number]);
    if (!row || (row.status !== null && row.status !== UNANSWERED)) return undefined;
    this.file.run("UPDATE label SET status = ? WHERE id = ?", [status, row.id]);
    return { sid: Number(row.sid), seq: Number(row.seq) };
  }

  /** The node answered the label of that sample after it had predicted sample `after` of session `at`. */
  answeredAfter(node: string, { sid, seq }: SamplePlace, { sid: at, seq: after }: SamplePlace): void {
    this.file.run("INSERT OR REPLACE INTO label_after VALUES (?, ?, ?, ?, ?)", [node, sid, seq, at, after]);
  }

  /** The node restarted and resumes after that label: voids its answers to later labels. */
  unanswer(node: string, labelled: number): void {
    const where = "node = ? AND durable = 0 AND number > ? AND status IS NOT NULL";
    if (this.file.read(`SELECT 1 FROM label WHERE ${where} LIMIT 1`, [node, labelled]).length === 0) return;
    this.file.run(`UPDATE label SET status = NULL WHERE ${where}`, [node, labelled]);
    this.unsaved = true;
  }

  /** Labels up to that number lie in a checkpoint; those whose answer never came are `UNANSWERED`. */
  durable(node: string, number: number): void {
    this.file.run(
      "UPDATE label SET durable = 1, status = coalesce(status, ?) WHERE node = ? AND durable = 0 AND number <= ?",
      [UNANSWERED, node, number],
    );
    this.confirm(node, number);
  }

  /** The node's checkpoint holds the labels up to that number. */
  confirm(node: string, durable: number): void {
    this.file.run("INSERT OR REPLACE INTO node VALUES (?, ?)", [node, durable]);
  }

  /** How many of the numbers up to that one models have, and not labels. */
  modelsUntil(node: string, number: number): number {
    return Number(this.file.read(MODELS_UNTIL, [node, number])[0].count);
  }

  /** The last label that is known to lie in a checkpoint of the node; 0: none. */
  readDurable(node: string): number {
    return Number(this.file.read("SELECT durable FROM node WHERE name = ?", [node])[0]?.durable ?? 0);
  }
}
