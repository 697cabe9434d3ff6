// What is said of a file without a description, in which `import` would find more than its columns' names say.
import { test } from "uvu";
import * as assert from "uvu/assert";
import { makeRows, stateAt } from "../tools/imported.ts";
import { runHere, temporaryFolder } from "./program.ts";

const file = temporaryFolder();
const evaluated = async (...args: readonly string[]) =>
  (await runHere(["evaluate", "--learner", "pa", ...args])).stderr;

test("a row's number and a missing word are named, until the file is imported or its columns are chosen", async () => {
  const rows = makeRows((i) => `${i},${i % 9 === 4 ? -999 : 20 + (i % 7)},${stateAt(i)}`);
  const train = file("numbered.csv", `Nr.,temp,label\n${rows.join("\n")}\n`);
  const found = "would leave out Nr., take -999 as missing";
  const note = `${train} is read by its columns' names alone; npx motelearn import ${train} ${found}\n`;
  assert.is(await evaluated("--train", train), note);
  assert.is((await runHere(["choose", "--train", train, "--learners", "pa"])).stderr, note);
  assert.is(await evaluated("--train", train, "--columns", "temp"), "");
  await runHere(["import", train]);
  assert.is(await evaluated("--train", train, "--missing", "hold"), "");
});

test("simulate and labels name them, too", async () => {
  const rows = makeRows((i) => `${i},${i % 9 === 4 ? -999 : 20 + (i % 7)},${stateAt(i)}`);
  const path = file("streamed.csv", `Nr.,temp,label\n${rows.join("\n")}\n`);
  const note = `${path} is read by its columns' names alone; npx motelearn import ${path} would leave out Nr., take -999 as missing\n`;
  const stream = { type: "files", files: [{ node: "n", path }] };
  const tasks = [{ name: "t", task: "classification", learners: [{ learner: "pa" }] }];
  const scenario = (own: object) =>
    file(
      "scenario.json",
      JSON.stringify({ schema: "motelearn.scenario/1", stream: { ...stream, ...own }, tasks }),
    );
  assert.ok((await runHere(["simulate", scenario({})])).stderr.includes(note));
  assert.ok(!(await runHere(["simulate", scenario({ columns: ["temp"] })])).stderr.includes(note));
  const sent = runHere(["labels", "--port", file("none", ""), "--from", path, "--give-up", "1"]);
  assert.ok((await sent.catch(({ stderr }) => ({ stderr }))).stderr.includes(note));
});

test("nothing is said of a file that import would read alike", async () => {
  const train = file(
    "plain.csv",
    `temp,label\n${makeRows((i) => `${20 + (i % 7)}.5,${stateAt(i)}`).join("\n")}\n`,
  );
  assert.is(await evaluated("--train", train), "");
});

test.run();
