import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import {
  type ColumnStatistics,
  FAULT_INJECTOR_OPTIONS,
  FAULT_KINDS,
  FaultInjector,
  SIGNAL_STAGES,
  type StageContext,
  withDefaults,
} from "../../host-sim/disturbances/index.ts";
import { powerRatio } from "../../host-sim/disturbances/noise.ts";
import * as fc from "../properties.ts";
import { columnStatistics } from "./column-statistics.ts";

const DIMENSION = 2;

/** A smooth signal of two columns whose sizes differ. */
function signal(count: number): Float32Array {
  return Float32Array.from({ length: count * DIMENSION }, (_, i) =>
    i % 2 ? 40 + 10 * Math.cos(i / 19) : 20 + Math.sin(i / 7),
  );
}

function context(seed: number, statistics?: ColumnStatistics): StageContext {
  return { dimension: DIMENSION, random: new Random(seed, "stage"), statistics };
}

/** The rows after the stage, null where a sample was lost. */
function through(
  name: string,
  options: object,
  rows: Float32Array,
  seed = 1,
  known = true,
): (number[] | null)[] {
  const statistics = known ? columnStatistics(rows, DIMENSION) : undefined;
  const stage = SIGNAL_STAGES[name].make(options, context(seed, statistics));
  return Array.from({ length: rows.length / DIMENSION }, (_, i) => {
    const x = rows.slice(i * DIMENSION, (i + 1) * DIMENSION);
    return stage.apply(x, i) ? [...x] : null;
  });
}

function row(rows: Float32Array, i: number): number[] {
  return [...rows.subarray(i * DIMENSION, (i + 1) * DIMENSION)];
}

/** Lengths of the runs of samples that were changed or lost. */
function runs(after: readonly (number[] | null)[], rows: Float32Array): number[] {
  const letters = after
    .map((x, i) => (x?.every((value, j) => value === row(rows, i)[j]) ? "." : "F"))
    .join("");
  return (letters.match(/F+/g) ?? []).map((run) => run.length);
}

test("statistics equal their definition", () => {
  const rows = signal(500);
  const { mean, deviation, low, high } = columnStatistics(rows, DIMENSION);
  for (let j = 0; j < DIMENSION; j++) {
    const column = [...rows].filter((_, i) => i % DIMENSION === j);
    const average = column.reduce((sum, value) => sum + value, 0) / column.length;
    const variance = column.reduce((sum, value) => sum + (value - average) ** 2, 0) / column.length;
    assert.ok(Math.abs(mean[j] - average) < 1e-9);
    assert.ok(Math.abs(deviation[j] - Math.sqrt(variance)) < 1e-9);
    assert.equal([low[j], high[j]], [Math.min(...column), Math.max(...column)]);
  }
});

test("every stage is a function of its seed, and every default is a value its option takes", () => {
  const rows = signal(3000);
  for (const [name, { options }] of Object.entries(SIGNAL_STAGES)) {
    const lively = options.some((option) => option.name === "rate") ? { rate: 0.05 } : {};
    assert.equal(through(name, lively, rows, 5), through(name, lively, rows, 5), name);
    if (name !== "quantisation") {
      assert.not.equal(through(name, lively, rows, 5), through(name, lively, rows, 6), name);
    }
  }
  for (const { options } of [...Object.values(SIGNAL_STAGES), { options: FAULT_INJECTOR_OPTIONS }]) {
    for (const option of options) {
      if (option.default === null) continue;
      const copy = JSON.parse(JSON.stringify(option.default)); // another object, so that the check runs on it
      withDefaults("stage", [{ ...option, default: null }], { [option.name]: copy });
    }
  }
});

test("an option that is wrong or unknown is named with what it takes", () => {
  const make = (name: string, options: object) => () => SIGNAL_STAGES[name].make(options, context(1));
  const message = (run: () => void): string => {
    try {
      run();
    } catch (error) {
      assert.instance(error, RangeError);
      return (error as Error).message;
    }
    return "nothing was thrown";
  };
  assert.is(message(make("noise", { snr: 3 })), "noise.snr: unknown; the nearest known is snrDb");
  assert.is(message(make("noise", { snrDb: "a" })), 'noise.snrDb: got "a", takes a number in -60..120');
  assert.is(message(make("dropout", { rate: 2 })), "dropout.rate: got 2, takes a number in 0..1");
  assert.is(message(make("dropout", { mode: "x" })), 'dropout.mode: got "x", takes one of lose, hold');
  assert.is(
    message(make("quantisation", { bits: 1.5, low: 0, high: 1 })),
    "quantisation.bits: got 1.5, takes an integer in 1..24",
  );
  assert.match(message(make("quantisation", {})), "takes low and high where the stream isn't known");
  assert.match(message(make("quantisation", { low: 1, high: 0 })), "quantisation.high: got 0");
  const inject = (options: object) => () => void new FaultInjector(options, context(1), 100);
  assert.is(
    message(inject({ kinds: ["stuck"] })),
    'faults.kinds: got ["stuck"], takes a list of stuck-at, offset, spike',
  );
  assert.is(message(inject({ episodes: 26 })), "faults.episodes: got 26, takes at most 25 in 100 samples");
});

