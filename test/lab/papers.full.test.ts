import { existsSync, mkdirSync, readFileSync, rmSync, watch, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { refusesHere, run, runJson, start } from "../cli/program.ts";
import { makeFolder } from "../folder.ts";
import { become } from "../tools/awaited.ts";
import { test } from "../tools/contained.ts";
import { words } from "../words.ts";

const folder = makeFolder();

test("the same figures on one thread and on three", () => {
  const told = (threads: string) => {
    const report = ["--report", join(folder, threads)];
    const args = ["papers", "--only", "qkrls-table-4", "--runs", "5", "--threads", threads, ...report];
    return runJson("motelearn.papers/1", ...args).experiments;
  };
  const [one] = told("1");
  assert.is(one.runs, 5);
  assert.is(one.numbers["qkrls/mse"].runs, 5);
  assert.equal(told("3"), [one]);
});

test("a table for people, with the time it took, and a report", () => {
  const { code, stdout } = run("papers", "--only", "qkrls-table-5", "--runs", "2", "--report", folder);
  assert.is(code, 0);
  assert.match(stdout, /QKRLS, test MSE +0\.0273 ± 0\.0065 +0\.0\d+ ± 0\.0\d+/);
  assert.match(stdout, /verdict {2}holds/);
  assert.match(stdout, /took \d+\.\d s on/);
  assert.match(readFileSync(join(folder, "papers.html"), "utf8"), /Figure 3: network growth/);
});

const TABLE_5 = ["papers", "--only", "qkrls-table-5", "--runs", "40"];

/** Identities in a store, one a run. */
function kept(store: string): string[] {
  const text = existsSync(store) ? readFileSync(store, "utf8") : "";
  return text.split("\n").flatMap((line) => /"run":"(\w{32})"/.exec(line)?.[1] ?? []);
}

test("killed with -9 and resumed, each run done once: the tables of one go, to the byte", async () => {
  const tables = (name: string) =>
    ["csv", "csv"].map((kind, i) =>
      readFileSync(join(folder, `${name}${i ? "-curves" : ""}.${kind}`), "utf8"),
    );
  const args = (name: string) => [
    ...TABLE_5,
    "--report",
    join(folder, name),
    "--csv",
    join(folder, `${name}.csv`),
  ];
  const whole = run(...args("whole"), "--threads", "1");
  assert.is(whole.code, 0, whole.stderr);
  const store = join(folder, "killed", "papers.runs");
  for (const runs of [4, 15]) {
    const { child, ended } = start(...args("killed"), "--threads", "2");
    await become(
      `${runs} runs in ${store}`,
      () => kept(store).length >= runs,
      () => String(kept(store).length),
    );
    assert.ok(child.kill("SIGKILL"));
    await ended;
  }
  const before = kept(store).length;
  assert.ok(before >= 15 && before < 40, `${before} runs before the last start`);
  const last = run(...args("killed"), "--threads", "2");
  assert.is(last.code, 0, last.stderr);
  assert.equal(tables("killed"), tables("whole"));
  const runs = kept(store);
  assert.equal([runs.length, new Set(runs).size], [40, 40], "no run is done twice");
  assert.equal(
    new Set(runs),
    new Set(kept(join(folder, "whole", "papers.runs"))),
    "they have the same names",
  );
});

test("a run whose data file changes is repeated, and no other", () => {
  const file = join(folder, "sunspot/wolf-1700-2011.csv");
  const years = (peak: number) =>
    Array.from({ length: 312 }, (_, i) => `${1700 + i},${50 + peak * Math.sin(i / 2)}`).join("\n");
  const report = join(folder, "changed");
  const store = join(report, "papers.runs");
  mkdirSync(join(folder, "sunspot"));
  const runs = [49, 48, 49].map((peak) => {
    writeFileSync(file, `"year","ssn_v1"\n${years(peak)}\n`);
    const { code, stderr } = run(
      ...words`papers --only qkrls-figures-7-9 --data ${folder} --report ${report}`,
    );
    assert.is(code, 0, stderr);
    return kept(store).length;
  });
  assert.equal(runs, [1, 2, 2]);
});

test("Ctrl-C ends with what is done so far, in the report too, and code 130", async () => {
  const file = join(folder, "papers.html");
  rmSync(file, { force: true });
  const papers = start("papers", "--only", "oskm", "--runs", "9999", "--report", folder);
  await new Promise<void>((begun) => {
    const watcher = watch(folder, () => {
      watcher.close();
      begun(); // it looks whether it can write there, and then begins
    });
  });
  papers.child.kill("SIGINT");
  papers.child.kill("SIGINT"); // as npx passes it on
  const { code, stdout, stderr } = await papers.ended;
  assert.is(code, 130, stderr);
  assert.match(
    stderr,
    /^motelearn: interrupted: \d+ of \d+ runs are done; .*papers\.runs keeps them, and the same command continues\n$/,
  );
  assert.match(stdout, /Interrupted after \d+ of 9999 runs|interrupted before its first run/);
  assert.match(stdout, /took \d+\.\d s on/);
  assert.match(readFileSync(file, "utf8"), /oskm-figure-2: interrupted before its first run was done/);
});

test("a report that can't be written is refused before anything is run", async () => {
  const file = join(folder, "a-file");
  writeFileSync(file, "");
  await refusesHere(["papers", "--runs", "9999", "--report", file], "--report", file);
});

test("an id that isn't there is answered with the nearest", async () => {
  await refusesHere(
    ["papers", "--only", "qkrls-tabel-4"],
    "--only qkrls-tabel-4",
    "did you mean qkrls-table-4",
  );
});

test("an experiment whose data are missing names the files, a folder that isn't there itself", async () => {
  await refusesHere(
    ["papers", "--only", "lol-table-4-letter"],
    "letter/train.libsvm",
    "letter/test.libsvm",
    "--data",
  );
  await refusesHere(["papers", "--data", join(folder, "none")], "--data", "none", "no such folder");
  await refusesHere(["papers", "--runs", "0"], "--runs");
});

test("a data file that can't be read is named, with its line, from whatever thread", async () => {
  mkdirSync(join(folder, "svmguide1"));
  writeFileSync(join(folder, "svmguide1/train.libsvm"), "1 1:2\n0 1:x\n");
  writeFileSync(join(folder, "svmguide1/test.libsvm"), "1 1:2\n");
  await refusesHere(
    ["papers", "--only", "lol-table-3-svmguide1", "--data", folder, "--report", folder],
    "svmguide1/train.libsvm:2",
    "1:x",
  );
});

test.run();
