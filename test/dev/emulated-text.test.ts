import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";

const { emulatedText } = await import(join(process.cwd(), "dev/idf/emulated-text.mjs"));

const VERSIONS = { sdk: "8.2.3", idf: "v6.0", compiler: "gcc 12.2", qemu: "QEMU 8.0" };
const RUN = {
  command: "npm run test:idf -- --doc pa rls",
  date: "2026-11-28",
  versions: VERSIONS,
  ran: ["pa", "rls"],
  all: ["auto", "pa", "rls", "knn"],
  cuts: 20,
  update: true,
  figures: [
    ["learner", "turn, ms"],
    ["pa", 3],
    ["rls", 4],
  ],
};

test("the text names command, date and every version, and has a row for each learner that ran", () => {
  const text: string = emulatedText(RUN);
  for (const part of [RUN.command, RUN.date, ...Object.values(VERSIONS)]) assert.match(text, part);
  assert.match(text, "| learner | turn, ms |\n| --- | --- |\n| pa | 3 |\n| rls | 4 |\n");
});

test("it says of cuts and updates only what was tried", () => {
  const text: string = emulatedText(RUN);
  assert.match(text, "with `pa` learned, its power was also cut at 20 random instants");
  assert.match(text, "with `pa` took an update");
  const less: string = emulatedText({ ...RUN, cuts: 0, update: false });
  assert.not.match(less, /random instants|took an update/);
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
