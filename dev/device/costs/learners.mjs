// Costs of learners: a prediction, a label, the width that they find, classes, sources of labels.

import { fitRows, model, outcome, outcomes } from "./runs.mjs";
import {
  BYTES,
  BYTES_FITTED,
  CORRECTED,
  FITTED,
  FITTED_SHARED,
  FOUND_SIZES,
  HELD_OUT_SHARED,
  measuredSizes,
  SHORT_FITTED,
  SHORT_SIZES,
  SHORT_TERMS,
  SIZES,
  steps,
  WATCH_STEPS,
  WIDTH_INPUTS,
  WIDTH_SIZES,
  WIDTH_STEPS,
} from "./sizes.mjs";
import { isShort, isSized, withGivenWidth } from "./subjects.mjs";

/**
 * The cost of finding the width: the step that finds it, the longest so far, less the predictions and steps
 * of the inputs that waited, which cost as much as with a given width.
 */
export async function measureWidth(firmware) {
  const runs = (run, steps) =>
    WIDTH_SIZES.map(([dimension, budget]) => ({ run, dimension, budget, steps, measured: WIDTH_INPUTS }));
  const found = await outcomes(firmware, runs("olk-c", WIDTH_STEPS));
  const given = await outcomes(firmware, runs("olk-c/given", WIDTH_INPUTS));
  const rows = found.map(({ mostPerStep }, i) => ({
    terms: model.learnerTerms(0, WIDTH_SIZES[i][0]),
    cost: mostPerStep - WIDTH_INPUTS * given[i].perStep,
  }));
  return { ...fitRows(rows, WIDTH_SIZES.length - 1), watch: await measureWatch(firmware) };
}

/**
 * The longest label of each of those learners until the width is found; with it, it learns the inputs that waited, or FOGD draws frequencies
 * in their place.
 */
export async function measureFound(firmware, names) {
  const of = {};
  for (const name of names) {
    const [sizes, count] = model.costTraits(name).findsByBudget
      ? [SIZES, FITTED.length]
      : [FOUND_SIZES, FOUND_SIZES.length - 1];
    const measured = await outcomes(
      firmware,
      sizes.map(([dimension, budget]) => ({ run: name, dimension, budget, steps: WIDTH_STEPS })),
    );
    const rows = measured.map(({ mostPerStep }, i) => ({
      terms: model.foundTerms(name, sizes[i][1], sizes[i][0]),
      cost: mostPerStep,
    }));
    of[name] = fitRows(rows, count);
  }
  return of;
}

/**
 * The additional cost of a label where the width is watched, apart from the one in eight that tries another
 * width.
 */
async function measureWatch(firmware) {
  const argument = { dimension: 32, budget: 40, steps: WATCH_STEPS };
  const [found, given] = await outcomes(firmware, [
    { ...argument, run: "olk-c" },
    { ...argument, run: "olk-c/given" },
  ]);
  return Math.max(0, Math.round(found.perStep - given.perStep - (2 / 8) * found.perPredict));
}

/**
 * The additional cost of a label that is corrected for its source, whose step isn't bound: for a kernel
 * expansion by OLK-C, for a learner that stores no vectors by AROW.
 */
export async function measureSources(firmware) {
  const measureAdded = async (name) => {
    const runs = (run) =>
      CORRECTED.map(([dimension, budget]) => ({ run, dimension, budget, steps: steps(budget, name) }));
    const plain = await outcomes(firmware, runs(name));
    const correcting = await outcomes(firmware, runs(`${name}/sources`));
    return correcting.map(({ mostSize, mostPerStep }, i) => ({
      terms: model.learnerTerms(mostSize, CORRECTED[i][0]),
      cost: Math.max(1, mostPerStep - plain[i].mostPerStep),
    }));
  };
  const [linear, kernel] = [await measureAdded("arow"), await measureAdded("olk-c/given")];
  return { linear: fitRows(linear, CORRECTED.length - 1), kernel: fitRows(kernel, CORRECTED.length - 1) };
}

