import { Command, CommanderError } from "commander";
import { endQuietlyOnClosedPipe, endWith, UserError } from "./cli/exit.ts";
import { addBench } from "./commands/bench.ts";
import { addChoose } from "./commands/choose.ts";
import { addDoctor } from "./commands/doctor.ts";
import { addEvaluate } from "./commands/evaluate.ts";
import { addFlash } from "./commands/flash.ts";
import { addFusion } from "./commands/fusion.ts";
import { addLabels } from "./commands/labels.ts";
import { addLearners } from "./commands/learners.ts";
import { addMonitor } from "./commands/monitor.ts";
import { addPapers } from "./commands/papers.ts";
import { addPlan } from "./commands/plan.ts";
import { addRecord } from "./commands/record.ts";
import { addSimulate } from "./commands/simulate.ts";

/** The version in package.json, put in by tools/dev/build.mjs. */
declare const __VERSION__: string;

function makeProgram(): Command {
  const program = new Command("motelearn")
    .description("Online kernel learning on embedded sensor nodes: what you simulate is what you flash.")
    .version(__VERSION__)
    .exitOverride()
    .configureOutput({ writeErr: () => {} }); // what went wrong is said once, by endWith
  for (const add of [
    addSimulate,
    addEvaluate,
    addChoose,
    addPlan,
    addLearners,
    addLabels,
    addFusion,
    addMonitor,
    addRecord,
    addFlash,
    addDoctor,
    addPapers,
    addBench,
  ])
    add(program);
  program.addHelpText(
    "after",
    `
Exit codes: 0 done; 2 what was given can't be used, one line says why; 3 it doesn't fit; 4 a port, a node or
a fusion centre fails; 5 a node computes other bits than this machine; 130 interrupted; 1 a fault of the
program itself.`,
  );
  return program;
}

/** What commander says of a wrong name, with all right ones where it has no near one to offer. */
function withRightNames(error: unknown, program: Command): unknown {
  if (!(error instanceof CommanderError) || error.message.includes("Did you mean")) return error;
  const names = program.commands.map((command) => command.name()).join(", ");
  const hints: Record<string, string> = {
    "commander.unknownCommand": `there are ${names}`,
    "commander.unknownOption": "see --help of the command",
  };
  const hint = hints[error.code];
  return hint ? new UserError(`${error.message.replace(/^error: /, "")}; ${hint}`) : error;
}

async function main(): Promise<void> {
  endQuietlyOnClosedPipe();
  const program = makeProgram();
  try {
    if (process.argv.length <= 2) {
      const names = program.commands.map((command) => command.name());
      throw new UserError(`no command; takes one of ${names.join(", ")}, or --help`);
    }
    await program.parseAsync();
  } catch (error) {
    endWith(withRightNames(error, program));
  }
}

await main();
