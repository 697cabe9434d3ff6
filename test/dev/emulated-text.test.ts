import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";

const { emulatedText } = await import(join(process.cwd(), "dev/idf/emulated-text.mjs"));
const { beyondPlan, figures } = await import(join(process.cwd(), "dev/idf/figures.mjs"));

const VERSIONS = { sdk: "8.2.3", idf: "v6.0", compiler: "gcc 12.2", qemu: "QEMU 8.0" };
const RUN = {
  date: "2026-11-28",
  versions: VERSIONS,
  ran: ["pa", "rls"],
  all: ["auto", "pa", "rls", "knn"],
  ordered: [],
  cut: { learner: "pa", cuts: 20 },
  updated: { learner: "rls" },
  beyond: { below: ["pa"], above: [] },
  figures: [
    ["learner", "turn, ms"],
    ["pa", 3],
    ["rls", 4],
  ],
};

test("the text names date and every version, and has a row for each learner that ran", () => {
  const text: string = emulatedText(RUN);
  for (const part of [RUN.date, ...Object.values(VERSIONS)]) assert.match(text, part);
  assert.match(text, "| learner | turn, ms |\n| --- | --- |\n| pa | 3 |\n| rls | 4 |\n");
});

test("it says of cuts and updates only what was tried", () => {
  const text: string = emulatedText(RUN);
  assert.match(text, "with `pa` learned, its power was also cut at 20 random instants");
  assert.match(text, "with `rls` took an update");
  const less: string = emulatedText({ ...RUN, cut: undefined, updated: undefined });
  assert.not.match(less, /random instants|took an update/);
});

test("it names the learners whose memory is beyond the plan's limit, and those whose state needs the samples' order", () => {
  assert.match(
    emulatedText(RUN),
    "Less than planned by more than 5 %: `pa`; more than planned by more than 5 %: no node.",
  );
  assert.match(emulatedText({ ...RUN, beyond: { below: RUN.ran, above: [] } }), "than 5 %: every node;");
  const other: string = emulatedText({ ...RUN, ordered: ["auto"], beyond: { below: [], above: ["rls"] } });
  assert.match(other, "The state of `auto` follows from the order of samples and labels");
  assert.match(other, "than 5 %: no node; more than planned by more than 5 %: `rls`.");
});

test("a node whose memory is 5 % beside its plan is within it; one further off is named", () => {
  const planned = { bytes: 40_000, chunks: 10_000, slots: 20_000, turnMs: 3.14 };
  const result = (learner: string, chunks: number, slots: number) => ({
    ...{ learner, planned },
    measured: { chunks, slots, turn: 50 },
  });
  const results = [result("pa", 9_500, 21_000), result("rls", 9_400, 20_000), result("knn", 10_000, 21_200)];
  assert.equal(beyondPlan(results), { below: ["rls"], above: ["knn"] });
  assert.equal(figures(results)[1], ["pa", 40_000, 10_000, "9500 (-5 %)", 20_000, "21000 (+5 %)", "3.1", 50]);
});

test("it says how many learners ran and which didn't", () => {
  const some: string = emulatedText(RUN);
  assert.match(some, "2 of 4 learners");
  assert.match(some, "These learners didn't run: `auto`, `knn`.");
  const every: string = emulatedText({ ...RUN, ran: RUN.all });
  assert.match(every, "4 of 4 learners");
  assert.not.match(every, "didn't run");
});

test("it says for each target that no real board ran", () => {
  const text: string = emulatedText(RUN);
  for (const target of ["ESP32-C3", "ESP32, ESP32-S3", "RP2040", "RP2350", "nRF52840"])
    assert.match(text, `| ${target} | none |`);
});

test.run();
