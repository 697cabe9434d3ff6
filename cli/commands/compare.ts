import type { Command } from "commander";
import { printJson, printText } from "../../host/terminal/print.ts";
import { compare } from "../../lab/comparison/comparison.ts";
import { readResults } from "../../lab/comparison/read.ts";
import { comparisonText } from "../../lab/comparison/text.ts";

async function compareFiles(a: string, b: string, { json }: { readonly json?: boolean }): Promise<void> {
  const comparison = compare(await readResults(a), await readResults(b));
  if (json) printJson(comparison);
  else printText(comparisonText(comparison, process.stdout.columns));
}

export function addCompare(program: Command): void {
  program
    .command("compare")
    .description("compare two runs or two sweeps: means, paired differences, equal states")
    .argument("<A>", "what simulate --json printed, or a table (CSV, NDJSON) of sweep or simulate --csv")
    .argument("<B>", "another such file")
    .option("--json", "print motelearn.compare/1")
    .addHelpText(
      "after",
      `
Rows are paired by task, learner, values of the swept keys, node and seed. A difference is the mean over the seeds that both files
have. With one common seed it is the mean over nodes; with none, over nodes, too, by each node's mean over its seeds.`,
    )
    .action(compareFiles);
}
