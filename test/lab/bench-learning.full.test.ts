import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { refusesHere, runHere, start, temporaryFolder } from "../cli/program.ts";
import { makeFolder } from "../folder.ts";
import { test } from "../tools/contained.ts";
import { countLines, hasLines } from "../tools/growing.ts";

const folder = makeFolder();

const file = temporaryFolder();

const SELECTED = ["--only", "scene-20,rings,faults", "--learners", "arow,bsgd,olk-c"];
const SIZE = ["--rows", "1000", "--seeds", "2", "--budget", "16,32"];
const ARGS = ["bench-learning", ...SELECTED, ...SIZE, "--threads", "2", "--report"];

test("ended by Ctrl-C, by SIGKILL and by --seconds, the same command continues, to the same table to the byte", async () => {
  const whole = await runHere([...ARGS, join(folder, "whole")]);
  assert.is(whole.code, 0, whole.stderr);
  const told = (text: string) => text.replace(/\nreport .*\n$/, "");
  const parts = join(folder, "parts");
  const kept = join(parts, "learning.ndjson");
  const first = start(...ARGS, parts);
  await hasLines(kept, 40, first);
  first.child.kill("SIGINT");
  const interrupted = await first.ended;
  assert.is(interrupted.code, 130, interrupted.stderr);
  assert.match(
    interrupted.stderr,
    /^motelearn: interrupted: \d+ of \d+ runs are done; .*learning\.ndjson keeps/,
  );
  assert.match(interrupted.stdout, /\n\d+ of \d+ runs are done; \d+ cells have every entrant/);
  const second = start(...ARGS, parts);
  await hasLines(kept, countLines(kept) + 21, second);
  second.child.kill("SIGKILL");
  assert.is((await second.ended).code, null);
  appendFileSync(kept, '{"key":"torn');
  const brief = await runHere([...ARGS, parts, "--seconds", "0.2"]);
  assert.is(brief.code, 0, brief.stderr);
  assert.match(brief.stdout, /runs are done/);
  const last = await runHere([...ARGS, parts]);
  assert.is(last.code, 0, last.stderr);
  assert.is(told(last.stdout), told(whole.stdout));
  const size = readFileSync(kept).length;
  const again = await runHere([...ARGS, parts]);
  assert.is(told(again.stdout), told(whole.stdout));
  assert.is(readFileSync(kept).length, size, "nothing was run again");
  const page = readFileSync(join(parts, "learning.html"), "utf8");
  assert.match(page, /<h2>Goals<\/h2>/);
  assert.not.match(page, /NaN|undefined/);
});

test("--memory compares methods by kilobytes, and --forecasts what they forecast", async () => {
  const at = [...["--report", join(folder, "memory")], ...["--threads", "1", "--rows", "400"]];
  const only = ["--only", "rings", "--learners", "auto,nag", "--delay", "0", "--flips", "0", "--seeds", "1"];
  const methods = await runHere(["bench-learning", "--memory", "2,16", ...only, ...at]);
  assert.is(methods.code, 0, methods.stderr);
  assert.match(
    methods.stdout,
    /at most 2048 bytes\n[\s\S]*at most 16384 bytes\nmethod +bytes +shuffled: error/,
  );
  assert.match(methods.stdout, /\nnag +44 +\d/);
  const forecasts = await runHere(["bench-learning", "--forecasts", ...at]);
  assert.is(forecasts.code, 0, forecasts.stderr);
  assert.match(forecasts.stdout, /\nregimes +1 +400 +\d[\s\S]*\nauto-r\nat most 1.02 times/);
});

test("what can't be used is named, on one line", async () => {
  const command = (...args: string[]) => ["bench-learning", "--report", folder, ...args];
  await refusesHere(command("--only", "checkers"), "--only checkers", "checkerboard");
  await refusesHere(command("--only", "elec2"), "--only elec2", "--data");
  await refusesHere(command("--data", "/nowhere"), "--data /nowhere", "no such folder");
  await refusesHere(command("--data", folder, "--only", "elec2"), "elec2/elec.csv", "--data");
  await refusesHere(command("--learners", "olk"), "no learner olk", "olk-c");
  await refusesHere(command("--learners", "olk-r"), "olk-r", "regression");
  await refusesHere(command("--learners", "arow:r=1"), "arow has no option r", "noiseVariance");
  await refusesHere(command("--learners", "olk-c:C=-1"), "C takes a number >= 0");
  await refusesHere(command("--learners", "pa:width=1"), "width", "Gaussian");
  await refusesHere(command("--learners", "pa:sources=known"), "pa has no option sources");
  await refusesHere(command("--learners", "arow:sources=told"), "sources takes", "false alarms");
  const brief = ["--only", "rings", "--rows", "300", "--delay", "0", "--no-grid"];
  await refusesHere(
    command("--learners", "arow:sources=known", ...brief, "--flips", "0.6"),
    "sources",
    "0 to 0.49",
  );
  await refusesHere(command("--learners", "mlp"), "--learners mlp", "--memory");
  await refusesHere(command("--memory", "0"), "--memory", "1");
  await refusesHere(command("--memory", "2", "--budget", "8"), "--memory", "--budget");
  await refusesHere(command("--memory", "2", "--only", "banknote"), "--only banknote", "--data");
  await refusesHere(command("--flips", "2"), "--flips", "< 1");
  await refusesHere(command("--rows", "60"), "--rows 60", "at least 201");
  await refusesHere(command("--order", "random"), "--order", "time or shuffled");
  await refusesHere(command("--set", "none.csv"), "none.csv", "no file");
  await refusesHere(command("--set", `${file("a.csv", "1,2\n")}:lable=3`), "FILE[:label=COLUMN]");
  await refusesHere(command("--set", file("short.csv", "1,0\n2,1\n3,0\n4,1\n")), "short.csv", "--prefix");
  await refusesHere(command("--set", file("broken.csv", "1,2,0\n1,x,1\n1,2,1\n")), "broken.csv:2");
});

test.run();
