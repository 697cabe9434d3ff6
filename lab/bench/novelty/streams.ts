import { readFileSync } from "node:fs";
import { join } from "node:path";
import { UserError } from "../../../host/errors.ts";
import { Random } from "../../../host/random.ts";
import type { DataSet } from "../../../host/streams/table.ts";
import { Elementary } from "../../../src/math/elementary.ts";
import { type Draw, drawSamples, turned } from "../../experiments/lib/drawing.ts";
import { SIMULATED, simulateSet } from "../learning/simulated.ts";

/** Readings of a machine, and where its events are: labels +1 usual, -1 novel. */
export interface NoveltyStream {
  readonly name: string;
  readonly doc: string;
  read(seed: number, samples: number): Promise<DataSet>;
}

/** A machine's readings, sample by sample. `event`: the number of the event, from 1; 0: usual. */
type Readings = (x: Float32Array, t: number, event: number) => void;

/** A stream that follows from a seed. */
interface Machine {
  readonly name: string;
  readonly doc: string;
  readonly dimension: number;
  /** Share of samples within events, and their mean length in samples. */
  readonly share: number;
  readonly lasts: number;
  begin(random: Random): Readings;
}

const elementary = new Elementary();
const DAY = 288;

/** No event comes before. */
const QUIET = 300;

/** The number of the event of each sample; lengths are exponential. */
function drawEvents(random: Random, samples: number, { share, lasts }: Machine): Int32Array {
  const events = new Int32Array(samples);
  const begins = share / lasts / (1 - share);
  let number = 0;
  for (let t = QUIET; t < samples; t++) {
    if (random.uniform() >= begins) continue;
    number++;
    const end = t + 1 - Math.floor(lasts * elementary.log(1 - random.uniform()));
    for (; t < end && t < samples; t++) events[t] = number;
  }
  return events;
}

const sine = (turns: number) => turned(turns)[1];

const STATES: Machine = {
  name: "states",
  doc: "four operating states that last 100 samples; an event is a state that was never seen",
  dimension: 6,
  share: 0.03,
  lasts: 20,
  begin(random) {
    const drawPoint = (spread: number) => Float32Array.from({ length: 6 }, () => spread * random.normal());
    const usual = Array.from({ length: 4 }, () => drawPoint(2));
    let state = 0;
    let known = 0;
    let novel = drawPoint(2.5);
    return (x, _, event) => {
      if (random.uniform() < 0.01) state = random.below(4);
      if (event > known) novel = drawPoint(2.5);
      known = Math.max(known, event);
      const centre = event > 0 ? novel : usual[state];
      for (let j = 0; j < 6; j++) x[j] = centre[j] + 0.6 * random.normal();
    };
  },
};

const CYCLE: Machine = {
  name: "cycle",
  doc: "three sensors with a daily cycle; in an event one is offset, one is mirrored, or all are stuck",
  dimension: 3,
  share: 0.02,
  lasts: 30,
  begin: (random) => (x, t, event) => {
    const noise = () => 0.25 * random.normal();
    const [a, b] = [sine(t / DAY), sine(t / DAY + 0.16)];
    x.set([a + noise(), 0.5 * b + noise(), a * b + noise()]);
    if (event === 0) return;
    if (event % 3 === 0) x[0] += 2;
    else if (event % 3 === 1) x[1] = 1 - x[1];
    else for (let j = 0; j < 3; j++) x[j] = 0.2 * noise();
  },
};

const TAILS: Machine = {
  name: "tails",
  doc: "four readings of a t distribution with three degrees of freedom; an event spreads them five times",
  dimension: 4,
  share: 0.02,
  lasts: 15,
  begin: (random) => (x, _, event) => {
    for (let j = 0; j < 4; j++) {
      const squares = random.normal() ** 2 + random.normal() ** 2 + random.normal() ** 2;
      x[j] = ((event > 0 ? 5 : 1) * random.normal()) / Math.sqrt(squares / 3);
    }
  },
};

function level(name: string, doc: string, move: (level: number, random: Random) => number): Machine {
  return {
    name,
    doc: `${doc}; an event is an offset of two of three readings`,
    dimension: 3,
    share: 0.02,
    lasts: 15,
    begin(random) {
      let now = 0;
      return (x, _, event) => {
        now = move(now, random);
        const noise = () => 0.5 * random.normal();
        const off = event > 0 ? 1 : 0;
        x.set([now + noise() + 3 * off, noise(), noise() + 1.5 * off]);
      };
    },
  };
}

