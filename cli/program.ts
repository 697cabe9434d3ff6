import { Command, CommanderError } from "commander";
import { UserError } from "../host/errors.ts";
import { endWith, isInternal } from "../host/terminal/exit.ts";

/** The version in package.json, put in by dev/build.mjs. */
declare const __VERSION__: string;

type Load = () => Promise<(program: Command) => void>;

/** The function that adds each command, by the heading under which --help lists it. Only the command to run is loaded; for the list, all are. */
const COMMANDS: { readonly [heading: string]: { readonly [name: string]: Load } } = {
  "Simulate networks:": {
    simulate: async () => (await import("./commands/simulate.ts")).addSimulate,
    sweep: async () => (await import("./commands/sweep.ts")).addSweep,
    worker: async () => (await import("./commands/worker.ts")).addWorker,
    reproduce: async () => (await import("./commands/reproduce.ts")).addReproduce,
    compare: async () => (await import("./commands/compare.ts")).addCompare,
    shrink: async () => (await import("./commands/shrink.ts")).addShrink,
  },
  "Choose a learner:": {
    import: async () => (await import("./commands/import.ts")).addImport,
    learners: async () => (await import("./commands/learners.ts")).addLearners,
    evaluate: async () => (await import("./commands/evaluate.ts")).addEvaluate,
    choose: async () => (await import("./commands/choose.ts")).addChoose,
    check: async () => (await import("./commands/check.ts")).addCheck,
  },
  "Build a node:": {
    plan: async () => (await import("./commands/plan.ts")).addPlan,
    init: async () => (await import("./commands/init.ts")).addInit,
    flash: async () => (await import("./commands/flash.ts")).addFlash,
    key: async () => (await import("./commands/key.ts")).addKey,
    board: async () => (await import("./commands/board.ts")).addBoard,
    doctor: async () => (await import("./commands/doctor.ts")).addDoctor,
  },
  "Watch and teach a node:": {
    monitor: async () => (await import("./commands/monitor.ts")).addMonitor,
    labels: async () => (await import("./commands/labels.ts")).addLabels,
    fusion: async () => (await import("./commands/fusion.ts")).addFusion,
    record: async () => (await import("./commands/record.ts")).addRecord,
    explain: async () => (await import("./commands/explain.ts")).addExplain,
    inspect: async () => (await import("./commands/inspect.ts")).addInspect,
    rollback: async () => (await import("./commands/rollback.ts")).addRollback,
  },
  "Keep a fleet:": {
    gateway: async () => (await import("./commands/gateway.ts")).addGateway,
    bridge: async () => (await import("./commands/bridge.ts")).addBridge,
  },
  "Measure this program:": {
    papers: async () => (await import("./commands/papers.ts")).addPapers,
    bench: async () => (await import("./commands/bench.ts")).addBench,
    "bench-learning": async () => (await import("./commands/bench-learning.ts")).addBenchLearning,
    "bench-together": async () => (await import("./commands/bench-together.ts")).addBenchTogether,
  },
};

/** Adds the command of that name; without a name, all. The version needs none. */
async function addCommands(program: Command, only: string | undefined): Promise<void> {
  if (only === "--version" || only === "-V") return;
  for (const [heading, loads] of Object.entries(COMMANDS))
    for (const [name, load] of Object.entries(loads)) {
      if (only !== undefined && only !== name) continue;
      program.commandsGroup(heading);
      (await load())(program);
    }
}

const NAMES = Object.values(COMMANDS).flatMap((loads) => Object.keys(loads));

async function makeProgram(name: string | undefined): Promise<Command> {
  const program = new Command("motelearn")
    .description("Online kernel learning on embedded sensor nodes: what you simulate is what you flash.")
    .version(__VERSION__)
    .exitOverride()
    .configureOutput({ writeErr: () => {} }); // endWith reports the error once
  const isKnown = name !== undefined && [...NAMES, "--version", "-V"].includes(name);
  await addCommands(program, isKnown ? name : undefined);
  program.addHelpText(
    "after",
    `
Exit codes: 0 done; 1 a fault of the program itself; 2 invalid input, the reason on stderr; 3 the node doesn't
fit the board; 4 a port, a node or a fusion centre failed; 5 a node computes other bits than this machine;
6 a learner fails a check; 7 a node didn't learn all labels; 130 interrupted; 129, 143 ended by SIGHUP, SIGTERM;
141 the reader of the output went before the end.`,
  );
  return program;
}

/** Commander's message about a wrong or missing name, with the right ones where it has no near one. */
function withRightNames(error: unknown, program: Command, [name, first = "-"]: readonly string[]): unknown {
  if (!(error instanceof CommanderError) || error.message.includes("Did you mean")) return error;
  const names = program.commands.map((command) => command.name()).join(", ");
  const [option] = /--[\w-]+/.exec(error.message) ?? [];
  const takesFiles = program.commands.some(
    (each) => each.name() === name && each.registeredArguments.length > 0,
  );
  const isValue = !first.startsWith("-") && !takesFiles;
  const hints: Record<string, string | false> = {
    "commander.unknownCommand": `there are ${names}`,
    "commander.unknownOption": "see --help of the command",
    "commander.missingMandatoryOptionValue": isValue && `write ${option} ${first}`,
  };
  const hint = hints[error.code];
  return hint ? new UserError(`${error.message.replace(/^error: /, "")}; ${hint}`) : error;
}

/** The error, as a plugin's where one threw it. */
async function blame(error: unknown): Promise<unknown> {
  const { blamePlugin } = await import("../host-sim/catalogue/plugins.ts");
  return blamePlugin(error);
}

/** Runs the program with those arguments; an error goes to stderr and sets the exit code. */
export async function runProgram(words: readonly string[]): Promise<void> {
  const program = await makeProgram(words[0]);
  try {
    if (words.length === 0) program.outputHelp();
    else await program.parseAsync(words, { from: "user" });
  } catch (error) {
    endWith(withRightNames(isInternal(error) ? await blame(error) : error, program, words));
  }
}
