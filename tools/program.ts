import { Command, CommanderError } from "commander";
import { endWith, UserError } from "./cli/exit.ts";
import { blamePlugin } from "./cli/plugins.ts";

/** The version in package.json, put in by tools/dev/build.mjs. */
declare const __VERSION__: string;

/** The function that adds each command. Only the command to run is loaded; for the list, all are. */
const COMMANDS: Record<string, () => Promise<(program: Command) => void>> = {
  simulate: async () => (await import("./commands/simulate.ts")).addSimulate,
  sweep: async () => (await import("./commands/sweep.ts")).addSweep,
  worker: async () => (await import("./commands/worker.ts")).addWorker,
  reproduce: async () => (await import("./commands/reproduce.ts")).addReproduce,
  shrink: async () => (await import("./commands/shrink.ts")).addShrink,
  evaluate: async () => (await import("./commands/evaluate.ts")).addEvaluate,
  explain: async () => (await import("./commands/explain.ts")).addExplain,
  compare: async () => (await import("./commands/compare.ts")).addCompare,
  choose: async () => (await import("./commands/choose.ts")).addChoose,
  plan: async () => (await import("./commands/plan.ts")).addPlan,
  check: async () => (await import("./commands/check.ts")).addCheck,
  learners: async () => (await import("./commands/learners.ts")).addLearners,
  labels: async () => (await import("./commands/labels.ts")).addLabels,
  fusion: async () => (await import("./commands/fusion.ts")).addFusion,
  gateway: async () => (await import("./commands/gateway.ts")).addGateway,
  bridge: async () => (await import("./commands/bridge.ts")).addBridge,
  monitor: async () => (await import("./commands/monitor.ts")).addMonitor,
  record: async () => (await import("./commands/record.ts")).addRecord,
  inspect: async () => (await import("./commands/inspect.ts")).addInspect,
  rollback: async () => (await import("./commands/rollback.ts")).addRollback,
  flash: async () => (await import("./commands/flash.ts")).addFlash,
  doctor: async () => (await import("./commands/doctor.ts")).addDoctor,
  papers: async () => (await import("./commands/papers.ts")).addPapers,
  init: async () => (await import("./commands/init.ts")).addInit,
  board: async () => (await import("./commands/board.ts")).addBoard,
  key: async () => (await import("./commands/key.ts")).addKey,
  bench: async () => (await import("./commands/bench.ts")).addBench,
  "bench-learning": async () => (await import("./commands/bench-learning.ts")).addBenchLearning,
};

async function makeProgram(name: string | undefined): Promise<Command> {
  const program = new Command("motelearn")
    .description("Online kernel learning on embedded sensor nodes: what you simulate is what you flash.")
    .version(__VERSION__)
    .exitOverride()
    .configureOutput({ writeErr: () => {} }); // endWith reports the error once
  const loaders =
    name !== undefined && Object.hasOwn(COMMANDS, name) ? [COMMANDS[name]] : Object.values(COMMANDS);
  for (const add of await Promise.all(loaders.map((load) => load()))) add(program);
  program.addHelpText(
    "after",
    `
Exit codes: 0 done; 1 a fault of the program itself; 2 invalid input, the reason on stderr; 3 the node doesn't
fit the board; 4 a port, a node or a fusion centre failed; 5 a node computes other bits than this machine;
6 a learner fails a check; 130 interrupted.`,
  );
  return program;
}

/** Commander's message about a wrong name, with all right ones where it has no near one. */
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

/** Runs the program with those arguments; an error goes to stderr and sets the exit code. */
export async function runProgram(given: readonly string[]): Promise<void> {
  const program = await makeProgram(given[0]);
  try {
    if (given.length === 0) {
      const names = program.commands.map((command) => command.name());
      throw new UserError(`no command; takes one of ${names.join(", ")}, or --help`);
    }
    await program.parseAsync(given, { from: "user" });
  } catch (error) {
    endWith(withRightNames(blamePlugin(error), program));
  }
}
