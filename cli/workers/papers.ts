// A thread of `papers`.
import { workerData } from "node:worker_threads";
import { answerPapers } from "../../lab/experiments/worker.ts";

answerPapers(workerData as string | undefined);
