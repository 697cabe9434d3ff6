import { Random } from "../../../host/random.ts";
import { Elementary } from "../../../src/math/elementary.ts";
import { dot, normals } from "../../experiments/lib/drawing.ts";

/** A machine as its node sees it. */
export interface Machine {
  /** True if it isn't like the others. */
  readonly isOdd: boolean;
  /** The next sample: writes its readings to x, and returns its class, -1 or +1. */
  next(x: Float32Array): number;
  /** Its label as a person says it. */
  label(y: number): number;
  /** Samples that no label ever belongs to, with their classes. */
  readonly test: readonly { readonly x: Float32Array; readonly y: number }[];
}

/** A fleet, ready to run. */
export interface Fleet {
  readonly dimension: number;
  readonly machines: readonly Machine[];
  /** Samples before the first label, from which the nodes know their scale. */
  readonly warmUp: number;
  /** Each so many samples one is labelled, and its label comes so many samples later. */
  readonly labelEvery: number;
  readonly delay: number;
}

/** How the last machines of a fleet are odd. */
export const ODD = ["poisoned", "broken", "reversed", "rotated"] as const;

export interface GeneratedFleet {
  readonly nodes: number;
  /** How far machines differ: see `LEVELS`. */
  readonly level: number;
  /** Share of labels that are wrong. */
  readonly wrong: number;
  readonly odd?: (typeof ODD)[number];
  /** How many are odd: the last ones. Default 1. */
  readonly odds?: number;
  /** A plane divides the classes; otherwise a curved surface. */
  readonly isPlane: boolean;
}

const DIMENSION = 4;
const TESTED = 300;
const POISON = 0.4;
const ODD_DEGREES = 120;

/**
 * A machine's readings are s R z + b of the state z that all have in common: standard deviations of b, of the logarithm of each scale s, and of the
 * boundary's offset; and the mean angle of R in each of three planes.
 */
const LEVELS = [
  { shift: 0, scale: 0, degrees: 0, offset: 0 },
  { shift: 2, scale: 0.5, degrees: 0, offset: 0 },
  { shift: 2, scale: 0.5, degrees: 15, offset: 0.15 },
  { shift: 2, scale: 0.5, degrees: 35, offset: 0.3 },
  { shift: 2, scale: 0.5, degrees: 90, offset: 0.5 },
];

const elementary = new Elementary();
const TURN = 6.2831855;

function curved(z: ArrayLike<number>): number {
  return z[0] + 0.8 * z[1] * z[2] + 0.5 * (z[3] * z[3] - 1) - 0.2;
}

function plane(z: ArrayLike<number>): number {
  return 0.9 * z[0] - 0.6 * z[1] + 0.4 * z[2] - 0.35;
}

/** A rotation by half to one and a half times the angle, either way, in each of three planes drawn from the axes. */
function rotation(random: Random, degrees: number): number[][] {
  const rows: number[][] = Array.from({ length: DIMENSION }, (_, i) =>
    Array.from({ length: DIMENSION }, (_, j) => (i === j ? 1 : 0)),
  );
  for (let k = 0; k < 3 && degrees > 0; k++) {
    const i = random.below(DIMENSION);
    const j = (i + 1 + random.below(DIMENSION - 1)) % DIMENSION;
    const angle = (TURN / 360) * degrees * (0.5 + random.uniform());
    const c = elementary.cos(angle);
    const s = (random.uniform() < 0.5 ? -1 : 1) * elementary.sin(angle);
    const [p, q] = [rows[i], rows[j]];
    rows[i] = p.map((value, m) => c * value - s * q[m]);
    rows[j] = p.map((value, m) => s * value + c * q[m]);
  }
  return rows;
}

class GeneratedMachine implements Machine {
  readonly test: Machine["test"];
  private readonly rows: number[][];
  private readonly scales: number[];
  private readonly shifts: number[];
  private readonly offset: number;

  constructor(
    private readonly fleet: GeneratedFleet,
    private readonly odd: GeneratedFleet["odd"],
    private readonly random: Random,
  ) {
    const { shift, scale, degrees, offset } = LEVELS[fleet.level];
    this.rows = rotation(random, odd === "rotated" ? ODD_DEGREES : degrees);
    this.scales = normals(random, DIMENSION, scale).map((log) => elementary.exp(log));
    this.shifts = normals(random, DIMENSION, shift);
    this.offset = offset * random.normal();
    this.test = Array.from({ length: TESTED }, () => {
      const x = new Float32Array(DIMENSION);
      return { x, y: this.next(x) };
    });
  }

  get isOdd(): boolean {
    return this.odd !== undefined;
  }

  next(x: Float32Array): number {
    const { fleet, odd, random, rows, scales, shifts } = this;
    const z = normals(random, DIMENSION);
    for (let i = 0; i < DIMENSION; i++) {
      const turned = dot(rows[i], z);
      x[i] = odd === "broken" ? random.normal() : turned * scales[i] + shifts[i];
    }
    const side = (fleet.isPlane ? plane(z) : curved(z)) + this.offset;
    return side > 0 === (odd !== "reversed") ? 1 : -1;
  }

  label(y: number): number {
    const rate = this.odd === "poisoned" ? POISON : this.fleet.wrong;
    return this.random.uniform() < rate ? -y : y;
  }
}

/** A fleet of machines that see the same kind of states, each in its own way. Every fourth sample is labelled, 30 samples late. */
export function generatedFleet(fleet: GeneratedFleet, seed: number): Fleet {
  const machines = Array.from({ length: fleet.nodes }, (_, i) => {
    const odd = i >= fleet.nodes - (fleet.odds ?? 1) ? fleet.odd : undefined;
    return new GeneratedMachine(fleet, odd, new Random(seed, `machine ${i}`));
  });
  return { dimension: DIMENSION, machines, warmUp: 60, labelEvery: 4, delay: 30 };
}
