import { Random } from "../../host/random.ts";
import { type Html, html } from "../../host/report/html.ts";
import { cloud } from "../../host/report/shapes.ts";
import { type Family, takesBudget, withBudget } from "../../src/learn/family.ts";
import type { Learner } from "../../src/learn/learner.ts";

/** Pixels of a side; inputs lie in +-RANGE. */
const SIDE = 160;
const CELL = 5;
const RANGE = 2;
const SAMPLES = 400;
const SHOWN = 60;
const WRONG = 0.1;
/** Length of a class in samples, for learners that use it. */
const LASTING = 20;
const BUDGET = 32;
const SEED = 1;

interface Sample {
  readonly x: readonly number[];
  readonly y: number;
}

const pixel = (value: number) => Math.round(((value + RANGE) / (2 * RANGE)) * SIDE);
const valueAt = (pixel: number) => (pixel / SIDE) * 2 * RANGE - RANGE;

/** True if the classes are divided by a line: where the learner's boundary is one. */
function isOfLine(family: Family): boolean {
  return !takesBudget(family) || family.traits?.picture?.line === true;
}

/** The class of a place: inside a circle, or on one side of a line. */
function truth(family: Family, [a, b]: readonly number[]): number {
  const inside = isOfLine(family) ? a + 0.5 * b > 0.2 : a * a + b * b < 1.6;
  return inside ? 1 : -1;
}

function drawPoint(random: Random, family: Family, wanted: number): readonly number[] {
  for (;;) {
    const x = [RANGE * (2 * random.uniform() - 1), RANGE * (2 * random.uniform() - 1)];
    if (wanted === 0 || truth(family, x) === wanted) return x;
  }
}

/** Two classes with a tenth of the labels wrong; for novelty only normal samples. */
function places(family: Family): Sample[] {
  const isNovelty = family.task === "novelty";
  const random = new Random(SEED, "guide");
  return Array.from({ length: SAMPLES }, (_, t) => {
    const lasting = family.traits?.picture?.lasting ? (t % (2 * LASTING) < LASTING ? 1 : -1) : 0;
    const x = drawPoint(random, family, isNovelty ? 1 : lasting);
    const y = truth(family, x) * (!isNovelty && random.uniform() < WRONG ? -1 : 1);
    return { x, y };
  });
}

const curve = (x: number) => 1.2 * x * (1 - 0.3 * x * x);

function targets(): Sample[] {
  const random = new Random(SEED, "guide");
  return Array.from({ length: SAMPLES }, () => {
    const x = RANGE * (2 * random.uniform() - 1);
    return { x: [x], y: curve(x) + 0.15 * random.normal() };
  });
}

function dots(
  samples: readonly Sample[],
  colour: string,
  at: (sample: Sample) => readonly [number, number],
): Html {
  return cloud(samples.map(at), { colour }, 4);
}

/** The cells where the learner predicts +1: a rectangle for each run of a row. */
function field(learner: Learner): Html {
  let path = "";
  for (let top = 0; top < SIDE; top += CELL) {
    let begin = -1;
    for (let left = 0; left <= SIDE; left += CELL) {
      const place = [valueAt(left + CELL / 2), -valueAt(top + CELL / 2)];
      const isIn = left < SIDE && learner.predict(place) >= 0;
      if (isIn && begin < 0) begin = left;
      if (isIn || begin < 0) continue;
      path += `M${begin} ${top}h${left - begin}v${CELL}h${begin - left}z`;
      begin = -1;
    }
  }
  return html`<path d="${path}" fill="#cfe3f5"/>`;
}

function classes(family: Family, learner: Learner): Html[] {
  const samples = places(family);
  for (const { x, y } of samples) learner.learn(x, y);
  const last = samples.slice(-SHOWN);
  const at = ({ x: [a, b] }: Sample) => [pixel(a), pixel(-b)] as const;
  const of = (sign: number) => last.filter(({ y }) => y === sign);
  return [field(learner), dots(of(1), "#1f5f99", at), dots(of(-1), "#b8431f", at)];
}

function fit(learner: Learner): Html[] {
  const samples = targets();
  for (const { x, y } of samples) learner.learn(x, y);
  const at = ({ x: [a], y }: Sample) => [pixel(a), pixel(-y)] as const;
  const line = (of: (x: number) => number, colour: string) => {
    const points = Array.from({ length: SIDE / CELL + 1 }, (_, i) => CELL * i);
    const path = points.map((left) => `${left} ${pixel(-of(valueAt(left)))}`).join("L");
    return html`<path d="M${path}" fill="none" stroke="${colour}" stroke-width="2"/>`;
  };
  return [
    dots(samples.slice(-SHOWN), "#b8c4d0", at),
    line(curve, "#b8431f"),
    line((x) => learner.predict([x]), "#1f5f99"),
  ];
}

/** An SVG of the learner after 400 samples drawn with a fixed seed: the same bytes on every machine. */
export function drawPicture(family: Family): string {
  const isRegression = family.task === "regression";
  const learner = family.create(withBudget(family, { dimension: isRegression ? 1 : 2 }, BUDGET));
  const shapes = isRegression ? fit(learner) : classes(family, learner);
  const ground = html`<rect width="${SIDE}" height="${SIDE}" fill="#fff" stroke="#999"/>`;
  return `${html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIDE} ${SIDE}" width="${SIDE}" height="${SIDE}"><title>What ${family.name} learned from ${SAMPLES} samples</title>${ground}${shapes}</svg>`}\n`;
}
