import { Random } from "../../../host/random.ts";
import { average, total } from "../../../host/statistics.ts";
import type { DataSet } from "../../../host/streams/table.ts";
import { table } from "../../../host/terminal/table.ts";
import { chooseFamily } from "../../../host-sim/catalogue/learner-choice.ts";
import { Prequential } from "../../../host-sim/prequential/prequential.ts";
import { type UserOptions, withBudget } from "../../../src/learn/family.ts";
import { scaleRows } from "../../evaluation/scaling.ts";
import type { NoveltyStream } from "./streams.ts";

const BUDGET = 64;
/** The promised share of alarms on usual samples. */
const RATE = 0.01;
/** First samples, which aren't scored; at most a quarter of the stream. */
const FIRST = 500;

/** Detectors with their own level, and with alarms at the promised rate. */
const DETECTORS: readonly {
  readonly name: string;
  readonly learner: string;
  readonly options: UserOptions;
}[] = [
  { name: "olk-n", learner: "olk-n", options: {} },
  { name: "olk-n, oldest", learner: "olk-n", options: { evict: "oldest" } },
  { name: "norma-n", learner: "norma-n", options: {} },
  { name: "robust-z", learner: "robust-z", options: {} },
].flatMap((each) => [
  each,
  { ...each, name: `${each.name}, 1 %`, options: { ...each.options, falseAlarms: RATE } },
]);

/** How late labels come, in samples, and what share of them never. */
interface LabelCondition {
  readonly delay: number;
  readonly loss: number;
}

const CONDITIONS: readonly LabelCondition[] = [
  { delay: 0, loss: 0 },
  { delay: 30, loss: 0 },
  { delay: 200, loss: 0 },
  { delay: 30, loss: 0.9 },
];

export interface Detection extends LabelCondition {
  readonly stream: string;
  readonly detector: string;
  /** Share of the usual samples that raised an alarm. */
  readonly falseAlarms: number;
  /** Events with an alarm, of all. */
  readonly found: number;
  readonly events: number;
}

/** The alarms of a detector, whose labels come late and are lost. */
function countAlarms(
  { learner, options }: (typeof DETECTORS)[number],
  { rows, labels, count, dimension }: DataSet,
  { delay, loss }: LabelCondition,
  seed: number,
): boolean[] {
  const family = chooseFamily(learner);
  const run = new Prequential(family.create(withBudget(family, { ...options, dimension }, BUDGET)));
  const random = new Random(seed, "bench/novelty/loss");
  return Array.from({ length: count }, (_, t) => {
    const late = random.uniform() < loss ? Number.NaN : delay;
    return run.sample(rows.subarray(t * dimension, (t + 1) * dimension), labels[t], late) < 0;
  });
}

function scoreAlarms(alarms: readonly boolean[], labels: Float64Array) {
  const first = Math.min(FIRST, alarms.length / 4);
  const usual = alarms.filter((_, t) => t >= first && labels[t] > 0);
  const found = new Set<number>();
  let events = 0;
  alarms.forEach((isAlarm, t) => {
    if (labels[t] > 0) return;
    if (t === 0 || labels[t - 1] > 0) events++;
    if (isAlarm) found.add(events);
  });
  return { falseAlarms: usual.filter(Boolean).length / usual.length, found: found.size, events };
}

/** Every detector on the streams, in the mean over the seeds. */
export async function benchmarkNovelty(
  streams: readonly NoveltyStream[],
  seeds: readonly number[],
  samples: number,
): Promise<Detection[]> {
  const all: Detection[] = [];
  for (const { name, read } of streams) {
    const runs = await Promise.all(seeds.map(async (seed) => ({ seed, data: await read(seed, samples) })));
    for (const { data } of runs) scaleRows(data, "node");
    for (const condition of CONDITIONS)
      for (const detector of DETECTORS) {
        const each = runs.map(({ seed, data }) =>
          scoreAlarms(countAlarms(detector, data, condition, seed), data.labels),
        );
        all.push({
          stream: name,
          detector: detector.name,
          ...condition,
          falseAlarms: average(each.map((one) => one.falseAlarms)),
          found: total(each.map((one) => one.found)),
          events: total(each.map((one) => one.events)),
        });
      }
  }
  return all;
}

const labelsText = ({ delay, loss }: LabelCondition) =>
  `${delay} late${loss > 0 ? `, ${100 * loss} % lost` : ""}`;

/** The table for people: false alarms in %, and events found. */
export function noveltyText(results: readonly Detection[], streams: readonly NoveltyStream[]): string {
  const rows = streams.flatMap(({ name }) =>
    CONDITIONS.map((condition) => {
      const own = results.filter(
        ({ stream, delay, loss }) => stream === name && delay === condition.delay && loss === condition.loss,
      );
      const cells = own.map(({ falseAlarms, found }) => `${percent(falseAlarms)} ${found}`);
      return [name, labelsText(condition), `${own[0].events}`, ...cells];
    }),
  );
  const head = ["stream", "labels", "events", ...DETECTORS.map(({ name }) => name)];
  const legend = streams.map(({ name, doc }) => `  ${name}: ${doc}`).join("\n");
  const about = `Alarms on usual samples in %, and events found, by each detector's own level and with falseAlarms ${RATE}:`;
  return `${about}\n${legend}\n\n${table(rows, { head, aligns: ["left", "left", "right"] })}\n\n${meansText(results)}`;
}

/** Of each detector and condition the mean and the largest false alarms, and the share of all events that it found. */
function meansText(results: readonly Detection[]): string {
  const rows = DETECTORS.map(({ name }) => [
    name,
    ...CONDITIONS.map(({ delay, loss }) => {
      const own = results.filter(
        (each) => each.detector === name && each.delay === delay && each.loss === loss,
      );
      const alarms = own.map(({ falseAlarms }) => falseAlarms);
      const found = total(own.map((each) => each.found)) / total(own.map(({ events }) => events));
      return `${percent(average(alarms))} (${percent(Math.max(...alarms))}), ${percent(found)}`;
    }),
  ]);
  const head = ["mean (largest) false alarms, events found, %", ...CONDITIONS.map(labelsText)];
  return table(rows, { head, aligns: ["left", "right"] });
}

const percent = (share: number) => (100 * share).toFixed(1);
