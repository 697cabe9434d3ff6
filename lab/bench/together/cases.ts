import { countText } from "../../../host/count-text.ts";
import type { Family } from "../../../src/learn/family.ts";
import { familyNamed } from "../../../src/learn/registry.ts";
import type { IsoletFleet } from "./isolet.ts";
import { Life, type Moment } from "./life.ts";
import { type Fleet, type GeneratedFleet, generatedFleet, ODD } from "./machines.ts";

/** Nodes whose learners and models are planes, and nodes whose are kernel expansions. */
const KINDS = [
  { learner: "arow", vectors: 0, isPlane: true },
  { learner: "olk-c", vectors: 64, isPlane: false },
] as const;
type Kind = (typeof KINDS)[number];

const NODES = 8;
const LABELS = 1000;
const AHEAD = 100;
const COMPARED_LEVELS = [0, 2, 4];
const WRONG = [0, 0.2];
/** The level at which a fleet has an odd machine. */
const ODD_LEVEL = 2;
/** Large fleets: their sizes, the labels of each fellow when a newcomer joins, its own at the end, and one machine in so many is poisoned. */
const LARGE = [50, 1000];
const LARGE_AHEAD = 30;
const LARGE_LABELS = 30;
const POISONED_IN = 10;

export const PARTS = ["fleets", "newcomers", "odd", "large", "isolet"] as const;
export type Part = (typeof PARTS)[number];

/** One row of a table: fleets of one kind, each with its own seed. */
export interface Case {
  readonly part: Part;
  readonly name: string;
  /** Runs the fleet of that seed. */
  run(seed: number): Moment[];
  /** The case with the same fleets and no odd machine, by its name. */
  readonly without?: string;
}

function drawLife(
  fleet: Fleet,
  { learner, vectors }: Kind,
  labels: number,
  seed: number,
  ahead = 0,
): Moment[] {
  const family = familyNamed(learner) as Family;
  return new Life(fleet, { learner: family, vectors, labels, seed, ahead }).run();
}

function generated(
  kind: Kind,
  fleet: Pick<GeneratedFleet, "level"> & Partial<GeneratedFleet>,
  { ahead = 0, labels = LABELS } = {},
) {
  const whole = { nodes: NODES, wrong: 0, isPlane: kind.isPlane, ...fleet };
  return (seed: number) => drawLife(generatedFleet(whole, seed), kind, labels, seed, ahead);
}

const caseName = ({ learner }: Kind, level: number, wrong = 0) =>
  `${learner}, level ${level}${wrong > 0 ? `, ${100 * wrong} % of the labels wrong` : ""}`;

const perKind = (cases: (kind: Kind) => Case[]) => KINDS.flatMap(cases);

export const GENERATED: readonly Case[] = [
  ...perKind((kind) =>
    WRONG.flatMap((wrong) =>
      COMPARED_LEVELS.map(
        (level): Case => ({
          part: "fleets",
          name: caseName(kind, level, wrong),
          run: generated(kind, { level, wrong }),
        }),
      ),
    ),
  ),
  ...perKind((kind) =>
    COMPARED_LEVELS.map(
      (level): Case => ({
        part: "newcomers",
        name: caseName(kind, level),
        run: generated(kind, { level }, { ahead: AHEAD }),
      }),
    ),
  ),
  ...perKind((kind) =>
    ODD.map(
      (odd): Case => ({
        part: "odd",
        name: `${kind.learner}, one ${odd}`,
        run: generated(kind, { level: ODD_LEVEL, odd }),
        without: caseName(kind, ODD_LEVEL),
      }),
    ),
  ),
  ...perKind((kind) =>
    LARGE.map((nodes): Case => {
      const fleet = { level: ODD_LEVEL, nodes, odd: "poisoned", odds: nodes / POISONED_IN } as const;
      return {
        part: "large",
        name: `${kind.learner}, ${nodes.toLocaleString("en")} nodes`,
        run: generated(kind, fleet, { ahead: LARGE_AHEAD, labels: LARGE_LABELS }),
      };
    }),
  ),
];

const HEARD: readonly IsoletFleet[] = [
  { speakers: 3, labels: 100, wrong: 0 },
  { speakers: 3, labels: 100, wrong: 0.2 },
  { speakers: 1, labels: 30, wrong: 0 },
];

/** The cases on recorded speech. @param fleetOf what `isoletFleets` gives */
export function isoletCases(fleetOf: (fleet: IsoletFleet, seed: number) => Fleet): Case[] {
  return perKind((kind) =>
    HEARD.map((heard): Case => {
      const { speakers, labels, wrong } = heard;
      const nodes = `${30 / speakers} nodes of ${countText(speakers, "speaker")}`;
      const flips = wrong > 0 ? `, ${100 * wrong} % wrong` : "";
      const run = (seed: number) => drawLife(fleetOf(heard, seed), kind, labels, seed);
      return { part: "isolet", name: `${kind.learner}, ${nodes}${flips}`, run };
    }),
  );
}
