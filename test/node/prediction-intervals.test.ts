import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import { familyNamed } from "../../src/learn/registry.ts";
import { SensorNode } from "../../src/node/node.ts";
import { nodeLayout } from "../../src/node/node-layout.ts";
import type { NodeOptions } from "../../src/node/node-options.ts";
import { type Link, NO_STORAGE, REMARK, REMARK_BYTE } from "../../src/node/ports.ts";
import { halfWidth } from "../../src/node/prediction-intervals.ts";
import { nodeSchema } from "../../src/node/schema.ts";

const NODE: NodeOptions = {
  sid: 7,
  channels: 1,
  pending: 64,
  learner: familyNamed("qklms")!,
  options: { budget: 16, kernel: { type: "gaussian", gamma: 1 } },
  coverage: 0.9,
};
/** A learner that a gross label moves no farther than any other. */
const ROBUST = { learner: familyNamed("norma-r")!, options: { budget: 32, kernel: NODE.options.kernel } };
const DELAY = 30;
const COUNT = 5500;
const WARM_UP = 500;

/** A node, and its decision on the last sample. */
function newNode(options: Partial<NodeOptions>, storage = NO_STORAGE) {
  const said = { estimate: 0, remarks: 0 };
  const link: Link = {
    predicted: (_seq, _ts, estimate, remarks) => Object.assign(said, { estimate, remarks }),
    acknowledge() {},
  };
  return { node: new SensorNode({ ...NODE, ...options }, { now: () => 0 }, link, storage), said };
}

/** What held in the mean after the warm-up, and in the 1,000 samples around the change: coverages in %, and the half width. */
interface Intervals {
  readonly coverage: number;
  readonly around: number;
  readonly width: number;
}

/** A sine whose noise doubles and whose phase turns half way; labels come 30 samples late, a share of them 50 off. */
function runIntervals(
  seed: number,
  gross: number,
  scale: number,
  options: Partial<NodeOptions>,
  confidence: number,
): Intervals {
  const random = new Random(seed, "intervals");
  const { node, said } = newNode({ grossLabels: gross, ...options });
  const labels: number[] = [];
  const [covered, widths] = [[] as number[], [] as number[]];
  const half = WARM_UP + COUNT / 2;
  for (let t = 0; t < COUNT + WARM_UP; t++) {
    const x = 6 * random.uniform() - 3;
    const y = scale * (Math.sin(x + (t < half ? 0 : 1)) + (t < half ? 0.2 : 0.4) * random.normal());
    node.sample([x]);
    assert.is((said.remarks & REMARK.set) !== 0, t > DELAY, "from the first label on");
    const width = halfWidth(Math.floor(said.remarks / REMARK_BYTE));
    covered.push(Math.abs(y - Math.fround(said.estimate)) <= width ? 1 : 0);
    widths.push(width);
    labels.push(random.uniform() < gross ? y + 50 * scale : y);
    if (t < DELAY) continue;
    const number = t - DELAY + 1;
    node.label({ number, sid: 7, seq: number, y: labels[t - DELAY], confidence });
  }
  const mean = (list: readonly number[], from: number, to: number) =>
    list.slice(from, to).reduce((sum, value) => sum + value, 0) / (to - from);
  return {
    coverage: 100 * mean(covered, WARM_UP, covered.length),
    around: 100 * mean(covered, half - 500, half + 500),
    width: mean(widths, WARM_UP, half),
  };
}

function averageRuns(
  gross: number,
  scale = 1,
  options: Partial<NodeOptions> = {},
  confidence = 255,
): Intervals {
  const runs = Array.from({ length: 6 }, (_, i) => runIntervals(300 + i, gross, scale, options, confidence));
  const mean = (of: (run: Intervals) => number) => runs.reduce((sum, run) => sum + of(run), 0) / runs.length;
  return { coverage: mean((r) => r.coverage), around: mean((r) => r.around), width: mean((r) => r.width) };
}

