import { REMARK } from "../../src/node/ports.ts";
import type { Labeller, Neighbour, Question } from "../api/api.ts";
import { nearest } from "../api/nearest-samples.ts";
import type { NodeState } from "../api/node-state.ts";
import { isScored, rankedQuestions } from "../api/ranked-questions.ts";
import type { FleetStore } from "../store/fleet-store.ts";
import { readFloats } from "../store/tables.ts";
import { makeLiveRow } from "./history.ts";

/** Samples among which the questions are chosen, and labelled ones with which they are compared. */
const CANDIDATES_MAX = 150;
const LABELLED_MAX = 300;
/** The last labelled samples, among which the nearest are searched. */
const COMPARED_MAX = 2000;
/** The node discards this part of its samples soon: nobody would answer in time. */
const SOON = 1 / 8;

const QUESTIONS = `
  SELECT p.time, p.sid, p.seq, p.decision, p.remarks, s.x
  FROM prediction p JOIN sample s USING (node, sid, seq) LEFT JOIN label l USING (node, sid, seq)
  WHERE p.node = ? AND p.sid = ? AND p.seq > ? AND l.id IS NULL AND p.decision IS NOT NULL
  ORDER BY (p.remarks & ${REMARK.asked}) DESC, p.seq DESC LIMIT ${CANDIDATES_MAX}`;
const LABELLED = `
  SELECT l.sid, l.seq, l.y, l.by, s.x FROM label l JOIN sample s USING (node, sid, seq)
  WHERE l.node = ? ORDER BY l.id DESC LIMIT ?`;
const SAMPLE = "SELECT x FROM sample WHERE node = ? AND sid = ? AND seq = ?";
const AGREED = (same: string) => `
  SELECT l.by, count(*) AS labels, sum(${same}) AS agreed FROM label l JOIN prediction p USING (node, sid, seq)
  WHERE l.node = ? AND p.decision IS NOT NULL GROUP BY l.by`;

/** The samples to label: see `rankedQuestions`. */
export function readQuestions(store: FleetStore, { name, node, task, seq = 0 }: NodeState): Question[] {
  if (!node) return [];
  const oldest = seq - Math.ceil((1 - SOON) * node.pending);
  const samples = store.read(QUESTIONS, [name, node.sid, oldest], name).map((row) => ({
    row: makeLiveRow(row),
    asked: (Number(row.remarks) & REMARK.asked) !== 0,
  }));
  const labelled = store.read(LABELLED, [name, LABELLED_MAX], name).map(({ x }) => readFloats(x));
  return rankedQuestions(samples, labelled, isScored(task));
}

/** The labelled samples of the node that are most like that one. */
export function findNeighbours(store: FleetStore, node: string, sid: number, seq: number): Neighbour[] {
  const [sample] = store.read(SAMPLE, [node, sid, seq], node);
  if (!sample) return [];
  const labelled = store
    .read(LABELLED, [node, COMPARED_MAX], node)
    .map((row) => ({ ...row, x: Array.from(readFloats(row.x)) }));
  const others = labelled as unknown as (Omit<Neighbour, "distance"> & { readonly x: number[] })[];
  return nearest(
    readFloats(sample.x),
    others.filter((each) => !(each.sid === sid && each.seq === seq)),
  );
}

/**
 * Each labeller's count of labels, and how often they agreed with the node's earlier decision; no agreement
 * for a regression.
 */
export function listLabellers(store: FleetStore, states: readonly NodeState[]): Labeller[] {
  const all = new Map<string, { labels: number; agreed: number }>();
  for (const { name, task } of states) {
    if (task === undefined || task === "regression") continue;
    const same = task === "multiclass" ? "p.decision = l.y" : "(p.decision < 0) = (l.y < 0)";
    for (const { by, labels, agreed } of store.read(AGREED(same), [name], name)) {
      const sum = all.get(String(by)) ?? { labels: 0, agreed: 0 };
      all.set(String(by), { labels: sum.labels + Number(labels), agreed: sum.agreed + Number(agreed) });
    }
  }
  return [...all].map(([by, counts]) => ({ by, ...counts })).sort((a, b) => b.labels - a.labels);
}
