// Costs of learners: a prediction, a label, the width that they find, classes, sources of labels.

import { coverLabel, fitRows, model, outcome, outcomes } from "./runs.mjs";
import {
  BYTES,
  BYTES_FITTED,
  CORRECTED,
  FITTED_SHARED,
  FITTED_SIZES,
  FOUND_SIZES,
  HELD_OUT_SHARED,
  LONG_RUN,
  measuredSizes,
  READING_SIZES,
  READING_STEPS,
  SEVERAL,
  SEVERAL_FITTED,
  SHORT_FITTED,
  SHORT_SIZES,
  SHORT_TERMS,
  SIZES,
  steps,
  stepsToFill,
  WATCH_STEPS,
  WIDTH_INPUTS,
  WIDTH_SIZES,
  WIDTH_STEPS,
} from "./sizes.mjs";
import { hasClasses, isShort, isSized, runName, withGivenWidth } from "./subjects.mjs";

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
  const watch = await measureWatch(firmware);
  const predict = await measureReading(firmware, "olk-c", READING_SIZES);
  return { ...fitRows(rows, WIDTH_SIZES.length - 1), watch, predict };
}

/**
 * The longest label of each of those learners until the width is found; with it, it learns the inputs that waited, or FOGD draws frequencies
 * in their place.
 */