const SPARSE: Machine = {
  name: "sparse",
  doc: "eight normal readings; events of two samples, two deviations off in each",
  dimension: 8,
  share: 0.004,
  lasts: 2,
  begin: (random) => (x, _, event) => {
    for (let j = 0; j < 8; j++) x[j] = random.normal() + (event > 0 ? 2 : 0);
  },
};

const MACHINES: readonly Machine[] = [
  STATES,
  CYCLE,
  TAILS,
  level("drift", "a level that wanders", (now, random) => now + 0.03 * random.normal()),
  level("levels", "a level that jumps once in 500 samples", (now, random) =>
    random.uniform() < 0.002 ? 3 * random.normal() : now,
  ),
  SPARSE,
];

function drawStream(machine: Machine, seed: number, count: number): DataSet {
  const { name, dimension } = machine;
  const random = new Random(seed, `bench/novelty/${name}`);
  const events = drawEvents(random, count, machine);
  const readings = machine.begin(random);
  const draw: Draw = (x, t) => {
    readings(x, t, events[t]);
    return events[t] > 0 ? -1 : 1;
  };
  return drawSamples(draw, dimension, count, name);
}

const GENERATED: readonly NoveltyStream[] = MACHINES.map((machine) => ({
  name: machine.name,
  doc: machine.doc,
  read: async (seed, samples) => drawStream(machine, seed, samples),
}));

/** The recorded network, whose injected faults are the events. */
const MOTES: readonly NoveltyStream[] = SIMULATED.filter(({ name }) => name === "faults").map((of) => ({
  name: "motes",
  doc: of.doc,
  async read(seed, samples) {
    const data = await simulateSet(of, seed, samples);
    return { ...data, labels: data.labels.map((label) => (label > 0 ? -1 : 1)) };
  },
}));

const NAB = "realKnownCause";
const NAB_FILES = [
  "ambient_temperature_system_failure",
  "cpu_utilization_asg_misconfiguration",
  "ec2_request_latency_system_failure",
  "machine_temperature_system_failure",
  "nyc_taxi",
  "rogue_agent_key_hold",
  "rogue_agent_key_updown",
];

type Windows = { readonly [file: string]: readonly (readonly [begin: string, end: string])[] };

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    throw new UserError(`${path}: can't be read; --data takes a clone of github.com/numenta/NAB`);
  }
}

/** A series of the Numenta Anomaly Benchmark: each value, and its difference from the last one. */
function series(folder: string, windows: Windows[string], name: string): DataSet {
  const file = `${NAB}/${name}.csv`;
  const lines = readText(join(folder, "data", file))
    .trim()
    .split("\n")
    .slice(1);
  const rows = new Float32Array(2 * lines.length);
  const labels = Float64Array.from(lines, (line, t) => {
    const [time, value] = line.split(",");
    rows[2 * t] = Number(value);
    rows[2 * t + 1] = t > 0 ? Number(value) - Number(lines[t - 1].split(",")[1]) : 0;
    return windows.some(([begin, end]) => time >= begin.slice(0, 19) && time <= end.slice(0, 19)) ? -1 : 1;
  });
  return { dimension: 2, rows, labels, count: lines.length, source: file };
}

/** The streams: generated, recorded, and with a folder those of NAB in it. */
export function noveltyStreams(folder: string | undefined): readonly NoveltyStream[] {
  if (folder === undefined) return [...GENERATED, ...MOTES];
  const windows = JSON.parse(readText(join(folder, "labels/combined_windows.json"))) as Windows;
  const recorded = NAB_FILES.map((name) => {
    const read = async (_: number, samples: number) => {
      const all = series(folder, windows[`${NAB}/${name}.csv`], name);
      return all.count <= samples ? all : { ...all, count: samples, labels: all.labels.slice(0, samples) };
    };
    return { name, doc: `NAB's ${NAB}/${name}: value and difference; its windows are the events`, read };
  });
  return [...GENERATED, ...MOTES, ...recorded];
}
