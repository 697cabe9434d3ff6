import type { Command } from "commander";
import { benchmarkFleet, type FleetCost, type FleetSetup } from "../../fleet/bench/bench-fleet.ts";
import { MOSQUITTO } from "../../fleet/bench/brokers.ts";
import { benchmarkPage, type Rate } from "../../fleet/bench/page.ts";
import { benchmarkStore } from "../../fleet/bench/store.ts";
import { fleetText, verdictText } from "../../fleet/bench/text.ts";
import { SWEEP_MS } from "../../fleet/store/arrival-rows.ts";
import { DifferentStateError, UserError } from "../../host/errors.ts";
import { namesIn, wholeNumber } from "../../host/terminal/arguments.ts";
import { printJson, printNote, printText } from "../../host/terminal/print.ts";
import { table } from "../../host/terminal/table.ts";
import { chooseFamily } from "../../host-sim/catalogue/learner-choice.ts";
import { benchmarkClasses } from "../../lab/bench/classes.ts";
import { benchmarkFaults, FAULTS, type FaultRow } from "../../lab/bench/faults.ts";
import { benchmarkFiles } from "../../lab/bench/files.ts";
import { benchmarkSize, learnersText, listVariants } from "../../lab/bench/learners.ts";
import { benchmarkNetwork, NETWORK_CASES, type NetworkCost } from "../../lab/bench/network.ts";
import { benchmarkNovelty, noveltyText } from "../../lab/bench/novelty/measure.ts";
import { noveltyStreams } from "../../lab/bench/novelty/streams.ts";
import { benchmarkPrimitives, type PrimitiveCost } from "../../lab/bench/primitives.ts";
import type { Family } from "../../src/learn/family.ts";
import { FAMILIES } from "../../src/learn/registry.ts";
import { addChoiceOptions, benchChoice, type ChoiceFlags } from "./bench-choice.ts";

const SIZES = [
  { dimension: 8, budget: 64 },
  { dimension: 64, budget: 256 },
];
const NONE = "n/a";
/** Runs of the fault battery, with seeds 1, 2, ... */
const FAULT_SEEDS = 5;

/** What was measured, as JSON and as a text; undefined instead where it was printed as it came. */
interface Figures {
  readonly json: object;
  readonly text: string;
}

function primitivesText(results: readonly PrimitiveCost[]): string {
  const rows = results.map(({ primitive, rows, dimension, nsPerElement }) => {
    const { webassembly, typescript, c } = nsPerElement;
    const figures = [webassembly, typescript, c].map((ns) => (ns === undefined ? NONE : ns.toFixed(3)));
    const ratio = webassembly === undefined || c === undefined ? NONE : (webassembly / c).toFixed(2);
    return [primitive, `${rows} x ${dimension}`, ...figures, ratio];
  });
  return table(rows, {
    head: ["ns an element", "rows x d", "WebAssembly", "TypeScript", "C", "WebAssembly / C"],
    aligns: ["left", "right"],
  });
}

async function benchNetwork(): Promise<Figures> {
  const network: NetworkCost[] = [];
  for (const options of NETWORK_CASES) network.push(await benchmarkNetwork(options));
  const rows = network.map(({ learner, framing, learnersUs, nodeUs, ratio }) => [
    learner,
    framing,
    ...[learnersUs, nodeUs, ratio].map((value) => value.toFixed(2)),
    Math.round(1e6 / nodeUs).toLocaleString("en"),
  ]);
  const head = [
    "learner",
    "link.framing",
    "learners alone, us CPU a sample",
    "simulated node",
    "times",
    "node-samples a second",
  ];
  return { json: { network }, text: table(rows, { head, aligns: ["left", "left", "right"] }) };
}

