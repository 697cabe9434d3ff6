import { printable } from "../../host/printable.ts";
import { ClassNames } from "../../host/streams/class-names.ts";
import { nameValueLines, table } from "../../host/terminal/table.ts";
import type { FleetJudgement, RegionValues } from "../../host-sim/state/node-copy.ts";
import type { CopyInspection } from "./inspect-copy.ts";
import type { Inspection } from "./inspect-node.ts";

const COMPONENTS_MAX = 8;
const VALUES_MAX = 12;
const DIGITS = 5;

const number = (value: number) => `${Number(value.toPrecision(DIGITS))}`;

function listText(values: readonly number[], most: number): string {
  const more = values.length > most ? ` ... ${values.length} in all` : "";
  return values.slice(0, most).map(number).join(" ") + more;
}

function isRows(region: RegionValues): region is RegionValues & { values: readonly (readonly number[])[] } {
  return Array.isArray(region.values[0]);
}

/** Stored vectors, one a line, with each one's other values. */
function vectorsText({ regions, size, capacity }: Inspection | CopyInspection): string {
  const rows = regions.filter(isRows);
  const each = regions.filter((region) => !isRows(region) && region.values.length === capacity);
  if (rows.length === 0 || size === 0) return "no vector is stored";
  const lines = Array.from({ length: size }, (_, i) => [
    i + 1,
    ...each.map(({ values }) => number(values[i] as number)),
    ...rows.map(({ values }) => listText(values[i] ?? [], COMPONENTS_MAX)),
  ]);
  return table(lines, { head: ["", ...[...each, ...rows].map(({ name }) => name)] });
}

/** The regions that are neither vectors nor one value for each vector. */
function restText({ regions, capacity, size }: Inspection | CopyInspection): string {
  const rest = regions.filter(
    (region) => !isRows(region) && (size === 0 || region.values.length !== capacity),
  );
  return nameValueLines(
    rest.map(({ name, values }) => [name, listText(values as readonly number[], VALUES_MAX)]),
  );
}

const countersText = (counts: Record<string, number>) => nameValueLines(Object.entries(counts));

/** Which model the fleet installed, and why it judges or not. */
function fleetText({ vectors, crc, judges, labels, ownLoss, modelLoss }: FleetJudgement): string {
  const form = vectors === 0 ? "a plane" : `${vectors} vectors`;
  const errors = `of ${number(labels)} labels it erred on ${number(modelLoss)}, the own learner on ${number(ownLoss)}`;
  return `${crc.toString(16).padStart(8, "0")}, ${form}: ${judges ? "it judges" : "the own learner judges"}; ${errors}`;
}

/** Where the memory lies, and who confirmed its hashes. */
function headText(inspection: Inspection | CopyInspection): string {
  const { sid, seq, labelled, hashes, size, capacity } = inspection;
  const place = `sample ${seq} of session ${sid}, label ${labelled}`;
  const stored = ["stored vectors", `${size} of ${capacity}`] as const;
  if ("file" in inspection) {
    const { learner, file } = inspection;
    const rows = [
      ["learner's hash", `${hashes.learner}: the file says so`],
      ["node's hash", hashes.whole],
      stored,
    ];
    return `${printable(`${learner} in ${file}`)}: ${place}\n${nameValueLines(rows as [string, string][])}`;
  }
  const { node, same, classes, targets, fleet } = inspection;
  const whole = same.whole ? "the node says so" : "not checked: samples came faster than it could be read";
  const rows = nameValueLines([
    ["learner's hash", `${hashes.learner}: the node says so`],
    ["node's hash", same.whole ? `${hashes.whole}: ${whole}` : whole],
    stored,
    ...(classes
      ? [["classes", printable(new ClassNames(classes, targets?.[0] === 0).text)] as [string, string]]
      : []),
    ...(fleet ? [["the fleet's model", fleetText(fleet)] as [string, string]] : []),
  ]);
  return `${node.learner} on ${node.firmware}: ${place}\n${rows}`;
}

/** A node's memory, for people. */
export function inspectionText(inspection: Inspection | CopyInspection): string {
  const { counters } = inspection;
  return [
    headText(inspection),
    "",
    vectorsText(inspection),
    "",
    "other state of the learner",
    restText(inspection),
    "the learner counted",
    countersText(counters.learner),
    "the node counted",
    countersText(counters.node),
  ].join("\n");
}
