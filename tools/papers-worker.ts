// A thread of `papers`.
import { workerData } from "node:worker_threads";
import { answerPapers } from "../host-sim/papers/worker.ts";

answerPapers(workerData as string | undefined);
