import type { ExperimentResult } from "./result.ts";

export const OUTCOMES: { readonly [outcome in ExperimentResult["verdict"]["outcome"]]: string } = {
  holds: "holds",
  partly: "holds in part",
  behind: "behind",
  fails: "doesn't hold",
  measured: "measured",
  unfinished: "not finished",
  "not-run": "not run",
};
