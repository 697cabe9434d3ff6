// fast-check as the tests use it: each run draws the same examples, so that a run's outcome changes with the code alone.
// PROPERTY_SEED=N draws others: a search for examples that nobody thought of.
import * as fc from "fast-check";

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env.PROPERTY_SEED ?? 1) });

export * from "fast-check";
