import { markdownTable } from "../../../host/files/marked-part.ts";
import type { Estimate } from "../../sweep/statistics/statistics.ts";
import type { Part } from "./cases.ts";
import type { TrainerCost } from "./cost.ts";
import type { CaseMoment, CaseResult } from "./result.ts";

const markdown = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  markdownTable(head, rows, (column) => column > 0);

const figure = (value: number) => value.toFixed(1);
const signed = (value: number) => `${value < 0 ? "" : "+"}${figure(value)}`;

/** "-1.2 ± 0.4" */
function differenceText({ mean, high }: Estimate): string {
  return `${signed(mean)}${high === null ? "" : ` ± ${figure(high - mean)}`}`;
}

/** "20.1 → 12.3 (-7.8 ± 1.1)" */
function momentText({ alone, together, difference }: CaseMoment): string {
  return `${figure(alone.mean)} → ${figure(together.mean)} (${differenceText(difference)})`;
}

/** Moments beyond the first, at which no node of a fleet has any label. */
const afterFirst = <T extends { readonly labels: number }>(moments: readonly T[]) =>
  moments.filter(({ labels }) => labels > 0);

function tableHead(moments: readonly { readonly labels: number }[]): string[] {
  return ["own labels", ...moments.map(({ labels }) => labels.toLocaleString("en"))];
}

function momentsTable(
  cases: readonly { readonly name: string; readonly moments: readonly CaseMoment[] }[],
): string {
  const longest = cases.map(({ moments }) => afterFirst(moments)).sort((a, b) => b.length - a.length)[0];
  const rows = cases.map(({ name, moments }) => [
    name,
    ...longest
      .map(({ labels }) => moments.find((each) => each.labels === labels))
      .map((m) => (m ? momentText(m) : "")),
  ]);
  return markdown(tableHead(longest), rows);
}

/** A label count of each moment, and goals: 3 own labels as good as 30 alone, and the difference at the last. */
function goalsTable(cases: readonly CaseResult[]): string {
  const rows = cases.map(({ name, moments }) => {
    const at = (labels: number) => moments.find((each) => each.labels === labels);
    const last = moments[moments.length - 1];
    const [few, many] = [at(3), at(30)];
    return [
      name,
      few ? figure(few.together.mean) : "",
      many ? figure(many.alone.mean) : "",
      `${last.labels.toLocaleString("en")}: ${differenceText(last.difference)}`,
      signed(last.most),
    ];
  });
  return markdown(
    ["", "together, 3 labels", "alone, 30 labels", "together less alone at the end", "worst fleet"],
    rows,
  );
}

function newcomersTable(cases: readonly CaseResult[]): string {
  const { moments } = cases[0];
  const rows = cases.flatMap(({ name, moments }) => [
    [`${name}: alone`, ...moments.map(({ alone }) => figure(alone.mean))],
    [
      "begins with the group's labels",
      ...moments.map(({ started }) => (started ? figure(started.mean) : "")),
    ],
    ["learns together", ...moments.map(({ together }) => figure(together.mean))],
  ]);
  return markdown(tableHead(moments), rows);
}

function askedTable(cases: readonly CaseResult[]): string {
  const { moments } = cases[0];
  const rows = cases.flatMap(({ name, moments }) => [
    [`${name}: alone`, ...moments.map(({ alone }) => figure(alone.mean))],
    ["together, labels drawn", ...moments.map(({ together }) => figure(together.mean))],
    [
      "together, the first two asked for",
      ...moments.map(({ asked, gained }) =>
        asked && gained ? `${figure(asked.mean)} (${differenceText(gained)})` : "",
      ),
    ],
  ]);
  return markdown(tableHead(moments), rows);
}

function harmTable(cases: readonly CaseResult[]): string {
  const rows = cases.map(({ name, harm = [] }) => [
    name,
    ...afterFirst(harm).map(({ difference }) => differenceText(difference)),
  ]);
  return markdown(tableHead(afterFirst(cases[0].moments)), rows);
}

function leftOutTable(cases: readonly CaseResult[]): string {
  const percent = (share: number) => `${Math.round(100 * share)} %`;
  const rows = cases.map(({ name, leftOut }) => [
    name,
    ...afterFirst(leftOut).map(({ odd, others }) => `${percent(odd)} / ${percent(others)}`),
  ]);
  return markdown(tableHead(afterFirst(cases[0].moments)), rows);
}

const SECTIONS: { readonly [part in Part]: (cases: readonly CaseResult[]) => string[] } = {
  fleets: (cases) => ["## Fleets of eight", momentsTable(cases), goalsTable(cases)],
  newcomers: (cases) => ["## A newcomer, whose seven fellows have 100 labels each", newcomersTable(cases)],
  asked: (cases) => [
    "## A newcomer whose first two labels are asked for",
    "Its seven fellows have 100 labels each. In parentheses: asked for, less drawn.",
    askedTable(cases),
  ],
  odd: (cases) => [
    "## An odd machine among eight, of level 2",
    "The odd machine itself:",
    momentsTable(cases.map(({ name, odd = [] }) => ({ name, moments: odd }))),
    "The others, less the same fleets without an odd machine:",
    harmTable(cases),
    "Share of fleets in which the odd machine is left out, and share of the others that are:",
    leftOutTable(cases),
  ],
  large: (cases) => [
    "## A newcomer to a large fleet, of level 2, in which one node in ten is poisoned",
    newcomersTable(cases),
    "Share of the poisoned machines that are left out, and share of the others, whose labels are 30 each:",
    leftOutTable(cases),
  ],
  isolet: (cases) => ["## Speech: letters that rhyme with E, or not", momentsTable(cases), goalsTable(cases)],
};

/** What stands above the tables of those fleets. */
export function togetherHead(fleets: number, seed: number): string {
  return `# Nodes that learn together: figures

\`npx motelearn bench-together --fleets ${fleets} --seed ${seed} --data DIR\` prints these tables ([nodes that learn together](together.md)): ${fleets} fleets of each kind, each with
a seed of its own. Of speech it prints them where DIR has the recording.

A cell is the error of nodes alone → of nodes that learn together (the difference ± the 95 % interval of its mean over fleets): per cent of the
test samples, and points.`;
}

export function togetherText(cases: readonly CaseResult[]): string {
  const parts = [...new Set(cases.map(({ part }) => part))];
  return parts.flatMap((part) => SECTIONS[part](cases.filter((each) => each.part === part))).join("\n\n");
}

export function costTitle(nodes: number): string {
  return `## What a group of ${nodes.toLocaleString("en")} nodes costs the gateway

\`npx motelearn bench-together --cost ${nodes}\` prints this table, here on one busy core: time depends on the machine.`;
}

export function costText(costs: readonly TrainerCost[]): string {
  const rows = costs.map(({ nodes, labels, vectors, models, cpuSeconds, longestMs }) => [
    nodes.toLocaleString("en"),
    labels.toLocaleString("en"),
    vectors === 0 ? "a plane" : `${vectors} vectors`,
    models.toLocaleString("en"),
    cpuSeconds.toFixed(1),
    ((1e6 * cpuSeconds) / (nodes * labels)).toFixed(0),
    longestMs.toFixed(0),
  ]);
  const head = ["nodes", "labels each", "model", "models sent", "CPU s", "us a label", "longest ms"];
  return markdown(head, rows);
}
