import type { FleetModel } from "../../src/node/fleet-model.ts";
import { describeVote, type FleetMemory, readVector } from "../../tools/explanation/fleet-vote.ts";
import type { ReplayedLabel } from "../../tools/explanation/node-replay.ts";
import type { ExplainedVote } from "../api/api.ts";
import { readFloats } from "../store/tables.ts";
import type { ExplainStore } from "./explain-thread.ts";
import type { TakenModel } from "./taught.ts";

/** Labelled samples of any nodes with these features. */
const lessonsQuery = (count: number) => `
  SELECT e.node, e.sid, e.seq, e.x, e.y, l.number, l.source, l.confidence, l.by, s.time
  FROM lesson e LEFT JOIN label l USING (node, sid, seq) LEFT JOIN sample s USING (node, sid, seq)
  WHERE e.x IN (${Array.from({ length: count }, () => "?").join()})`;

/** A labelled sample of a node of the group. */
interface GroupLabel extends ReplayedLabel {
  readonly node: string;
}

/** The labelled samples behind a model's vectors. `findSample` gives the place among them of the sample of a decision's part, from 1; null: it has none. */
export function lessonsBehind(
  store: ExplainStore,
  memory: FleetMemory,
): { readonly labels: readonly GroupLabel[]; findSample(part: string): number | null } {
  const vectors = Array.from({ length: memory.fleet.model.size }, (_, i) => readVector(memory, i));
  if (vectors.length === 0) return { labels: [], findSample: () => null };
  const rows = store.read(
    lessonsQuery(vectors.length),
    vectors.map((vector) => new Uint8Array(vector.buffer)),
  );
  const places = new Map(rows.map(({ x }, i) => [readFloats(x).join(), i + 1]));
  const samples = new Map(vectors.map((vector, i) => [`vector ${i}`, places.get(vector.join())]));
  return { labels: rows as unknown as GroupLabel[], findSample: (part) => samples.get(part) ?? null };
}

/** The vote between own learner and model, as it stands. */
export function voteShown(fleet: FleetModel, models: readonly TakenModel[]): ExplainedVote {
  const { model, ...vote } = describeVote(fleet);
  const taken = models.filter(({ crc }) => crc >>> 0 === fleet.model.crc).at(-1);
  return {
    ...vote,
    model: { ...(taken && { number: taken.number, candidate: taken.candidate }), ...model },
  };
}
