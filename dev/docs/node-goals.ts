import { readFileSync } from "node:fs";
import { markdownTable, withMarkedPart } from "../../host/files/marked-part.ts";
import { familyNamed } from "../../src/learn/registry.ts";
import { footprint } from "../../targets/footprint.ts";
import { type PlannedLine, plannedNode } from "../../targets/planned-node.ts";

const BEGIN = "<!-- npm run build:cards writes the goals of a node from here -->";
const COUNTS = "targets/emulator/counts.json";
const PLAN = "`plan`";
const COUNTED = "`test:device`";
/** Without a floating-point unit, as the ESP32-C3; and with one. */
const [PLAIN, WITH_FPU] = ["rv32imac", "rv32imafc"];

/** A figure, or several by their names. */
type Reached = number | { readonly [name: string]: number };

type Counts = { readonly [name: string]: { readonly [what: string]: number } };

/** A node with OLK-C, 8 features and 64 vectors on an ESP32-C3, as `plan` has it. */
function planNode(standardise = true, line: PlannedLine = {}) {
  const learner = familyNamed("olk-c");
  if (!learner) throw new Error("no learner olk-c");
  const node = plannedNode(
    { sid: 1, channels: 8, features: { standardise }, learner, options: { budget: 64 } },
    line,
  );
  const { ram, time } = footprint("esp32c3", node);
  if (!time) throw new Error("olk-c: no costs on esp32c3; npm run build:costs -- olk-c");
  const plannedBytes = (name: string) => {
    const item = ram.items.find((each) => each.item.startsWith(name));
    if (!item) throw new Error(`the plan has no item ${name}`);
    return item.chunk + 16 * item.slots;
  };
  return { ram, time, plannedBytes };
}

/** A row of the table; a goal of 0: none is set. */
function goalRow(what: string, goal: number, unit: string, reached: Reached, command: string): string[] {
  const text = (value: number) => (unit === "times" ? value.toFixed(2) : value.toLocaleString("en-US"));
  const figures = typeof reached === "number" ? { "": reached } : reached;
  const values = Object.entries(figures).map(([name, value]) => {
    const missed = goal > 0 && value > goal ? ", missed" : "";
    return `${name ? `${name}: ` : ""}${text(value)}${missed}`;
  });
  return [what, goal > 0 ? `${text(goal)} ${unit}` : "", values.join("; "), command];
}

function planRows(): string[][] {
  const { ram, time, plannedBytes } = planNode();
  const keyed = planNode(true, { key: new Uint8Array(16) }).time.parts.find(({ part }) => part === "keyed");
  if (!keyed) throw new Error("the plan of a keyed node has no part keyed");
  const wire = { "": time.wire, "with a key": time.wire + keyed.instructions };
  const node = { standardised: time.node, "`--no-standardise`": planNode(false).time.node };
  const steps = (what: string, goal: number, reached: Reached, command = PLAN) =>
    goalRow(what, goal, "instructions", reached, command);
  const memory = (what: string, goal: number, bytes: number) => goalRow(what, goal, "bytes", bytes, PLAN);
  return [
    steps("wire, a sample and its label", 150_000, wire, `${PLAN}, \`plan --keyed\``),
    steps("node: features, pending ring, labels", 40_000, node),
    memory("memory of the wire", 6144, plannedBytes("wire")),
    memory("objects of learner, node and store", 5120, plannedBytes("objects")),
    memory("a node, with its start and 10,240 bytes for the application", 36_864, ram.bytes),
  ];
}

function countRows(chips: { readonly [chip: string]: Counts }): string[][] {
  const [plain, fpu] = [chips[PLAIN], chips[WITH_FPU]];
  const most = Math.max(...Object.values(plain).map(({ longest = 0 }) => longest));
  const [slowest] = Object.keys(plain).filter((name) => plain[name].longest === most);
  const ratio = (counts: Counts, what: "learn" | "predict") =>
    counts["ova:olk-c/26/shared"][what] / counts["olk-c"][what];
  const steps = (what: string, goal: number, reached: Reached) =>
    goalRow(what, goal, "instructions", reached, COUNTED);
  const times = (what: string, of: "learn" | "predict") =>
    goalRow(what, 1.5, "times", { "": ratio(plain, of), "with an FPU": ratio(fpu, of) }, COUNTED);
  return [
    steps("a prediction with vectors of 16 bits", 60_000, plain["olk-c/q15"].predict),
    steps("the longest label of any learner", 9_600_000, { [`\`${slowest}\``]: most }),
    times("a learn of 26 classes with a shared dictionary, beside two", "learn"),
    times("a prediction of them, beside two", "predict"),
    steps("a turn that sends statistics", 0, plain["wire costs"]["a turn that sends statistics"]),
  ];
}

/** A page with its table of a node's goals written anew. Throws where the page has none. */
export function withNodeGoals(page: string): string {
  const { chips } = JSON.parse(readFileSync(COUNTS, "utf8"));
  const rows = [...planRows(), ...countRows(chips)];
  const head = ["what", "goal", "reached", "command"];
  return withMarkedPart(
    page,
    BEGIN,
    markdownTable(head, rows, (column) => column === 1),
  );
}
