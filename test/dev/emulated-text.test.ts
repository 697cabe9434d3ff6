import { test } from "uvu";
import * as assert from "uvu/assert";

import { beyondPlan, figures } from "../../dev/docs/emulated-figures.ts";
import { type ChipRun, emulatedText } from "../../dev/docs/emulated-text.ts";

const VERSIONS = { sdk: "8.2.3", idf: "v6.0", compiler: "gcc 12.2", qemu: "QEMU 8.0" };
const DATE = "2026-11-28";
const ALL = ["auto", "pa", "rls", "knn"];
const RUN = {
  title: "ESP32-C3",
  versions: VERSIONS,
  ran: ["pa", "rls"],
  ordered: [],
  trials: {
    balanced: { learner: "arow", bytes: 40_448, measured: 27_000, planned: 28_500 },
    parts: { learner: "arow", bytes: 51_712, measured: 38_000, planned: 40_000 },
    cuts: {
      ...{ learner: "pa", cuts: 20, erases: 7 },
      ...{ starts: 3, restored: 12, fallback: 5, fresh: 1, compared: 17 },
    },
    start: { learner: "auto" },
    watchdog: { learner: "pa", restarts: 2 },
    fault: { learner: "pa" },
    state: { learner: "pa" },
    keys: { learner: "pa" },
    tls: {
      ...{ learner: "pa", xs: { measured: 35_000, planned: 43_000 }, image: 148_000, least: 186_000 },
      ...{ heap: { most: 42_000, planned: 49_000, connected: 39_000 }, stack: { left: 6276, plain: 6300 } },
    },
    update: { learner: "rls" },
  },
  beyond: { below: ["pa"], above: [] },
  figures: [
    ["learner", "turn, ms"],
    ["pa", 3],
    ["rls", 4],
  ],
};

const write = (...runs: ChipRun[]): string => emulatedText({ date: DATE, all: ALL, runs });

test("the text names date and every version, and has a row for each learner that ran", () => {
  const text = write(RUN);
  for (const part of [DATE, ...Object.values(VERSIONS)]) assert.match(text, part);
  assert.match(text, "| learner | turn, ms |\n| --- | --- |\n| pa | 3 |\n| rls | 4 |\n");
});

test("it says what each trial showed, and names those that didn't run", () => {
  const text = write(RUN);
  assert.match(text, "with `pa` learned, its power was cut at 20 random instants, 7 of them within an erase");
  assert.match(text, "(12), the one before it (5) or none yet (1)");
  assert.match(text, "with `arow` and option `balanced` started in the 40448 bytes");
  assert.match(text, "room for a fleet's model started in the 51712 bytes");
  assert.match(text, "took 27000 bytes at most, 28500 planned");
  assert.match(text, "with `auto` started");
  assert.match(text, "with `pa` hung 2 times");
  assert.match(text, "with `pa` was flashed with what this machine had learned");
  assert.match(text, "with `rls` took an update");
  assert.match(text, "XS took 35000 bytes at most, 43000 planned with a certificate as long as");
  const { tls } = RUN.trials;
  const fixed = write({ ...RUN, trials: { tls: { ...tls, xs: { planned: 43_000 } } } });
  assert.match(fixed, "The 43000 bytes that are planned for XS sufficed.");
  assert.match(text, "42000 bytes more of the chip's heap at most, 49000 planned, and 39000 while connected");
  const { measured: _most, ...grown } = RUN.trials.balanced;
  assert.not.match(write({ ...RUN, trials: { balanced: grown } }), "Chunks and slots took");
  const { cuts: _, update: __, ...trials } = RUN.trials;
  const less = write({ ...RUN, trials });
  assert.not.match(less, /random instants|took an update/);
  assert.match(less, "These trials didn't run: `cuts`, `update`.");
  assert.not.match(write(RUN), "trials didn't run");
});

