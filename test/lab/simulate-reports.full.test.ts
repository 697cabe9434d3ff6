import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import type { SimulateResult } from "../../host-sim/scoring/result.ts";
import { runHere } from "../cli/program.ts";
import { makeFolder, writerTo } from "../folder.ts";

const folder = makeFolder();
const write = writerTo(folder);

const files = (paths: string[], more = {}) => ({
  schema: "motelearn.scenario/1",
  stream: { type: "files", files: paths.map((path, i) => ({ node: `n${i}`, path })) },
  tasks: [{ name: "t", task: "classification", learners: [{ learner: "pa" }, { learner: "olk-c" }] }],
  ...more,
});

test("a report is named by its scenario file; another file of that name and seed gets a report beside it", async () => {
  const reports = join(folder, "named");
  const rows = Array.from({ length: 40 }, (_, i) => `${i % 2},${i % 3},${i % 2}`).join("\n");
  const scenarios = ["first", "second"].map((name) => {
    mkdirSync(join(folder, name));
    write(`${name}/own.csv`, `a,b,class\n${rows}\n`);
    return write(`${name}/room.v2.json`, files(["own.csv"], { name: "../elsewhere", title: name }));
  });
  const report = async (file: string, ...more: string[]) => {
    const { code, stdout, stderr } = await runHere(["simulate", file, "--report", reports, ...more]);
    assert.is(code, 0, stderr);
    return basename(/report {2}(.*)/.exec(stdout)?.[1] as string);
  };
  const page = (name: string) => readFileSync(join(reports, name), "utf8");
  assert.is(await report(scenarios[0]), "room.v2-seed-1.html");
  assert.is(await report(scenarios[1]), "room.v2-seed-1-2.html");
  assert.is(await report(scenarios[1]), "room.v2-seed-1-2.html");
  assert.match(page("room.v2-seed-1-2.html"), /<h1>second</);
  assert.match(page("room.v2-seed-1.html"), /<h1>first</);
  assert.is(await report(scenarios[0], "--seed", "3"), "room.v2-seed-3.html");
  writeFileSync(join(reports, "room.v2-seed-4.html"), "a page of somebody else");
  assert.is(await report(scenarios[0], "--seed", "4"), "room.v2-seed-4-2.html");
  assert.is(page("room.v2-seed-4.html"), "a page of somebody else");
  write("first/room.v2.json", files(["own.csv"], { title: "changed" }));
  assert.is(await report(scenarios[0]), "room.v2-seed-1.html");
  assert.match(page("room.v2-seed-1.html"), /<h1>changed</);
  assert.equal(readdirSync(reports).length, 5, "nothing else is left");
});

test("the nodes of one network are spread over threads, and the result is the same to the byte", async () => {
  const scene = (rule: string) => ({
    schema: "motelearn.scenario/1",
    stream: { type: "scene", nodes: 13, samples: 50, channels: 2 },
    labels: { delayMean: 5, delaySpread: 3, noise: { symmetric: { rate: 0.2 } } },
    fusion: { rule },
    tasks: [{ name: "t", task: "classification", learners: [{ learner: "pa" }, { learner: "olk-c" }] }],
  });
  for (const rule of ["oracle", "chair-varshney"]) {
    const file = write(`${rule}.json`, scene(rule));
    const printed: string[] = [];
    for (const threads of ["1", "2"]) {
      const args = ["simulate", file, "--threads", threads, "--json", "--report", folder];
      const { code, stdout, stderr } = await runHere(args);
      assert.is(code, 0, stderr);
      printed.push(stdout);
    }
    assert.is(printed[1], printed[0]);
    const { nodes, fusion } = JSON.parse(printed[0]) as SimulateResult;
    assert.is(nodes.length, 13);
    assert.is(fusion.length, 1);
  }
});

test.run();