export async function measureFound(firmware, names) {
  const of = {};
  for (const name of names) {
    const { findsByBudget, spread } = model.costTraits(name);
    const [sizes, count] = findsByBudget ? [SIZES, FITTED_SIZES] : [FOUND_SIZES, FOUND_SIZES.length - 1];
    const measured = await outcomes(
      firmware,
      sizes.map(([dimension, budget]) => ({ run: name, dimension, budget, steps: WIDTH_STEPS })),
    );
    const rows = measured.map(({ mostPerStep }, i) => ({
      terms: model.foundTerms(name, sizes[i][1], sizes[i][0]),
      cost: mostPerStep,
    }));
    of[name] = fitRows(rows, count);
    if (findsByBudget || spread)
      of[name].predict = await measureReading(firmware, name, findsByBudget ? sizes : READING_SIZES);
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

/** The most that a prediction of that learner takes more at those sizes where the width was found, for it reads the width, or scales its input. */
async function measureReading(firmware, name, sizes) {
  const predictions = async (run) => {
    const runs = sizes.map(([dimension, budget]) => ({ run, dimension, budget, steps: READING_STEPS }));
    return (await outcomes(firmware, runs)).map(({ mostPerPredict }) => mostPerPredict);
  };
  const [found, given] = [await predictions(name), await predictions(`${name}/given`)];
  return Math.max(0, ...found.map((took, i) => took - given[i]));
}

/**
 * The additional cost of a label that is corrected for its source, whose step isn't bound: for a kernel expansion by OLK-C, for a learner
 * that stores no vectors by AROW. An expansion's predictions aren't bound then, either.
 */
export async function measureSources(firmware) {
  const measureAdded = async (name) => {
    const runs = (run) =>
      CORRECTED.map(([dimension, budget]) => ({ run, dimension, budget, steps: steps(budget, name) }));
    const plain = await outcomes(firmware, runs(name));
    const correcting = await outcomes(firmware, runs(`${name}/sources`));
    const fitAdded = (of, stored) => {
      const rows = correcting.map((outcome, i) => ({
        terms: model.learnerTerms(outcome[stored], CORRECTED[i][0]),
        cost: Math.max(1, outcome[of] - plain[i][of]),
      }));
      return fitRows(rows, CORRECTED.length - 1);
    };
    return { learn: fitAdded("mostPerStep", "mostSize"), predict: fitAdded("mostPerPredict", "size") };
  };
  const [linear, kernel] = [await measureAdded("arow"), await measureAdded("olk-c/given")];
  return { linear: linear.learn, kernel: kernel.learn, predict: kernel.predict };
}

/** The places of samples at which a learner's steps may be longest. */
function samplePlaces(name, forgetful) {
  if (model.costTraits(name).spread) return [undefined, "near"]; // far samples make no eigenproblem longer
  return forgetful.includes(name.replace("/q15", "")) ? [undefined, "near", "far"] : [undefined];
}

/** The sizes at which to measure that learner, how many of them to fit, and how many of the model's terms. */
function sizesToFit(name, learners) {
  if (isShort(name, learners)) return [SHORT_SIZES, SHORT_FITTED.length, SHORT_TERMS];
  if (hasClasses(name)) return [SEVERAL, SEVERAL_FITTED.length, undefined];
  if (isSized(name)) return [BYTES, BYTES_FITTED.length, undefined];
  return [measuredSizes(name), FITTED_SIZES, undefined];
}

/**
 * Counts of a learner at each of its sizes: the longest prediction with so many vectors stored, the longest step with so many at most, for any
 * place of the samples, and the restart of its confidence, if it has one. A learner that an option gives its bytes stores these; a committee's
 * member at most its budget.
 */
export async function countLearner(firmware, name, { learners, forgetful, finders }) {
  const run = withGivenWidth(name, finders);
  const [sizes] = sizesToFit(name, learners);
  const found = [];
  for (const place of samplePlaces(name, forgetful)) {
    const runs = sizes.map(([dimension, budget, classes]) => ({
      ...{ run: runName(run, classes), dimension, budget, place },
      steps: isSized(name) ? stepsToFill(budget, dimension) : steps(budget, name, place, dimension),
    }));
    found.push(await outcomes(firmware, runs));
  }
  const most = (of) => sizes.map((_, i) => Math.max(...found.map((outcomes) => outcomes[i][of])));
  const predict = most("mostPerPredict");
  const longest = sizes.map((_, i) => found.find((outcomes) => outcomes[i].mostPerPredict === predict[i])[i]);
  const given = sizes.map(([, size]) => size);
  const bytes = isSized(name) && given;
  const isCommittee = model.costTraits(name.split("/")[0]).finder !== undefined;
  const restart = most("perRestart");
  return {
    dimension: sizes.map(([dimension]) => dimension),
    ...(hasClasses(name) && { classes: sizes.map(([, , classes]) => classes) }),
    stored: bytes || longest.map(({ size }) => size),
    predict,
    mostStored: isCommittee ? given : most("mostSize"),
    learn: most("mostPerStep"),
    ...(restart.every((cost) => cost > 0) && { restart }),
  };
}

/** The costs of a learner that was counted so. */
export function fitLearner(name, counts, { learners }) {
  const { dimension, classes = [], stored, predict, mostStored, learn, restart } = counts;
  const [, count, terms] = sizesToFit(name, learners);
  const fitCall = (call, sizes, costs) => {
    const labelsAt = (i) => model.callTerms(name, call, sizes[i], dimension[i], undefined, classes[i]);
    const rows = costs.map((cost, i) => ({ labels: labelsAt(i).map((all) => all.slice(0, terms)), cost }));
    return fitRows(rows, count);
  };
  return {
    predict: fitCall("predict", stored, predict),
    learn: fitCall("learn", mostStored, learn),
    ...(restart && { restart: fitCall("predict", stored, restart) }),
  };
}

/**
 * The same costs, with errors that cover the longest label of the long runs of `test:device` too, which some learners take later than in any
 * run here: `longest` by a run's name.
 */
export function coverLongRun(name, fits, longest, { finders }) {
  const [dimension, budget] = LONG_RUN;
  const run = name.endsWith("/q15") ? name : withGivenWidth(name, finders);
  if (isSized(name)) return fits;
  return {
    ...fits,
    learn: coverLabel(fits.learn, model.callTerms(name, "learn", budget, dimension), longest(run)),
  };
}

/** The same of the label that finds a learner's width. */
export function coverLongFinding(name, fit, longest) {
  const [dimension, budget] = LONG_RUN;
  return coverLabel(fit, [model.foundTerms(name, budget, dimension)], longest(name));
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
