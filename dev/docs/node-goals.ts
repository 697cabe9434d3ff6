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

interface Goal {
  readonly what: string;
  readonly goal?: number;
  readonly unit: string;
  readonly reached: readonly (readonly [what: string, value: number])[];
  readonly command: string;
}

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

function planGoals(): Goal[] {
  const { ram, time, plannedBytes } = planNode();
  const keyed = planNode(true, { key: new Uint8Array(16) }).time.parts.find(({ part }) => part === "keyed");
  if (!keyed) throw new Error("the plan of a keyed node has no part keyed");
  const wire = { what: "wire, a sample and its label", goal: 150_000, unit: "instructions" };
  const node = { what: "node: features, pending ring, labels", goal: 40_000, unit: "instructions" };
  const bytes = { unit: "bytes", command: PLAN };
  return [
    {
      ...wire,
      reached: [
        ["", time.wire],
        ["with a key", time.wire + keyed.instructions],
      ],
      command: `${PLAN}, \`plan --keyed\``,
    },
    {
      ...node,
      reached: [
        ["standardised", time.node],
        ["`--no-standardise`", planNode(false).time.node],
      ],
      command: PLAN,
    },
    { ...bytes, what: "memory of the wire", goal: 6144, reached: [["", plannedBytes("wire")]] },
    {
      ...bytes,
      what: "objects of learner, node and store",
      goal: 5120,
      reached: [["", plannedBytes("objects")]],
    },
    {
      ...bytes,
      what: "a node, with its start and 10,240 bytes for the application",
      goal: 36_864,
      reached: [["", ram.bytes]],
    },
  ];
}

function countGoals(chips: { readonly [chip: string]: Counts }): Goal[] {
  const [plain, fpu] = [chips[PLAIN], chips[WITH_FPU]];
  const most = Math.max(...Object.values(plain).map(({ longest = 0 }) => longest));
  const [slowest] = Object.keys(plain).filter((name) => plain[name].longest === most);
  const ratio = (counts: Counts, what: "learn" | "predict") =>
    counts["ova:olk-c/26/shared"][what] / counts["olk-c"][what];
  const ofClasses = (what: "learn" | "predict"): Goal["reached"] => [
    ["", ratio(plain, what)],
    ["with an FPU", ratio(fpu, what)],
  ];
  const counted = { unit: "instructions", command: COUNTED };
  const times = { goal: 1.5, unit: "times", command: COUNTED };
  return [
    {
      ...counted,
      what: "a prediction with vectors of 16 bits",
      goal: 60_000,
      reached: [["", plain["olk-c/q15"].predict]],
    },
    {
      ...counted,
      what: "the longest label of any learner",
      goal: 9_600_000,
      reached: [[`\`${slowest}\``, most]],
    },
    {
      ...times,
      what: "a learn of 26 classes with a shared dictionary, beside two",
      reached: ofClasses("learn"),
    },
    { ...times, what: "a prediction of them, beside two", reached: ofClasses("predict") },
    {
      ...counted,
      what: "a turn that sends statistics",
      reached: [["", plain["wire costs"]["a turn that sends statistics"]]],
    },
  ];
}

function goalRow({ what, goal, unit, reached, command }: Goal): string[] {
  const text = (value: number) => (unit === "times" ? value.toFixed(2) : value.toLocaleString("en-US"));
  const values = reached.map(([name, value]) => {
    const missed = goal !== undefined && value > goal ? ", missed" : "";
    return `${name ? `${name}: ` : ""}${text(value)}${missed}`;
  });
  return [what, goal === undefined ? "" : `${text(goal)} ${unit}`, values.join("; "), command];
}

/** A page with its table of a node's goals written anew. Throws where the page has none. */
export function withNodeGoals(page: string): string {
  const { chips } = JSON.parse(readFileSync(COUNTS, "utf8"));
  const rows = [...planGoals(), ...countGoals(chips)].map(goalRow);
  const head = ["what", "goal", "reached", "command"];
  return withMarkedPart(
    page,
    BEGIN,
    markdownTable(head, rows, (column) => column === 1),
  );
}
