import { Random } from "../../../host/random.ts";
import type { DataSet } from "../../../host/streams/table.ts";
import { Elementary } from "../../../src/math/elementary.ts";
import {
  type Draw,
  drawSamples,
  fillNormal,
  fillUniform,
  normals,
  turned,
} from "../../experiments/lib/drawing.ts";

/** A stream that follows from a seed. */
export interface GeneratedStream {
  readonly name: string;
  readonly doc: string;
  readonly dimension: number;
  /** True if its samples depend on time; else any order is as good. */
  readonly timed: boolean;
  /** True if it belongs to the sets that show forgetting, which run by name or with --all. */
  readonly forgetting?: boolean;
  begin(random: Random): Draw;
}

const elementary = new Elementary();

/** A plane that turns once in so many samples. */
function hyperplane(period: number, name: string, forgetting = false): GeneratedStream {
  return {
    name,
    doc: `a plane through 8 normal components that turns once in ${period.toLocaleString("en")} samples; 5 % of the labels are wrong`,
    dimension: 8,
    timed: true,
    forgetting,
    begin(random) {
      const [first, second] = [normals(random, 8), normals(random, 8)];
      return (x, t) => {
        fillNormal(x, random);
        const [c, s] = turned(t / period);
        const side = x.reduce((sum, value, j) => sum + value * (c * first[j] + s * second[j]), 0);
        return side >= 0 === random.uniform() >= 0.05 ? 1 : -1;
      };
    },
  };
}

const BLOBS: GeneratedStream = {
  name: "blobs",
  doc: "two clouds in the plane that swap places every 2000 samples; Bayes error 2 %",
  dimension: 2,
  timed: true,
  begin: (random) => (x, t) => {
    fillNormal(x, random);
    const label = 2 * random.below(2) - 1;
    const side = Math.floor(t / 2000) % 2 === 0 ? label : -label;
    x[0] += side * 1.5;
    x[1] += side * 1.5;
    return label;
  },
};

const CHECKERBOARD: GeneratedStream = {
  name: "checkerboard",
  doc: "uniform on a board of 4 x 4 fields",
  dimension: 2,
  timed: false,
  begin: (random) => (x) => {
    fillUniform(x, random, 4);
    return (Math.floor(x[0]) + Math.floor(x[1])) % 2 === 0 ? 1 : -1;
  },
};

/** Thresholds of the published concepts. */
const SEA_THRESHOLDS = [8, 9, 7, 9.5];

const SEA_CONCEPTS: GeneratedStream = {
  name: "sea-concepts",
  doc: "SEA (Street and Kim, 2001): a threshold on two of three readings, another every 1000 samples; 10 % of the labels are wrong",
  dimension: 3,
  timed: true,
  begin: (random) => (x, t) => {
    fillUniform(x, random, 10);
    const threshold = SEA_THRESHOLDS[Math.floor(t / 1000) % SEA_THRESHOLDS.length];
    return x[0] + x[1] <= threshold === random.uniform() >= 0.1 ? 1 : -1;
  },
};

const GAUSSIANS: GeneratedStream = {
  name: "gaussians",
  doc: "two clouds of 8 components, one half as wide as the other, with centres a little apart",
  dimension: 8,
  timed: false,
  begin: (random) => (x) => {
    fillNormal(x, random);
    const label = 2 * random.below(2) - 1;
    for (let j = 0; j < x.length; j++) x[j] = label > 0 ? 0.5 * x[j] + 0.4 : x[j];
    return label;
  },
};

const RINGS: GeneratedStream = {
  name: "rings",
  doc: "a disc within a ring, in the plane, their edges blurred",
  dimension: 2,
  timed: false,
  begin: (random) => (x) => {
    const label = 2 * random.below(2) - 1;
    const radius = (label > 0 ? Math.sqrt(random.uniform()) : 1.5 + random.uniform()) + 0.2 * random.normal();
    const [c, s] = turned(random.uniform());
    x[0] = radius * c;
    x[1] = radius * s;
    return label;
  },
};

/** Two spirals that turn once in so many samples; Infinity: they stand still. */
function spirals(period: number, name: string): GeneratedStream {
  const turns = Number.isFinite(period)
    ? `turn once in ${period.toLocaleString("en")} samples`
    : "stand still";
  return {
    name,
    doc: `two spirals in the plane that ${turns}`,
    dimension: 2,
    timed: Number.isFinite(period),
    forgetting: true,
    begin: (random) => (x, t) => {
      const label = 2 * random.below(2) - 1;
      const radius = Math.sqrt(random.uniform());
      const [c, s] = turned((3 * radius + (label > 0 ? 0 : 1)) / 2 + t / period);
      x[0] = 9 * radius * c;
      x[1] = 9 * radius * s;
      return label;
    },
  };
}

/** Another stream whose classes swap every `period` samples. */
function swapping(of: GeneratedStream, period: number): GeneratedStream {
  return {
    name: `${of.name}-swap`,
    doc: `${of.name} whose classes swap every ${period} samples`,
    dimension: of.dimension,
    timed: true,
    forgetting: true,
    begin(random) {
      const draw = of.begin(random);
      return (x, t) => (Math.floor(t / period) % 2 === 0 ? draw(x, t) : -draw(x, t));
    },
  };
}

const RECURRING: GeneratedStream = {
  name: "recurring",
  doc: "uniform in the plane; three concepts take turns, 700 samples each",
  dimension: 2,
  timed: true,
  forgetting: true,
  begin: (random) => (x, t) => {
    fillUniform(x, random, 4);
    const [u, v] = [x[0] - 2, x[1] - 2];
    const concept = Math.floor(t / 700) % 3;
    if (concept === 0) return u * v > 0 ? 1 : -1;
    if (concept === 1) return u * u + v * v < 2.2 ? 1 : -1;
    return elementary.sin(Math.fround(1.8 * x[0])) > 0.3 * v ? 1 : -1;
  },
};

const ISLANDS: GeneratedStream = {
  name: "islands",
  doc: "four classes, each two clouds in the plane",
  dimension: 2,
  timed: false,
  begin(random) {
    const centres = Array.from({ length: 8 }, () => [4 * random.uniform(), 4 * random.uniform()]);
    return (x) => {
      const island = random.below(8);
      for (let j = 0; j < 2; j++) x[j] = centres[island][j] + 0.4 * random.normal();
      return island % 4;
    };
  },
};

export const GENERATED: readonly GeneratedStream[] = [
  hyperplane(10_000, "hyperplane"),
  BLOBS,
  CHECKERBOARD,
  SEA_CONCEPTS,
  GAUSSIANS,
  RINGS,
  ISLANDS,
  hyperplane(2000, "hyperplane-fast", true),
  spirals(Number.POSITIVE_INFINITY, "spirals"),
  spirals(8000, "spirals-slow"),
  spirals(2000, "spirals-turn"),
  spirals(800, "spirals-fast"),
  swapping(RINGS, 1500),
  swapping(CHECKERBOARD, 3000),
  RECURRING,
];

/** The names of those whose boundary between classes moves. */
export const MOVING: ReadonlySet<string> = new Set(
  GENERATED.filter(({ timed }) => timed).map(({ name }) => name),
);

/** The stream's first `count` samples. */
export function generate(stream: GeneratedStream, seed: number, count: number): DataSet {
  const { name, dimension } = stream;
  return drawSamples(stream.begin(new Random(seed, `bench/${name}`)), dimension, count, name);
}
