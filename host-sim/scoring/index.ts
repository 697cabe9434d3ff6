export { Auc } from "./auc.ts";
export { BalancedAccuracy } from "./balanced-accuracy.ts";
export { ErrorRate } from "./error-rate.ts";
export { EventsFound, FalseAlarms } from "./events.ts";
export { F1 } from "./f1.ts";
export { type Metric, Undefined } from "./metric.ts";
export { MeanSquaredError, RootMeanSquaredError } from "./squared-error.ts";
export { LastLabel, MajorityClass, RunningMean, type TrivialPredictor } from "./trivial.ts";
