import type { Command } from "commander";
import { FAMILIES } from "../../src/learn/registry.ts";
import { benchmark, type Cost } from "../benchmark.ts";
import { chooseFamily } from "../learner-choice.ts";
import { printJson, printText } from "../print.ts";
import { table } from "../table.ts";

const SIZES = [
  { dimension: 8, budget: 64 },
  { dimension: 64, budget: 256 },
];

interface Benchmarked {
  readonly name: string;
  readonly sizes: readonly Cost[];
}

function textOf(results: readonly Benchmarked[]): string {
  const rows = results.flatMap(({ name, sizes }) =>
    sizes.map((cost) => [
      name,
      cost.dimension,
      cost.budget,
      cost.stored,
      Math.round(cost.predictNs),
      Math.round(cost.learnNs),
    ]),
  );
  return table(rows, {
    head: ["learner", "d", "budget", "stored", "predict ns", "learn ns"],
    aligns: ["left", "right", "right", "right", "right", "right"],
  });
}

/** Adds `motelearn bench`. */
export function addBench(program: Command): void {
  program
    .command("bench")
    .description(
      "nanoseconds of a predict and of a learn, dictionary filled, for each learner with its defaults",
    )
    .option("--only <name>", "only this learner")
    .option("--json", "print motelearn.bench/1")
    .action(({ only, json }: { only?: string; json?: boolean }) => {
      const families = only === undefined ? FAMILIES : [chooseFamily(only)];
      const learners = families.map((family) => ({
        name: family.name,
        sizes: SIZES.map(({ dimension, budget }) => benchmark(family, dimension, budget)),
      }));
      const engine = `${process.arch}, Node ${process.versions.node}`;
      if (json) printJson({ schema: "motelearn.bench/1", engine, learners });
      else printText(textOf(learners));
    });
}
