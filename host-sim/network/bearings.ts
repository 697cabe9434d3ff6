import { Random } from "../../host/random.ts";
import { Elementary } from "../../src/math/elementary.ts";
import type { StreamOptions } from "../scenario/scenario.ts";
import type { NodeStream, SampleReader } from "./stream.ts";

const elementary = new Elementary();
const TWO_PI = 6.2831855;

/**
 * Frequencies in cycles a reading, of 6,400 readings a second: a shaft of 1,500 turns a minute, its bearing's
 * outer race.
 */
const SHAFT = 25 / 6400;
const RACE = 0.0142;
/** Amplitudes of the shaft's lines, one for each harmonic, and of the noise, at a load of 1. */
const LINES = [1, 0.5, 0.3, 0.2];
const NOISE = 0.3;
/** The resonance that a ball excites at the fault: its frequency, and its decay factor a reading. */
const RESONANCE = 0.3;
const DECAY = 0.85;
/** How far the balls slip, as a share of their time from one to the next, and how much their blows differ. */
const SLIP = 0.03;
const SPREAD = 0.2;
/**
 * How far load and noise wander, as powers of e, and the share that they keep from one sample to the next.
 */
const WANDER = 0.4;
const KEPT = 0.98;

function sine(turns: number): number {
  return elementary.sin(TWO_PI * (turns - Math.floor(turns)));
}

/** A random walk about 0 with deviation 1, which keeps most of its last value. */
class RandomWalk {
  private value: number;

  constructor(private readonly random: Random) {
    this.value = random.normal();
  }

  next(): number {
    this.value = KEPT * this.value + Math.sqrt(1 - KEPT * KEPT) * this.random.normal();
    return elementary.exp(WANDER * this.value);
  }
}

/** One machine's vibration, reading by reading. */
class Bearing {
  private readonly phases: number[];
  private turns = 0;
  /** Readings until the next ball meets the fault. */
  private next = 0;
  private ring = 0;
  private last = 0;
  private readonly resonance: number;

  constructor(
    private readonly random: Random,
    private readonly severity: number,
  ) {
    this.phases = LINES.map(() => random.uniform());
    const turns = RESONANCE + 0.02 * (random.uniform() - 0.5);
    this.resonance = 2 * DECAY * elementary.cos(TWO_PI * turns);
  }

  /** A reading at that load and noise; where it is faulty, balls strike. */
  read(load: number, noise: number, faulty: boolean): number {
    this.turns += SHAFT;
    let x = NOISE * noise * this.random.normal();
    for (let h = 0; h < LINES.length; h++) x += load * LINES[h] * sine((h + 1) * this.turns + this.phases[h]);
    const ringing = this.resonance * this.ring - DECAY * DECAY * this.last + this.blow(faulty);
    this.last = this.ring;
    this.ring = ringing;
    return x + ringing;
  }

  /** The present blow: harder where the shaft's turn loads the fault. */
  private blow(faulty: boolean): number {
    if (--this.next > 0) return 0;
    this.next += (1 + SLIP * this.random.normal()) / RACE;
    const strength = (1 + 0.5 * sine(this.turns)) * (1 + SPREAD * this.random.normal());
    return faulty ? this.severity * NOISE * strength : 0;
  }
}

/** One machine's samples. */
class MachineReader implements SampleReader {
  truth = -1;
  private readonly load: RandomWalk;
  private readonly noise: RandomWalk;
  private readonly bearing: Bearing;
  private readonly change: number;

  constructor(
    private readonly random: Random,
    { persistence, severity }: StreamOptions,
  ) {
    this.load = new RandomWalk(random);
    this.noise = new RandomWalk(random);
    this.bearing = new Bearing(random, severity);
    this.change = 1 / persistence;
  }

  next(x: Float32Array): boolean {
    if (this.random.uniform() < this.change) this.truth = -this.truth;
    const [l, s] = [this.load.next(), this.noise.next()];
    for (let j = 0; j < x.length; j++) x[j] = this.bearing.read(l, s, this.truth > 0);
    return true;
  }
}

/**
 * Machines, one a node, whose bearing is damaged (+1) or not (-1), in stays of `persistence` samples in the
 * mean: a damaged part that the load meets or doesn't. A sample is `channels` readings of one accelerometer
 * in a row, and the next sample follows it without a gap. A sound machine has its shaft's lines, in noise;
 * load and noise wander, each by itself. In a damaged one each ball that passes the fault strikes it. A blow is
 * `severity` times the noise's deviation, and makes the casing ring at a higher frequency. After
 * McFadden, Smith: Model for the vibration produced by a single point defect in a rolling element bearing, J.
 * Sound Vib. 96(1), 1984.
 */
export function bearings(options: StreamOptions, seed: number): NodeStream[] {
  const { nodes, samples: count, channels } = options;
  return Array.from({ length: nodes }, (_, n) => {
    const open = () => new MachineReader(new Random(seed, `bearing ${n + 1}`), options);
    return { node: `machine ${n + 1}`, channels, count, open };
  });
}
