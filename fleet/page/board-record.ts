import { familyNamed } from "../../src/learn/registry.ts";
import { REMARK } from "../../src/node/ports.ts";
import type { Hello } from "../../tools/session/hello.ts";
import type { Around, Labeller, LiveEvent, LiveRow, Neighbour, NodeHistory, Question } from "../api/api.ts";
import { downsample } from "../api/downsample.ts";
import { nearest } from "../api/nearest-samples.ts";
import { isScored, rankedQuestions } from "../api/ranked-questions.ts";
import { usualRanges } from "../api/usual-range.ts";
import { agrees } from "./accuracy.ts";
import { Columns } from "./columns.ts";
import type { PlacedLabel, SampleName } from "./trace.ts";

const ROWS_MAX = 1 << 17;
/** Samples among which questions are chosen, labelled ones that they are compared with, and samples around one. */
const CANDIDATES_MAX = 150;
const COMPARED_MAX = 300;
const SIDE = 40;
/** Samples from which the usual range of a reading follows. */
const USUAL_SAMPLES = 1000;
const EVENTS_MAX = 500;
const LABELS_MAX = 5000;

/** The samples, labels and events of a board, which a page keeps as a gateway's database keeps a node's. */
export class BoardRecord {
  readonly rows = new Columns(ROWS_MAX);
  private labels: PlacedLabel[] = [];
  private events: LiveEvent[] = [];

  labelAt({ sid, seq }: SampleName): PlacedLabel | undefined {
    return this.labels.find((each) => each.sid === sid && each.seq === seq);
  }

  addLabel(label: PlacedLabel): void {
    this.labels = [...this.labels, label].slice(-LABELS_MAX);
  }

  addEvent(event: LiveEvent): void {
    this.events = [...this.events, event].slice(-EVENTS_MAX);
  }

  history(node: string, from: number, to: number, points: number): NodeHistory {
    const within = ({ time }: { readonly time: number }) => time >= from && time <= to;
    const labels = this.labels.filter(({ sampled }) => sampled >= from && sampled <= to);
    return {
      ...({ schema: "motelearn.history/1", node, from, to: Math.min(to, Date.now()), every: 1 } as const),
      rows: downsample(this.rows.between(from, to), points),
      labels: labels.map((label) => ({ ...label, status: label.status ?? null })),
      events: this.events.filter(within),
    };
  }

  /** The samples of a session that the node waits for labels of, the most useful first. */
  questions({ pending, learner }: Hello, session: number | undefined): readonly Question[] {
    const { rows } = this;
    const labelled = new Set(this.labels.map(({ sid, seq }) => `${sid} ${seq}`));
    const found: { row: LiveRow; asked: boolean }[] = [];
    for (let i = Math.max(0, rows.count - Math.min(pending, CANDIDATES_MAX)); i < rows.count; i++) {
      const row = rows.row(i);
      const [, sid, seq, decision, remarks] = row;
      if (sid !== session || decision === null || labelled.has(`${sid} ${seq}`)) continue;
      found.push({ row, asked: (remarks & REMARK.asked) !== 0 });
    }
    const compared = this.labels.slice(-COMPARED_MAX).map((label) => this.readings(label));
    return rankedQuestions(found, compared, isScored(familyNamed(learner)?.task));
  }

  around({ sid, seq }: SampleName): Around {
    const { rows } = this;
    const at = rows.find(sid, seq);
    const near = Array.from({ length: 2 * SIDE + 1 }, (_, k) => at - SIDE + k);
    const every = Math.max(1, Math.floor(rows.count / USUAL_SAMPLES));
    const some = Array.from(
      { length: Math.floor(rows.count / every) },
      (_, k) => rows.row(k * every)[5] ?? [],
    );
    return {
      rows: at < 0 ? [] : near.filter((i) => i >= 0 && i < rows.count).map((i) => rows.row(i)),
      usual: usualRanges(some),
    };
  }

  private readings({ sid, seq }: SampleName): readonly number[] {
    const i = this.rows.find(sid, seq);
    return i < 0 ? [] : (this.rows.row(i)[5] ?? []);
  }

  near(sample: SampleName): readonly Neighbour[] {
    return nearest(
      this.readings(sample),
      this.labels.map((label) => {
        const { sid, seq, y, by } = label;
        return { sid, seq, y, by, x: this.readings(label) };
      }),
    );
  }

  /** Each labeller's count of labels, and how often they agreed with the node's earlier decision; none of a regression. */
  labellers(task: string | undefined): readonly Labeller[] {
    const all = new Map<string, { labels: number; agreed: number }>();
    for (const label of this.labels) {
      const agreed = agrees(label, task);
      if (agreed === undefined) continue;
      const sum = all.get(label.by) ?? { labels: 0, agreed: 0 };
      all.set(label.by, { labels: sum.labels + 1, agreed: sum.agreed + Number(agreed) });
    }
    return [...all].map(([by, counts]) => ({ by, ...counts }));
  }
}