function benchClasses(): Figures {
  const classes = benchmarkClasses();
  const rows = classes.flatMap(({ learner, classes, predict, learn }) =>
    Object.entries({ predict, learn }).map(([what, { oneNs, sharedNs, apartNs, ratio }]) => [
      ...[learner, classes, what],
      ...[oneNs, sharedNs, apartNs].map(Math.round),
      ratio.toFixed(2),
    ]),
  );
  const head = ["64 x 8, ns", "classes", "", "of two classes", "shared", "apart", "shared / two classes"];
  return { json: { classes }, text: table(rows, { head, aligns: ["left", "right", "left", "right"] }) };
}

async function benchPage(): Promise<Figures> {
  const cost = await benchmarkPage();
  const { firstPaintMs, live, hour, heapsMb } = cost;
  const rateRow = (name: string, { samples, pictures, drawings }: Rate) => [
    name,
    ...[samples, pictures, drawings].map((value) => value.toFixed(0)),
  ];
  const head = ["20 nodes in one plot", "samples a second", "pictures a second", "drawings a second"];
  const rows = [rateRow("as they come", live), rateRow("an hour in a minute", hour)];
  const text = `${table(rows, { head, aligns: ["left", "right"] })}

first paint ${firstPaintMs.toFixed(0)} ms
heap through that hour, MB: ${heapsMb.map((mb) => mb.toFixed(1)).join(", ")}`;
  return { json: cost, text };
}

const FILE_ROWS = 200_000;

async function benchFiles(): Promise<Figures> {
  const files = await benchmarkFiles(FILE_ROWS);
  const rows = files.map(({ file, bytesPerRow, readUs, learnUs, ratio }) => [
    file,
    ...[bytesPerRow.toFixed(0), readUs.toFixed(2), learnUs.toFixed(2), ratio.toFixed(2)],
  ]);
  const head = [
    "8 features and a label",
    "bytes a row",
    "read, us CPU a row",
    "learn, olk-c 64 x 8",
    "times",
  ];
  return { json: { rows: FILE_ROWS, files }, text: table(rows, { head, aligns: ["left", "right"] }) };
}

/** Nodes that a gateway's fleet file may have. */
const FLEET_MAX = 10_000;
const FLEET_PROCESSES = 2;

async function benchFleet(flags: BenchFlags): Promise<undefined> {
  const { nodes, broker, kills, cluster, json } = flags;
  const known = broker === undefined || broker === MOSQUITTO || /^mqtts?:\/\/[^/]+$/.test(broker);
  if (!known) throw new UserError(`--broker ${broker}: takes mqtt://HOST:PORT or ${MOSQUITTO}`);
  if (kills > 0 && (cluster || broker?.includes(":")))
    throw new UserError("--kills: takes a broker that the bench starts, and no --cluster");
  const processes = Math.min(nodes, FLEET_PROCESSES);
  const { seconds, speed, period, labelEvery } = flags;
  const options = { nodes, seconds, speed, period, labelEvery, kills, broker, cluster, processes };
  const progress = {
    say: json ? () => {} : printNote,
    measured: (cost: FleetCost) => json || printText(fleetText(cost)),
  };
  const cost = await benchmarkFleet({ ...options, ...progress });
  if (json) printJson({ schema: "motelearn.bench-fleet/1", ...cost });
  else if (cost.verdict) printText(verdictText(cost, cost.verdict));
  const { waiting = 0, lost = 0, doubled = 0, different = [] } = cost.verdict ?? {};
  if (waiting + lost + doubled + different.length === 0) return;
  throw new DifferentStateError(
    `bench --fleet: ${waiting} labels still wait, ${lost} lost, ${doubled} doubled, ${different.length} nodes in another state than simulated`,
  );
}