/** The places of samples at which a learner's steps may be longest. */
function samplePlaces(name, forgetful) {
  if (model.costTraits(name).spread) return [undefined, "near"]; // far samples make no eigenproblem longer
  return forgetful.includes(name.replace("/q15", "")) ? [undefined, "near", "far"] : [undefined];
}

/** The sizes at which to measure that learner, how many of them to fit, and how many of the model's terms. */
function sizesToFit(name, learners) {
  if (isShort(name, learners)) return [SHORT_SIZES, SHORT_FITTED.length, SHORT_TERMS];
  if (isSized(name)) return [BYTES, BYTES_FITTED.length, undefined];
  return [measuredSizes(name), FITTED.length, undefined];
}

/** The longest prediction and step for any place of the samples. */
export async function measureLearner(firmware, name, { learners, forgetful, finders }) {
  const [learner] = name.split("/");
  const run = withGivenWidth(name, finders);
  const [sizes, count, terms] = sizesToFit(name, learners);
  const found = [];
  for (const place of samplePlaces(name, forgetful)) {
    const runs = sizes.map(([dimension, budget]) => ({
      ...{ run, dimension, budget, place },
      steps: steps(isSized(name) ? Math.ceil(budget / dimension) : budget, name, place),
    }));
    found.push(await outcomes(firmware, runs));
  }
  const some = (all) => all.slice(0, terms);
  const most = (i, of) => Math.max(...found.map((outcomes) => outcomes[i][of]));
  const rows = (i, size) => (isSized(name) ? model.rowsIn(sizes[i][1], sizes[i][0]) : size);
  const row = (i, size, cost) => ({ terms: some(model.learnerTerms(rows(i, size), sizes[i][0])), cost });
  const predict = sizes.map((_, i) => {
    const longest = most(i, "perPredict");
    const { size } = found.find((outcomes) => outcomes[i].perPredict === longest)[i];
    return row(i, size, longest);
  });
  const learn = sizes.map(([dimension], i) => ({
    labels: model.learnTerms(learner, rows(i, most(i, "mostSize")), dimension).map(some),
    cost: most(i, "mostPerStep"),
  }));
  const restart = sizes.map((_, i) => row(i, most(i, "size"), most(i, "perRestart")));
  return {
    predict: fitRows(predict, count),
    learn: { ...fitRows(learn, count), ...(learn[0].labels.length > 1 && { spread: true }) },
    ...(restart.every(({ cost }) => cost > 0) && { restart: fitRows(restart, count) }),
  };
}

/** The additional cost of one-vs-all for each class over as many separate learners. */
export async function measureProblem(firmware, { predict, learn }) {
  const [classes, dimension, budget] = [3, 8, 20];
  const argument = { run: `ova:olk-c/${classes}/given`, dimension, budget, steps: steps(budget) };
  const { perPredict, mostPerStep } = await outcome(firmware, argument);
  const terms = model.learnerTerms(budget, dimension);
  const addedCost = (all, { coefficients }) =>
    Math.ceil(Math.max(0, all / classes - model.cost(coefficients, terms)));
  return { predict: addedCost(perPredict, predict), learn: addedCost(mostPerStep, learn) };
}

/** The longest prediction and step of classes that share a dictionary, by OLK-C. */
export async function measureShared(firmware) {
  const sizes = [...FITTED_SHARED, ...HELD_OUT_SHARED];
  const found = await outcomes(
    firmware,
    sizes.map(([classes, dimension, budget]) => ({
      ...{ run: `ova:olk-c/${classes}/shared/given`, dimension, budget },
      steps: steps(budget, "olk-c"),
    })),
  );
  const rows = (size, cost) =>
    found.map((o, i) => {
      const [classes, dimension] = sizes[i];
      return { terms: model.sharedTerms(o[size], dimension, classes), cost: o[cost] };
    });
  return {
    predict: fitRows(rows("size", "perPredict"), FITTED_SHARED.length),
    learn: fitRows(rows("mostSize", "mostPerStep"), FITTED_SHARED.length),
  };
}
