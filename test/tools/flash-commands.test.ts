import { readFileSync } from "node:fs";
import { Command } from "commander";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { addFlash, flashedNode } from "../../cli/commands/flash.ts";
import type { FlashFlags } from "../../cli/options/flash-options.ts";
import { Catalogue } from "../../host-sim/catalogue/catalogue.ts";
import { chosenFamily } from "../../host-sim/network/learner.ts";
import { nodeOptions } from "../../host-sim/network/node-run.ts";
import { parseScenario, taskScenario } from "../../host-sim/scenario/scenario.ts";
import { flashCommand, nodeText } from "../../lab/simulation/node-texts.ts";
import type { NodeOptions } from "../../src/node/node-options.ts";
import { nodeSchema } from "../../src/node/schema.ts";
import { runHere } from "../cli/program.ts";

/** The words of a command line, as a shell reads them. */
function words(line: string): string[] {
  return [...line.matchAll(/'((?:[^']|'\\'')*)'|(\S+)/g)].map(
    ([, quoted, plain]) => plain ?? quoted.replaceAll("'\\''", "'"),
  );
}

/** What `flash` takes a command for: its flags, and its node. */
function flashed(line: string): { readonly flags: FlashFlags; readonly node: NodeOptions } {
  const program = new Command();
  addFlash(program);
  let flags: FlashFlags | undefined;
  program.commands[0].action((options: FlashFlags) => {
    flags = options;
  });
  program.parse(words(line).slice(2), { from: "user" });
  assert.ok(flags);
  return { flags, ...flashedNode(flags) };
}

/** The options of a node that its schema and a peer know. */
function known({ channels, pending, labelWindow, checkpointEvery, learner, ...node }: NodeOptions) {
  return [nodeSchema({ ...node, sid: 1, channels, pending, labelWindow, checkpointEvery, learner }), learner];
}

/** Every kind of option that a simulated node has. */
const WHOLE = {
  stream: { type: "scene", channels: 3 },
  node: {
    ...{ pending: 200, window: 4, wavelet: "haar", standardise: true, horizon: 300, stepAfter: 32 },
    ...{ coverage: 0.9, drift: "watch", checkpointEvery: 40, periodMs: 250, labelFlips: [0.1, 0.1] },
    ...{ ranges: [[0, 1], null, [-5, 5]] },
    sleep: { talkEvery: 4, talkMs: 300 },
  },
  labels: { budget: 0.5 },
  link: { window: 5 },
  tasks: [{ name: "all", task: "classification", learners: [{ learner: "olk-c" }, { learner: "auto" }] }],
};
const AS_READ = {
  stream: { type: "scene", channels: 2 },
  node: { standardise: false },
  tasks: [
    {
      name: "as read",
      task: "classification",
      learners: [{ learner: "olk-c", options: { budget: 20, storage: "q15", ranges: [[-5, 5]] } }],
    },
  ],
};

const shipped = (name: string) => readFileSync(`host-sim/scenarios/${name}.json`, "utf8");
const SCENARIOS: readonly (readonly [name: string, text: string, channels: number])[] = [
  ["four-motes", shipped("four-motes"), 2],
  ["one-scene", shipped("one-scene"), 4],
  ["bearings", shipped("bearings"), 32],
  ["whole", JSON.stringify({ schema: "motelearn.scenario/1", ...WHOLE }), 3],
  ["as read", JSON.stringify({ schema: "motelearn.scenario/1", ...AS_READ }), 2],
];

for (const [name, text, channels] of SCENARIOS)
  test(`flash takes the command of each simulated node for that very node: ${name}`, () => {
    const scenario = parseScenario(text, name);
    for (const task of scenario.tasks)
      for (const [at, choice] of task.learners.entries()) {
        const own = taskScenario(scenario, task);
        const simulated = nodeOptions(own, chosenFamily(Catalogue.shipped, task, at, 2), channels, 0);
        const command = flashCommand(nodeText(choice.learner, simulated, { ...own.node, target: "esp32c3" }));
        const { node, flags } = flashed(command);
        assert.equal(known(node), known(simulated), command);
        const { pending, labelWindow, checkpointEvery, coverage, drift } = simulated;
        const kept = { pending, labelWindow, checkpointEvery, ...(coverage && { coverage, drift }) };
        for (const [key, value] of Object.entries(kept)) assert.is(node[key as "pending"], value, command);
        assert.equal([flags.period, flags.sleep ?? false], [own.node.periodMs, own.node.sleep !== undefined]);
      }
  });

test("more classes go into the command", () => {
  const lol = Catalogue.shipped.learner("lol")!;
  const node = { sid: 1, channels: 2, learner: lol, options: { classes: 4, budget: 8 } };
  const command = flashCommand(nodeText("lol", node, { periodMs: 1000, target: "esp32c3" }));
  assert.is(flashed(command).node.options.classes, 4, command);
});

test("sensors are analog pins of the board, one for each reading, as far as it has them", () => {
  const [, text] = SCENARIOS[1];
  const { node } = parseScenario(text, "one-scene");
  const given = { sid: 1, learner: Catalogue.shipped.learner("pa")!, options: {} };
  const place = { ...node, target: "esp32c3" } as const;
  const of = (channels: number) => flashed(flashCommand(nodeText("pa", { ...given, channels }, place))).flags;
  assert.is(of(1).sensors, undefined);
  assert.equal(JSON.parse(of(3).sensors ?? ""), [{ analog: 0 }, { analog: 1 }, { analog: 2 }]);
  assert.is(of(32).sensors, "JSON");
});

test("simulate prints the command of each learner below its table, and flash writes that node's manifest", async () => {
  const { code, stdout } = await runHere(["simulate", "one-scene", "--report", "dist/test-reports"]);
  assert.is(code, 0);
  const lines = [...stdout.matchAll(/^flash {3}(.*?): (npx motelearn flash .*)$/gm)];
  assert.equal(
    lines.map(([, what]) => what),
    ["presence, pa", "presence, lol"],
  );
  const printed = await runHere([...words(lines[0][2]).slice(2), "--dry-run"]);
  assert.is(printed.code, 0, printed.stderr);
  assert.match(printed.stdout, /"learner": "pa",\n *"channels": 4,/);
  assert.match(printed.stdout, /"standardise": true/);
});

test("what plan and flash plan by default standardises, as a simulated node does", async () => {
  const names = async (...more: string[]) => {
    const { stdout } = await runHere(["plan", "--learner", "olk-c", "--dimension", "2", "--json", ...more]);
    return JSON.parse(stdout).regions.map(({ name }: { readonly name: string }) => name);
  };
  assert.ok((await names()).includes("standardiser.mean"));
  assert.equal(await names("--standardise"), await names());
  assert.not.ok((await names("--no-standardise")).includes("standardiser.mean"));
  assert.not.ok((await names("--pending", "0")).includes("standardiser.mean"));
});

test.run();