test("it names the learners whose memory is beyond the plan's limit, and those whose state needs the samples' order", () => {
  const said = (of: object) => write({ ...RUN, ...of }).replace(/\s+/g, " ");
  assert.match(said({}), "by more than 5 %, chunks and slots together: `pa`; more than planned: no node.");
  assert.match(said({ beyond: { below: RUN.ran, above: [] } }), "together: every node;");
  const other = said({ ordered: ["auto"], beyond: { below: [], above: ["rls"] } });
  assert.match(other, "The state of `auto` follows from the order of samples and labels");
  assert.match(other, "together: no node; more than planned: `rls`.");
});

test("a node whose memory is at most 5 % below its plan is within it; one further off, or above, is named", () => {
  const planned = { chunks: 10_000, slots: 20_000, turnMs: 3.14 };
  const result = (learner: string, chunks: number, slots: number) => ({
    ...{ learner, planned, grows: true, bytes: 40_000 },
    measured: { chunks, slots, turn: 50 },
  });
  const results = [result("pa", 9_500, 19_000), result("rls", 9_400, 19_000), result("knn", 9_001, 21_000)];
  assert.equal(beyondPlan(results), { below: ["rls"], above: ["knn"] });
  assert.equal(figures(results)[1], [
    ...["pa", 40_000, 10_000, 9_500, 20_000, 19_000],
    ...[30_000, "28500 (-5 %)", "3.1", 50],
  ]);
});

test("where memory doesn't grow, there is no most, and no node beyond its plan", () => {
  const planned = { chunks: 10_000, slots: 20_000, turnMs: 3.14 };
  const measured = { chunks: 11_000, slots: 21_000, turn: 50 };
  const results = [{ learner: "pa", bytes: 40_000, grows: false, planned, measured }];
  assert.equal(beyondPlan(results), { below: [], above: [] });
  assert.equal(figures(results), [
    ["learner", "memory, B", "chunks, B", "slots, B", "together, B", "turn, ms", "with a save"],
    ["pa", 40_000, 10_000, 20_000, 30_000, "3.1", 50],
  ]);
  assert.not.match(write({ ...RUN, beyond: undefined }), "Less than planned");
});

test("it says how many learners ran and which didn't", () => {
  const some = write(RUN);
  assert.match(some, "2 of 4 learners");
  assert.match(some, "These learners didn't run: `auto`, `knn`.");
  const none = write({ ...RUN, ran: [], beyond: undefined });
  assert.match(none, "0 of 4 learners");
  assert.match(none, "No learner's trial has passed.");
  assert.not.match(none, "| learner | turn, ms |");
  const every = write({ ...RUN, ran: ALL });
  assert.match(every, "4 of 4 learners");
  assert.not.match(every, "didn't run");
});

test("each chip has its row, and what ran there; one that didn't run is named", () => {
  const other = { ...RUN, title: "ESP32", ran: ["pa"], versions: { ...VERSIONS, compiler: "xtensa gcc" } };
  const text = write(RUN, other);
  assert.match(text, "| ESP32-C3 | none | the firmware, whole: 2 of 4 learners |");
  assert.match(text, "| ESP32 | none | the firmware, whole: 1 of 4 learners |");
  assert.match(text, "| ESP32-S3 | none | not run |");
  const [first, second] = text.split("\n## ").slice(1);
  assert.match(first, "ESP32-C3\n\nModdable SDK 8.2.3, ESP-IDF v6.0, compiler gcc 12.2, and QEMU 8.0.");
  assert.match(second, "ESP32\n\nModdable SDK 8.2.3, ESP-IDF v6.0, compiler xtensa gcc, and QEMU 8.0.");
  assert.match(second, "These learners didn't run: `auto`, `rls`, `knn`.");
  assert.match(write(RUN), "| ESP32 | none | not run |");
});

test("it says for each target that no real board ran", () => {
  const text = write(RUN);
  for (const target of ["ESP32-C3", "ESP32", "ESP32-S3", "RP2040", "RP2350", "nRF52840"])
    assert.match(text, `| ${target} | none |`);
});

test.run();
