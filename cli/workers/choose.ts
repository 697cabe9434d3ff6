// A thread of `choose`.
import { workerData } from "node:worker_threads";
import type { DataSet } from "../../host/streams/table.ts";
import { catalogueWith } from "../../host-sim/catalogue/plugins.ts";
import { answer } from "../../host-sim/runs/threads.ts";
import { CandidateRunner, type Passes, type Trial } from "../../lab/choice/candidate-runner.ts";

const { train, order, plugins } = workerData as {
  readonly train: DataSet;
  readonly order: Passes;
  readonly plugins: readonly string[];
};
const tryer = new CandidateRunner(await catalogueWith(plugins), train, order);

answer(async (trial: Trial) => tryer.try(trial));
