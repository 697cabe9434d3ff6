import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import { UserError } from "../../host/errors.ts";
import { wholeNumber } from "../../host/terminal/arguments.ts";
import { printJson, printNote, printText } from "../../host/terminal/print.ts";
import { type Case, GENERATED, isoletCases, PARTS, type Part } from "../../lab/bench/together/cases.ts";
import { trainerCost } from "../../lab/bench/together/cost.ts";
import { ISOLET, isoletFleets } from "../../lab/bench/together/isolet.ts";
import type { Moment } from "../../lab/bench/together/life.ts";
import { caseResult } from "../../lab/bench/together/result.ts";
import { costText, costTitle, togetherHead, togetherText } from "../../lab/bench/together/text.ts";

interface BenchFlags {
  readonly fleets: number;
  readonly seed: number;
  readonly data?: string;
  readonly only?: readonly Part[];
  readonly cost?: number;
  readonly json?: boolean;
}

/** For commander: parts with commas between. */
function partsIn(text: string): Part[] {
  const parts = text.split(",") as Part[];
  if (parts.every((part) => PARTS.includes(part))) return parts;
  throw new InvalidArgumentError(`Takes ${PARTS.join(", ")}, with commas between.`);
}

async function chooseCases({ data, only = PARTS }: BenchFlags): Promise<Case[]> {
  const cases = GENERATED.filter(({ part }) => only.includes(part));
  if (data === undefined || !only.includes("isolet")) return cases;
  const path = join(data, ISOLET);
  if (!existsSync(path)) throw new UserError(`--data ${data}: lacks ${ISOLET}; give a folder that has it`);
  return [...cases, ...isoletCases(await isoletFleets(path))];
}

const COST_LABELS = 30;

function benchCost(nodes: number, json?: boolean): void {
  const costs = [0, 64].map((vectors) => trainerCost(nodes, COST_LABELS, vectors));
  if (json) printJson({ schema: "motelearn.bench-together-cost/1", costs });
  else printText(`${costTitle(nodes)}\n\n${costText(costs)}`);
}

/** The lives of each case's fleets, run once; a line on stderr for each case. */
class Lives {
  private readonly lives = new Map<string, readonly (readonly Moment[])[]>();

  constructor(private readonly given: BenchFlags) {}

  of({ part, name, run }: Case): readonly (readonly Moment[])[] {
    const { fleets, seed } = this.given;
    const key = `${part}: ${name}`;
    const known = this.lives.get(key);
    if (known) return known;
    printNote(key);
    const lives = Array.from({ length: fleets }, (_, i) => run(seed + i));
    this.lives.set(key, lives);
    return lives;
  }
}

/** Prints each part as soon as it ends, unless all are wanted in one JSON object. */
async function benchTogether(given: BenchFlags): Promise<void> {
  const { fleets, seed, json, cost } = given;
  if (cost !== undefined) {
    benchCost(cost, json);
    return;
  }
  const cases = await chooseCases(given);
  const lives = new Lives(given);
  const compareCase = (each: Case) => {
    const without = GENERATED.find(({ part, name }) => part === "fleets" && name === each.without);
    return caseResult(each, lives.of(each), without && lives.of(without));
  };
  if (!json) printText(togetherHead(fleets, seed));
  const results = PARTS.flatMap((part) => {
    const done = cases.filter((each) => each.part === part).map(compareCase);
    if (!json && done.length > 0) printText(`\n${togetherText(done)}`);
    return done;
  });
  if (json) printJson({ schema: "motelearn.bench-together/1", fleets, seed, cases: results });
}

export function addBenchTogether(program: Command): void {
  program
    .command("bench-together")
    .description("measure nodes that learn together beside nodes alone: errors in per cent, in Markdown")
    .option("--fleets <N>", "fleets of each kind, with seeds one after the other", wholeNumber(1, 1000), 8)
    .option("--seed <N>", "the first fleet's seed", wholeNumber(0, 0xffffffff), 1)
    .option("--data <DIR>", `folder that has ${ISOLET}; without it only generated machines are run`)
    .option("--only <PARTS>", `these of ${PARTS.join(", ")}, with commas between`, partsIn)
    .option("--cost <N>", "instead, what a group of so many nodes costs the gateway", wholeNumber(1, 10_000))
    .option("--json", "print motelearn.bench-together/1")
    .action(benchTogether);
}