/** A gateway's store, beside one that moves samples to their tables at each commit. */
function benchStore({ nodes, seconds }: BenchFlags): Figures {
  const stores = [0, SWEEP_MS].map((sweepMs) => benchmarkStore(nodes, seconds, sweepMs));
  const [{ samples, labels, commits }] = stores;
  const rows = stores.map(({ sweepSeconds, pages, commitMs, bytesWritten, cpuUsPerSample }) => [
    sweepSeconds === 0 ? "at each commit" : `every ${sweepSeconds} s, node by node`,
    ...[pages.p50, pages.p99, pages.max],
    ...[commitMs.p50, commitMs.p99].map((ms) => ms.toFixed(1)),
    ...[(bytesWritten / 1e6).toFixed(0), cpuUsPerSample.toFixed(1)],
  ]);
  const head = [
    "samples go to their tables",
    ...["pages a commit, p50", "p99", "most", "ms, p50", "p99", "MB written", "us CPU a sample"],
  ];
  const about = `${nodes} nodes for ${seconds} s: ${samples} samples, ${labels} labels, ${commits} commits`;
  const text = `${about}\n\n${table(rows, { head, aligns: ["left", "right"] })}`;
  return { json: { nodes, seconds, stores }, text };
}

/** 0.012, or 1.2e+17. */
function costText({ mean }: FaultRow["costs"][number]): string {
  if (mean === undefined) return "";
  return Math.abs(mean) < 100 ? mean.toFixed(3) : mean.toExponential(1);
}

function benchFaults({ only }: BenchFlags): Figures {
  const learners = chosenFamilies(only).map((family) => benchmarkFaults(family, FAULT_SEEDS));
  const head = ["learner", "undisturbed", ...FAULTS.map(({ name }) => name)];
  const lines = learners.map((row) => [row.learner, row.undisturbed.toFixed(3), ...row.costs.map(costText)]);
  const legend = FAULTS.map(({ name, doc }) => `  ${name}: ${doc}`).join("\n");
  const about =
    "Balanced accuracy lost, or error added (root mean square, in deviations of the target), by a node 500 samples after a fault,\n" +
    `beside a twin without it; means over ${FAULT_SEEDS} seeds.\n`;
  const text = `${about}${legend}\n\n${table(lines, { head, aligns: ["left", "right"] })}`;
  return { json: { seeds: FAULT_SEEDS, learners }, text };
}

/** Detectors of novelties on machines. */
async function benchNovelty({ data, seeds, samples }: BenchFlags): Promise<Figures> {
  const streams = noveltyStreams(data);
  const results = await benchmarkNovelty(streams, seeds, samples);
  return { json: { seeds, samples, results }, text: noveltyText(results, streams) };
}

interface BenchFlags extends ChoiceFlags, FleetSetup {
  readonly only?: string;
  readonly network?: boolean;
  readonly faults?: boolean;
  readonly choice?: boolean;
  readonly novelty?: boolean;
  readonly data?: string;
  readonly files?: boolean;
  readonly classes?: boolean;
  readonly page?: boolean;
  readonly fleet?: boolean;
  readonly store?: boolean;
}

/** What can be measured in place of primitives and learners, by flag. */
const OTHERS: { readonly [flag: string]: (flags: BenchFlags) => Figures | Promise<Figures | undefined> } = {
  network: benchNetwork,
  faults: benchFaults,
  choice: benchChoice,
  novelty: benchNovelty,
  files: benchFiles,
  classes: benchClasses,
  page: benchPage,
  fleet: benchFleet,
  store: benchStore,
};

function chosenFamilies(only: string | undefined): readonly Family[] {
  return only === undefined ? FAMILIES : [chooseFamily(only)];
}

function benchLearners({ only, json }: BenchFlags): void {
  const families = chosenFamilies(only);
  const primitives = benchmarkPrimitives();
  const learners = families.flatMap(listVariants).map((variant) => ({
    name: variant.name,
    sizes: SIZES.map(({ dimension, budget }) => benchmarkSize(variant, dimension, budget)),
  }));
  const engine = `${process.arch}, Node ${process.versions.node}`;
  if (json) printJson({ schema: "motelearn.bench/1", engine, primitives, learners });
  else printText(`${primitivesText(primitives)}\n\n${learnersText(learners)}`);
}

