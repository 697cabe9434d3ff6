import { countText } from "../../../host/count-text.ts";
import type { Family } from "../../../src/learn/family.ts";
import { familyNamed } from "../../../src/learn/registry.ts";
import type { IsoletFleet } from "./isolet.ts";
import { Life, type LifeOptions, type Moment } from "./life.ts";
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
/** Newcomers whose first labels are asked for, and what they have at the end. */
const ASKED: readonly (Pick<GeneratedFleet, "level" | "odd"> & { readonly wrong?: number })[] = [
  { level: 0 },
  { level: 2 },
  { level: 2, wrong: 0.2 },
  { level: 4 },
  { level: 2, odd: "reversed" },
  { level: 2, odd: "reversed", wrong: 0.2 },
  { level: 2, odd: "broken" },
];
const ASKED_LABELS = 30;
/** The level at which a fleet has an odd machine. */
const ODD_LEVEL = 2;
/** Large fleets: their sizes, the labels of each fellow when a newcomer joins, its own at the end, and one machine in so many is poisoned. */
const LARGE = [50, 1000];
const LARGE_AHEAD = 30;
const LARGE_LABELS = 30;
const POISONED_IN = 10;

export const PARTS = ["fleets", "newcomers", "asked", "odd", "large", "isolet"] as const;
export type Part = (typeof PARTS)[number];

/** One row of a table: fleets of one kind, each with its own seed. */
export interface Case {
  readonly part: Part;
  readonly name: string;
  run(seed: number): Moment[];
  /** The case with the same fleets and no odd machine, by its name. */
  readonly without?: string;
}

type Course = Pick<LifeOptions, "labels" | "ahead" | "newcomer" | "asks">;

function drawLife(fleet: Fleet, { learner, vectors }: Kind, course: Course, seed: number): Moment[] {
  const family = familyNamed(learner) as Family;
  return new Life(fleet, { learner: family, vectors, seed, ...course }).run();
}

type CaseFleet = Pick<GeneratedFleet, "level"> & Partial<GeneratedFleet>;

function generated(kind: Kind, fleet: CaseFleet, course: Partial<Course> = {}) {
  const whole = { nodes: NODES, wrong: 0, isPlane: kind.isPlane, ...fleet };
  return (seed: number) => drawLife(generatedFleet(whole, seed), kind, { labels: LABELS, ...course }, seed);
}

/** A newcomer in the last place, whose labels are drawn, and in a second run asked for. */
function asked(kind: Kind, fleet: CaseFleet) {
  const course = { ahead: AHEAD, labels: ASKED_LABELS, newcomer: NODES - 1 };
  const drawn = generated(kind, fleet, course);
  const asking = generated(kind, fleet, { ...course, asks: true });
  return (seed: number): Moment[] => {
    const moments = asking(seed);
    return drawn(seed).map((moment, i) => ({
      ...moment,
      errors: { ...moment.errors, asked: moments[i].errors.together },
    }));
  };
}

const caseName = ({ learner }: Kind, level: number, wrong = 0, odd = "") =>
  `${learner}, level ${level}${odd && `, ${odd}`}${wrong > 0 ? `, ${100 * wrong} % of the labels wrong` : ""}`;

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
    ASKED.map(
      (fleet): Case => ({
        part: "asked",
        name: caseName(kind, fleet.level, fleet.wrong, fleet.odd),
        run: asked(kind, fleet),
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
      const run = (seed: number) => drawLife(fleetOf(heard, seed), kind, { labels }, seed);
      return { part: "isolet", name: `${kind.learner}, ${nodes}${flips}`, run };
    }),
  );
}
