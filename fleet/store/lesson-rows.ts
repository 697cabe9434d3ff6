import type { LabelledFeatures } from "../../src/peer/features.ts";
import type { DatabaseFile } from "./database-file.ts";
import { type LabelRows, MODELS } from "./label-rows.ts";
import { readFloats } from "./tables.ts";

/** A labelled sample as its node used it. */
export interface KeptLesson {
  /** In the order in which they came, over all nodes. */
  readonly id: number;
  readonly node: string;
  readonly x: Float32Array;
  readonly y: number;
}

/** A model for a node. */
export interface KeptModel {
  /** How it was trained, in a word. */
  readonly candidate: string;
  readonly crc: number;
  readonly bytes: Uint8Array;
}

/** What is settled about the first state of a node that has learned nothing. */
export interface KeptStart {
  /** A start of the node: message hello's `boot`. */
  readonly boot: number;
  /** True while its first state is under way. False: it is settled for that start. */
  readonly isOpen: boolean;
}

/** Lessons of each node that are kept, the newest; and after how many more the others are removed. */
const LESSONS_MAX = 8000;
const LESSONS_MORE = 500;
const OLD = `
  DELETE FROM lesson WHERE node = ?1 AND id <= (SELECT id FROM lesson WHERE node = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)`;

/** The source under which `keepPlace` keeps what a trainer remembers of a node. */
const TRAINER = "together";
/** The source under which it keeps a node's `KeptStart`. */
const START = "together-start";

/** Nodes that learn together: their labelled samples, their models, and what trainers remember of them. */
export class LessonRows {
  /** Lessons since the store was opened. */
  private count = 0;

  constructor(
    private readonly file: DatabaseFile,
    private readonly labels: LabelRows,
  ) {}

  /** Keeps the features of a labelled sample, once. Returns the lesson, with a copy of them; undefined: it has it, or no label of that sample. */
  keep(node: string, { sid, seq, x }: LabelledFeatures): KeptLesson | undefined {
    const label = this.labels.of(node, sid, seq);
    const known = this.file.read("SELECT 1 FROM lesson WHERE node = ? AND sid = ? AND seq = ?", [
      node,
      sid,
      seq,
    ]);
    if (!label || sid === MODELS || known.length > 0) return undefined;
    const { y } = label;
    const copy = x.slice();
    const sql = "INSERT INTO lesson (node, sid, seq, x, y) VALUES (?, ?, ?, ?, ?)";
    this.file.run(sql, [node, sid, seq, new Uint8Array(copy.buffer), y]);
    if (++this.count % LESSONS_MORE === 0) this.file.run(OLD, [node, LESSONS_MAX]);
    const [{ id }] = this.file.read("SELECT max(id) AS id FROM lesson", []);
    return { id: Number(id), node, x: copy, y };
  }

  /** Lessons of these nodes with so many features, in the order in which they came. */
  of(nodes: readonly string[], features: number): KeptLesson[] {
    const rows = nodes.flatMap((node) =>
      this.file.read("SELECT id, node, x, y FROM lesson WHERE node = ? AND length(x) = ?", [
        node,
        4 * features,
      ]),
    );
    return rows
      .map(({ id, node, x, y }) => ({ id: Number(id), node: String(node), x: readFloats(x), y: Number(y) }))
      .sort((a, b) => a.id - b.id);
  }

  /** Keeps a model in a label's place; it has no number until `LabelRows.number` assigns one. */
  install(node: string, { candidate, crc, bytes }: KeptModel): void {
    const last = this.file.read("SELECT max(seq) AS seq FROM label WHERE node = ? AND sid = ?", [
      node,
      MODELS,
    ]);
    const seq = Number(last[0].seq ?? 0) + 1;
    this.labels.add(node, { sid: MODELS, seq, y: 0, source: 0, confidence: 255, by: "" });
    const sql = "INSERT OR REPLACE INTO model VALUES (?, ?, ?, ?, ?, ?)";
    this.file.run(sql, [node, MODELS, seq, candidate, crc, bytes]);
  }

  /** The model in the place of label `seq` of session `MODELS`. */
  readModel(node: string, seq: number): KeptModel {
    const sql = "SELECT candidate, crc, bytes FROM model WHERE node = ? AND sid = ? AND seq = ?";
    const [{ candidate, crc, bytes }] = this.file.read(sql, [node, MODELS, seq]);
    return { candidate: String(candidate), crc: Number(crc), bytes: (bytes as Uint8Array).slice() };
  }

  /** Keeps what a trainer remembers of a node, as a text. */
  remember(node: string, text: string): void {
    this.labels.keepPlace(node, TRAINER, text);
  }

  readTrainer(node: string): string | undefined {
    return this.labels.readPlace(node, TRAINER);
  }

  /** Keeps what is settled about the first state of a node. */
  keepStart(node: string, start: KeptStart): void {
    this.labels.keepPlace(node, START, JSON.stringify(start));
  }

  /** Undefined: nothing was kept. */
  readStart(node: string): KeptStart | undefined {
    const text = this.labels.readPlace(node, START);
    return text === undefined ? undefined : JSON.parse(text);
  }
}
