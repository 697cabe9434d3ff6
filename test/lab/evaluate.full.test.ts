import { spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { refusesHere, runHere, temporaryFolder } from "../cli/program.ts";
import { words } from "../words.ts";
import { easyCsv } from "./easy-csv.ts";

const file = temporaryFolder();

const two = file("two.csv", easyCsv("classification", 200, 1));
const three = file(
  "three.csv",
  `a,b,kind\n${easyCsv("multiclass", 240, 1, (y) => ["ant", "bee", "cow"][y])}`,
);
const novelty = file(
  "novelty.csv",
  easyCsv("novelty", 300, 1, (y) => (y < 0 ? "odd" : "normal")),
);

/** Megabytes that `evaluate` took at most, and what it printed. */
function measureMemory(train: string): {
  megabytes: number;
  result: { train: { count: number }; stateHash: string };
} {
  const say = "process.on('exit',()=>process.stderr.write('peak '+process.resourceUsage().maxRSS))";
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [
      ...["--import", `data:text/javascript,${encodeURIComponent(say)}`, "dist/motelearn.js", "evaluate"],
      ...["--learner", "olk-c", "--budget", "16", "--train", train, "--json"],
    ],
    { encoding: "utf8" },
  );
  return { megabytes: Number(/peak (\d+)/.exec(stderr)?.[1]) / 1024, result: JSON.parse(stdout) };
}

test("a CSV of 3,000,000 rows takes at most 40 MB more memory than a short one", () => {
  const rows = 3_000_000;
  const folder = mkdtempSync(join(tmpdir(), "motelearn-"));
  try {
    const path = join(folder, "long.csv");
    const written = openSync(path, "w");
    for (let row = 0; row < rows; row += 1000) {
      const lines = Array.from({ length: 1000 }, (_, i) => {
        const [a, b] = [Math.sin(row + i), Math.sin(1.7 * (row + i))];
        return `${a.toFixed(6)},${b.toFixed(6)},${a * b > 0 ? 1 : -1}\n`;
      });
      writeSync(written, lines.join(""));
    }
    closeSync(written);
    const { megabytes, result } = measureMemory(path);
    assert.is(result.train.count, rows);
    const more = megabytes - measureMemory(two).megabytes; // Node itself takes 70 to 90 MB
    assert.ok(more > 0 && more <= 40, `${more} MB`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("what can't be used is refused in one line that says what and where", async () => {
  const evaluate = (...args: string[]) => ["evaluate", ...args];
  const pa = ["--learner", "pa", "--train"];
  await refusesHere(evaluate("--learner", "olkc", "--train", two), "no learner olkc", "olk-c");
  await refusesHere(evaluate(...pa, "no-such-file.csv"), "no-such-file.csv");
  await refusesHere(evaluate("--learner", "pa"), "--train");
  await refusesHere(evaluate(...pa, two, "--options", "{C:1}"), "--options", "not JSON");
  await refusesHere(evaluate(...pa, two, "--options", "[1]"), "--options", "JSON object");
  await refusesHere(evaluate(...pa, two, "--options", '{"c":1}'), "no option c", "C");
  await refusesHere(evaluate(...pa, two, "--options", '{"C":-1}'), "option C", "got -1", "a number >= 0");
  await refusesHere(
    evaluate(...pa, two, "--options", '{"budget":3}', "--budget", "4"),
    "--budget 4",
    "budget is 3",
  );
  await refusesHere(evaluate(...pa, two, "--options", '{"dimension":3}'), "two.csv:1", "2 features where 3");
  await refusesHere(evaluate(...pa, two, "--budget", "0"), "--budget", ">= 1");
  await refusesHere(evaluate(...pa, two, "--repeat", "x"), "--repeat", "whole number");
  await refusesHere(evaluate(...pa, two, "--shuffle", "-1"), "--shuffle", "0..4294967295");
  await refusesHere(evaluate(...pa, two, "--scale", "log"), "--scale", "none, minmax, standard");
  await refusesHere(evaluate(...pa, two, "--format", "xml"), "--format", "csv");
  await refusesHere(evaluate(...pa, two, "--lable", "1"), "--lable", "--label");
  await refusesHere(evaluate(...pa, two, "surplus"), "too many arguments");
  await refusesHere(evaluate(...pa, three, "--columns", "a,z"), "three.csv:1", 'no column "z"');
  await refusesHere(evaluate("--learner", "qklms", "--train", three), "three.csv", "words", "regression");
});

test("a fault in a file is named with its line, and how many rows were read before it", async () => {
  const ragged = file("ragged.csv", "1,2,1\n3,4,-1\n5,1\n");
  await refusesHere(["evaluate", "--learner", "pa", "--train", ragged], "ragged.csv:3", "2 rows were read");
  const word = file("word.csv", "1,2,1\n3,x4,-1\n");
  await refusesHere(["evaluate", "--learner", "pa", "--train", word], "word.csv:2", "x4");
  const one = file("one.csv", "1,2,ok\n3,4,ok\n");
  await refusesHere(
    ["evaluate", "--learner", "pa", "--train", one],
    "one.csv",
    "got ok",
    "two classes",
    "--classes",
  );
  const unknown = file("unknown.csv", "1,2,ant\n3,4,dog\n");
  await refusesHere(
    ["evaluate", "--learner", "pa", "--train", three, "--test", unknown],
    "unknown.csv:2",
    "dog",
    "ant",
  );
  const wide = file("wide.csv", "1,2,3,1\n");
  await refusesHere(
    ["evaluate", "--learner", "pa", "--train", two, "--test", wide],
    "wide.csv:1",
    "3 features where 2",
  );
});

test("a novelty that no sample is, or more labels than there may be classes, is refused before a pass", async () => {
  const olkN = ["evaluate", "--learner", "olk-n", "--train", novelty];
  await refusesHere(
    [...olkN, "--novel", "old"],
    "--novel old: no sample has that label; the labels are normal, odd",
  );
  const onlyInTest = file("normal.csv", "1,2,normal\n2,1,normal\n");
  const { code } = await runHere([
    ...words`evaluate --learner olk-n --train ${onlyInTest} --test ${novelty} --novel odd`,
  ]);
  assert.is(code, 0);
  const numbered = file("numbered.csv", Array.from({ length: 300 }, (_, i) => `1,${i / 7}\n`).join(""));
  const many = ["evaluate", "--learner", "olk-c", "--train", numbered];
  await refusesHere(many, "300 different labels", "regression", "--label", "--classes");
});

test.run();