async function bench(flags: BenchFlags): Promise<void> {
  const names = Object.keys(OTHERS);
  const wanted = names.filter((name) => flags[name as keyof BenchFlags]);
  if (wanted.length > 1)
    throw new UserError(`${names.map((name) => `--${name}`).join(", ")}: take one of them`);
  if (wanted.length === 0) return benchLearners(flags);
  const [name] = wanted;
  const figures = await OTHERS[name](flags);
  if (figures && flags.json) printJson({ schema: `motelearn.bench-${name}/1`, ...figures.json });
  else if (figures) printText(figures.text);
}

/** Options that say what is measured. */
function addSubjects(command: Command): Command {
  return command
    .option("--only <name>", "only this learner")
    .option(
      "--network",
      "instead: all of a simulated node beside its two learners alone, OLK-C 64 x 8 and PA",
    )
    .option(
      "--faults",
      "instead: what glitches, stuck sensors and wrong labels cost a node with each learner",
    )
    .option(
      "--choice",
      "instead: the choice of `choose` on generated files, judged on fresh samples against the best of all its candidates",
    )
    .option(
      "--novelty",
      "instead: false alarms and events found by novelty detectors, by their own level and at a promised rate, with late and lost labels",
    )
    .option(
      "--data <folder>",
      "with --novelty: a clone of github.com/numenta/NAB, whose known causes are run, too",
    )
    .option("--classes", "instead: the cost of several classes that share a dictionary")
    .option(
      "--page",
      "instead: CPU and delays of a gateway's page in Chromium while 20 nodes sample 50 times a second",
    )
    .option("--files", "instead: CPU to read a row of a file, and to learn it")
    .option(
      "--fleet",
      "instead: CPU, memory and latency of labels of a gateway with nodes at an MQTT broker, each sample labelled",
    )
    .option(
      "--store",
      "instead: pages that a gateway's database writes a commit, 5 samples a second of each node and 500 labels a second, in virtual time",
    );
}

function addFleetOptions(command: Command): Command {
  return command
    .option("--nodes <n>", "with --fleet or --store: nodes", wholeNumber(1, FLEET_MAX), 100)
    .option(
      "--seconds <n>",
      "with --fleet or --store: duration in the nodes' time, with --fleet counted from when all nodes are connected",
      wholeNumber(1, 86_400),
      30,
    )
    .option(
      "--speed <n>",
      "with --fleet: the nodes' clocks run so many times as fast",
      wholeNumber(1, 100),
      1,
    )
    .option("--label-every <n>", "with --fleet: of so many samples one is labelled", wholeNumber(1, 1000), 1)
    .option(
      "--kills <n>",
      "with --fleet: then kill gateway and broker this many times each, drop connections, restart 5 % of the nodes",
      wholeNumber(0, 1000),
      0,
    )
    .option(
      "--broker <address>",
      "with --fleet: a running broker, mqtt://HOST:PORT; or mosquitto, to start one (default: start the gateway's own)",
    )
    .option("--period <n>", "with --fleet: seconds between two samples of a node", wholeNumber(1, 3600), 1)
    .option(
      "--cluster <servers>",
      "with --fleet: the gateway shares the fleet through these NATS servers, nats://HOST:PORT,... (default: it has the fleet alone)",
      namesIn,
    );
}

export function addBench(program: Command): void {
  const command = program
    .command("bench")
    .description(
      "measure nanoseconds: of primitives in WebAssembly, TypeScript and C (if there is a cc); of a predict and a learn of each learner, with default options and a full dictionary; NAME/q15 has vectors of 16 bits",
    );
  addChoiceOptions(addFleetOptions(addSubjects(command)))
    .option(
      "--json",
      "print motelearn.bench/1, bench-network/1, bench-faults/1, bench-choice/1, bench-novelty/1, bench-files/1, bench-classes/1, bench-page/1, bench-fleet/1 or bench-store/1",
    )
    .action(bench);
}