const about = (figure: number, what: string) => assert.ok(Math.abs(figure - 90) <= 1.5, `${what}: ${figure}`);

test("90 % of intervals hold the true value, +-1.5, whatever the labels' unit and whichever share of them is gross", () => {
  for (const scale of [0.001, 1, 1000]) {
    const { coverage, around, width } = averageRuns(0, scale);
    about(coverage, `scale ${scale}`);
    about(around, `scale ${scale}, around the change`);
    // 1.645 deviations of the noise alone would be 0.33.
    assert.ok(width > 0.3 * scale && width < 0.6 * scale, `half width ${width}`);
  }
  about(averageRuns(0.1, 1, ROBUST).coverage, "a tenth gross");
});

test("a label that says how sure it is has its own share of gross ones: 1 - confidence / 255", () => {
  about(averageRuns(0.1, 1, { ...ROBUST, grossLabels: 0 }, 230).coverage, "confidence 230");
  const { coverage } = averageRuns(0.1, 1, { ...ROBUST, grossLabels: 0 });
  assert.ok(coverage > 95, `labels taken at their word: ${coverage}`);
});

test("intervals take three words, and a word and a byte for each sample that may wait; without them nothing changes", () => {
  const { coverage: _, ...without } = NODE;
  for (const [pending, words] of [
    [1, 5],
    [4, 8],
    [5, 10],
    [64, 83],
  ]) {
    const intervals = nodeLayout({ ...NODE, pending }).bytes;
    assert.is(intervals - nodeLayout({ ...without, pending }).bytes, 4 * words);
  }
  assert.is(nodeSchema({ ...without, grossLabels: 0.1 }), nodeSchema(without));
  assert.is.not(nodeSchema(NODE), nodeSchema({ ...NODE, grossLabels: 0.1 }));
});

test("no interval is issued before the first label, whose error says where the width begins", () => {
  const { node, said } = newNode({});
  node.sample([0]);
  assert.is(said.remarks, 0);
  node.label({ number: 1, sid: 7, seq: 1, y: 100 });
  node.sample([0]);
  const width = halfWidth(Math.floor(said.remarks / REMARK_BYTE));
  assert.ok(width >= 100 && width < 120, `${width}`);
});

test("the half width on the wire is a fourth root of 2 to the byte, less 128", () => {
  for (let b = 4; b < 256; b++) {
    assert.ok(Math.abs(Math.log2(halfWidth(b)) - (b - 128) / 4) < 1e-12, `byte ${b}`);
  }
});

test("a node resumes from a checkpoint with the intervals that it had issued", () => {
  let kept = new Uint8Array();
  const storage = {
    ...NO_STORAGE,
    save(bytes: Uint8Array) {
      kept = bytes.slice();
      return true;
    },
    load(bytes: Uint8Array) {
      bytes.set(kept);
      return "restored" as const;
    },
  };
  const { node } = newNode({}, storage);
  const random = new Random(5, "restore");
  const samples = Array.from({ length: 200 }, () => [random.normal()]);
  const step = (to: SensorNode, t: number) => {
    to.sample(samples[t]);
    if (t >= 9) to.label({ number: t - 8, sid: 7, seq: t - 8, y: Math.sin(samples[t - 9][0]) });
  };
  for (let t = 0; t < 100; t++) step(node, t);
  node.checkpoint();
  const { node: other } = newNode({}, storage);
  other.restore();
  for (let t = 100; t < 200; t++) for (const each of [node, other]) step(each, t);
  assert.is(other.stateHash(), node.stateHash());
});

test("options of intervals that can't be are refused by name", () => {
  const refuses = (options: Partial<NodeOptions>, why: RegExp) =>
    assert.throws(() => nodeLayout({ ...NODE, ...options }), why);
  refuses({ grossLabels: 0.9 }, /grossLabels.*>= 0 and < 0\.9/);
  refuses(
    { learner: familyNamed("olk-n")! },
    /coverage.*0 with olk-n: sets are of the classes -1 and \+1, intervals of a regression/,
  );
});

test.run();
