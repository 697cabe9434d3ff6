import { test } from "uvu";
import * as assert from "uvu/assert";
import { refuses, run, runJson } from "./program.ts";

const SCHEMA = "motelearn.plan/1";

interface PlannedRegion {
  name: string;
  kind: string;
  offset: number;
  bytes: number;
}

test("regions lie one after the other, state first, and sum up to the bytes", () => {
  const plan = runJson(SCHEMA, "plan", "--learner", "qkrls", "--dimension", "8", "--budget", "20");
  let end = 0;
  for (const { name, offset, bytes } of plan.regions as PlannedRegion[]) {
    assert.is(offset, end, name);
    end += bytes;
  }
  assert.is(plan.bytes, end);
  const kinds = plan.regions.map((region: PlannedRegion) => region.kind);
  assert.equal([...new Set(kinds)], ["state", "counters", "scratch"]);
  assert.is(plan.state + plan.counters + plan.scratch, plan.bytes);
  assert.is(plan.learner, "qkrls");
});

test("the pending ring is in the plan, a sample's features and number for each place", () => {
  const args = ["plan", "--learner", "olk-c", "--dimension", "8", "--budget", "16", "--pending"];
  const ring = ({ regions }: { regions: PlannedRegion[] }) =>
    regions.filter(({ name }) => name.startsWith("pending")).reduce((sum, { bytes }) => sum + bytes, 0);
  const small = runJson(SCHEMA, ...args, "10");
  const large = runJson(SCHEMA, ...args, "11");
  assert.is(ring(small), 10 * 9 * 4);
  assert.is(large.bytes - small.bytes, 9 * 4);
  const alone = runJson(SCHEMA, ...args, "0");
  assert.is(alone.bytes, alone.learnerBytes);
  assert.is(alone.learnerBytes, small.learnerBytes);
});

test("classes: the learner itself where it can, else one-vs-all with a state for each", () => {
  const plan = (learner: string, classes: string) =>
    runJson(SCHEMA, "plan", "--learner", learner, "--dimension", "4", "--budget", "8", "--classes", classes);
  assert.is(plan("lol", "5").learner, "lol");
  assert.is(plan("lol", "5").options.classes, 5);
  assert.is(plan("olk-c", "2").learner, "olk-c");
  const [three, four] = [plan("olk-c", "3"), plan("olk-c", "4")];
  assert.is(three.learner, "ova:olk-c");
  assert.ok(four.state > three.state && four.scratch - three.scratch <= 4, "scratch is shared");
});

test("the text has every region and the total", () => {
  const { code, stdout } = run("plan", "--learner", "olk-c", "--dimension", "8", "--budget", "64");
  assert.is(code, 0);
  for (const word of ["rows", "coefficients", "pending", "total", "scratch"])
    assert.ok(stdout.includes(word), word);
  const budgetless = run("plan", "--learner", "pa", "--dimension", "8", "--budget", "64");
  assert.ok(budgetless.stdout.includes("budget is unused"));
});

test("what can't be used is refused in one line", () => {
  refuses(["plan", "--dimension", "8"], "--learner");
  refuses(["plan", "--learner", "olk-c"], "--dimension");
  refuses(["plan", "--learner", "nroma-c", "--dimension", "8"], "nroma-c", "norma-c");
  refuses(["plan", "--learner", "olk-c", "--dimension", "x"], "--dimension", "whole number");
  refuses(
    ["plan", "--learner", "olk-c", "--dimension", "8", "--budget", "5000"],
    "budget",
    "got 5000",
    "<= 4096",
  );
  refuses(["plan", "--learner", "olk-c", "--dimension", "8", "--options", '{"kernl":1}'], "kernl", "kernel");
  refuses(["plan", "--learner", "olk-r", "--dimension", "8", "--classes", "3"], "--classes", "regression");
  refuses(["plan", "--learner", "olk-c", "--dimension", "8", "--pending", "70000"], "--pending", "65536");
  refuses(
    ["plan", "--learner", "olk-c", "--dimension", "8", "--options", '{"dimension":9}'],
    "--dimension 8",
  );
});

test.run();
