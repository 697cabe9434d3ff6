import { readFileSync } from "node:fs";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { type UserOptions, withBudget } from "../../src/learn/family.ts";
import { noteWords } from "../../src/learn/learner.ts";
import { FAMILIES } from "../../src/learn/registry.ts";
import { BOARDS } from "../../targets/boards.ts";
import { callTerms, longest } from "../../targets/cost-model.ts";
import costs from "../../targets/costs.json";
import { planTime } from "../../targets/instructions.ts";
import { plannedNode } from "../../targets/planned-node.ts";

/** The most by which a prediction's fit may err, relative to the count. */
const MOST_ERROR = 0.05;
/** By the data, more or fewer of NOGD's features are 0, by which a chip without floating point multiplies faster. */
const MOST_ERROR_OF: { readonly [learner: string]: number } = { nogd: 0.06 };

type Call = "predict" | "learn";

interface Fit {
  readonly coefficients: readonly number[];
  readonly error: number;
}

/** Counts at several sizes, each an array of the same length. */
interface Counts {
  readonly dimension: readonly number[];
  readonly classes?: readonly number[];
  readonly stored: readonly number[];
  readonly predict: readonly number[];
  readonly mostStored: readonly number[];
  readonly learn: readonly number[];
}

const { chips } = JSON.parse(readFileSync("targets/emulator/sized-counts.json", "utf8")) as {
  readonly chips: { readonly [chip: string]: { readonly [learner: string]: Counts } };
};

/** Every learner's costs on every chip. */
const fitted = Object.entries(costs.instructions).flatMap(([chip, { learners }]) =>
  Object.entries(learners as { readonly [name: string]: Record<Call, Fit> }).map(([name, fits]) => ({
    ...{ chip, name, what: `${name} on ${chip}`, fits, counts: chips[chip]?.[name] },
  })),
);

/** A fit's costs at the sizes that were counted. */
function fittedCosts(
  name: string,
  call: Call,
  fit: Fit,
  { dimension, classes, stored, mostStored }: Counts,
): number[] {
  const sizes = call === "predict" ? stored : mostStored;
  return sizes.map((size, i) =>
    longest(fit.coefficients, callTerms(name, call, size, dimension[i], undefined, classes?.[i])),
  );
}

test("the fit of each learner's prediction errs by at most 5 % on every chip, at sizes that weren't fitted, too", () => {
  assert.ok(fitted.length > 300, `${fitted.length} fits`);
  for (const { name, what, fits } of fitted) {
    const most = MOST_ERROR_OF[name] ?? MOST_ERROR;
    assert.ok(fits.predict.error <= most, `${what}: ${(100 * fits.predict.error).toFixed(1)} %`);
  }
});

test("the stored counts say so: no prediction errs by more than its fit's error, and no label takes more than the bound", () => {
  const counted = fitted.filter(({ counts }) => counts);
  assert.ok(counted.length > 0);
  for (const { name, what, fits, counts } of counted) {
    const errors = fittedCosts(name, "predict", fits.predict, counts).map((cost, i) =>
      Math.abs(cost / counts.predict[i] - 1),
    );
    assert.ok(Math.abs(Math.max(...errors) - fits.predict.error) < 1e-4, `${what}: ${errors}`);
    const { learn } = fits;
    fittedCosts(name, "learn", learn, counts).forEach((cost, i) => {
      const most = cost / (1 - learn.error);
      assert.ok(most >= counts.learn[i], `${what}: ${counts.learn[i]} of ${most} at size ${i}`);
    });
  }
});

/** Options of the runs of `test:device`, by what stands behind the learner's name: see targets/emulator/programs/subjects.ts. */
const VARIANTS: { readonly [variant: string]: UserOptions } = {
  given: { kernel: { type: "gaussian", p: 1 } },
  q15: { storage: "q15", ranges: [[-4, 4]] },
  sources: { sources: [[0.3, 0.1]] },
  diagonal: { covariance: "diagonal" },
};

/** The time that plan gives a run of `test:device` with 64 vectors of 8 components, and whether its samples are noted; undefined for other runs. */
function plannedRun(run: string, chip: string) {
  const [name, ...variants] = run.split("/");
  const learner = FAMILIES.find((family) => family.name === name);
  const board = Object.values(BOARDS).find((each) => each.chip === chip);
  if (!learner || !board || !variants.every((variant) => VARIANTS[variant])) return undefined;
  const kernel = variants.includes("q15") && learner.options.kernel ? VARIANTS.given : {};
  const options = Object.assign({}, kernel, ...variants.map((variant) => VARIANTS[variant]));
  const budgeted = withBudget(learner, options, 64);
  const time = planTime(plannedNode({ sid: 1, channels: 8, learner, options: budgeted }), board);
  // The long runs counted predictions without the note that a node takes of its sample.
  return time && { time, isNoted: noteWords(learner.layout({ ...budgeted, dimension: 8 })) > 0 };
}

const longRuns = JSON.parse(readFileSync("targets/emulator/counts.json", "utf8")).chips;

test("plan says what each learner took in the long runs on the chips, with the options that they had: a label at most", () => {
  let runs = 0;
  for (const [chip, of] of Object.entries(longRuns)) {
    for (const [run, counted] of Object.entries(of as Record<string, Record<string, number>>)) {
      const planned = plannedRun(run, chip);
      if (!planned) continue;
      runs++;
      const { time, isNoted } = planned;
      const what = `${run} on ${chip}: ${JSON.stringify(counted)}`;
      const error = isNoted ? 0 : Math.abs(time.predict / counted.predict - 1);
      assert.ok(error <= MOST_ERROR, `${what}, predict ${time.predict}`);
      const parts = time.parts.filter(({ part }) => part === "watch" || part === "sources");
      const usual = parts.reduce((sum, { instructions }) => sum + instructions, time.learn);
      const most = Math.max(usual, time.width ?? 0);
      assert.ok(most >= counted.longest, `${what}, at most ${most}`);
    }
  }
  assert.ok(runs > 180, `${runs} runs`);
});

test.run();