test("a power ratio is 10^(dB / 10) in float32 precision", () => {
  for (let decibels = -60; decibels <= 120; decibels += 3) {
    const exact = 10 ** (decibels / 10);
    assert.ok(Math.abs(powerRatio(decibels) / exact - 1) < 4e-6, `${decibels} dB`);
  }
});

test("noise has the SNR asked for in every column, against the stream's variance or the running one", () => {
  const rows = signal(50000);
  const { deviation } = columnStatistics(rows, DIMENSION);
  for (const known of [true, false]) {
    const after = through("noise", { snrDb: 10 }, rows, 3, known);
    for (let j = 0; j < DIMENSION; j++) {
      const power =
        after.reduce((sum, x, i) => sum + ((x as number[])[j] - row(rows, i)[j]) ** 2, 0) / after.length;
      const snrDb = 10 * Math.log10(deviation[j] ** 2 / power);
      assert.ok(Math.abs(snrDb - 10) < 0.3, `column ${j}, known ${known}: ${snrDb} dB`);
    }
    if (!known) assert.equal(after[0], row(rows, 0));
  }
});

test("quantisation rounds to the nearest of 2^bits levels and clips", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 12 }),
      fc.float({ min: -3, max: 3, noNaN: true }),
      (bits, value) => {
        const stage = SIGNAL_STAGES.quantisation.make({ bits, low: -1, high: 1 }, context(1));
        const x = Float32Array.of(value, 0);
        assert.ok(stage.apply(x, 0));
        const levels = Array.from({ length: 2 ** bits }, (_, code) => -1 + (2 * code) / (2 ** bits - 1));
        const nearest = Math.min(...levels.map((level) => Math.abs(level - value)));
        assert.ok(Math.abs(Math.abs(x[0] - value) - nearest) < 1e-6);
        assert.ok(levels.some((level) => Math.abs(level - x[0]) < 1e-6));
      },
    ),
  );
});

test("quantisation takes each column's own range from the stream, and leaves a constant column as it is", () => {
  const rows = Float32Array.from({ length: 200 }, (_, i) => (i % 2 ? 7.25 : i));
  const after = through("quantisation", { bits: 1 }, rows) as number[][];
  assert.equal(new Set(after.map(([a]) => a)), new Set([0, 198]));
  assert.equal(new Set(after.map(([, b]) => b)), new Set([7.25]));
});

test("drift grows in proportion to the sample's number, in gain and in offset", () => {
  const rows = signal(1001);
  const { deviation } = columnStatistics(rows, DIMENSION);
  const gained = through("drift", { gain: 1e-4, offset: 0 }, rows) as number[][];
  const shifted = through("drift", { gain: 0, offset: 1e-3 }, rows) as number[][];
  assert.equal(gained[0], row(rows, 0));
  for (const i of [1, 500, 1000]) {
    for (let j = 0; j < DIMENSION; j++) {
      const x = row(rows, i)[j];
      assert.ok(Math.abs(Math.abs(gained[i][j] / x - 1) - 1e-4 * i) < 1e-6);
      assert.ok(Math.abs(Math.abs(shifted[i][j] - x) - 1e-3 * i * deviation[j]) < 1e-4);
    }
  }
});

test("dropouts begin at the rate and last as long, in the mean, as asked; hold repeats the last good sample", () => {
  const rows = signal(100000);
  const lost = through("dropout", { rate: 0.01, length: 5 }, rows);
  const lengths = runs(lost, rows);
  const outside = lost.filter((x) => x !== null).length;
  const begun = lengths.length / outside;
  assert.ok(Math.abs(begun - 0.01) < 5 * Math.sqrt(0.01 / outside), `${begun}`);
  const mean = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
  assert.ok(Math.abs(mean - 5) < (5 * Math.sqrt(20)) / Math.sqrt(lengths.length), `${mean}`);
  const held = through("dropout", { rate: 0.01, length: 5, mode: "hold" }, rows);
  let last: number[] | null = null;
  held.forEach((x, i) => {
    if (lost[i]) last = row(rows, i);
    assert.equal(x, last);
  });
});

