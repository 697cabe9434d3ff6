import { commandOf } from "../../host/terminal/command-line.ts";
import { Catalogue } from "../../host-sim/catalogue/catalogue.ts";
import { chosenFamily } from "../../host-sim/network/learner.ts";
import { nodeOptions } from "../../host-sim/network/node-run.ts";
import { type NodeSettings, type Scenario, scenarioOf } from "../../host-sim/scenario/scenario.ts";
import type { LearnerResult, SimulateResult } from "../../host-sim/scoring/result.ts";
import type { NodeOptions } from "../../src/node/node.ts";
import { BOARDS, type Target } from "../../targets/boards.ts";
import { NODE_NAMES } from "../../tools/toolchain/node-names.ts";

type Given = { readonly [name: string]: unknown };

/** JSON of those values that aren't undefined; undefined: none is. */
function jsonOf(options: Given): string | undefined {
  const text = JSON.stringify(options);
  return text === "{}" ? undefined : text;
}

/** One of the board's analog pins for each reading, its usual one first; undefined where it has too few. */
function sensorsFor(target: Target, channels: number): string | undefined {
  const { pins, sensor, wire } = BOARDS[target];
  const taken: readonly number[] = [sensor, wire.release.transmit, wire.release.receive];
  const free = (pins.analog as readonly number[]).filter((pin) => !taken.includes(pin));
  const used = [sensor, ...free].slice(0, channels);
  return used.length < channels ? undefined : JSON.stringify(used.map((analog) => ({ analog })));
}

/** The command that flashes a node of those options, with samples and sleep as a scenario has them. */
export function flashCommand(
  name: string,
  node: NodeOptions,
  { periodMs, sleep }: Pick<NodeSettings, "periodMs" | "sleep">,
  target: Target,
): string {
  const { channels, pending, checkpointEvery, features = {}, options, classes: named } = node;
  const { budget, classes, dimension: _, ...others } = options;
  const { window, bands, lines = [], burst, standardise, ...unflagged } = features;
  const all: Given = { ...node, ...unflagged };
  const beside = Object.fromEntries(NODE_NAMES.map((key) => [key, all[key]]));
  return commandOf("flash", [
    ["--target", target],
    ["--learner", name],
    ["--dimension", `${channels}`],
    ["--budget", budget?.toString()],
    ["--classes", named?.join(",") ?? classes?.toString()],
    ["--options", jsonOf(others)],
    ["--pending", pending?.toString()],
    ["--window", window ? `${window}` : undefined],
    ["--bands", bands ? `${bands}` : undefined],
    ["--lines", lines.length > 0 ? lines.join(",") : undefined],
    ["--burst", bands && burst ? `${burst}` : undefined],
    [standardise ? "--standardise" : "--no-standardise", ""],
    ["--node", jsonOf(beside)],
    ["--checkpoint-every", checkpointEvery?.toString()],
    ["--period", `${periodMs}`],
    ["--sleep", sleep && ""],
    ["--talk-every", sleep?.talkEvery.toString()],
    ["--talk-ms", sleep?.talkMs.toString()],
    ["--sensors", channels > 1 ? (sensorsFor(target, channels) ?? "JSON") : undefined],
  ]);
}

/** A learner of a task, and the command that flashes its node. */
export interface Flashable {
  readonly task: string;
  readonly learner: string;
  readonly command: string;
}

/** The commands for the nodes that were simulated, one for each learner of each task that a firmware can have. */
export function flashCommands(
  scenario: Scenario,
  { nodes: [first] }: SimulateResult,
  catalogue: Catalogue,
  target: Target,
): Flashable[] {
  return scenario.tasks.flatMap((task) => {
    const own = scenarioOf(scenario, task);
    const simulated = first.learners.filter((one) => one.task === task.name);
    return task.learners.flatMap(({ learner }, at) => {
      const { name, channels, classes, classNames } = (simulated[at] ?? {}) as Partial<LearnerResult>;
      const chosen = chosenFamily(catalogue, task, at, classes ?? 2);
      if (channels === undefined || !Catalogue.shipped.learner(chosen.family.name)) return [];
      const node = { ...nodeOptions(own, chosen, channels, 0), ...(classNames && { classes: classNames }) };
      return [
        { task: task.name, learner: name ?? learner, command: flashCommand(learner, node, own.node, target) },
      ];
    });
  });
}
