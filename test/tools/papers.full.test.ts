import { mkdirSync, mkdtempSync, readFileSync, rmSync, watch, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { refuses, run, runJson, start } from "./program.ts";

const folder = mkdtempSync(join(tmpdir(), "motelearn-papers-"));
test.after(() => rmSync(folder, { recursive: true }));

test("the same figures on one thread and on three", () => {
  const told = (threads: string) => {
    const args = ["papers", "--only", "qkrls-table-4", "--runs", "5", "--threads", threads];
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
  assert.is(stderr, "");
  assert.match(stdout, /Interrupted after \d+ of 9999 runs|interrupted before its first run/);
  assert.match(stdout, /took \d+\.\d s on/);
  assert.match(readFileSync(file, "utf8"), /oskm-figure-2: interrupted before its first run was done/);
});

test("a report that can't be written is refused before anything is run", () => {
  const file = join(folder, "a-file");
  writeFileSync(file, "");
  refuses(["papers", "--runs", "9999", "--report", file], "--report", file);
});

test("an id that isn't there is answered with the nearest", () => {
  refuses(["papers", "--only", "qkrls-tabel-4"], "--only qkrls-tabel-4", "did you mean qkrls-table-4");
});

test("an experiment whose data are missing names the files, a folder that isn't there itself", () => {
  refuses(["papers", "--only", "lol-table-4-letter"], "letter/train.libsvm", "letter/test.libsvm", "--data");
  refuses(["papers", "--data", join(folder, "none")], "--data", "none", "no such folder");
  refuses(["papers", "--runs", "0"], "--runs");
});

test("a data file that can't be read is named, with its line, from whatever thread", () => {
  mkdirSync(join(folder, "svmguide1"));
  writeFileSync(join(folder, "svmguide1/train.libsvm"), "1 1:2\n0 1:x\n");
  writeFileSync(join(folder, "svmguide1/test.libsvm"), "1 1:2\n");
  refuses(["papers", "--only", "lol-table-3-svmguide1", "--data", folder], "svmguide1/train.libsvm:2", "1:x");
});

test.run();
