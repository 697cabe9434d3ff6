import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { runScenario } from "../../host-sim/runs/run-scenario.ts";
import type { LearnerResult, Scores } from "../../host-sim/scoring/result.ts";
import { runHere } from "../cli/program.ts";
import { readPage } from "./pages.ts";

const BALANCED = "auto:balanced=true";

function mean(values: readonly unknown[]): number {
  const numbers = values.filter((value) => typeof value === "number");
  return numbers.reduce((sum, value) => sum + value, 0) / numbers.length;
}

test("the guide's figures for which learner to begin with are the means of four-motes' seeds 1 to 5", async () => {
  const all: LearnerResult[] = [];
  for (let seed = 1; seed <= 5; seed++) {
    const { nodes } = await runScenario({
      ...JSON.parse(readPage("host-sim/scenarios/four-motes.json")),
      seed,
    });
    all.push(...nodes.flatMap(({ learners }) => learners));
  }
  const of = (name: string) => all.filter((result) => result.name === name);
  const scores = (name: string) => of(name).map(({ metrics }) => metrics);
  const share = (of: readonly Scores[], score: "auc" | "balancedAccuracy" | "error") =>
    mean(of.map((scores) => scores[score])).toFixed(2);
  const found = (of: readonly Scores[]) => of.reduce((sum, { eventsFound }) => sum + Number(eventsFound), 0);
  const alarms = (name: string) => mean(scores(name).map(({ falseAlarms }) => falseAlarms)).toFixed(0);
  const last = of("olk-n").map(({ trivial }) => trivial.last);
  const majority = of("lol").map(({ trivial }) => trivial.majority);
  const wrong = (of: readonly Scores[]) => mean(of.map(({ error }) => error)).toFixed(3);
  const received = (name: "majority" | "last") => wrong(of("auto").map(({ trivial }) => trivial[name]));
  const wanted = [
    `wrong in ${wrong(scores("auto"))}, \`olk-c\` with options chosen here in ${wrong(scores("olk-c"))}, majority received in ${received("majority")}, last received in ${received("last")}`,
    `here \`auto\` finds ${found(scores("auto"))} of 240 events, and its AUC is ${share(scores("auto"), "auc")}. It fits an ESP32-C3 (${of("auto")[0].bytes} bytes;`,
    `balanced accuracy ${share(scores("olk-n"), "balancedAccuracy")}, \`norma-n\` ${share(scores("norma-n"), "balancedAccuracy")}, last received ${share(last, "balancedAccuracy")}; all ${found(scores("olk-n"))} events found`,
    `balanced accuracy ${share(scores(BALANCED), "balancedAccuracy")}, \`auto\` without ${share(scores("auto"), "balancedAccuracy")}, \`lol\` ${share(scores("lol"), "balancedAccuracy")}; ${found(scores(BALANCED))} of 240 events, ${alarms(BALANCED)} false alarms a node`,
    `AUC ${share(scores("olk-c"), "auc")}, \`dual-greedy\` ${share(scores("dual-greedy"), "auc")}, \`lol\` ${share(scores("lol"), "auc")}; ${alarms("olk-c")} false alarms a node, \`dual-greedy\` ${alarms("dual-greedy")}`,
    `${found(scores("lol"))} of 240 events in 1044 bytes, \`olk-c\` ${found(scores("olk-c"))} in 2400; ${alarms("lol")} false alarms a node`,
    `The majority is wrong in ${share(majority, "error")}, \`lol\` in ${share(scores("lol"), "error")}, and finds ${found(majority)}.`,
  ];
  const guide = readPage("docs/choose.md");
  for (const figures of wanted) assert.ok(guide.includes(figures), `docs/choose.md doesn't say: ${figures}`);
});

test("README shows what npm start prints", async () => {
  const folder = mkdtempSync(join(tmpdir(), "motelearn-"));
  try {
    const { stdout } = await runHere(["simulate", "--report", folder]);
    const [, shown] = /^```text\n([\s\S]+?)^```$/m.exec(readPage("README.md")) ?? [];
    assert.ok(stdout.includes(`\n${shown}`), stdout);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("the guide's figures for bearings are the machines' means", async () => {
  const { nodes } = await runScenario({
    ...JSON.parse(readPage("host-sim/scenarios/bearings.json")),
    seed: 2,
  });
  const all = nodes.flatMap(({ learners }) => learners);
  const accuracies = (task: string) =>
    ["arow", "olk-c"].map((name) => {
      const of = all.filter((result) => result.task === task && result.name === name);
      return mean(of.map(({ metrics }) => metrics.balancedAccuracy)).toFixed(2);
    });
  const guide = readPage("docs/simulate.md").replaceAll("\n", " ");
  for (const [figures, task] of [
    ["have balanced accuracies of", "raw"],
    ["they have", "spectral"],
  ])
    assert.ok(guide.includes(`${figures} ${accuracies(task).join(" and ")}`), `${task}: ${accuracies(task)}`);
});

test.run();