test("a rate of 1 loses the first sample even when held, since there is none before it", () => {
  assert.equal(through("dropout", { rate: 1, length: 1e6, mode: "hold" }, signal(2)), [null, null]);
});

test("a stuck component keeps the reading before the fault; the other is left alone", () => {
  const rows = signal(20000);
  const after = through("stuckAt", { rate: 0.002, length: 30 }, rows) as number[][];
  let faulty = 0;
  for (let i = 1; i < after.length; i++) {
    const changed = [0, 1].filter((j) => after[i][j] !== row(rows, i)[j]);
    assert.ok(changed.length < 2);
    for (const j of changed) assert.is(after[i][j], after[i - 1][j]);
    faulty += changed.length;
  }
  assert.ok(faulty > 500, `${faulty} samples at fault`);
});

test("offset faults shift by the magnitude, in deviations of the column; spikes by half to one and a half", () => {
  const rows = signal(20000);
  const { deviation } = columnStatistics(rows, DIMENSION);
  const shifts = (name: string) =>
    (through(name, { rate: 0.01, magnitude: 4 }, rows) as number[][]).flatMap((x, i) =>
      x.map((value, j) => (value - row(rows, i)[j]) / deviation[j]).filter((shift) => shift !== 0),
    );
  const offsets = shifts("offsetFault");
  const spikes = shifts("spikeFault");
  assert.ok(offsets.length > 1000 && spikes.length > 100);
  assert.ok(offsets.every((shift) => Math.abs(Math.abs(shift) - 4) < 1e-3));
  assert.ok(spikes.every((shift) => Math.abs(shift) > 1.999 && Math.abs(shift) < 6.001));
  for (const found of [offsets, spikes]) assert.ok(found.some((s) => s > 0) && found.some((s) => s < 0));
});

test("injected faults don't touch, spread over the stream, take the kinds in turn, and the truth says when", () => {
  const input = fc.record({
    seed: fc.nat(),
    count: fc.integer({ min: 4, max: 3000 }),
    share: fc.integer({ min: 4, max: 200 }),
    length: fc.integer({ min: 1, max: 300 }),
  });
  fc.assert(
    fc.property(input, ({ seed, count, share, length }) => {
      const episodes = Math.floor(count / share);
      const injector = new FaultInjector({ episodes, length }, context(seed), count);
      assert.is(injector.episodes.length, episodes);
      const active = new Set<number>();
      injector.episodes.forEach(({ kind, start, length: lasts }, i) => {
        assert.is(kind, FAULT_KINDS[i % FAULT_KINDS.length]);
        const own = Math.floor(count / episodes);
        assert.ok(
          start > i * own && start + lasts < (i + 1) * own,
          "inside its share, with health around it",
        );
        for (let at = start; at < start + lasts; at++) active.add(at);
      });
      for (let at = 0; at < count; at++) assert.is(injector.truthAt(at), active.has(at) ? 1 : -1);
    }),
  );
});

test("samples are changed only while the truth is +1, and each kind as it says, also where samples are skipped", () => {
  const rows = signal(6000);
  const statistics = columnStatistics(rows, DIMENSION);
  const injector = new FaultInjector(
    { episodes: 30, length: 40, magnitude: 5 },
    context(9, statistics),
    6000,
  );
  const skipped = new Set(
    injector.episodes.filter((_, i) => i % 5 === 0).map(({ start, length }) => start + length - 1),
  );
  const changed = new Set<number>();
  const x = new Float32Array(DIMENSION);
  for (let i = 0; i < 6000; i++) {
    if (skipped.has(i)) continue;
    x.set(row(rows, i));
    assert.ok(injector.apply(x, i));
    if (x.some((value, j) => value !== row(rows, i)[j])) changed.add(i);
  }
  for (const i of changed) assert.is(injector.truthAt(i), 1);
  for (const { kind, start, length } of injector.episodes) {
    for (let i = start; i < start + length; i++) {
      if (!skipped.has(i)) assert.ok(changed.has(i), `${kind} at ${i}`);
    }
  }
});

test.run();
