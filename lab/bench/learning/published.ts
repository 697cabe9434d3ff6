import { Elementary } from "../../../src/math/elementary.ts";
import { between, drawDirection, fillUniform } from "../../experiments/lib/drawing.ts";
import type { GeneratedStream } from "./generated.ts";

const elementary = new Elementary();

const WAVE_POINTS = 21;
/** A triangle of height 6 around a point. */
const wave = (j: number, centre: number) => Math.max(0, 6 - Math.abs(j - centre));

const WAVEFORM: GeneratedStream = {
  name: "waveform",
  doc: "Breiman et al. (1984): two of its three classes; a mixture of two waves at 21 points, with noise",
  dimension: WAVE_POINTS,
  timed: false,
  begin: (random) => (x) => {
    const label = 2 * random.below(2) - 1;
    const share = random.uniform();
    const other = label > 0 ? 14 : 6;
    for (let j = 0; j < WAVE_POINTS; j++)
      x[j] = share * wave(j, 10) + (1 - share) * wave(j, other) + random.normal();
    return label;
  },
};

/** The segments that show each digit, the highest bit first. */
const DIGITS = [0x77, 0x24, 0x5d, 0x6d, 0x2e, 0x6b, 0x7b, 0x25, 0x7f, 0x6f];
const SEGMENTS = 7;

const LED: GeneratedStream = {
  name: "led",
  doc: "Breiman et al. (1984): an odd or an even digit, by 7 segments that err in 10 %, beside 17 bits that say nothing",
  dimension: 24,
  timed: false,
  begin: (random) => (x) => {
    for (let j = 0; j < x.length; j++) x[j] = random.below(2);
    const digit = random.below(DIGITS.length);
    for (let j = 0; j < SEGMENTS; j++) {
      const lit = (DIGITS[digit] >> (SEGMENTS - 1 - j)) & 1;
      x[j] = random.uniform() < 0.1 ? 1 - lit : lit;
    }
    return digit % 2 === 0 ? 1 : -1;
  },
};

/** True if a person is of group A, by age, salary and level of education: functions 1 to 3 of the paper. */
const GROUPS: readonly ((age: number, salary: number, level: number) => boolean)[] = [
  (age) => age < 40 || age >= 60,
  (age, salary) => {
    const least = age < 40 ? 50_000 : age < 60 ? 75_000 : 25_000;
    return salary >= least && salary <= least + 50_000;
  },
  (age, _, level) => (age < 40 ? level <= 1 : age < 60 ? level >= 1 && level <= 3 : level >= 2),
];

const AGRAWAL: GeneratedStream = {
  name: "agrawal",
  doc: "Agrawal, Imielinski, Swami (1993): nine attributes of a person; functions 1 to 3 take turns, 1000 samples each",
  dimension: 9,
  timed: true,
  begin: (random) => (x, t) => {
    const salary = between(random, 20_000, 150_000);
    const commission = salary >= 75_000 ? 0 : between(random, 10_000, 75_000);
    const age = 20 + random.below(61);
    const level = random.below(5);
    const zip = random.below(9);
    const value = between(random, 0.5, 1.5) * 100_000 * (9 - zip);
    const years = 1 + random.below(30);
    x.set([salary, commission, age, level, 1 + random.below(20), zip, value, years, between(random, 0, 5e5)]);
    return GROUPS[Math.floor(t / 1000) % GROUPS.length](age, salary, level) ? 1 : -1;
  },
};

const RBF_DIMENSION = 10;
const RBF_CENTRES = 20;

/** Centres in the unit cube, each with a class and a width; they move that far a sample, and turn back at the walls. */
function randomRbf(name: string, speed: number): GeneratedStream {
  const moves = speed > 0 ? ` that move ${speed} a sample` : "";
  return {
    name,
    doc: `the random RBF generator of MOA (Bifet et al., 2010): ${RBF_CENTRES} centres in ${RBF_DIMENSION} dimensions${moves}`,
    dimension: RBF_DIMENSION,
    timed: speed > 0,
    begin(random) {
      const centres = Array.from({ length: RBF_CENTRES }, () => ({
        at: Array.from({ length: RBF_DIMENSION }, () => random.uniform()),
        step: drawDirection(random, RBF_DIMENSION, speed),
        label: 2 * random.below(2) - 1,
        width: random.uniform(),
      }));
      const move = ({ at, step }: (typeof centres)[number]) => {
        at.forEach((value, j) => {
          at[j] = value + step[j];
          if (at[j] < 0 || at[j] > 1) step[j] = -step[j];
        });
      };
      return (x) => {
        if (speed > 0) centres.forEach(move);
        const { at, label, width } = centres[random.below(RBF_CENTRES)];
        const offset = drawDirection(random, RBF_DIMENSION, width * random.normal());
        for (let j = 0; j < RBF_DIMENSION; j++) x[j] = at[j] + offset[j];
        return label;
      };
    },
  };
}

const SINE: GeneratedStream = {
  name: "sine1",
  doc: "SINE1 (Gama et al., 2004): below a sine or above, in the unit square; the classes swap every 1000 samples",
  dimension: 2,
  timed: true,
  begin: (random) => (x, t) => {
    fillUniform(x, random);
    const label = x[1] < elementary.sin(x[0]) ? 1 : -1;
    return Math.floor(t / 1000) % 2 === 0 ? label : -label;
  },
};

/** Centre and radius of the concepts. */
const CIRCLES_AT = [
  [0.2, 0.5, 0.15],
  [0.4, 0.5, 0.2],
  [0.6, 0.5, 0.25],
  [0.8, 0.5, 0.3],
];

const CIRCLES: GeneratedStream = {
  name: "circles",
  doc: "CIRCLES (Gama et al., 2004): within a circle or not, in the unit square; four circles take turns, 1000 samples each",
  dimension: 2,
  timed: true,
  begin: (random) => (x, t) => {
    const [u, v, radius] = CIRCLES_AT[Math.floor(t / 1000) % CIRCLES_AT.length];
    fillUniform(x, random);
    return (x[0] - u) ** 2 + (x[1] - v) ** 2 < radius * radius ? 1 : -1;
  },
};

/** Published generators on which no option of a learner was chosen. */
export const PUBLISHED: readonly GeneratedStream[] = [
  WAVEFORM,
  LED,
  AGRAWAL,
  randomRbf("random-rbf", 0),
  randomRbf("random-rbf-drift", 0.001),
  SINE,
  CIRCLES,
];
